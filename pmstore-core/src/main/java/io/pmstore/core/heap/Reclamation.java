package io.pmstore.core.heap;

import io.pmstore.Durability;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.Chunk;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.FreeChunks;
import io.pmstore.core.space.SizeClasses;
import io.pmstore.core.tx.LinkListener;
import io.pmstore.core.tx.LinkRules;
import io.pmstore.core.tx.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * The operations of a collector on a heap: free objects and chunks, keep freed space back, shrink
 * the heap. Safe for use by any number of threads, outside transactions and snapshots.
 *
 * <p>Each operation frees in transactions of its own, acknowledged before they are durable: a crash
 * can undo them, and the next collection frees the objects again.
 */
public final class Reclamation {
  /** The most chunks that one transaction releases. */
  private static final int CHUNKS_MAX = 64;

  private static final Durability ACKNOWLEDGED = Durability.relaxed(Duration.ofSeconds(1));

  private final Heap heap;
  private final ReadWriteLock unreached = new ReentrantReadWriteLock();
  private volatile WholeObjects wholeObjects = WholeObjects.WITHOUT_COLLECTOR;

  Reclamation(Heap heap) {
    this.heap = heap;
  }

  /**
   * Sets the listener that commits inform about links. Called once, before the first transaction of
   * a user.
   *
   * @param listener the collector
   */
  public void listener(LinkListener listener) {
    heap.transactions.rules().listener(listener);
  }

  /**
   * Sets what knows the whole objects. Called before the first object is freed.
   *
   * @param known the collector
   */
  public void wholeObjects(WholeObjects known) {
    wholeObjects = known;
  }

  /** Makes a reader of references for one thread. */
  public ReferenceReader references() {
    return new ReferenceReader(heap);
  }

  /**
   * Returns the lock that keeps other threads from reading unreachable objects while a collection
   * frees them one by one. A collection holds it for writing while it calls {@link #freeUnreached};
   * {@link #walkable} takes it for reading.
   */
  public ReadWriteLock unreached() {
    return unreached;
  }

  /**
   * Lets the caller read objects that {@link HeapWalk} finds: waits until it is known which of them
   * are whole, and keeps these whole until the same thread closes the result.
   */
  @SuppressWarnings("LockNotBeforeTry") // closing what is returned unlocks
  public Walkable walkable() {
    while (true) {
      wholeObjects.await();
      unreached.readLock().lock();
      LongPredicate known = wholeObjects.known();
      if (known != null) {
        return new Walkable(known, unreached.readLock());
      }
      unreached.readLock().unlock();
    }
  }

  /** The objects that can be read, however they were found, until this is closed. */
  public static final class Walkable implements AutoCloseable {
    private final LongPredicate objects;
    private final Lock lock;

    private Walkable(LongPredicate objects, Lock lock) {
      this.objects = objects;
      this.lock = lock;
    }

    /**
     * Returns true if an object can be read.
     *
     * @param object the address of an allocated object
     * @return true for all that can be reached, and perhaps others
     */
    public boolean contains(long object) {
      return objects.test(object);
    }

    @Override
    public void close() {
      lock.unlock();
    }
  }

  /**
   * Remembers all transactions, consistent reads and snapshots that run now. Returns a test that is
   * true once all of them have ended.
   */
  public BooleanSupplier runningViews() {
    return heap.transactions.runningViews();
  }

  /**
   * Keeps space that is freed from now on until {@link #giveOut}, so that no new object gets it and
   * references lead to whole objects only. Waits for the commits under way.
   */
  public void keepBack() {
    heap.transactions.rules().keepBack(true);
    heap.transactions.commits().awaitCommits();
  }

  /** Ends {@link #keepBack}: makes the space available that was freed meanwhile. */
  public void giveOut() {
    heap.transactions.rules().keepBack(false);
    heap.transactions.commits().awaitCommits();
    heap.transactions.rules().giveOut();
  }

  /**
   * Frees those of some objects that are still allocated, unlinked and not pinned, with everything
   * that only they refer to, in one transaction. {@link LinkListener#unlinked} is called for those
   * that are pinned, and for those that were too many for one transaction.
   *
   * @param objects addresses, also of objects that were freed since
   * @param count how many, at most 256
   * @param since the position of the commit that unlinked them, or a later one
   * @return false if nothing could be freed, because a snapshot is open that may show them
   */
  public boolean freeUnlinked(long[] objects, int count, long since) {
    return free(objects, count, true, since);
  }

  /**
   * Frees those of some objects that are still allocated, in one transaction, and nothing else.
   * Until all unreachable objects are freed, some of them refer to freed space: meanwhile {@link
   * #freeUnlinked} must be called for reachable objects only, and no thread may follow references
   * from objects that {@link HeapWalk} found. The caller knows that nothing reaches the objects: no
   * root, no Java object and no running transaction.
   *
   * @param objects addresses
   * @param count how many, at most 256
   * @param since the position of a commit after which nothing reached them
   * @return false if nothing could be freed, because a snapshot is open that may show them
   */
  public boolean freeUnreached(long[] objects, int count, long since) {
    return free(objects, count, false, since);
  }

  private boolean free(long[] objects, int count, boolean onlyUnlinked, long since) {
    heap.transactions.awaitRepeats();
    Transaction transaction =
        heap.transaction(
            ACKNOWLEDGED,
            () -> {
              Transaction current = heap.required();
              current.free(objects, count, onlyUnlinked, since);
              return current;
            });
    return transaction.couldFree();
  }

