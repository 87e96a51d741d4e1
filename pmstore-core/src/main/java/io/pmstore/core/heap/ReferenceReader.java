package io.pmstore.core.heap;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.space.ReferenceMaps;
import io.pmstore.core.tx.LockTable;
import java.util.function.LongConsumer;

/** Reads the committed references of objects. Not safe for use by several threads. */
public final class ReferenceReader {
  private final HeapMemory memory;
  private final LockTable locks;
  private final ReferenceMaps maps;
  private long[] found = new long[64];

  ReferenceReader(Heap heap) {
    memory = heap.memory;
    locks = heap.transactions.locks();
    maps = heap.referenceMaps();
  }

  /**
   * Shows the references in an object, all of one committed state: addresses, duplicates included,
   * null left out.
   *
   * @param object its address: an object of the heap's own, of a known shape, or bytes; one that
   *     has been freed may show nothing
   * @param visitor gets the addresses
   * @throws StoreDamagedException if the object does not fit its shape, or refers to an address
   *     that is no object's
   */
  public void forEach(long object, LongConsumer visitor) {
    int count;
    long version;
    do {
      version = locks.versionOf(object);
      count = read(object);
    } while (!locks.isUnchanged(object, version));
    if (count < 0) {
      throw new StoreDamagedException(
          "the object at heap address %d has a header of %x, expected a shape of the catalogue and its size; restore the store from a backup"
              .formatted(object, memory.getLong(object)));
    }
    for (int i = 0; i < count; i++) {
      if (!memory.hasWord(found[i])) {
        throw new StoreDamagedException(
            "the object at heap address %d refers to heap address %d, where no object can be; PmStore.verify shows the path to it; restore the store from a backup"
                .formatted(object, found[i]));
      }
      visitor.accept(found[i]);
    }
  }

  /**
   * Reads the references, which may change meanwhile; returns their number, or -1 if the header
   * fits no shape.
   */
  private int read(long object) {
    long header = memory.getLong(object);
    if (header == 0) {
      return 0;
    }
    long end = (object & (HeapMemory.EXTENT_SIZE - 1)) + ObjectLayout.size(header);
    ReferenceMap map = end > HeapMemory.EXTENT_SIZE ? null : maps.find(header);
    if (map == null || !map.fits(header)) {
      return -1;
    }
    if (map.count() > found.length) {
      found = new long[map.count()];
    }
    int count = 0;
    for (int i = 0; i < map.count(); i++) {
      long place = object + map.offset(i);
      long word = memory.getLong(place);
      long address =
          map.isCell(i)
              ? ReferenceMap.address(word, memory.getLong(place + Long.BYTES))
              : map.addressIn(i, word);
      if (address != 0) {
        found[count++] = address;
      }
    }
    return count;
  }
}
