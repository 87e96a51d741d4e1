package io.pmstore.oms.targets;

import com.intel.pmem.llpl.MemoryBlock;

/**
 * A hash table in a block: order ids and the handles of the orders' blocks. Open addressing with
 * linear probing; nothing is ever removed. One that has no room near an order's place is copied
 * into a larger one.
 */
final class LlplRawTable {
  private static final int CAPACITY_MIN = 16;
  private static final int PROBES_MAX = 16;
  private static final long ENTRY = 16;
  private static final long HANDLE = 8;

  /** The size of {@link #CAPACITY_MIN} entries, in bytes. */
  static final long SIZE_MIN = CAPACITY_MIN * ENTRY;

  private final MemoryBlock block;
  private final long mask;

  /** Takes a block: a table, or zeros. */
  LlplRawTable(MemoryBlock block) {
    this.block = block;
    mask = block.size() / ENTRY - 1;
  }

  /** Is given what a table has. */
  interface Visitor {
    void entry(long id, long order);
  }

  /** Spreads ids over all bits. */
  static long hash(long id) {
    long h = (id ^ (id >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }

  /** The handle of the table's block. */
  long handle() {
    return block.handle();
  }

  /** Returns the handle of an order's block; 0 if it is not here. */
  long find(long id) {
    long entry = probe(id);
    return entry < 0 ? 0 : block.getLong(entry + HANDLE);
  }

  /**
   * Adds an order that is not here, in the running transaction. Returns the table that has it: this
   * one, or a larger one that replaces this.
   */
  LlplRawTable add(LlplRawPool pool, long id, long order) {
    long entry = probe(id);
    if (entry >= 0) {
      block.addToTransaction(entry, ENTRY);
      set(entry, id, order);
      return this;
    }
    return grown(pool).add(pool, id, order);
  }

  private LlplRawTable grown(LlplRawPool pool) {
    for (long size = 2 * block.size(); ; size *= 2) {
      LlplRawTable larger = new LlplRawTable(pool.allocate(size));
      boolean all = larger.takeAll(this);
      (all ? block : larger.block).free(true);
      if (all) {
        return larger;
      }
    }
  }

  /** Fills a new table. Returns whether there was room for everything. */
  private boolean takeAll(LlplRawTable other) {
    for (long entry = 0; entry < other.block.size(); entry += ENTRY) {
      long order = other.block.getLong(entry + HANDLE);
      if (order != 0) {
        long id = other.block.getLong(entry);
        long place = probe(id);
        if (place < 0) {
          return false;
        }
        set(place, id, order);
      }
    }
    return true;
  }

  void forEach(Visitor visitor) {
    for (long entry = 0; entry < block.size(); entry += ENTRY) {
      long order = block.getLong(entry + HANDLE);
      if (order != 0) {
        visitor.entry(block.getLong(entry), order);
      }
    }
  }

  /** Returns the entry that an order has, or may take; -1 if all that it could have are taken. */
  private long probe(long id) {
    long at = hash(id);
    for (int probe = 0; probe < PROBES_MAX; probe++) {
      long entry = (at + probe & mask) * ENTRY;
      if (block.getLong(entry + HANDLE) == 0 || block.getLong(entry) == id) {
        return entry;
      }
    }
    return -1;
  }

  private void set(long entry, long id, long order) {
    block.setLong(entry, id);
    block.setLong(entry + HANDLE, order);
  }
}
