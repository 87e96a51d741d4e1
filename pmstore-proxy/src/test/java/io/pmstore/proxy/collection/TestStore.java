package io.pmstore.proxy.collection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.Durability;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A heap with collections in it and no object layer above them. */
final class TestStore {
  private final Engine engine;
  final Heap heap;
  final TestCodec codec;
  final CollectionSpace space;

  TestStore() {
    this(new MemoryEngine());
  }

  TestStore(Engine engine) {
    this.engine = engine;
    heap = new Heap(engine, Durability.SYNC, h -> new NoObjects());
    codec = new TestCodec(heap);
    space = new CollectionSpace(heap, codec, new CollectionShapes(this::shapeId));
  }

  private int shapeId(NodeShape shape) {
    List<String> names =
        heap.directory().catalogueEntries().stream()
            .map(entry -> new String(entry, UTF_8))
            .toList();
    if (!names.contains(shape.name())) {
      heap.directory().addCatalogueEntries(List.of(shape.name().getBytes(UTF_8)));
      return names.size() + 1;
    }
    return names.indexOf(shape.name()) + 1;
  }

  /**
   * A store on the same bytes, with nothing left of this one in memory. This one is not to be used
   * any more.
   */
  TestStore reopen() {
    return new TestStore(engine);
  }

  @SuppressWarnings("unchecked") // the kind tells the class
  private <C extends PersistentCollection> C create(
      CollectionKind kind, @Nullable Comparator<?> comparator) {
    return heap.transaction(
        () -> (C) kind.create(space, (@Nullable Comparator<@Nullable Object>) comparator));
  }

  <K extends @Nullable Object, V extends @Nullable Object> PersistentMap<K, V> newMap() {
    return create(CollectionKind.MAP, null);
  }

  <E extends @Nullable Object> PersistentList<E> newList() {
    return create(CollectionKind.LIST, null);
  }

  <E extends @Nullable Object> PersistentSet<E> newSet() {
    return create(CollectionKind.SET, null);
  }

  <K extends @Nullable Object, V extends @Nullable Object>
      PersistentLinkedMap<K, V> newLinkedMap() {
    return create(CollectionKind.LINKED_MAP, null);
  }

  <E extends @Nullable Object> PersistentLinkedSet<E> newLinkedSet() {
    return create(CollectionKind.LINKED_SET, null);
  }

  <E> PersistentDeque<E> newDeque() {
    return create(CollectionKind.DEQUE, null);
  }

  <K, V> PersistentConcurrentMap<K, V> newConcurrentMap() {
    return create(CollectionKind.CONCURRENT_MAP, null);
  }

  <K extends @Nullable Object, V extends @Nullable Object> PersistentSortedMap<K, V> newSortedMap(
      @Nullable Comparator<? super K> comparator) {
    return create(CollectionKind.SORTED_MAP, comparator);
  }

  <E extends @Nullable Object> PersistentSortedSet<E> newSortedSet(
      @Nullable Comparator<? super E> comparator) {
    return create(CollectionKind.SORTED_SET, comparator);
  }

  static long address(PersistentObject collection) {
    return ((HeapObject) collection.pmstoreHandle()).address();
  }

  <K extends @Nullable Object, V extends @Nullable Object> PersistentMap<K, V> map(long address) {
    return new PersistentMap<>(space, heap.object(address));
  }

  <E extends @Nullable Object> PersistentList<E> list(long address) {
    return new PersistentList<>(space, heap.object(address));
  }

  /** Runs a part of a test in one transaction. */
  void in(Runnable body) {
    heap.transaction(
        () -> {
          body.run();
          return true;
        });
  }
}
