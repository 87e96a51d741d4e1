package io.pmstore.tiered;

import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.medium.Medium;
import java.io.IOException;

/**
 * The files of a store.
 *
 * <pre>
 *   lock         locked while the store is open; names the last writer's process
 *   tiered       the store's header: which pools and files belong to it
 *   tiered.new   the header of an unfinished store; renamed to tiered when all else is durable
 *   images-0     a pool of images; it and images-1 may be in another directory
 *   images-1     the other pool
 *   base-n       all blocks that were in no pool after spill n; it and spills may be elsewhere
 *   spill-n      the n-th spill of a pool
 *   owner-id     in another directory than the store's: which store it belongs to
 * </pre>
 */
final class TieredLayout {
  static final String LOCK = StoreLock.FILE;
  static final String HEADER = "tiered";
  static final String HEADER_NEW = "tiered.new";
  static final String SPILL = "spill-";
  static final String BASE = "base-";

  /** The bytes at the beginning of a pool, a spill or a base, which say whose it is. */
  static final int BEGIN = 4096;

  /** The number of pools. */
  static final int POOLS = 2;

  private TieredLayout() {}

  static String pool(int number) {
    return "images-" + number;
  }

  static String spill(long number) {
    return SPILL + number;
  }

  static String base(long number) {
    return BASE + number;
  }

  /** Returns true for the name of a spill or a base. */
  static boolean isSpill(String name) {
    return name.matches("(spill|base)-[1-9][0-9]*");
  }

  static boolean isPoolOrSpill(String name) {
    return name.equals(pool(0)) || name.equals(pool(1)) || isSpill(name);
  }

  /** Deletes the pools in a directory, durably. */
  static void deletePools(Medium medium) throws IOException {
    for (int i = 0; i < POOLS; i++) {
      medium.deleteIfThere(pool(i));
    }
    medium.syncDirectory();
  }
}
