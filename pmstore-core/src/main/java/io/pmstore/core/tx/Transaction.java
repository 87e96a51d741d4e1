package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.events.TransactionEvent;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.Chunk;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's transaction: its read set, its change set and its counter deltas.
 *
 * <p>The algorithm is TL2 (Dice, Shalev, Shavit 2006) with the snapshot extended as in LSA (Riegel,
 * Felber, Fetzer 2006). Versions are positions in the engine's order of commits. The body never
 * sees a state that did not exist ({@link ReadSet}); {@link TransactionCommit} has the steps of a
 * commit.
 *
 * <p>{@code object} is the address of an object, {@code offset} that of a field in it, in bytes,
 * naturally aligned.
 *
 * <p>Used by its own thread only, except where a method says otherwise; reused for the thread's
 * next transaction.
 */
public final class Transaction extends View implements Turn.Taker {
  private final HeapMemory memory;
  private final Allocator allocator;
  private final ReadSet reads;
  private final WriteSet writes = new WriteSet(this::requireRoomForDeltas);
  private final ChangeSet changes = new ChangeSet(writes);
  private final LinkChanges linkChanges;
  private final Reservations reservations;
  private final Committer committer;
  private final TransactionCommit commit;

  private final ArrayList<Object> keptAlive = new ArrayList<>();
  private final ArrayList<Runnable> lastWrites = new ArrayList<>();

