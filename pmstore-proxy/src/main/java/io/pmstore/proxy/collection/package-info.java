/**
 * Persistent collections: a hash trie behind {@code Map}, {@code ConcurrentMap} and {@code Set}, an
 * order-statistic tree behind {@code List}, linked chunks behind {@code Deque} and {@code Queue}.
 *
 * <p>They stand on raw heap objects and know the Java values in them only through {@link
 * io.pmstore.proxy.collection.CellCodec}; the layouts of all their nodes are in {@link
 * io.pmstore.proxy.collection.CollectionShapes}.
 */
@NullMarked
package io.pmstore.proxy.collection;

import org.jspecify.annotations.NullMarked;
