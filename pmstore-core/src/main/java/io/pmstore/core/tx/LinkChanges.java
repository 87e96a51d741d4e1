package io.pmstore.core.tx;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The references that one commit makes and takes away, and what follows from them: objects that
 * have lost their only reference are freed, with what they alone refer to.
 *
 * <p>References are counted against each other first, so that an object which moves from one place
 * to another in a transaction keeps its only reference. What an object's header says ({@link
 * ObjectLayout}) and this sum tell whether it is unlinked now, linked once, or shared. Only objects
 * that were not shared are read here; that an account is named once more conflicts with nothing.
 *
 * <p>Used by the thread of its transaction only, and reused for the next one.
 */
final class LinkChanges {
  /** How many objects a commit frees at most, beside those that it was asked to. */
  static final int BUDGET = 128;

  private static final int BUDGET_WANTED = 1024;

  /** As much space, in bytes, is as much work, and as much log, as an object. */
  private static final int BUDGET_BYTES = 128 << 10;

  // States of objects in the counts, beside LinkCounts.LINKED.
  private static final byte FREED = 2;
  private static final byte UNLINKED = 4;

  private final Transaction transaction;
  private final LinkRules rules;
  private final HeapMemory memory;
  private final WorkingCopies copies;
  private final Snapshots snapshots;
  private final LinkCounts counts = new LinkCounts();
  private final WrittenReferences written;

  private int[] waiting = new int[16]; // numbers of objects that have lost a reference
  private int waitingCount;
  private long[] freed = new long[16];
  private int freedCount;
  private int[] occupied = new int[16];
  private long[] unlinked = new long[16];
  private int unlinkedCount;
  private int sharedLosses;
  private int budget;
  private boolean mayFree;
  private boolean marking;

  // What a collector asks to be freed, if anything.
  private long[] wanted = {};
  private int wantedCount;
  private boolean wantedUnlinked;
  private long since;
  private long unlinkedSince; // what is told of again

  LinkChanges(
      Transaction transaction,
      LinkRules rules,
      HeapMemory memory,
      WorkingCopies copies,
      Snapshots snapshots) {
    this.transaction = transaction;
    this.rules = rules;
    this.memory = memory;
    this.copies = copies;
    this.snapshots = snapshots;
    this.written =
        new WrittenReferences(transaction, rules.maps(), memory, copies, counts, this::mayHaveLost);
  }

  /** Whether a new object is counted. */
  boolean counts(long header) {
    return !rules.maps().isEmpty() && rules.maps().find(header) != null;
  }

  /**
   * Asks for objects to be freed by this transaction.
   *
   * @param onlyUnlinked whether only those that are unlinked and have no Java object are meant, or
   *     all, because nothing reaches them
   * @param position of a commit since which nothing has reached them
   */
  void want(long[] objects, int count, boolean onlyUnlinked, long position) {
    wanted = objects;
    wantedCount = count;
    wantedUnlinked = onlyUnlinked;
    since = position;
    unlinkedSince = position;
  }

  boolean isWanted() {
    return wantedCount > 0;
  }

  /**
   * Finds out what the commit does, and puts it into copies and write set. The transaction counts
   * as one that is under way, and holds no locks yet.
   *
   * @throws TransactionConflict if what was read is not current
   */
  void prepare(WriteSet writes) {
    mayFree = isWanted() ? snapshots.allowReuse(since) : !snapshots.isAnyOpen();
    if (rules.maps().isEmpty()) {
      return;
    }
    marking = rules.listener().isMarking();
    budget = isWanted() ? BUDGET_WANTED : BUDGET;
    for (int copy = 0; copy < copies.count(); copy++) {
      written.count(copy);
    }
    for (int copy = 0; copy < copies.count(); copy++) {
      if (copies.isFresh(copy)) {
        mayHaveLost(counts.add(copies.address(copy), 0)); // or has never had one
      }
    }
    if (mayFree) {
      freeWanted();
    }
    freeLost();
    for (int number = 0; number < counts.count(); number++) {
      settle(number, writes);
    }
    tellUnlinked();
    for (int i = 0; i < freedCount; i++) {
      rules.allocator().free(freed[i], writes);
    }
  }

  /** Whether what was wanted could be freed, as far as snapshots are concerned. */
  boolean couldFree() {
    return mayFree;
  }

  private void mayHaveLost(int number) {
    if (waitingCount == waiting.length) {
      waiting = Arrays.copyOf(waiting, waitingCount * 2);
    }
    waiting[waitingCount++] = number;
  }

  // ---- freeing