  private boolean readOnly;
  private boolean hasBegun; // an attempt, which has not ended, or whose roll-back an error ended
  private long attempt;
  private @Nullable Throwable rollbackCause;
  private Durability durability = Durability.SYNC;
  private volatile @Nullable String turnEnded;
  private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());
  private final WeakReference<Transaction> reference = new WeakReference<>(this);
  private final Suspicion suspicion = new Suspicion();
  private final TransactionCounts.Cell counts;

  // What events say of the last attempt.
  private int lastRead;
  private int lastWritten;
  private long lastRecordBytes;

  Transaction(
      Transactions transactions,
      Engine engine,
      LockTable locks,
      LinkRules rules,
      Snapshots snapshots) {
    super(transactions);
    this.memory = engine.memory();
    this.allocator = rules.allocator();
    this.reads = new ReadSet(engine, locks);
    this.reservations = new Reservations(allocator, changes);
    this.linkChanges = new LinkChanges(this, reads, rules, memory, changes, snapshots);
    this.committer = transactions.commits().committer();
    this.commit =
        new TransactionCommit(
            this,
            engine,
            locks,
            snapshots,
            committer,
            reads,
            changes,
            writes,
            reservations,
            linkChanges);
    this.counts = countIn(transactions.counts());
  }

  private TransactionCounts.Cell countIn(TransactionCounts all) {
    return all.cell(this);
  }

  /** Returns the counters of this transaction and all that its thread runs. */
  TransactionCounts.Cell counts() {
    return counts;
  }

  // ---- life cycle, driven by Transactions

  void activate(boolean readOnly) {
    if (hasBegun) {
      rollback(); // its changes must not become those of the next transaction
    }
    this.readOnly = readOnly || transactions().isReadOnly();
    if (turnEnded != null) { // a volatile write is a fence
      turnEnded = null;
    }
    suspicion.clear();
    activate();
  }

  void begin(Durability wanted) {
    hasBegun = true;
    attempt++;
    nextRun();
    suspicion.begin();
    durability = wanted;
    reads.begin();
  }

  /** Returns the number of this run of a body, which tells it from earlier runs. */
  public long attempt() {
    return attempt;
  }

  /** Returns when the transaction is acknowledged. */
  Durability durability() {
    return durability;
  }

  /** Requires a durability. The strongest one required counts. */
  void require(Durability wanted) {
    if (wanted.bound().compareTo(durability.bound()) < 0) {
      durability = wanted;
    }
  }

  /** Returns the weak reference that the thread keeps between two transactions. */
  WeakReference<Transaction> reference() {
    return reference;
  }

  /** Returns the thread of this transaction, or null if it was collected. Called by any thread. */
  @Nullable Thread thread() {
    return thread.get();
  }

  /** Returns true while the body of a transaction that may write runs. Called by any thread. */
  boolean isInBody() {
    return isActive() && !readOnly && !isCommitting();
  }

  /** Returns whether writes look for helpers. Its methods say who may call them. */
  Suspicion suspicion() {
    return suspicion;
  }

  @Override
  public int progress() {
    return reads.size() + changes.count();
  }

  @Override
  public boolean isCommitting() {
    return committer.isCommitting();
  }

  @Override
  public void setTurnEnded(String callSite) {
    turnEnded = callSite;
  }

  /**
   * Returns where the body was when its turn ended early, or null if none has since the last call.
   */
  @Nullable String takeTurnEnded() {
    String callSite = turnEnded;
    turnEnded = null;
    return callSite;
  }

  void setRollbackOnly(Throwable cause) {
    if (rollbackCause == null) {
      rollbackCause = cause;
    }
  }

  @Nullable Throwable rollbackCause() {
    return rollbackCause;
  }

  // ---- events

  /**
   * Ends the event of this transaction.
   *
   * @param event null if there is none
   * @param failures attempts that were rolled back because of conflicts
   * @param committed when the commit began to wait until it is durable
   */
  void record(
      @Nullable TransactionEvent event,
      TransactionEvent.Outcome outcome,
      int failures,
      long committed) {
    if (event != null) {
      boolean written = outcome == TransactionEvent.Outcome.COMMITTED;
      event.ended(
          transactions().events().store(),
          outcome,
          failures + 1,
          lastRead,
          lastWritten,
          written ? lastRecordBytes : 0,
          written ? System.nanoTime() - committed : 0);
    }
  }

  /** Records that an attempt was rolled back because of a conflict. */
  void recordConflict(int failures) {
    transactions().events().conflict(reads.takeConflictLock(), failures);
  }

  // ---- reads

  /** Returns this transaction's own value, or the committed one. */
  @Override
  public long getLong(long object, int offset) {
    if (reads.isLast(object)) {
      long value = memory.getLong(object + offset);
      if (reads.endReadOfLast()) {
        return value;
      }
    }
    int copy = changes.find(object);
    if (copy >= 0) {
      return changes.getLong(copy, offset);
    }
    int lock = LockTable.index(object);
    while (true) {
      long word = reads.beginRead(lock);
      long value = memory.getLong(object + offset);
      if (reads.endRead(lock, word)) {
        reads.remember(object, lock, word);
        return value;
      }
    }
  }

  @Override
  public void read(long object, int offset, byte[] target, int length) {
    if (reads.isLast(object)) {
      memory.read(object + offset, target, 0, length);
      if (reads.endReadOfLast()) {
        return;
      }
    }
    int copy = changes.find(object);
    if (copy >= 0) {
      System.arraycopy(changes.block(copy), changes.start(copy) + offset, target, 0, length);
      return;
    }
    int lock = LockTable.index(object);
    while (true) {
      long word = reads.beginRead(lock);
      memory.read(object + offset, target, 0, length);
      if (reads.endRead(lock, word)) {
        return;
      }
    }
  }

  /**
   * Returns the committed value, on which this transaction then depends, plus what it has added.
   */
  @Override
  public long counter(long object, int offset) {
    int copy = changes.find(object);
    if (copy >= 0 && changes.isFresh(copy)) {
      return changes.getLong(copy, offset);
    }
    long address = object + offset;
    int lock = LockTable.index(address);
    while (true) {
      long word = reads.beginRead(lock);
      long value = memory.getLong(address);
      if (reads.endRead(lock, word)) {
        return value + writes.added(address);
      }
    }
  }

  /** A transaction needs no more than the version of the object that it has read last. */
  @Override
  public long beginRead(long object) {
    return isLastRead(object) ? 0 : NO_VERSION;
  }

  @Override
  public boolean endRead(long object, long begun) {
    return isLastRead(object);
  }

  /** Returns true if the object was read last, is not written, and has not changed since. */
  private boolean isLastRead(long object) {
    return reads.isLast(object) && reads.endReadOfLast();
  }

  @Override
  public boolean hasMade(long object) {
    int copy = changes.find(object);
    return copy >= 0 && changes.isFresh(copy);
  }

  /** Returns true if this transaction has written the word at an offset, or made the object. */
  public boolean hasWritten(long object, int offset) {
    int copy = changes.find(object);
    return copy >= 0 && (changes.isFresh(copy) || changes.isDirty(copy, offset));
  }

  /**
   * Returns true if this transaction has changed an object that has, in the committed state, a word
   * other than 0 at an offset. Returns false for an object that this transaction has made.
   */
  public boolean changesCommittedWord(long object, int offset) {
    int copy = changes.find(object);
    return copy >= 0 && !changes.isFresh(copy) && memory.getLong(object + offset) != 0;
  }

  @Override
  public boolean mayBePinned(long object) {
    if (hasMade(object)) {
      return true;
    }
    boolean current = reads.isInSnapshot(object);
    if (!current && changes.find(object) >= 0) {
      throw reads.conflict(); // reading again would only return the working copy
    }
    return current;
  }

  /** Has the body run again, or whatever uses the transaction: another one came between. */
  public void conflict() {
    throw reads.conflict();
  }

  /** Returns true if everything that was read is still current. */
  boolean isCurrent() {
    return reads.isCurrent();
  }

  // ---- writes

  /** Writes a {@code byte}. */
  public void putByte(long object, int offset, byte value) {
    changes.putByte(copyToWrite(object), offset, value);
  }

  /** Writes a {@code short}. */
  public void putShort(long object, int offset, short value) {
    changes.putShort(copyToWrite(object), offset, value);
  }

  /** Writes a {@code char}. */
  public void putChar(long object, int offset, char value) {
    changes.putChar(copyToWrite(object), offset, value);
  }

  /** Writes an {@code int}. */
  public void putInt(long object, int offset, int value) {
    changes.putInt(copyToWrite(object), offset, value);
  }

  /** Writes a {@code long}. */
  public void putLong(long object, int offset, long value) {
    changes.putLong(copyToWrite(object), offset, value);
  }

  /**
   * Adds to a counter, a word, without reading it, so that two transactions that add do not
   * conflict.
   */
  public void addToCounter(long object, int offset, long n) {
    checkWritable();
    int copy = changes.find(object);
    if (copy >= 0 && changes.isFresh(copy)) {
      changes.putLong(copy, offset, changes.getLong(copy, offset) + n);
      return;
    }
    writes.add(object + offset, n);
  }

  /**
   * Makes an object of zeros.
   *
   * @param size its size in bytes, header included; rounded up to a multiple of 8
   * @return its address, valid if this transaction commits
   */
  public long allocate(int shapeId, int flags, int size) {
    checkWritable();
    if (size > ObjectLayout.SIZE_MAX) {
      throw new IllegalArgumentException(
          "an object has "
              + size
              + " bytes, expected at most "
              + ObjectLayout.SIZE_MAX
              + "; divide it into several objects");
    }
    int rounded = (size + 7) & ~7;
    long address = reservations.add(rounded);
    int copy;
    try {
      copy = changes.add(address, rounded, true);
      reads.forgetLast();
    } catch (Throwable t) {
      reservations.removeLast(); // the others belong to new objects by their order
      throw t;
    }
    long header = ObjectLayout.header(shapeId, flags, rounded);
    changes.putLong(
        copy,
        0,
        linkChanges.counts(header)
            ? ObjectLayout.withLinks(header, ObjectLayout.FLAG_UNLINKED)
            : header);
    return address;
  }

  /**
   * Marks an object that this transaction has made as pinned by a Java object, so that it may be
   * linked later.
   */
  public void setVisible(long object) {
    changes.setVisible(changes.find(object));
  }

  /**
   * Frees objects when this transaction commits.
   *
   * @param objects addresses; those that are no longer allocated are skipped
   * @param count how many
   * @param onlyUnlinked true to free those that are unlinked and not pinned, with everything that
   *     only they refer to; false to free all, because nothing reaches them, and nothing else
   * @param since the position of a commit since which nothing has reached them
   */
  public void free(long[] objects, int count, boolean onlyUnlinked, long since) {
    checkWritable();
    linkChanges.want(objects, count, onlyUnlinked, since);
  }

  /**
   * Returns false if a snapshot was open that may show what this transaction was asked to free.
   * Asked after its commit.
   */
  public boolean couldFree() {
    return linkChanges.couldFree();
  }

  /**
   * Releases empty chunks when this transaction commits.
   *
   * @param chunks what {@link Allocator#takeEmptyChunks} returned
   */
  public void release(List<Chunk> chunks) {
    checkWritable();
    allocator.release(chunks, writes);
  }

  /**
   * Writes bytes.
   *
   * @param from the first of them
   * @param length how many
   */
  public void putBytes(long object, int offset, byte[] source, int from, int length) {
    changes.putBytes(copyToWrite(object), offset, source, from, length);
  }

  /**
   * Returns if the Java heap has room for what an operation of this transaction gathers before its
   * first write.
   *
   * @param bytes that the operation is about to take
   * @param elements that it has gathered
   * @throws io.pmstore.TransactionTooLargeException if there is no room even without garbage
   */
  public void requireRoom(long bytes, long elements) {
    changes.requireRoom(bytes, elements);
  }

  private void requireRoomForDeltas(long bytes) {
    changes.requireRoom(bytes);
  }

  /** Keeps a Java object alive until the transaction has ended. */
  public void keepAlive(Object object) {
    keptAlive.add(object);
  }

  /**
   * Runs an action when the body has ended, before the commit begins. The action may read and write
   * as the body did, and ask for more; what it throws rolls the transaction back.
   */
  public void beforeCommit(Runnable action) {
    lastWrites.add(action);
  }

  /** Returns true if the transaction has written, made or freed anything. */
  boolean hasWritten() {
    return changes.count() != 0 || !writes.isEmpty() || linkChanges.isWanted();
  }

  /** Runs the actions for the end of the body. */
  void complete() {
    for (int i = 0; i < lastWrites.size(); i++) { // one may ask for more
      lastWrites.get(i).run();
    }
    lastWrites.clear();
  }

  /** Returns the working copy of an object. The first write makes it, from one committed state. */
  private int copyToWrite(long object) {
    int copy = changes.find(object);
    if (copy >= 0 && !suspicion.isOfWholeRun()) {
      return copy;
    }
    checkWritable();
    if (copy >= 0) {
      return copy;
    }
    int size = ObjectLayout.size(getLong(object, 0));
    long offset = object & (HeapMemory.EXTENT_SIZE - 1);
    if (offset < ExtentLayout.CHUNK_SIZE || size > HeapMemory.EXTENT_SIZE - offset) {
      throw new StoreDamagedException(
          "the object at heap address %d has a size of %d bytes, expected one that is behind its extent's table and ends in its extent; restore the store from a backup"
              .formatted(object, size));
    }
    copy = changes.add(object, size, false);
    reads.forgetLast();
    int lock = LockTable.index(object);
    while (true) {
      long word;
      try {
        word = reads.beginRead(lock);
        memory.read(object, changes.block(copy), changes.start(copy), size);
      } catch (Throwable t) {
        changes.removeLast(); // it lacks the object's contents
        throw t;
      }
      if (reads.endRead(lock, word)) {
        return copy;
      }
    }
  }

  boolean isWritable() {
    return !readOnly;
  }

  void setReadOnly() {
    readOnly = true;
  }

  private void checkWritable() {
    reads.failIfDoomed();
    if (readOnly) {
      transactions().checkWritable(); // throws with a message of its own
      throw new IllegalStateException(
          "an operation that only reads has called the code of this write, such as an equals, a"
              + " compareTo, or the predicate of PmStore.copy; put the operation into"
              + " store.transaction(...), or write after it");
    }
    if (suspicion.isRaised()) {
      suspicion.look();
    }
  }

  // ---- the end

  /** Commits. Returns the position that must be durable before the transaction is acknowledged. */
  long commit() {
    reads.failIfDoomed();
    long position;
    if (hasWritten()) {
      position = commit.run(durability.isRelaxed());
      reservations.clear(); // first: the space is in use, so no roll-back may release it
      lastRecordBytes = writes.length();
    } else {
      position = reads.newestSeen();
      tell(true);
    }
    try {
      reset();
    } catch (OutOfMemoryError e) {
      hasBegun = true; // it is committed, so the next transaction of the thread clears up
    }
    return position;
  }

  /**
   * Waits until the commit that is under way, if there is one, has ended and told its {@link
   * Outcome}s. Called by any thread but the transaction's own.
   *
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  public void awaitCommit() {
    committer.await(committer.changes());
  }

  void rollback() {
    // First: what refers to an address must be gone before the address can be reserved again.
    tell(false);
    reservations.release();
    reset();
  }

  private void reset() {
    lastRead = reads.size();
    lastWritten = changes.count();
    reads.clear();
    changes.clear();
    writes.clear();
    reservations.clear();
    keptAlive.clear();
    lastWrites.clear();
    linkChanges.clear();
    rollbackCause = null;
    hasBegun = false; // last
  }
}
