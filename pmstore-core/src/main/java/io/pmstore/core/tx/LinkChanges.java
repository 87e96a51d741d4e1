package io.pmstore.core.tx;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The references that one commit adds and removes, and what follows from them: an object that loses
 * its only reference is freed, with everything that only it refers to.
 *
 * <p>Added and removed references are summed first, so an object that moves within a transaction
 * keeps its only reference. The sum and the flags in the object's header ({@link ObjectLayout})
 * tell whether the object is now unlinked, single or shared. The transaction depends only on
 * headers of objects that were not shared, so a further reference to a shared object, an account,
 * say, conflicts with nothing.
 *
 * <p>Used by the thread of its transaction only, and reused for the next one.
 */
final class LinkChanges {
  /** The most objects that a commit frees if it was not asked to free any. */
  static final int BUDGET = 128;

  private static final int BUDGET_WANTED = 1024;

  private static final int UNASKED = 1 << 14; // elements of arrays that need little memory
  private static final int KEPT_MAX = 1 << 16;
  private static final int BYTES_TOLD = 32; // for each unlinked object

  /** So many bytes of freed space count as one more object. */
  private static final int BUDGET_BYTES = 128 << 10;

  // States of objects in the counts, beside LinkCounts.LINKED.
  private static final byte FREED = 2;
  private static final byte UNLINKED = 4;

  private final Transaction transaction;
  private final ReadSet reads;
  private final LinkRules rules;
  private final HeapMemory memory;
  private final ChangeSet changes;
  private final Snapshots snapshots;
  private final LinkCounts counts;
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

  // What a collector wants to be freed, if anything.
  private long[] wanted = {};
  private int wantedCount;
  private boolean wantedUnlinked;
  private long since;
  private long unlinkedSince; // for the objects that stay unlinked

  LinkChanges(
      Transaction transaction,
      ReadSet reads,
      LinkRules rules,
      HeapMemory memory,
      ChangeSet changes,
      Snapshots snapshots) {
    this.transaction = transaction;
    this.reads = reads;
    this.rules = rules;
    this.memory = memory;
    this.changes = changes;
    this.snapshots = snapshots;
    this.counts = new LinkCounts(changes::requireRoom);
    this.written =
        new WrittenReferences(reads, rules.maps(), memory, changes, counts, this::mayHaveLost);
  }

  /** Returns true if references to an object with such a header are counted. */
  boolean counts(long header) {
    return !rules.maps().isEmpty() && rules.maps().find(header) != null;
  }

  /**
   * Asks for objects to be freed by this transaction.
   *
   * @param onlyUnlinked true to free only those that are unlinked and not pinned; false to free
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
   * Computes the new flags and what is freed, and adds both to the change set and the write set.
   * The commit counts as under way and holds no locks yet.
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
    changes.forEach(written);
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
      writes.putFreed(freed[i]);
    }
  }

  /** Returns the bytes of Java heap that the listener takes at most once this has committed. */
  long bytesToTell() {
    return (long) BYTES_TOLD * unlinkedCount;
  }

  /** Returns false if an open snapshot may show what was wanted, so that nothing was freed. */
  boolean couldFree() {
    return mayFree;
  }

