package io.pmstore.core.store;

import io.pmstore.Durability;
import io.pmstore.GcReport;
import io.pmstore.PmStore;
import io.pmstore.StoreStatistics;
import io.pmstore.Upgrade;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.Heap;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The store that users hold: hands each call to the object layer or the heap. */
final class HeapStore implements PmStore {
  private final Engines engines;
  private final Heap heap;
  private final @Nullable Collector collector;
  private final Path directory;
  private final long logSegmentSize;

  /**
   * Creates the store of a heap.
   *
   * @param engines write its backups
   * @param collector the heap's, which has been started; null if there is none
   * @param directory the store's
   * @param logSegmentSize of its backups, in bytes
   */
  HeapStore(
      Engines engines,
      Heap heap,
      @Nullable Collector collector,
      Path directory,
      long logSegmentSize) {
    this.engines = engines;
    this.heap = heap;
    this.collector = collector;
    this.directory = directory;
    this.logSegmentSize = logSegmentSize;
  }

  @Override
  public <T> T root(Class<T> type) {
    return heap.layer().root(type);
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    return heap.layer().root(name, type);
  }

  @Override
  public <T> T create(Class<T> type) {
    return heap.layer().create(type);
  }

  @Override
  @SuppressWarnings("unchecked") // it is new and empty
  public <K extends @Nullable Object, V extends @Nullable Object> Map<K, V> newMap() {
    return (Map<K, V>) heap.layer().newCollection(Map.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K extends @Nullable Object, V extends @Nullable Object>
      SequencedMap<K, V> newSequencedMap() {
    return (SequencedMap<K, V>) heap.layer().newCollection(SequencedMap.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K, V> ConcurrentMap<K, V> newConcurrentMap() {
    return (ConcurrentMap<K, V>) heap.layer().newCollection(ConcurrentMap.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> List<E> newList() {
    return (List<E>) heap.layer().newCollection(List.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> Set<E> newSet() {
    return (Set<E>) heap.layer().newCollection(Set.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> SequencedSet<E> newSequencedSet() {
    return (SequencedSet<E>) heap.layer().newCollection(SequencedSet.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E> Deque<E> newDeque() {
    return (Deque<E>) heap.layer().newCollection(Deque.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K extends @Nullable Object, V extends @Nullable Object> NavigableMap<K, V> newSortedMap(
      @Nullable Comparator<? super K> comparator) {
    return (NavigableMap<K, V>) heap.layer().newCollection(NavigableMap.class, comparator);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> NavigableSet<E> newSortedSet(
      @Nullable Comparator<? super E> comparator) {
    return (NavigableSet<E>) heap.layer().newCollection(NavigableSet.class, comparator);
  }

  @Override
  @SuppressWarnings("unchecked") // a twin is of a subclass, and a collection's of its interface
  public <T> T persist(T plain) {
    return (T) heap.layer().persist(plain);
  }

  @Override
  public <T> T copy(T object) {
    return copy(object, reached -> true);
  }

  @Override
  @SuppressWarnings(
      "unchecked") // a copy is of the user's class, and a collection's of its interface
  public <T> T copy(T object, Predicate<Object> included) {
    return (T) heap.layer().copy(object, included);
  }

  @Override
  public <X extends Exception> void transaction(TransactionBody<X> body) throws X {
    heap.<@Nullable Void, X>transaction(null, function(body));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transaction(
      TransactionFunction<T, X> body) throws X {
    return heap.transaction(null, body);
  }

  @Override
  public <X extends Exception> void transaction(Durability durability, TransactionBody<X> body)
      throws X {
    heap.<@Nullable Void, X>transaction(
        Objects.requireNonNull(durability, "durability"), function(body));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transaction(
      Durability durability, TransactionFunction<T, X> body) throws X {
    return heap.transaction(Objects.requireNonNull(durability, "durability"), body);
  }

  @Override
  public <X extends Exception> void snapshot(TransactionBody<X> body) throws X {
    heap.<@Nullable Void, X>snapshot(function(body));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T snapshot(
      TransactionFunction<T, X> body) throws X {
    return heap.snapshot(body);
  }

  private static <X extends Exception> TransactionFunction<@Nullable Void, X> function(
      TransactionBody<X> body) {
    return () -> {
      body.run();
      return null;
    };
  }

  @Override
  public Upgrade upgrade() {
    heap.checkUsable();
    heap.checkWritable();
    if (heap.inTransaction()) {
      throw new IllegalStateException(
          "an upgrade has transactions of its own, so it is not begun inside a transaction or a"
              + " snapshot; begin it outside");
    }
    return heap.layer().upgradeAll();
  }

  @Override
  public void backup(Path target) {
    heap.checkUsable();
    Backup.write(engines, heap, directory, logSegmentSize, target);
  }

  @Override
  public GcReport gc() {
    checkOutside(
        "a collection of garbage waits for the end of all transactions that run, so it is not"
            + " begun");
    heap.checkWritable();
    return collector().collect();
  }

  @Override
  public StoreStatistics statistics() {
    checkOutside("statistics are of what is committed, so they are not asked for");
    return collector().statistics();
  }

  @Override
  public long compact() {
    checkOutside("compacting waits for the end of all transactions that run, so it is not begun");
    heap.checkWritable();
    return collector == null ? heap.reclamation().compact() : collector.compact();
  }

  private void checkOutside(String why) {
    heap.checkUsable();
    if (heap.inTransaction()) {
      throw new IllegalStateException(
          why + " inside a transaction or a snapshot; call this outside");
    }
  }

  private Collector collector() {
    if (collector == null) {
      throw CoreStoreProvider.missing("collector");
    }
    return collector;
  }

  @Override
  public void close() {
    if (collector != null && !heap.inTransaction()) { // there the heap refuses, and goes on
      collector.close();
    }
    heap.close();
  }
}