  private void freeWanted() {
    for (int i = 0; i < wantedCount; i++) {
      if (!rules.allocator().isAllocated(wanted[i])) {
        continue; // freed before
      }
      int number = counts.add(wanted[i], 0);
      if ((counts.state(number) & FREED) != 0) {
        continue; // with another one
      }
      if (wantedUnlinked) {
        freeUnlinked(number, wanted[i]);
      } else {
        freeUnreached(number, wanted[i]);
      }
    }
  }

  private void freeUnlinked(int number, long object) {
    if (!isStillUnlinked(object)) {
      return;
    }
    if (budget <= 0 || rules.isPinned(object) || !allowReuse(object)) {
      unlinked(object);
    } else {
      free(number, object);
      freeLost();
    }
  }

  private void freeUnreached(int number, long object) {
    if (rules.isPinned(object)) {
      throw new IllegalStateException(
          "a collection did not reach an object that the program has, at " + object);
    }
    // What it refers to may have been freed before it, and be something else by now.
    take(number, object);
  }

  /**
   * Whether an object is allocated and unlinked, so that what it refers to is too. The bitmap is
   * asked after the header: to read that waits for a commit that frees the object just now.
   */
  private boolean isStillUnlinked(long object) {
    return ObjectLayout.links(transaction.getLong(object, 0)) == ObjectLayout.FLAG_UNLINKED
        && rules.allocator().isAllocated(object);
  }

  /**
   * Whether no snapshot shows an object, or what it refers to: it may have been linked and unlinked
   * again since, and have been given what was linked elsewhere.
   */
  private boolean allowReuse(long object) {
    if (!isWanted()) {
      return true; // no snapshot is open
    }
    long lastWritten = transaction.lastWritten(object);
    if (lastWritten <= since || snapshots.allowReuse(lastWritten)) {
      return true;
    }
    unlinkedSince = Math.max(unlinkedSince, lastWritten);
    return false;
  }

  /** Frees what has lost its only reference, and what loses it by that. */
  private void freeLost() {
    while (waitingCount > 0) {
      int number = waiting[--waitingCount];
      byte state = counts.state(number);
      if ((state & (FREED | UNLINKED)) != 0) {
        continue;
      }
      long object = counts.object(number);
      int net = counts.net(number);
      int copy = copies.find(object);
      if (copy >= 0 && copies.isFresh(copy)) {
        if (net == 0 && isUnlinked(copy) && !copies.isVisible(copy)) {
          counts.setState(number, (byte) (state | FREED));
          copies.drop(copy);
          written.remove(copy);
        }
      } else if (net < 0 && isSingle(object, copy)) {
        checkAllocated(object);
        if (budget > 0 && mayFree && allowReuse(object) && !rules.isPinned(object)) {
          free(number, object);
        } else {
          counts.setState(number, (byte) (state | UNLINKED));
          unlinked(object);
        }
      }
    }
  }

  /** Fails if a reference has led to where no object is, unless what was read is out of date. */
  private void checkAllocated(long object) {
    if (!rules.allocator().isAllocated(object) && transaction.isCurrent()) {
      throw new StoreDamagedException(
          "a reference led to heap address "
              + object
              + ", where no object is; PmStore.verify says which it was, restore the store from a"
              + " backup");
    }
  }

  private boolean isUnlinked(int copy) {
    return ObjectLayout.links(copies.getLong(copy, 0)) == ObjectLayout.FLAG_UNLINKED;
  }

  /** Whether an object has had one reference; a shared one is not read by the transaction. */
  private boolean isSingle(long object, int copy) {
    if (copy >= 0) {
      return ObjectLayout.links(copies.getLong(copy, 0)) == ObjectLayout.FLAG_SINGLE;
    }
    if (!memory.hasWord(object)) {
      checkAllocated(object);
      return false; // it was read too early
    }
    return ObjectLayout.links(memory.getLong(object)) == ObjectLayout.FLAG_SINGLE
        && ObjectLayout.links(transaction.getLong(object, 0)) == ObjectLayout.FLAG_SINGLE;
  }

  /** Frees an object, and counts the references that it had as taken away. */
  private void free(int number, long object) {
    take(number, object);
    int copy = copies.find(object);
    if (copy >= 0) {
      copies.drop(copy);
      written.remove(copy);
    } else {
      written.removeCommitted(object);
    }
  }

  private void take(int number, long object) {
    counts.setState(number, (byte) (counts.state(number) | FREED));
    if (freedCount == freed.length) {
      freed = Arrays.copyOf(freed, freedCount * 2);
      occupied = Arrays.copyOf(occupied, freedCount * 2);
    }
    int bytes = rules.allocator().occupiedBytes(object);
    freed[freedCount] = object;
    occupied[freedCount++] = bytes;
    budget -= 1 + bytes / BUDGET_BYTES;
  }

