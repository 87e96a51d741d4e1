package io.pmstore.tiered;

import io.pmstore.StoreFullException;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.WrittenSequence;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.log.LogBarrier;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a commit.
 *
 * <pre>
 *   place    under a lock: the next position; the words are stored to the heap; each changed block
 *            gets a slot of the primary pool, and is copied
 *   append   beside other commits: checksums, and the slots are written; on persistent memory
 *            flushed and fenced
 *   turn     WrittenSequence: wait until all earlier commits are written
 *   sync     LogBarrier: one barrier for all that wait; not on persistent memory
 * </pre>
 *
 * <p>The copy is made in the step that fixes the position, because commits that change different
 * words of one block run concurrently: an image must have the changes of all earlier commits, and
 * nothing of a later one.
 *
 * <p><b>Why a commit is atomic.</b> No image overwrites the image that it supersedes: it goes to a
 * slot that no recovery needs. Every image has the number of images of its commit, and a position
 * <i>d</i> that was durable when the image was written. Recovery takes the largest <i>d</i> that it
 * finds, and then, in the order of positions, all whole commits; it stops at the first commit that
 * is not whole. A commit up to <i>d</i> need not be whole: its images may have been superseded, and
 * their slots used again. {@link Pool} frees such a slot only when a durable image says that the
 * superseding commit is durable. So a commit behind <i>d</i> lacks an image only if it was never
 * durable, and one barrier is enough for all images of all commits that share it.
 */
final class CommitPath {
  private final EngineState state;
  private final HeapMemory memory;
  private final BlockIndex index;
  private final Pool[] pools;
  private final UUID store;
  private final WriteSet.RangeVisitor heapWriter; // made once: a commit may find no memory
  private final boolean inPlace;
  private final Runnable spillDue;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private final WrittenSequence written;
  private final LogBarrier barrier;
  private final ConcurrentLinkedQueue<Batch> batches = new ConcurrentLinkedQueue<>();
  private final AtomicInteger writing = new AtomicInteger(); // commits between place and turn
  private int primary;
  private volatile long position;
  private boolean full; // the other pool waits to be spilled
  private long refusals;
  private @Nullable StoreFullException refusal;

  // What durable images say to be durable; and what the commit at a position, which need not be
  // durable, says. Position 0 is none.
  private long evidence;
  private long sayingPosition;
  private long said;

  /**
   * Creates the path of a recovered store.
   *
   * @param inPlace true if the pools are persistent memory
   * @param position of the last commit; everything up to it is durable, and the header says so
   * @param primary the number of the pool that takes images
   * @param full true if the other pool is not empty
   * @param spillDue told that the other pool is to be spilled; returns at once
   */
  CommitPath(
      EngineState state,
      HeapMemory memory,
      BlockIndex index,
      Pool[] pools,
      UUID store,
      boolean inPlace,
      long position,
      int primary,
      boolean full,
      Runnable spillDue) {
    this.state = state;
    this.memory = memory;
    this.index = index;
    this.pools = pools;
    this.store = store;
    this.heapWriter = memory::write;
    this.inPlace = inPlace;
    this.spillDue = spillDue;
    this.position = position;
    this.primary = primary;
    this.full = full;
    this.evidence = position;
    this.written = new WrittenSequence(state, position);
    this.barrier = new LogBarrier(position, written::last, this::syncPools);
  }

  /** Returns the position of the last commit that has one. */
  long position() {
    return position;
  }

  /**
   * Commits a write set without deltas, for which the batch has memory. An {@link OutOfMemoryError}
   * has changed nothing, unless the engine has failed.
   *
   * @throws StoreFullException if the pools are full, and there is no room for a spill
   */
  long commit(WriteSet writes, Batch batch) throws IOException {
    Pool pool;
    long epoch;
    long mine;
    long durable;
    try (var _ = lock.hold()) {
      awaitRoom(batch.count());
      pool = pools[primary];
      reserve(batch, pool);
      epoch = pool.epoch();
      try {
        mine = place(batch, pool);
        durable = durable();
        say(mine, durable);
        writes.forEachRange(heapWriter);
        batch.capture(memory);
        writing.incrementAndGet();
      } catch (Throwable e) {
        state.lost = true; // some words may be stored; no call, which could fail too
        throw e;
      }
    }
    boolean appended = false;
    try {
      batch.write(pool, epoch, mine, durable, writes.isRelaxed());
      if (inPlace) {
        pool.file().sync();
      }
      written.add(mine);
      appended = true;
    } finally {
      if (!appended) {
        state.lost = true;
      }
      writing.decrementAndGet();
    }
    return mine;
  }

  /** Takes the memory that {@link #place} needs. */
  private void reserve(Batch batch, Pool pool) {
    pool.reserveSuperseded(batch.count());
    for (int i = 0; i < batch.count(); i++) {
      index.reserve(batch.block(i));
    }
  }

  private long place(Batch batch, Pool pool) {
    long next = position + 1;
    position = next; // before a change can be seen, as the transactions above require
    for (int i = 0; i < batch.count(); i++) {
      long block = batch.block(i);
      int old = index.place(block);
      if (old >= 0 && BlockIndex.pool(old) == primary && pool.holds(BlockIndex.slot(old), block)) {
        pool.superseded(BlockIndex.slot(old), next);
      }
      int slot = pool.take(block, next);
      batch.setSlot(i, slot);
      index.set(block, BlockIndex.place(primary, slot));
    }
    return next;
  }

  /** Notes what the images of a commit say to be durable. */
  private void say(long mine, long durable) {
    if (sayingPosition == 0 && durable > evidence) {
      sayingPosition = mine;
      said = durable;
    }
  }

