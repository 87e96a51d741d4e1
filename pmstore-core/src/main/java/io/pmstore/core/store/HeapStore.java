package io.pmstore.core.store;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.Durability;
import io.pmstore.GcReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.ReadConsistency;
import io.pmstore.Replication;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreMetrics;
import io.pmstore.StoreStatistics;
import io.pmstore.Upgrade;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineHost;
import io.pmstore.core.engine.HeapCopy;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapMetrics;
import io.pmstore.core.heap.Reclamation;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store that users hold: hands each call to the object layer or the heap. */
final class HeapStore implements PmStore, EngineHost {
  private static final long REPLACE_LOOK_MILLIS = 10;

  private final Engines engines;
  private final OpenHeap.Parts parts;
  private final ReentrantReadWriteLock replacing = new ReentrantReadWriteLock();
  private volatile OpenHeap now;

  /**
   * Opens the store's heap.
   *
   * @param engines write its backups
   * @param engine of the heap
   */
  HeapStore(Engines engines, OpenHeap.Parts parts, Engine engine) {
    this.engines = engines;
    this.parts = parts;
    this.now = new OpenHeap(parts, engine);
  }

  /** Returns the heap; waits while another one replaces it. */
  private Heap heap() {
    return current().heap();
  }

  private OpenHeap current() {
    OpenHeap open = now;
    return open.heap().isAdmitting() ? open : awaitReplaced(open);
  }

  private OpenHeap awaitReplaced(OpenHeap open) {
    if (replacing.isWriteLockedByCurrentThread() || open.heap().inTransaction()) {
      return open; // which the replacement waits for
    }
    open.heap().awaitRelease();
    replacing.readLock().lock();
    try {
      return now;
    } finally {
      replacing.readLock().unlock();
    }
  }

  // ---- for an engine with copies elsewhere

  @Override
  public long notes() {
    return CoreLayout.ENGINE_NOTES;
  }

  @Override
  public PmStore store() {
    return this;
  }

  @Override
  public void follow() {
    now.follow();
  }

  @Override
  public long apply(WriteSet record) {
    return now.heap().replica().apply(record);
  }

  @Override
  public void lead(Runnable writable) {
    now.lead(writable);
  }

  @Override
  public HeapCopy copy() {
    while (true) {
      OpenHeap open = current();
      try {
        return open.copy();
      } catch (StoreClosedException e) {
        if (current() == open) {
          throw e;
        }
        // The heap was replaced meanwhile, so the copy is of the next one.
      }
    }
  }

  @Override
  public boolean holdBack(long nanos) {
    return now.heap().holdBack(nanos);
  }

  @Override
  public void release() {
    now.heap().release();
  }

  @Override
  public void replace(Supplier<Engine> next) {
    lockToReplace();
    try {
      OpenHeap former = now;
      former.heap().checkNotClosing();
      former.engine().replaced();
      try {
        former.close();
        now = openReplica(next.get());
      } catch (Throwable t) {
        former.engine().replacementFailed(t);
        throw t;
      }
    } finally {
      replacing.writeLock().unlock();
    }
  }

  private OpenHeap openReplica(Engine engine) {
    try {
      OpenHeap opened = new OpenHeap(parts, engine);
      opened.follow();
      return opened;
    } catch (Throwable t) {
      engine.replaced(); // what outlives a heap ends with the former engine
      closeAfter(t, engine);
      throw t;
    }
  }