  private void mayHaveLost(int number) {
    if (waitingCount == waiting.length) {
      if (waitingCount >= UNASKED) {
        changes.requireRoom(2L * Integer.BYTES * waitingCount);
      }
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
    // Not what it refers to: that may have been freed before it, and be another object by now.
    take(number, object);
  }

  /**
   * Returns true if an object is allocated and unlinked, so that what it refers to is allocated
   * too. Reads the header first, which waits for a commit that is just freeing the object, then the
   * bitmap.
   */
  private boolean isStillUnlinked(long object) {
    return ObjectLayout.links(transaction.getLong(object, 0)) == ObjectLayout.FLAG_UNLINKED
        && rules.allocator().isAllocated(object);
  }

  /**
   * Returns true if no snapshot shows an object or what it refers to. Since the collector's
   * position it may have been linked and unlinked again, and may have got references to objects
   * that were linked elsewhere.
   */
  private boolean allowReuse(long object) {
    if (!isWanted()) {
      return true; // no snapshot is open
    }
    long lastWritten = reads.lastWritten(object);
    if (lastWritten <= since || snapshots.allowReuse(lastWritten)) {
      return true;
    }
    unlinkedSince = Math.max(unlinkedSince, lastWritten);
    return false;
  }

  /** Frees the objects that have lost their only reference, and those that lose it by that. */
  private void freeLost() {
    while (waitingCount > 0) {
      int number = waiting[--waitingCount];
      byte state = counts.state(number);
      if ((state & (FREED | UNLINKED)) != 0) {
        continue;
      }
      long object = counts.object(number);
      int net = counts.net(number);
      int copy = changes.find(object);
      if (copy >= 0 && changes.isFresh(copy)) {
        if (net == 0 && isUnlinked(copy) && !changes.isVisible(copy)) {
          counts.setState(number, (byte) (state | FREED));
          changes.drop(copy);
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

  /** Throws if a reference has led to where no object is, unless what was read is out of date. */
  private void checkAllocated(long object) {
    if (!rules.allocator().isAllocated(object) && reads.isCurrent()) {
      throw new StoreDamagedException(
          "a reference led to heap address "
              + object
              + ", where no object is; PmStore.verify shows the path to it; restore the store from"
              + " a backup");
    }
  }

  private boolean isUnlinked(int copy) {
    return ObjectLayout.links(changes.getLong(copy, 0)) == ObjectLayout.FLAG_UNLINKED;
  }

  /**
   * Returns true if an object had one reference. The transaction does not depend on the header of a
   * shared one.
   */
  private boolean isSingle(long object, int copy) {
    if (copy >= 0) {
      return ObjectLayout.links(changes.getLong(copy, 0)) == ObjectLayout.FLAG_SINGLE;
    }
    if (!memory.hasWord(object)) {
      checkAllocated(object);
      return false; // it was read too early
    }
    return ObjectLayout.links(memory.getLong(object)) == ObjectLayout.FLAG_SINGLE
        && ObjectLayout.links(transaction.getLong(object, 0)) == ObjectLayout.FLAG_SINGLE;
  }

  /** Frees an object and counts its references as removed. */
  private void free(int number, long object) {
    take(number, object);
    int copy = changes.find(object);
    if (copy >= 0) {
      changes.drop(copy);
      written.remove(copy);
    } else {
      written.removeCommitted(object);
    }
  }

  private void take(int number, long object) {
    counts.setState(number, (byte) (counts.state(number) | FREED));
    if (freedCount == freed.length) {
      int[] more = Arrays.copyOf(occupied, freedCount * 2); // both or none, if memory ends
      freed = Arrays.copyOf(freed, freedCount * 2);
      occupied = more;
    }
    int bytes = rules.allocator().occupiedBytes(object);
    freed[freedCount] = object;
    occupied[freedCount++] = bytes;
    budget -= 1 + bytes / BUDGET_BYTES;
  }

  private void unlinked(long object) {
    if (unlinkedCount == unlinked.length) {
      if (unlinkedCount >= UNASKED) {
        changes.requireRoom(2L * Long.BYTES * unlinkedCount);
      }
      unlinked = Arrays.copyOf(unlinked, unlinkedCount * 2);
    }
    unlinked[unlinkedCount++] = object;
  }

  // ---- the flags in headers

  private void settle(int number, WriteSet writes) {
    byte state = counts.state(number);
    if ((state & FREED) != 0) {
      return;
    }
    long object = counts.object(number);
    int net = counts.net(number);
    int copy = changes.find(object);
    if (copy >= 0 && changes.isFresh(copy)) {
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
    int links = ObjectLayout.links(copy >= 0 ? changes.getLong(copy, 0) : memory.getLong(object));
    if (links == 0) {
      sharedLosses += net < 0 ? -net : 0;
    } else if (net > 0) {
      // Only one commit may go from unlinked to single, so it depends on the header. Shared is for
      // good, so no commit has to read it for that.
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

  /** Sets the link flags in the header of a working copy, unless the object is shared. */
  private void settleCopy(int copy, int links) {
    long header = changes.getLong(copy, 0);
    if (ObjectLayout.links(header) != 0) {
      changes.putLong(copy, 0, ObjectLayout.withLinks(header, links));
    }
  }

  /** Adds the new objects without references that Java objects pin: they may be linked later. */
  private void tellUnlinked() {
    for (int copy = 0; copy < changes.count(); copy++) {
      if (changes.isFresh(copy) && changes.isVisible(copy) && isUnlinked(copy)) {
        unlinked(changes.address(copy));
      }
    }
  }

  // ---- the rest of the commit

  /** Shows the freed objects, which have to be locked too. */
  void forEachFreed(LongConsumer visitor) {
    for (int i = 0; i < freedCount; i++) {
      visitor.accept(freed[i]);
    }
  }

  /**
   * Shows the words of the freed objects that other transactions may add to. Those who add hold the
   * word's lock only, so without it one could still write there when the space is another object's.
   */
  void forEachFreedCounter(LongConsumer visitor) {
    for (int i = 0; i < freedCount; i++) {
      int copy = changes.find(freed[i]);
      if (copy < 0 || !changes.isFresh(copy)) {
        written.forEachPlainWord(freed[i], visitor);
      }
    }
  }

  /** Returns true if a word that gets a delta is the header of an object. */
  boolean isHeader(long address) {
    return counts.contains(address);
  }

  /**
   * Returns true if all freed objects are still allocated and not pinned. The caller holds their
   * locks.
   */
  boolean isCurrent() {
    for (int i = 0; i < freedCount; i++) {
      if (!rules.allocator().isAllocated(freed[i]) || rules.isPinned(freed[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Has a marking collector mark the objects that are new or get references. Called before the
   * commit is applied.
   */
  void mark() {
    if (!marking) {
      return;
    }
    LinkListener listener = rules.listener();
    changes.forEach(
        new ChangeReader() {
          @Override
          public void made(ChangeSet set, int object) {
            listener.born(set.address(object));
          }
        });
    for (int number = 0; number < counts.count(); number++) {
      if ((counts.state(number) & (LinkCounts.LINKED | FREED)) == LinkCounts.LINKED) {
        listener.linked(counts.object(number));
      }
    }
  }

  /**
   * Passes the freed space on and informs the listener of what stays unlinked. Called when the
   * commit is applied.
   */
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
    if (waiting.length > KEPT_MAX) {
      waiting = new int[16];
    }
    if (unlinked.length > KEPT_MAX) {
      unlinked = new long[16];
    }
    waitingCount = 0;
    freedCount = 0;
    unlinkedCount = 0;
    sharedLosses = 0;
    wantedCount = 0;
  }
}
