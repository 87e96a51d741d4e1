package io.pmstore.llpl;

import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.TransactionException;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreFullException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.memory.HeapMemory;
import java.nio.file.Path;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The engine over one pool of PMDK, through LLPL. A commit is part of one PMDK transaction, so it
 * is durable when it returns. The pool grows up to the size with which it was created.
 *
 * <p>PMDK transactions run one after the other, because they have no isolation, and because the
 * order of commits must be the order of their positions. Commits that wait meanwhile share the next
 * transaction ({@link GroupCommit}). The transaction runs on the thread of one of their callers,
 * unless
 *
 * <ul>
 *   <li>that is a virtual thread, which could change its native thread in the middle,
 *   <li>that thread is in an LLPL transaction of the caller's own, of which the commit would become
 *       a part, or
 *   <li>the write set is so large that PMDK has to allocate undo log. PMDK keeps 32 KiB of it for
 *       each thread that ever did so, and many threads together would use up the room.
 * </ul>
 *
 * <p>In these cases the transaction runs on a platform thread that does nothing else. A write set
 * of the last kind shares its transaction with no other.
 */
public final class LlplEngine implements Engine {
  private final HeapMemory memory = new HeapMemory();
  private final Mutex lock = new Mutex();
  private final PlatformThread thread;
  private final OpenPool open;
  private final LlplPool pool;
  private final PoolRoot root;
  private final GroupCommit group;
  private final EngineState state;

  LlplEngine(PlatformThread thread, OpenPool open) {
    this.thread = thread;
    this.open = open;
    pool = open.pool();
    root = open.root();
    state = new EngineState(open.files().directory());
    group = new GroupCommit(memory, pool, root);
    showExtents();
  }

  /**
   * Opens the store in a directory, or makes one there.
   *
   * @param directory of the store; made if there is none
   * @param options of which the pool's size matters, for a new store
   * @throws io.pmstore.StoreLockedException if the store is open already
   * @throws io.pmstore.StoreFormatException if what is there is no LLPL store, or of another format
   *     version
   * @throws io.pmstore.StoreDamagedException if it is damaged
   * @throws StoreFullException if there is no room for a new pool
   * @throws PmStoreException if the native libraries cannot be used, or a file cannot be read or
   *     written; the message says what to do
   */
  public static LlplEngine open(Path directory, PmStoreOptions options) {
    return open(directory, options, false);
  }

  /**
   * Opens the store in a directory after a trial of its pool in a process apart, which {@link
   * #open} makes only if the pool was not closed.
   *
   * @param directory of the store, which exists
   * @param options as for {@link #open}
   * @return the engine; exceptions are those of {@link #open}
   */
  static LlplEngine openTried(Path directory, PmStoreOptions options) {
    return open(directory, options, true);
  }

  private static LlplEngine open(Path directory, PmStoreOptions options, boolean trial) {
    NativeLibraries.load();
    Path absolute = directory.toAbsolutePath();
    PlatformThread thread = new PlatformThread("pmstore-llpl " + directory);
    try {
      return new LlplEngine(thread, thread.call(() -> OpenPool.open(absolute, options, trial)));
    } catch (Throwable e) {
      thread.end();
      throw e;
    }
  }

  private void showExtents() {
    for (int i = (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT); i < root.extentCount(); i++) {
      memory.addExtent(root.extent(i));
    }
  }

  @Override
  public HeapMemory memory() {
    checkUsable();
    return memory;
  }

  @Override
  public void grow(long size) {
    checkUsable();
    if (size > memory.size()) {
      growOnThread(() -> growHere(size));
    }
  }

  private void growOnThread(Runnable growth) {
    @Nullable CommitStallEvent stall = Recorder.stall(open.files().directory(), Cause.HEAP_GROWTH);
    try {
      onThread(growth);
    } finally {
      Recorder.ended(stall);
    }
  }