  private void weighEvidence() {
    if (sayingPosition != 0 && sayingPosition <= durable()) {
      evidence = said;
      sayingPosition = 0;
    }
    pools[primary].release(evidence);
  }

  private void awaitRoom(int images) {
    @Nullable CommitStallEvent stall = null;
    long refusalsBefore = refusals;
    try {
      while (true) {
        state.check();
        weighEvidence();
        if (pools[primary].hasRoom(images)) {
          return;
        }
        if (!full) {
          rotate();
          spillDue.run();
          continue;
        }
        if (refusal != null && refusals != refusalsBefore) {
          throw new StoreFullException(String.valueOf(refusal.getMessage()), refusal);
        }
        if (stall == null) {
          state.countWait();
          stall = Recorder.stall(state.directory(), Cause.POOL_FULL);
        }
        spillDue.run();
        changed.awaitUninterruptibly();
      }
    } finally {
      Recorder.ended(stall);
    }
  }

  private void rotate() {
    primary = 1 - primary;
    full = true;
  }

  /**
   * Returns the pool to be spilled, or null.
   *
   * @param evenIfNotFull true to have the pools change roles if the other one is empty
   */
  @Nullable Pool spilling(boolean evenIfNotFull) {
    try (var _ = lock.hold()) {
      if (evenIfNotFull && !full && !pools[primary].isEmpty()) {
        rotate();
      }
      return full ? pools[1 - primary] : null;
    }
  }

  /** Empties the spilled pool; the header says so durably. */
  void spilled() {
    try (var _ = lock.hold()) {
      pools[1 - primary].clear();
      full = false;
      refusal = null;
      changed.signalAll();
    }
  }

  /** Refuses the commits that wait for a spill. */
  void refuse(StoreFullException why) {
    try (var _ = lock.hold()) {
      refusal = why;
      refusals++;
      changed.signalAll();
    }
  }

  /**
   * Checks that the heap has been whole until now. An engine that fails records that before it
   * takes the heap away.
   */
  void checkHeapWhole() {
    state.checkNotFailed();
  }

  /** Returns the last position, when its commit and all before it are in the heap. */
  long placed() {
    try (var _ = lock.hold()) {
      return position;
    }
  }

  /** Returns a position that no image in a pool is before. */
  long firstPlaced() {
    try (var _ = lock.hold()) {
      return Math.min(pools[0].firstPlaced(), pools[1].firstPlaced());
    }
  }

  /** Returns the bytes of the images that no spill has taken yet. */
  long pooledBytes() {
    try (var _ = lock.hold()) {
      return (long) (pools[0].used() + pools[1].used()) * ImageLayout.BLOCK;
    }
  }

  /** Returns how often the pools were synced; empty where no sync is needed. */
  OptionalLong syncs() {
    return inPlace ? OptionalLong.empty() : OptionalLong.of(barrier.syncs());
  }

  /** Returns the newest images of a pool, to be recorded when the store is closed. */
  StoreHeader.Contents contents(int pool) {
    try (var _ = lock.hold()) {
      ContentsHash hash = new ContentsHash();
      for (int slot = 0; slot < pools[pool].used(); slot++) {
        if (isNewest(pools[pool], slot)) {
          hash.add(pools[pool].block(slot), slot);
        }
      }
      return hash.contents();
    }
  }

  /** Forgets where the images of removed extents are. */
  void forget(int fromExtent, int toExtent) {
    try (var _ = lock.hold()) {
      index.remove(fromExtent, toExtent);
    }
  }

  /**
   * Returns true if the newest image of a block is in a pool. Without the lock a false answer may
   * be stale.
   */
  boolean isInPool(long block) {
    int place = index.place(block);
    return place >= 0 && pools[BlockIndex.pool(place)].holds(BlockIndex.slot(place), block);
  }

  /** Returns true if a slot of the pool that is spilled has the newest image of its block. */
  boolean isNewest(Pool pool, int slot) {
    return index.place(pool.block(slot)) == BlockIndex.place(pool.number(), slot);
  }

  private long durable() {
    return inPlace ? written.last() : barrier.durable();
  }

  /** Makes all commits up to a position durable. */
  void sync(long upTo) throws IOException {
    written.await(upTo);
    if (!inPlace) {
      barrier.await(upTo);
    }
  }

  private void syncPools() throws IOException {
    long before = barrier.durable();
    for (Pool pool : pools) {
      if (pool.lastPlaced() > before) {
        pool.file().sync();
      }
    }
  }

  Batch takeBatch() {
    Batch batch = batches.poll();
    return batch == null ? new Batch(store) : batch;
  }

  /** Keeps a batch for another commit. Throws nothing: its commit has happened. */
  void giveBack(Batch batch) {
    if (batch.isSmall()) {
      try {
        batches.add(batch);
      } catch (OutOfMemoryError e) {
        // The next commit makes a new one.
      }
    }
  }

  /**
   * Reads where the blocks of a batch are, before the lock is taken: what is not in the processor's
   * cache is fetched together.
   */
  void fetch(Batch batch) {
    long sum = 0;
    for (int i = 0; i < batch.count(); i++) {
      sum += index.place(batch.block(i));
    }
    batch.setFetched(sum);
  }

  /** Ends all waiting: the engine has failed, or is closed. */
  void end(Throwable reason) {
    try {
      barrier.fail(reason);
    } finally {
      wakeAll();
    }
  }

  /** Waits until no commit writes to a pool, or will: the engine is closed. */
  void awaitWriters() {
    placed(); // after a commit that saw the engine open
    Backoff.until(() -> writing.get() <= 0);
  }

  /** Wakes the commits that wait, so that they look at the engine's state. */
  void wakeAll() {
    try (var _ = lock.hold()) {
      changed.signalAll();
    }
  }
}