  /**
   * Releases chunks that have become empty, so that they can serve any size class. Returns false if
   * there was none.
   */
  public boolean releaseEmptyChunks() {
    Allocator allocator = heap.transactions.rules().allocator();
    List<Chunk> chunks = allocator.takeEmptyChunks(CHUNKS_MAX);
    if (chunks.isEmpty()) {
      return false;
    }
    boolean released = false;
    try {
      heap.transaction(
          ACKNOWLEDGED,
          () -> {
            heap.required().release(chunks);
            return null;
          });
      released = true;
    } finally {
      if (released) {
        allocator.released(chunks);
      } else {
        allocator.notReleased(chunks);
      }
    }
    return true;
  }

  /** Returns true if the heap could not grow when a commit last needed space. */
  public boolean isFull() {
    return heap.transactions.rules().allocator().freeChunks().isFull();
  }

  /** Releases all empty chunks, so that they can serve objects of any size. */
  public void releaseAllEmptyChunks() {
    Allocator allocator = heap.transactions.rules().allocator();
    allocator.disown();
    allocator.readAll();
    while (releaseEmptyChunks()) {
      // a bounded number at a time
    }
  }

  /** What commits have freed since the store was opened: objects, and the bytes of their slots. */
  public record Freed(long objects, long bytes) {}

  /**
   * Returns what commits have freed since the store was opened, those of users included: objects,
   * and the bytes of their slots.
   */
  public Freed freed() {
    LinkRules rules = heap.transactions.rules();
    return new Freed(rules.freedObjects(), rules.freedBytes());
  }

  /** Returns the position of the last commit. */
  public long position() {
    return heap.engine.position();
  }

  /** Gets what is allocated in a chunk. */
  @FunctionalInterface
  public interface SpaceVisitor {
    /**
     * Gets an allocated slot or run.
     *
     * @param object its address
     * @param header the word there, which may belong to an object that is being made or freed
     * @param bytes of its slot or run
     */
    void space(long object, long header, int bytes);
  }

  /**
   * Shows what the bitmaps say is allocated in a chunk; the heap's own objects and bodies included.
   *
   * @param chunk its address, a multiple of {@link io.pmstore.core.space.ExtentLayout#CHUNK_SIZE}
   *     inside the heap
   * @param visitor gets the slots and runs
   * @return the bytes of the chunk that are free; of the first chunk of a run, less those of its
   *     other chunks, each of which looks free
   */
  public int forEachAllocated(long chunk, SpaceVisitor visitor) {
    long descriptor = heap.committedLong(ExtentLayout.descriptorAddress(chunk), 0);
    if ((chunk & (HeapMemory.EXTENT_SIZE - 1)) == 0 || chunk == CoreLayout.SUPERBLOCK) {
      return 0;
    }
    return switch (ExtentLayout.kind(descriptor)) {
      case ExtentLayout.KIND_FREE -> ExtentLayout.CHUNK_SIZE; // or inside a run
      case ExtentLayout.KIND_RUN -> {
        int bytes = ExtentLayout.runChunks(descriptor) << ExtentLayout.CHUNK_SHIFT;
        visitor.space(chunk, heap.committedLong(chunk, 0), bytes);
        yield ExtentLayout.CHUNK_SIZE - bytes;
      }
      default -> {
        ExtentLayout.check(descriptor, chunk);
        yield slots(chunk, ExtentLayout.sizeClass(descriptor), visitor);
      }
    };
  }

  private int slots(long chunk, int sizeClass, SpaceVisitor visitor) {
    int size = SizeClasses.size(sizeClass);
    int slots = SizeClasses.slots(sizeClass);
    int free = slots;
    for (int first = 0; first < slots; first += Long.SIZE) {
      long bits = heap.committedLong(chunk, first >>> 3);
      free -= Long.bitCount(bits);
      for (; bits != 0; bits &= bits - 1) {
        int slot = first + Long.numberOfTrailingZeros(bits);
        long object = chunk + ExtentLayout.SLOTS_OFFSET + (long) slot * size;
        visitor.space(object, heap.committedLong(object, 0), size);
      }
    }
    return free * size;
  }

  /**
   * Runs {@link #compact} while no copy of the heap is open: copies read free space, too. Waits for
   * those that are, before the heap changes in any way.
   *
   * @param compaction calls {@link #compact}
   */
  public long besideNoCopy(LongSupplier compaction) {
    heap.copies.acquireUninterruptibly(Heap.COPIES_MAX);
    try {
      return compaction.getAsLong();
    } finally {
      heap.copies.release(Heap.COPIES_MAX);
    }
  }

  /**
   * Gives the space of free extents at the end of the heap back to the file system. Durable when it
   * returns. Called {@linkplain #besideNoCopy beside no copy} of the heap.
   *
   * @return the bytes given back
   */
  public long compact() {
    heap.checkUsable();
    heap.checkWritable();
    Allocator allocator = heap.transactions.rules().allocator();
    allocator.disown();
    while (releaseEmptyChunks()) {
      // a bounded number at a time
    }
    FreeChunks free = allocator.freeChunks();
    FreeChunks.Tail tail = free.takeTail();
    long before = heap.memory.size();
    if (!tail.isEmpty()) {
      Backoff.until(runningViews()); // they may still read what was freed
      heap.transactions.commits().pauseFor(() -> free.cut(tail, heap.engine::shrink));
    }
    return Math.max(0, before - heap.memory.size());
  }
}