  /** Waits for calls that need the present heap, but not for {@link #close}, which may wait too. */
  private void lockToReplace() {
    try {
      while (!replacing.writeLock().tryLock(REPLACE_LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        now.heap().checkNotClosing();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreClosedException("interrupted before the heap was replaced; try again", e);
    }
  }

  // ---- for users

  @Override
  public <T> T root(Class<T> type) {
    return heap().layer().root(type);
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    return heap().layer().root(name, type);
  }

  @Override
  public SortedMap<String, String> roots() {
    return heap().directory().rootClasses();
  }

  @Override
  public boolean removeRoot(String name) {
    Objects.requireNonNull(name, "name");
    Heap heap = heap();
    heap.beginWrite();
    heap.checkWritable();
    return heap.directory().removeRoot(name);
  }

  @Override
  public <T> T create(Class<T> type) {
    return heap().layer().create(type);
  }

  @Override
  @SuppressWarnings("unchecked") // it is new and empty
  public <K extends @Nullable Object, V extends @Nullable Object> Map<K, V> newMap() {
    return (Map<K, V>) heap().layer().newCollection(Map.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K extends @Nullable Object, V extends @Nullable Object>
      SequencedMap<K, V> newSequencedMap() {
    return (SequencedMap<K, V>) heap().layer().newCollection(SequencedMap.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K, V> ConcurrentMap<K, V> newConcurrentMap() {
    return (ConcurrentMap<K, V>) heap().layer().newCollection(ConcurrentMap.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> List<E> newList() {
    return (List<E>) heap().layer().newCollection(List.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> Set<E> newSet() {
    return (Set<E>) heap().layer().newCollection(Set.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> SequencedSet<E> newSequencedSet() {
    return (SequencedSet<E>) heap().layer().newCollection(SequencedSet.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E> Deque<E> newDeque() {
    return (Deque<E>) heap().layer().newCollection(Deque.class, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K extends @Nullable Object, V extends @Nullable Object> NavigableMap<K, V> newSortedMap(
      @Nullable Comparator<? super K> comparator) {
    return (NavigableMap<K, V>) heap().layer().newCollection(NavigableMap.class, comparator);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <E extends @Nullable Object> NavigableSet<E> newSortedSet(
      @Nullable Comparator<? super E> comparator) {
    return (NavigableSet<E>) heap().layer().newCollection(NavigableSet.class, comparator);
  }

  @Override
  @SuppressWarnings("unchecked") // a twin is of a subclass, and a collection's of its interface
  public <T> T persist(T plain) {
    return (T) heap().layer().persist(plain);
  }

  @Override
  public <T> T copy(T object) {
    return copy(object, reached -> true);
  }

  @Override
  @SuppressWarnings(
      "unchecked") // a copy is of the user's class, and a collection's of its interface
  public <T> T copy(T object, Predicate<Object> included) {
    return (T) heap().layer().copy(object, included);
  }

  @Override
  public <X extends Exception> void transaction(TransactionBody<X> body) throws X {
    heap().<@Nullable Void, X>transaction(null, function(body));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transaction(
      TransactionFunction<T, X> body) throws X {
    return heap().transaction(null, body);
  }

  @Override
  public <X extends Exception> void transaction(Durability durability, TransactionBody<X> body)
      throws X {
    heap()
        .<@Nullable Void, X>transaction(
            Objects.requireNonNull(durability, "durability"), function(body));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transaction(
      Durability durability, TransactionFunction<T, X> body) throws X {
    return heap().transaction(Objects.requireNonNull(durability, "durability"), body);
  }

  @Override
  public void sync() {
    heap().sync();
  }

  @Override
  public Durability durability() {
    return parts.options().durability();
  }

  @Override
  public <X extends Exception> void snapshot(TransactionBody<X> body) throws X {
    this.<@Nullable Void, X>snapshot(ReadConsistency.LINEARIZABLE, function(body));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T snapshot(
      TransactionFunction<T, X> body) throws X {
    return snapshot(ReadConsistency.LINEARIZABLE, body);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T snapshot(
      ReadConsistency consistency, TransactionFunction<T, X> body) throws X {
    Objects.requireNonNull(consistency, "consistency");
    BodyOfSnapshot<T, X> once = new BodyOfSnapshot<>(body);
    while (true) {
      OpenHeap open = current();
      try {
        if (consistency == ReadConsistency.LINEARIZABLE && !open.heap().inTransaction()) {
          open.heap().checkUsable();
          open.engine().awaitNewest(); // another heap may replace this one meanwhile
        }
        return open.heap().snapshot(once);
      } catch (StoreClosedException e) {
        if (once.begun || current() == open) {
          throw e;
        }
        // The heap was replaced before the body began, so the snapshot is of the next one.
      }
    }
  }

  /** Notes that the body of a snapshot has begun: it runs once only. */
  private static final class BodyOfSnapshot<T extends @Nullable Object, X extends Exception>
      implements TransactionFunction<T, X> {
    private final TransactionFunction<T, X> body;
    private boolean begun;

    BodyOfSnapshot(TransactionFunction<T, X> body) {
      this.body = body;
    }

    @Override
    public T run() throws X {
      begun = true;
      return body.run();
    }
  }

  @Override
  public boolean inTransaction() {
    OpenHeap open = now;
    open.heap().checkUsable();
    return open.heap().inTransaction();
  }

  @Override
  public Optional<Replication> replication() {
    return now.engine().replication();
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
    heap().checkUsable();
    heap().checkWritable();
    if (heap().inTransaction()) {
      throw new IllegalStateException(
          "an upgrade runs transactions of its own, so it cannot begin inside a transaction or a"
              + " snapshot; begin it outside");
    }
    return heap().layer().upgradeAll();
  }

  @Override
  public void backup(Path target) {
    heap().checkUsable();
    OpenHeap open = current();
    Backup.write(
        engines,
        open.heap(),
        parts.directory(),
        open.engine().logSegmentSize().orElse(parts.options().logSegmentSize()),
        target);
  }

  @Override
  public GcReport gc() {
    checkOutside(
        "a collection of garbage waits for the end of all transactions that run, so it is not"
            + " begun");
    heap().checkWritable();
    return collector().collect();
  }

  @Override
  public StoreStatistics statistics() {
    checkOutside("statistics are of what is committed, so they are not asked for");
    return collector().statistics();
  }

  @Override
  public StoreMetrics metrics() {
    heap().checkUsable();
    OpenHeap open = current();
    Collector collector = open.collector();
    return HeapMetrics.of(
        open.heap(),
        collector == null
            ? new StoreMetrics.Collections(0, Optional.empty())
            : collector.collections());
  }

  @Override
  public long compact() {
    checkOutside("compacting waits for the end of all transactions that run, so it is not begun");
    heap().checkWritable();
    if (replication().isPresent()) {
      throw new PmStoreException(
          "the heap of a replicated store does not shrink, because the heaps of the other nodes"
              + " would not shrink with it; make a backup, which has no free space at its end");
    }
    Collector collector = current().collector();
    Reclamation reclamation = heap().reclamation();
    return collector == null ? reclamation.besideNoCopy(reclamation::compact) : collector.compact();
  }

  private void checkOutside(String why) {
    heap().checkUsable();
    if (heap().inTransaction()) {
      throw new IllegalStateException(
          why + " inside a transaction or a snapshot; call this outside");
    }
  }

  private Collector collector() {
    Collector collector = current().collector();
    if (collector == null) {
      throw CoreStoreProvider.missing("collector");
    }
    return collector;
  }

  @Override
  public void close() {
    replacing.readLock().lock(); // a heap is not replaced while it is closed
    try {
      now.close();
    } finally {
      replacing.readLock().unlock();
    }
  }
}
