package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Which words have one lock, so that transactions conflict that need not. */
class LockTableTest {
  private static final int BLOCK = 1 << 16;
  private static final int LOCKS = 1 << 18;

  @Test
  void wordsOfABlockHaveAdjacentLocks() {
    for (long block = 0; block < 1L << 40; block += (1L << 34) + BLOCK) {
      BitSet used = new BitSet(LOCKS);
      for (long word = block; word < block + BLOCK; word += 8) {
        int next = (LockTable.index(block) + (int) ((word - block) / 8)) % LOCKS;
        assertEquals(next, LockTable.index(word));
        used.set(next);
      }
      assertEquals(BLOCK / 8, used.cardinality());
      assertTrue(used.length() <= LOCKS);
    }
  }

  @Test
  void equalOffsetsInManyBlocksHaveManyLocks() {
    for (int distance = 1; distance <= 1 << 12; distance <<= 1) {
      BitSet used = new BitSet(LOCKS);
      int blocks = 4096;
      for (long block = 0; block < blocks; block++) {
        used.set(LockTable.index(block * distance * BLOCK + 64));
      }
      assertTrue(used.cardinality() > blocks * 9 / 10, used.cardinality() + " at " + distance);
    }
  }
}
