package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.Replication;
import io.pmstore.StoreFailedException;
import io.pmstore.core.memory.HeapMemory;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A byte space that is read as memory, grows and shrinks, and to which one write set is committed
 * atomically.
 *
 * <p>The first {@link #RESERVED} bytes of the space belong to the engine; the layer above never
 * touches them. All other bytes are zero until a write set changes them. Space that grew stays,
 * used or not, until {@link #shrink}.
 *
 * <p>All methods are thread-safe, on one condition: write sets that are committed at the same time
 * do not overlap, deltas included. A write set that changes a word of another one is committed
 * after the other's {@link #commit} has returned. So an engine may resolve deltas, and apply
 * disjoint write sets, in any order. After a failed write or sync every method except {@link
 * #close} throws {@link io.pmstore.StoreFailedException}; after close, {@link
 * io.pmstore.StoreClosedException}.
 */
public interface Engine extends AutoCloseable {
  /** The bytes at the start of the space that belong to the engine. */
  long RESERVED = 8192;

  /**
   * Returns the space, for reading: the same memory for the engine's whole life. It shows a change
   * once {@link #commit} has applied it.
   */
  HeapMemory memory();

  /**
   * Grows the space to at least {@code size} bytes. When the method returns, the new bytes are
   * allocated and durably part of the store, so no later write fails for want of space.
   *
   * @param size in bytes; the engine rounds up
   * @throws io.pmstore.StoreFullException if the device has no room; the space is unchanged
   */
  void grow(long size);

  /**
   * Shrinks the space. The bytes behind the new size are lost; {@link #grow} brings zeros. The new
   * size is durable when the method returns. After any crash the space has one of the two sizes,
   * and everything below the smaller one is as it was committed. The engine also returns what it
   * allocated ahead of need, even if the size does not change.
   *
   * <p>The caller ensures that no thread reads the removed end or commits to it, that no commit is
   * under way and that no other call of this method or {@link #grow} runs. A later read of the
   * removed end throws, like one outside the space; a read that was under way may fail the engine.
   *
   * @param size in bytes, a multiple of {@link HeapMemory#EXTENT_SIZE} from one extent to the
   *     present size
   * @throws IllegalArgumentException if the size is another one; nothing has changed
   */
  void shrink(long size);

  /**
   * Tells the engine how to find out what {@link #close} has to keep of the space. It may give back
   * what is behind that. An engine that was not told keeps all.
   */
  default void keepAtClose(UsedSpace used) {}

  /** Finds the used part of a space that nobody changes. */
  @FunctionalInterface
  interface UsedSpace {
    /**
     * Returns the end of what is in use, in bytes, at most {@code size}.
     *
     * @param size of the space, in bytes
     * @param words returns the word at an address in the space, and throws {@link
     *     io.pmstore.StoreDamagedException} if it is known to be damaged
     */
    long end(long size, LongUnaryOperator words);
  }

  /**
   * A commit in its three steps. {@link Engine#place} is the first; the caller then calls {@link
   * #append} and {@link #apply} at once, on the same thread. Later commits may wait for it
   * meanwhile.
   *
   * <p>Once a step has thrown anything, the caller calls {@link #abandon} instead of the next ones.
   * The commit has not happened then, or the engine has failed.
   */
  interface Commit {
    /**
     * Writes the record, so that the commit survives a kill of the process; the engine's {@link
     * Engine#sync} makes it durable, if this does not. All earlier commits are written too when
     * this returns.
     *
     * @return the commit's position; later commits have larger ones
     */
    long append();

    /**
     * Changes the heap as the record says, if {@link #append} has not. When this returns, {@link
     * Engine#memory} shows it.
     */
    default void apply() {}

    /**
     * Called if a step has thrown, or could not even begin, because the stack ended, say. An engine
     * whose later commits would wait for this one fails.
     */
    default void abandon() {}
  }

  /**
   * Begins a commit: resolves the deltas of the write set, checks it, reserves what the commit
   * needs, and, where the engine can tell it already, fixes its place in the order of commits. An
   * engine whose transactions log, apply and commit at once does so in {@link Commit#append}. One
   * whose order comes from elsewhere asks {@link WriteSet#readsAreCurrent} when it knows the place,
   * and throws {@link OutdatedReadsException} if they are not.
   *
   * @param writes the changes, which nobody changes until the commit has ended; the engine resolves
   *     its deltas and keeps no reference to it afterwards
   * @return the rest of the commit
   * @throws io.pmstore.TransactionTooLargeException if the write set is too large to be atomic;
   *     nothing was changed
   * @throws OutOfMemoryError if there is not enough memory for it; nothing was changed
   * @throws io.pmstore.StoreFullException if there is no room for it; nothing was changed
   * @throws io.pmstore.StoreDamagedException if what it would change is damaged, or the engine has
   *     found damage before; nothing was changed
   */
  Commit place(WriteSet writes);

  /**
   * Commits a write set: {@link #place}, {@link Commit#append} and {@link Commit#apply}. When the
   * method returns, the changes are in {@link #memory} and survive a kill of the process. They
   * survive a crash of the machine once {@link #sync} of the returned position has returned. After
   * any crash a write set is there as a whole or not at all, and with it all that were committed
   * before it.
   *
   * @param writes as for {@link #place}, whose exceptions this throws
   * @return the commit's position; later commits have larger ones
   */
  default long commit(WriteSet writes) {
    Commit commit = place(writes);
    try {
      long position = commit.append();
      commit.apply();
      return position;
    } catch (Throwable e) {
      commit.abandon();
      throw e;
    }
  }

  /**
   * Waits until all commits up to a position are durable. Commits that wait together share one
   * barrier.
   *
   * @param position from {@link #commit}
   */
  void sync(long position);

  /**
   * Waits until it is certain that what a transaction has read, which wrote nothing, was the newest
   * state at some moment of the transaction. It need not be durable yet.
   *
   * @param position of the newest commit that it has seen
   * @param leadership what {@link #leadership} returned before it read anything
   * @throws io.pmstore.NotLeaderException if a store elsewhere may have had a newer state
   */
  default void confirm(long position, long leadership) {}

  /**
   * Returns a number that changes whenever this store stops or begins to lead copies elsewhere, 0
   * while it follows.
   */
  default long leadership() {
    return 1;
  }

  /**
   * Waits until the heap shows everything that was acknowledged anywhere before this call.
   *
   * @throws io.pmstore.NotLeaderException if that cannot be found out
   */
  default void awaitNewest() {
    checkUsable();
  }

  /**
   * Begins the engine's work, once what is above it is open. An engine whose store has no copies
   * lets it be changed at once.
   *
   * @param host what is above
   */
  default void start(EngineHost host) {
    host.lead(() -> {});
  }

  /**
   * Called when the store is about to be closed, before it waits for transactions and snapshots.
   */
  default void closing() {}

  /**
   * Called when the store is being closed and runs no transaction any more, while the heap is still
   * open: from now on the engine changes it no more by itself.
   */
  default void stop() {}

  /**
   * Called when another heap is about to take the place of this one: {@link #stop} and {@link
   * #close} end what belongs to this heap only.
   */
  default void replaced() {}

  /**
   * Called when no other heap could take the place of this one, which is closed by now. Every
   * method throws {@link StoreFailedException} from now on, except {@link #close}: called once
   * more, it ends what outlives a heap.
   *
   * @param why the other heap could not be opened
   */
  default void replacementFailed(Throwable why) {}

  /** Returns the operation of the store's nodes, if there are others. */
  default Optional<Replication> replication() {
    return Optional.empty();
  }

  /**
   * Returns the position of the last commit that has its place in the order, 0 before the first
   * one. That commit may be under way: each change up to this position is in {@link #memory}, or
   * its {@link #commit} has not returned yet.
   */
  long position();

  /** Receives the faults that {@link #verify} finds. */
  @FunctionalInterface
  interface FaultVisitor {
    /**
     * Receives a fault.
     *
     * @param address of the first byte of the damaged page
     */
    void fault(long address, String found, String expected);

    /**
     * Receives a fault of a file that does not have the heap's pages. One that asks for pages only
     * ignores it.
     *
     * @param place of the fault, as text that names the file
     */
    default void faultOfFile(String place, String found, String expected) {}

    /**
     * Called now and then.
     *
     * @param end all bytes of the heap before it have been compared
     */
    default void compared(long end) {}
  }

  /**
   * Compares the stored bytes with the engine's checksums, if it keeps any. Call it before the
   * first commit since the opening, and without concurrent commits.
   *
   * @param faults receives each page that is not as it was written
   */
  default void verify(FaultVisitor faults) {
    checkUsable();
  }

  /**
   * Returns the time at which a repair computed the checksums from the stored bytes, so that they
   * do not show earlier damage. Returns null if every checksum was written with its page, or there
   * are none.
   */
  default @Nullable Instant checksumsMade() {
    return null;
  }

  /**
   * Compares stored bytes that are about to be copied with the engine's checksums, if it keeps any.
   * Bytes that were compared since the opening are not compared again. If the method throws, the
   * engine takes no more commits.
   *
   * @param address of the first byte
   * @param length in bytes, inside the space
   * @throws io.pmstore.StoreDamagedException if some are not as they were written
   */
  default void checkStored(long address, long length) {}

  /**
   * Returns the log segment size in bytes that a copy of the store needs to behave like the store,
   * if the engine has segments. Works on a closed engine too.
   */
  default OptionalLong logSegmentSize() {
    return OptionalLong.empty();
  }

  /**
   * Returns how often a commit has waited since the opening because the log or the pools had no
   * room until a checkpoint or a spill made some. Works on a closed engine too.
   */
  default long commitWaits() {
    return 0;
  }

  /** Returns what the engine counts. Waits for nothing; works on a closed engine too. */
  default EngineMetrics metrics() {
    return EngineMetrics.NONE;
  }

  /** Returns true if the engine was opened for reading only. */
  default boolean isReadOnly() {
    return false;
  }

  /**
   * Throws if the engine takes no commits.
   *
   * @throws io.pmstore.StoreReadOnlyException if it was opened for reading only
   * @throws io.pmstore.StoreDamagedException if it has found damage since the opening
   */
  default void checkWritable() {}

  /**
   * Throws if transactions have to run elsewhere, even those that only read.
   *
   * @throws io.pmstore.NotLeaderException if this is a copy of a store that leads elsewhere
   */
  default void checkCurrent() {}

  /**
   * Fails the engine for good, because its memory cannot be read (a mapped file was truncated, its
   * device fails) or the outcome of a commit is unknown.
   *
   * @param fault what an access to {@link #memory} threw, or what describes the unknown outcome
   */
  default PmStoreException fail(InternalError fault) {
    return new StoreFailedException(
        "the heap cannot be used any more: %s; close the store, repair what caused this, and open it again"
            .formatted(fault),
        fault);
  }

  /**
   * Throws if the engine cannot be used.
   *
   * @throws io.pmstore.StoreFailedException if it has failed
   * @throws io.pmstore.StoreClosedException if it is closed
   */
  void checkUsable();

  /**
   * Makes all commits durable, unless the engine has failed, and releases everything. A second call
   * does nothing.
   *
   * @throws io.pmstore.StoreFailedException if the commits could not be made durable
   */
  @Override
  void close();
}
