package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.space.ObjectLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Copies of many blocks, against a model. */
class ChangeSetTest {
  private final long seed = Long.getLong("pmstore.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final WriteSet writes = new WriteSet();
  private final ChangeSet changes = new ChangeSet(writes);

  /** What the write set holds, by the address of each word. */
  private Map<Long, Long> words() {
    Map<Long, Long> words = new HashMap<>();
    long[] size = {0};
    writes.forEachRange(
        (address, source, offset, length) -> {
          size[0] += RangeLayout.HEADER_SIZE + length;
          for (int i = 0; i < length; i += 8) {
            long word = 0;
            for (int b = 7; b >= 0; b--) {
              word = word << 8 | source[offset + i + b] & 0xff;
            }
            assertEquals(null, words.put(address + i, word), "a word is there twice");
          }
        });
    assertEquals(writes.length(), size[0]);
    assertEquals(writes.encodedSize(), size[0]);
    return words;
  }

  /** What a commit needs is not known yet: the write set is empty until then. */
  @Test
  void aTransactionThatIsTooLargeToCommitDoesNotSayThatItNeedsNothing() {
    int _ = changes.add(1 << 20, 24, true);
    OutOfMemoryError cause = new OutOfMemoryError("of the test");
    TransactionTooLargeException thrown = changes.tooLargeToCommit(cause);
    assertSame(cause, thrown.getCause());
    String begin =
        "a transaction has written 1 objects of 24 bytes and needs more Java heap to commit, but of"
            + " the "
            + Runtime.getRuntime().maxMemory();
    assertEquals(begin, thrown.getMessage().substring(0, begin.length()));
  }

  @Test
  void whatWasWrittenIsInTheWriteSetHoweverMuchItIs() {
    System.out.println("ChangeSetTest: -Dpmstore.seed=" + seed);
    int[][] sizes = {
      {16, 24, 4096}, {15 << 20, 1 << 20, 64, 15 << 20, 8, 15 << 20, 2 << 20}, {24, 64 << 10}
    };
    for (int round = 0; round < 4; round++) {
      int[] some = sizes[round % sizes.length];
      long bytes = round == 0 ? 100 << 10 : 40 << 20;
      if (round == 3) {
        bytes = 1 << 10; // small again
      }
      Map<Long, Long> expected = new HashMap<>();
      long address = 1 << 20;
      int added = 0;
      for (long used = 0; used < bytes; ) {
        int size = some[random.nextInt(some.length)];
        boolean fresh = random.nextInt(3) > 0 && size <= 64 << 10;
        int copy = changes.add(address, size, fresh);
        assertEquals(added++, copy);
        assertEquals(size, changes.size(copy));
        for (int i = 0; fresh && i < size; i += 8) {
          expected.put(address + i, 0L);
        }
        for (int i = 0; i < 20; i++) {
          int offset = random.nextInt(size >>> 3) << 3;
          long value = random.nextLong();
          changes.putLong(copy, offset, value);
          expected.put(address + offset, value);
          assertEquals(value, changes.getLong(copy, offset));
          assertTrue(changes.isDirty(copy, offset));
        }
        if (random.nextInt(8) == 0) {
          changes.add(address + size, size, false);
          changes.removeLast();
        }
        used += size;
        address += size;
      }
      changes.emit();
      assertEquals(round == 1 || round == 2, writes.hasLent());
      assertEquals(expected, words());
      changes.clear();
      writes.clear();
      assertTrue(writes.isEmpty());
      assertEquals(-1, changes.find(1 << 20));
    }
  }

  @Test
  void anObjectOfTheLargestSizeIsFilledAndRead() {
    byte[] content = new byte[ObjectLayout.SIZE_MAX];
    random.nextBytes(content);
    for (int i = 0; i < 3; i++) {
      int copy = changes.add(1L << 30 + i, content.length, true);
      changes.putBytes(copy, 0, content, 0, content.length);
      byte[] found =
          Arrays.copyOfRange(
              changes.block(copy), changes.start(copy), changes.start(copy) + content.length);
      assertArrayEquals(content, found);
    }
    assertFalse(changes.isDirty(2, 0));
    changes.clear();
  }
}
