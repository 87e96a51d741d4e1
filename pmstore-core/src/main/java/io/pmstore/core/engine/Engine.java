package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.memory.HeapMemory;

/**
 * A byte space that is read as memory, that grows and shrinks, and to which one write set is
 * committed atomically.
 *
 * <p>The space starts with {@link #RESERVED} bytes that belong to the engine; the layer above never
 * touches them. All other bytes are zero until a write set gives them a value. Space that grew
 * stays, whether or not it is used, until {@link #shrink} gives it back.
 *
 * <p>All methods are safe for use by any number of threads, but write sets that are committed at
 * the same time do not overlap, deltas included: one that changes a word that another one changes
 * is committed when the other's {@link #commit} has returned. So an engine may make deltas
 * absolute, and apply what is disjoint, in any order. After a failed write or sync every method but
 * {@link #close} throws {@link io.pmstore.StoreFailedException}; after close, {@link
 * io.pmstore.StoreClosedException}.
 */
public interface Engine extends AutoCloseable {
  /** The bytes at the start of the space that belong to the engine. */
  long RESERVED = 8192;

  /**
   * The space, for reading. What a write set changed is seen here once {@link #commit} has applied
   * it.
   *
   * @return the same memory for the engine's whole life
   */
  HeapMemory memory();

  /**
   * Makes the space at least so large. The new bytes are really allocated and durably part of the
   * store when the method returns, so that no later write can fail for want of room.
   *
   * @param size the bytes wanted; the engine rounds up
   * @throws io.pmstore.StoreFullException if there is no room; the space is as it was
   */
  void grow(long size);

  /**
   * Gives the end of the space back: from now on it is only so large. What is there is lost; {@link
   * #grow} brings zeros. Durable when the method returns, and after any crash the space has one of
   * the two sizes, with everything below the smaller one as it was committed. What the engine has
   * allocated ahead of need is given back too, also if the space has that size already.
   *
   * <p>The caller sees to it that nobody reads the end or commits to it any more, that no commit is
   * under way and that no other call of this or {@link #grow} runs. A read of the end from now on
   * throws, as one outside the space does; one that was under way may fail the engine.
   *
   * @param size the bytes wanted, a multiple of {@link HeapMemory#EXTENT_SIZE} from one extent to
   *     the present size
   * @throws IllegalArgumentException if the size is another one; nothing has changed
   */
  void shrink(long size);

  /**
   * Commits a write set: fixes its place in the order of commits, makes its deltas absolute, logs
   * and applies it. When the method returns the changes are in {@link #memory}, and survive a kill
   * of the process; they survive a crash of the machine when {@link #sync} of the returned position
   * has returned. After any crash a write set is there as a whole or not at all, and with it all
   * that were committed before it.
   *
   * @param writes what to change; the engine resolves its deltas and keeps no reference to it
   * @return the commit's position: later commits have larger ones
   * @throws io.pmstore.TransactionTooLargeException if the write set exceeds what can be atomic;
   *     nothing was changed
   * @throws io.pmstore.StoreFullException if there is no room for it; nothing was changed
   */
  long commit(WriteSet writes);

  /**
   * Waits until all commits up to a position are durable. Commits that wait together share one
   * barrier.
   *
   * @param position what {@link #commit} returned
   */
  void sync(long position);

  /**
   * The position of the last commit that has its place in the order; it may be under way. A change
   * by a commit up to this position is in {@link #memory}, or the call that makes it has not
   * returned yet.
   *
   * @return the largest position given so far, 0 before the first commit
   */
  long position();

  /** Takes what a verification finds. */
  @FunctionalInterface
  interface FaultVisitor {
    /**
     * Takes a fault.
     *
     * @param address of the first byte of the damaged page
     * @param found what is there
     * @param expected what should be there
     */
    void fault(long address, String found, String expected);
  }

  /**
   * Compares the stored bytes with the checksums that the engine keeps of them, if it keeps any. To
   * be called before the first commit since the opening, with none meanwhile.
   *
   * @param faults takes each page that is not as it was written
   */
  default void verify(FaultVisitor faults) {
    checkUsable();
  }

  /**
   * Says whether the engine takes commits.
   *
   * @return false for one that was opened for reading only
   */
  default boolean isReadOnly() {
    return false;
  }

  /**
   * Says that the engine takes commits, by returning.
   *
   * @throws io.pmstore.StoreReadOnlyException if it was opened for reading only
   */
  default void checkWritable() {}

  /**
   * Ends the engine's work for good: its memory could not be read, because a mapped file was cut
   * short, or its device fails; or nobody knows what became of a commit.
   *
   * @param fault what an access to {@link #memory} threw, or what says so
   * @return what to throw
   */
  default PmStoreException fail(InternalError fault) {
    return new StoreFailedException("the heap cannot be used any more: " + fault, fault);
  }

  /**
   * Says whether the engine can be used, by returning.
   *
   * @throws io.pmstore.StoreFailedException if it has failed
   * @throws io.pmstore.StoreClosedException if it is closed
   */
  void checkUsable();

  /**
   * Makes all commits durable, unless the engine has failed, and gives everything up. Closing twice
   * does nothing more.
   *
   * @throws io.pmstore.StoreFailedException if making them durable failed
   */
  @Override
  void close();
}
