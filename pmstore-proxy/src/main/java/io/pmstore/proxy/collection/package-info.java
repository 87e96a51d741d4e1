/**
 * Persistent collections: a hash trie behind {@code Map}, {@code ConcurrentMap} and {@code Set};
 * the trie and a linked list through its entries behind {@code SequencedMap} and {@code
 * SequencedSet}; an order-statistic tree behind {@code List}; linked chunks behind {@code Deque}
 * and {@code Queue}; a B+ tree behind {@code NavigableMap} and {@code NavigableSet}.
 *
 * <p>They consist of raw heap objects, and read and write the Java values in these only through
 * {@link io.pmstore.proxy.collection.CellCodec}. The {@code *Shapes} classes have the layouts of
 * all nodes.
 */
@NullMarked
package io.pmstore.proxy.collection;

import org.jspecify.annotations.NullMarked;