  private void unlinked(long object) {
    if (unlinkedCount == unlinked.length) {
      unlinked = Arrays.copyOf(unlinked, unlinkedCount * 2);
    }
    unlinked[unlinkedCount++] = object;
  }

  // ---- what headers say afterwards

  private void settle(int number, WriteSet writes) {
    byte state = counts.state(number);
    if ((state & FREED) != 0) {
      return;
    }
    long object = counts.object(number);
    int net = counts.net(number);
    int copy = copies.find(object);
    if (copy >= 0 && copies.isFresh(copy)) {
      if (net > 0) {
        settleCopy(copy, net == 1 ? ObjectLayout.FLAG_SINGLE : 0);
      }
      return;
    }
    if ((state & UNLINKED) != 0) {
      settle(object, copy, ObjectLayout.FLAG_UNLINKED, writes);
      return;
    }
    if (copy < 0 && !memory.hasWord(object)) {
      checkAllocated(object);
      return; // it was read too early
    }
    int links = ObjectLayout.links(copy >= 0 ? copies.getLong(copy, 0) : memory.getLong(object));
    if (links == 0) {
      sharedLosses += net < 0 ? -net : 0;
    } else if (net > 0) {
      // The step from unlinked to linked once has to be the only one; that to shared is for good.
      boolean first =
          net == 1
              && links == ObjectLayout.FLAG_UNLINKED
              && ObjectLayout.links(transaction.getLong(object, 0)) == ObjectLayout.FLAG_UNLINKED;
      settle(object, copy, first ? ObjectLayout.FLAG_SINGLE : 0, writes);
    }
  }

  private void settle(long object, int copy, int links, WriteSet writes) {
    if (copy >= 0) {
      settleCopy(copy, links);
      return;
    }
    long both = ObjectLayout.flagBits(ObjectLayout.FLAG_UNLINKED | ObjectLayout.FLAG_SINGLE);
    long set = ObjectLayout.flagBits(links);
    if (set != 0) {
      writes.setBits(object, set);
    }
    writes.clearBits(object, both & ~set);
  }

  /** Gives a copy's header its links, unless it is shared. */
  private void settleCopy(int copy, int links) {
    long header = copies.getLong(copy, 0);
    if (ObjectLayout.links(header) != 0) {
      copies.putLong(copy, 0, ObjectLayout.withLinks(header, links));
    }
  }

  /** New objects that nothing refers to, but Java objects stand for: they may be linked later. */
  private void tellUnlinked() {
    for (int copy = 0; copy < copies.count(); copy++) {
      if (copies.isFresh(copy) && copies.isVisible(copy) && isUnlinked(copy)) {
        unlinked(copies.address(copy));
      }
    }
  }

  // ---- the rest of the commit

  /** Shows what has to be locked beside copies and deltas. */
  void forEachFreed(LongConsumer visitor) {
    for (int i = 0; i < freedCount; i++) {
      visitor.accept(freed[i]);
    }
  }

  /** Whether a word that gets a delta is the header of an object. */
  boolean isHeader(long address) {
    return counts.contains(address);
  }

  /**
   * Says whether what is freed is still allocated, and has got no Java object meanwhile. Called
   * with the locks of all that is freed held.
   */
  boolean isCurrent() {
    for (int i = 0; i < freedCount; i++) {
      if (!rules.allocator().isAllocated(freed[i]) || rules.isPinned(freed[i])) {
        return false;
      }
    }
    return true;
  }

  /** Has a collector mark what is linked and made. Called before the commit is applied. */
  void mark() {
    if (!marking) {
      return;
    }
    LinkListener listener = rules.listener();
    for (int copy = 0; copy < copies.count(); copy++) {
      if (copies.isFresh(copy) && !copies.isDropped(copy)) {
        listener.born(copies.address(copy));
      }
    }
    for (int number = 0; number < counts.count(); number++) {
      if ((counts.state(number) & (LinkCounts.LINKED | FREED)) == LinkCounts.LINKED) {
        listener.linked(counts.object(number));
      }
    }
  }

  /** Gives out what was freed, and tells of the rest. Called when the commit is applied. */
  void committed(long position) {
    for (int i = 0; i < freedCount; i++) {
      rules.freed(freed[i], occupied[i]);
    }
    LinkListener listener = rules.listener();
    for (int i = 0; i < unlinkedCount; i++) {
      listener.unlinked(unlinked[i], isWanted() ? unlinkedSince : position);
    }
    if (sharedLosses > 0 && (wantedUnlinked || !isWanted())) {
      listener.sharedUnlinked(sharedLosses);
    }
  }

  /** Forgets everything, for the next transaction or the next attempt. */
  void clear() {
    counts.clear();
    waitingCount = 0;
    freedCount = 0;
    unlinkedCount = 0;
    sharedLosses = 0;
    wantedCount = 0;
  }
}
