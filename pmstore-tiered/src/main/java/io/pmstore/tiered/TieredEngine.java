package io.pmstore.tiered;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFullException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.BackgroundThread;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineMetrics;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.medium.MediumWrappers;
import io.pmstore.core.memory.DramHeap;
import io.pmstore.core.memory.HeapMemory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;

/**
 * The engine over a heap in DRAM, two pools of images, and files. The comment of the package
 * explains how it works.
 */
public final class TieredEngine implements Engine {
  private final StoreLock storeLock;
  private final TieredFiles files;
  private final DramHeap heap;
  private final EngineState state;
  private final CommitPath path;
  private final Spiller spiller;
  private final BackgroundThread background;
  private final BackgroundThread.Task spill = new BackgroundThread.Task(this::spillInBackground);
  private final Mutex sizing = new Mutex();
  private final Mutex closing = new Mutex();

  private TieredEngine(
      StoreLock storeLock,
      TieredFiles files,
      DramHeap heap,
      Recovery recovery,
      int basePools,
      ThreadFactory threads)
      throws IOException {
    this.storeLock = storeLock;
    this.files = files;
    this.heap = heap;
    this.state = new EngineState(files.directory());
    this.background = new BackgroundThread(threads, spill);
    Pool[] pools = recovery.pools();
    int primary = recovery.primary();
    this.path =
        new CommitPath(
            state,
            heap.memory(),
            recovery.index(),
            pools,
            files.header().current().store(),
            files.places().pools().storesInPlace(),
            recovery.position(),
            primary,
            !pools[1 - primary].isEmpty(),
            () -> background.request(spill));
    this.spiller = new Spiller(files, heap.memory(), path, basePools, background::isStopping);
  }

  /**
   * Opens the store in a directory, or creates one.
   *
   * @throws io.pmstore.StoreLockedException if the store is open already
   * @throws io.pmstore.StoreFormatException if the directory holds something else
   * @throws io.pmstore.StoreDamagedException if the store is damaged, or a part of it is missing
   * @throws StoreFullException if there is no room for it, on disk or in memory
   * @throws PmStoreException if it cannot be opened for another reason; nothing is left open
   */
  public static TieredEngine open(Path directory, PmStoreOptions options) {
    return TieredOpener.open(
        directory,
        options,
        medium -> MediumWrappers.wrap(medium.directory(), medium),
        Spiller.BASE_POOLS,
        work -> Thread.ofPlatform().daemon().name("pmstore-tiered " + directory).unstarted(work));
  }

  /** Recovers a store whose files are open. */
  static TieredEngine start(
      StoreLock storeLock,
      TieredFiles files,
      StoreHeader opened,
      int basePools,
      ThreadFactory threads)
      throws IOException {
    DramHeap heap = new DramHeap(files.directory(), BlockIndex.EXTENTS_MAX);
    try {
      heap.checkRoom(opened.extents());
      heap.grow(opened.extents());
      Recovery recovery = new Recovery(files, heap.memory());
      recovery.run();
      recovery.discard();
      files
          .header()
          .update(
              header -> header.opened(recovery.position(), opened.poolPath(), opened.spillPath()));
      files.deleteOthers();
      TieredEngine engine = new TieredEngine(storeLock, files, heap, recovery, basePools, threads);
      engine.background.start();
      engine.background.request(engine.spill);
      return engine;
    } catch (Throwable e) {
      heap.clear();
      heap.close();
      throw e;
    }
  }

  @Override
  public HeapMemory memory() {
    checkUsable();
    return heap.memory();
  }

  @Override
  public void verify(FaultVisitor faults) {
    checkUsable();
    files.header().verify(faults);
  }

  @Override
  public void grow(long size) {
    checkUsable();
    sizing.lock();
    try {
      checkUsable();
      long extents = ((size - 1) >> HeapMemory.EXTENT_SHIFT) + 1;
      if (extents <= heap.extents()) {
        return;
      }
      heap.checkRoom((int) Math.min(extents, Integer.MAX_VALUE));
      files.header().update(header -> header.withExtents((int) extents));
      heap.grow((int) extents);
    } catch (PmStoreException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    } finally {
      sizing.unlock();
    }
  }

  @Override
  public void shrink(long size) {
    checkUsable();
    sizing.lock();
    try {
      checkUsable();
      heap.memory().checkCut(size);
      if (size == heap.memory().size()) {
        return;
      }
      if (files.header().current().cuts().size() >= StoreHeader.CUTS_MAX) {
        spiller.drain();
      }
      spiller.alone(() -> cut(size));
    } catch (PmStoreException | IllegalArgumentException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    } finally {
      sizing.unlock();
    }
  }