  private void growHere(long size) {
    lock.lock();
    try {
      checkUsable();
      if (size <= memory.size()) {
        return;
      }
      long wanted = ((size - 1) >>> HeapMemory.EXTENT_SHIFT) + 1;
      if (wanted > root.extentsMax()) {
        throw full("%d bytes of objects do not fit".formatted(size), null);
      }
      open.growth().makeRoom((int) wanted, 0);
      addExtents((int) wanted);
      showExtents();
    } catch (IllegalStateException e) {
      checkUsable(); // the engine may have failed meanwhile
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void addExtents(int wanted) {
    boolean added = false;
    while (!added) {
      try {
        root.addExtents(wanted);
        added = true;
      } catch (HeapException | TransactionException e) {
        PmStoreException full = unlessClean(full("it has no room for an extent", e), e);
        checkUsable();
        if (!open.growth().growMore()) {
          throw full;
        }
      } catch (Throwable e) {
        throw fail(e);
      }
    }
  }

  private void growForUndo(long undo) {
    try (var _ = lock.hold()) {
      checkUsable();
      open.growth().makeRoom(root.extentCount(), undo);
    }
  }

  /** Gives the extents back to the pool, whose files keep their size. */
  @Override
  public void shrink(long size) {
    checkUsable();
    onThread(() -> shrinkHere(size));
  }

  private void shrinkHere(long size) {
    try (var _ = lock.hold()) {
      checkUsable();
      memory.cut(size);
      try {
        root.removeExtents((int) (size >>> HeapMemory.EXTENT_SHIFT));
      } catch (Throwable e) {
        throw fail(e);
      }
    }
  }

  private StoreFullException full(String what, @Nullable Throwable cause) {
    return new StoreFullException(
        "the pool %s is full: %s; it can have %d bytes, of which %d are for objects. Remove what is not needed and call store.gc(), or copy the objects, with PmStore.copy, into a store made with a larger PmStoreOptions.llplPoolSize"
            .formatted(
                open.files().pool(),
                what,
                open.header().poolSize(),
                (long) root.extentsMax() << HeapMemory.EXTENT_SHIFT),
        cause);
  }

  @Override
  public Commit place(WriteSet writes) {
    checkUsable();
    PendingCommit pending = new PendingCommit(writes);
    if (pending.undo() > root.undoMax()) {
      throw new TransactionTooLargeException(
          "a transaction of %d bytes needs %d bytes of undo log; the pool %s has room for %d. Split it, or copy the objects, with PmStore.copy, into a store made with a larger PmStoreOptions.llplPoolSize"
              .formatted(
                  writes.encodedSize(), pending.undo(), open.files().pool(), root.undoMax()));
    }
    if (!open.growth().hasRoom(pending.undo())) {
      growOnThread(() -> growForUndo(pending.undo()));
    }
    return () -> commit(pending); // PMDK's transaction changes the heap in place
  }

  private long commit(PendingCommit commit) {
    if (commit.undo() > PoolSpace.UNDO_IN_PLACE) {
      onThread(() -> commitAlone(commit));
    } else {
      commitQueued(commit);
    }
    if (commit.hasFailed()) {
      checkUsable(); // throws one of its own, unless only this commit has failed
    }
    return commit.position();
  }

  /** How many commits wait to be taken into a transaction; takes time in proportion. */
  int waiting() {
    return group.waiting();
  }

  private void commitAlone(PendingCommit commit) {
    try (var _ = lock.hold()) {
      checkUsable();
      commitGroup(() -> group.take(commit));
    }
  }

  /**
   * Commits together with others. An error on the way (there is no stack or memory left) must not
   * leave a commit behind that others carry out: the caller believes that it did not happen.
   */
  private void commitQueued(PendingCommit commit) {
    boolean known = false;
    try {
      group.add(commit);
      if (Thread.currentThread().isVirtual() || LlplPool.inTransaction()) {
        onThread(() -> commitWithOthers(commit));
      } else {
        commitWithOthers(commit);
      }
      known = commit.isDone();
    } catch (Error e) {
      known = commit.take();
      throw e;
    } finally {
      if (!known) {
        state.lost = true; // no call, which could fail too
      }
    }
  }

  /** Commits what waits, unless somebody has done so with this commit. */
  private void commitWithOthers(PendingCommit commit) {
    try (var _ = lock.hold()) {
      while (!commit.isDone()) {
        checkUsable();
        commitGroup(group::takeWaiting);
      }
    }
  }

  private void commitGroup(Runnable taking) {
    long before = group.position();
    try {
      taking.run();
      group.commit();
    } catch (HeapException | TransactionException e) {
      group.failed(
          group.position() != before
              ? fail(e)
              : unlessClean(full("its undo log cannot grow", e), e));
    } catch (Throwable e) {
      group.failed(fail(e));
    }
  }

  /**
   * The exception, if the transaction that LLPL's exception ended is really over on this thread.
   */
  private PmStoreException unlessClean(PmStoreException clean, RuntimeException thrown) {
    return LlplPool.inTransaction() ? fail(thrown) : clean;
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    return fail((Throwable) fault);
  }

  /** Gives the engine up. What PMDK has rolled back or not is found out by the next opening. */
  private StoreFailedException fail(Throwable cause) {
    state.lost = true; // should there be no stack or memory for the rest
    Throwable first = state.fail(cause);
    memory.clear();
    return state.failed(first);
  }

  @Override
  public void sync(long upTo) {
    checkUsable();
    if (upTo > group.durable()) {
      awaitTransaction(); // its commit is running
      checkUsable();
    }
  }

  @Override
  public long position() {
    checkUsable();
    return group.position();
  }

  @Override
  public void checkUsable() {
    if (state.hasFailed()) {
      memory.clear(); // not done yet where a commit was lost
    }
    state.check();
  }

  private void onThread(Runnable task) {
    try {
      thread.run(task);
    } catch (RejectedExecutionException e) {
      checkUsable(); // throws: the thread is ended by close() only
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      thread.run(this::closeHere);
    } catch (RejectedExecutionException e) {
      awaitTransaction(); // it is closed, or another thread is about to
    } finally {
      thread.end();
    }
  }

  @SuppressWarnings("LockNotBeforeTry") // nothing to do while it is held
  private void awaitTransaction() {
    lock.lock();
    lock.unlock();
  }

  private void closeHere() {
    try (var _ = lock.hold()) {
      if (!state.isClosed()) {
        state.close();
        memory.clear();
        open.close(!state.hasFailed());
      }
    }
  }
}
