package io.pmstore.cli.transfer;

/**
 * Numbers the objects of an export in the order in which it meets them, from 1. About 24 bytes for
 * each. Not thread-safe.
 */
final class Ids {
  private long[] addresses = new long[1 << 12];
  private int[] ids = new int[1 << 12];
  private int count;

  /** Returns the id of an address, or the negative of a new one. */
  int of(long address) {
    int at = place(addresses, address);
    if (addresses[at] != 0) {
      return ids[at];
    }
    if (2 * (count + 1) > addresses.length) {
      grow();
      at = place(addresses, address);
    }
    addresses[at] = address;
    ids[at] = ++count;
    return -count;
  }

  private void grow() {
    long[] more = new long[Math.multiplyExact(addresses.length, 2)];
    int[] moreIds = new int[more.length];
    for (int i = 0; i < addresses.length; i++) {
      if (addresses[i] != 0) {
        int at = place(more, addresses[i]);
        more[at] = addresses[i];
        moreIds[at] = ids[i];
      }
    }
    addresses = more;
    ids = moreIds;
  }

  private static int place(long[] table, long address) {
    int mask = table.length - 1;
    int at = (int) (((address >>> 3) * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (table[at] != 0 && table[at] != address) {
      at = (at + 1) & mask;
    }
    return at;
  }
}
