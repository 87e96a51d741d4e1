package io.pmstore.core.tx;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.space.ReferenceMaps;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the references in a transaction's change set with the committed ones, and counts the
 * difference. Used by the transaction's thread only; reused for its next transaction.
 */
final class WrittenReferences implements ChangeReader {
  private final ReadSet reads;
  private final ReferenceMaps maps;
  private final HeapMemory memory;
  private final ChangeSet changes;
  private final LinkCounts counts;
  private final IntConsumer lost;

  private int[] places = new int[32]; // of references in one object, by their numbers in its map
  private int placeCount;
  private long[] words = new long[64]; // the committed words at the places, two for each

  /**
   * Creates one for a transaction.
   *
   * @param reads of the transaction
   * @param counts gets the difference
   * @param lost takes the number in the counts of each object that has lost a reference, or may
   *     never have had one
   */
  WrittenReferences(
      ReadSet reads,
      ReferenceMaps maps,
      HeapMemory memory,
      ChangeSet changes,
      LinkCounts counts,
      IntConsumer lost) {
    this.reads = reads;
    this.maps = maps;
    this.memory = memory;
    this.changes = changes;
    this.counts = counts;
    this.lost = lost;
  }

  /** Counts the references of a new object, which are all added. To itself there may be none. */
  @Override
  public void made(ChangeSet set, int copy) {
    addAll(copy, changes.getLong(copy, 0));
    lost.accept(counts.add(changes.address(copy), 0));
  }

  /** Counts the references that the transaction has changed in an object. */
  @Override
  public void changed(ChangeSet set, int copy) {
    long address = changes.address(copy);
    long header = changes.getLong(copy, 0);
    if (changes.isDirty(copy, 0)) {
      removeCommitted(address); // its shape may have changed
      addAll(copy, header);
    } else {
      countChanged(copy, address, header);
    }
  }

  private void countChanged(int copy, long address, long header) {
    ReferenceMap map = find(address, header);
    if (map == null || map.count() == 0) {
      return;
    }
    ensureRoom(map);
    placeCount = 0;
    for (int word = changes.nextDirtyWord(copy, 1);
        word >= 0;
        word = changes.nextDirtyWord(copy, word + 1)) {
      int place = map.placeOf(word);
      if (place >= 0 && (placeCount == 0 || places[placeCount - 1] != place)) {
        places[placeCount++] = place;
      }
    }
    if (placeCount > 0) {
      readCommitted(address, map);
      for (int i = 0; i < placeCount; i++) {
        change(wordsAddress(map, i), copiedAddress(copy, map, places[i]));
      }
    }
  }

  private void addAll(int copy, long header) {
    ReferenceMap map = find(changes.address(copy), header);
    for (int i = 0; map != null && i < map.count(); i++) {
      change(0, copiedAddress(copy, map, i));
    }
  }

  /** Counts the committed references of an object as removed. */
  void removeCommitted(long address) {
    ReferenceMap map = find(address, committedHeader(address));
    if (map == null || map.count() == 0) {
      return;
    }
    ensureRoom(map);
    placeCount = map.count();
    for (int i = 0; i < placeCount; i++) {
      places[i] = i;
    }
    readCommitted(address, map);
    for (int i = 0; i < placeCount; i++) {
      change(wordsAddress(map, i), 0);
    }
  }

  /** Shows the addresses of the plain words of a committed object. */
  void forEachPlainWord(long object, LongConsumer visitor) {
    ReferenceMap map = maps.find(memory.getLong(object));
    if (map != null) {
      map.forEachPlainWord(object, visitor);
    }
  }

  /** Counts the references in a working copy as removed. */
  void remove(int copy) {
    ReferenceMap map = find(changes.address(copy), changes.getLong(copy, 0));
    for (int i = 0; map != null && i < map.count(); i++) {
      change(copiedAddress(copy, map, i), 0);
    }
  }

  private long committedHeader(long address) {
    int lock = LockTable.index(address);
    long version;
    long header;
    do {
      version = reads.beginRead(lock);
      header = memory.getLong(address);
    } while (!reads.endRead(lock, version));
    return header;
  }

  private @Nullable ReferenceMap find(long object, long header) {
    ReferenceMap map = maps.find(header);
    if (map != null && !map.fits(header)) {
      throw new StoreDamagedException(
          "the object at heap address %d has a header of %x, which is too small for the references of its shape; restore the store from a backup"
              .formatted(object, header));
    }
    return map;
  }

  private void change(long before, long after) {
    if (before == after) {
      return;
    }
    if (before != 0) {
      lost.accept(counts.add(before, -1));
    }
    if (after != 0) {
      int number = counts.add(after, 1);
      counts.setState(number, (byte) (counts.state(number) | LinkCounts.LINKED));
    }
  }

  private long copiedAddress(int copy, ReferenceMap map, int i) {
    int offset = map.offset(i);
    long word = changes.getLong(copy, offset);
    return map.isCell(i)
        ? ReferenceMap.address(word, changes.getLong(copy, offset + 8))
        : map.addressIn(i, word);
  }

  /** Returns the committed address in the i-th of the places. */
  private long wordsAddress(ReferenceMap map, int i) {
    return map.isCell(places[i])
        ? ReferenceMap.address(words[2 * i], words[2 * i + 1])
        : map.addressIn(places[i], words[2 * i]);
  }

  private void ensureRoom(ReferenceMap map) {
    if (places.length < map.count()) {
      long[] more = new long[2 * map.count()]; // both or none, if memory ends
      places = new int[map.count()];
      words = more;
    }
  }

  /** Reads the places of an object in the state that this transaction sees. */
  private void readCommitted(long address, ReferenceMap map) {
    int lock = LockTable.index(address);
    long version;
    do {
      version = reads.beginRead(lock);
      for (int i = 0; i < placeCount; i++) {
        long place = address + map.offset(places[i]);
        words[2 * i] = memory.getLong(place);
        if (map.isCell(places[i])) {
          words[2 * i + 1] = memory.getLong(place + Long.BYTES);
        }
      }
    } while (!reads.endRead(lock, version));
  }
}