  /** The images of the removed extents stay; the header says that they are void. */
  private void cut(long size) throws IOException {
    int first = (int) (size >>> HeapMemory.EXTENT_SHIFT);
    int end = heap.extents();
    long position = path.placed();
    path.sync(position); // the removed end has not changed when earlier commits are lost
    files.header().update(header -> header.cut(first, position));
    path.forget(first, end);
    heap.cut(size);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The commit gets its position in the second step, which also changes the heap: an image of a
   * block is the block as the heap has it, with what all earlier commits changed and nothing of a
   * later one.
   */
  @Override
  public Commit place(WriteSet writes) {
    checkUsable();
    Batch batch = path.takeBatch();
    prepare(writes, batch);
    return () -> commit(writes, batch);
  }

  private long commit(WriteSet writes, Batch batch) {
    if (batch.count() == 0) {
      return path.position();
    }
    try {
      long position = path.commit(writes, batch);
      path.giveBack(batch);
      return position;
    } catch (PmStoreException e) {
      throw e;
    } catch (OutOfMemoryError e) {
      if (!state.hasFailed()) {
        throw e; // nothing has changed
      }
      throw failed(e);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private PmStoreException failed(Throwable e) {
    return state.isClosed() ? state.closed() : fail(e);
  }

  private void prepare(WriteSet writes, Batch batch) {
    try {
      writes.resolve(heap.memory());
      batch.collect(writes, heap.memory().size());
      path.fetch(batch);
    } catch (NullPointerException | IllegalStateException | IllegalArgumentException e) {
      checkUsable(); // the memory may just have been removed
      throw e;
    }
    int slots = files.header().current().slots();
    if (batch.count() > slots) {
      throw new TransactionTooLargeException(
          "a transaction changes %d blocks of %d bytes; a pool of the store in %s has room for %d. Split it, or copy the objects, with PmStore.copy, into a store made with a larger PmStoreOptions.tieredPoolSize"
              .formatted(batch.count(), ImageLayout.BLOCK, files.directory(), slots));
    }
    batch.reserve();
  }

  @Override
  public void sync(long position) {
    checkUsable();
    if (position > path.position()) {
      throw new IllegalArgumentException(
          "no commit has position " + position + "; the last has " + path.position());
    }
    try {
      path.sync(position);
    } catch (PmStoreException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  @Override
  public long position() {
    checkUsable();
    return path.position();
  }

  @Override
  public long commitWaits() {
    return state.waits();
  }

  @Override
  public EngineMetrics metrics() {
    return spiller
        .count()
        .metrics(
            path.syncs(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.of(path.pooledBytes()));
  }

  @Override
  public void checkUsable() {
    state.check();
  }

  private void spillInBackground() {
    try {
      state.checkNotFailed(); // else commits that wait for a spill are told
      spiller.run();
    } catch (Throwable e) {
      boolean known = state.hasFailed();
      PmStoreException failed = fail(e);
      if (!known) {
        System.getLogger(TieredEngine.class.getName())
            .log(System.Logger.Level.ERROR, "the store's background work failed", failed);
      }
    }
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    return fail((Throwable) fault);
  }

  /** Fails the engine for good; returns the exception to throw. */
  private PmStoreException fail(Throwable reason) {
    Throwable first = state.fail(reason);
    try {
      path.end(first);
    } finally {
      heap.clear();
    }
    return state.failed(first);
  }

  /** Returns the header in force. For tests. */
  StoreHeader header() {
    return files.header().current();
  }

  /** Waits until nothing is to be spilled. For tests. */
  void awaitIdle() {
    background.awaitIdle();
  }

  @Override
  public void close() {
    try (var _ = closing.hold()) {
      if (state.isClosed()) {
        return;
      }
      state.close();
      try (Closeable _ = storeLock::release;
          Closeable _ = heap::close;
          var _ = files;
          Closeable _ = this::clearHeap;
          Closeable _ = path::awaitWriters; // the pools are unmapped next
          Closeable _ = () -> path.end(state.closed())) {
        path.wakeAll();
        background.stop();
        if (!state.hasFailed()) {
          finish();
        }
      } catch (IOException e) {
        if (!state.hasFailed()) {
          throw state.failed(e);
        }
      }
    }
  }

  /** Removes the heap after a running change of its size. */
  private void clearHeap() {
    try (var _ = sizing.hold()) {
      heap.clear();
    }
  }

  /** Makes all commits durable, and records what the pools have. */
  private void finish() {
    sizing.lock();
    try {
      long position = path.placed();
      path.sync(position);
      List<StoreHeader.Contents> contents = new ArrayList<>();
      for (int i = 0; i < TieredLayout.POOLS; i++) {
        contents.add(path.contents(i));
      }
      files.header().update(header -> header.closed(position, List.copyOf(contents)));
    } catch (Throwable e) {
      throw fail(e);
    } finally {
      sizing.unlock();
    }
  }
}
