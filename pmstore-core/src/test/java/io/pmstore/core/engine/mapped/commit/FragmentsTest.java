package io.pmstore.core.engine.mapped.commit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.recovery.Ranges;
import io.pmstore.core.log.LogRecordLayout;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Cuts random write sets, including lent ranges, into fragments of every size. */
class FragmentsTest {
  private static final int HEAP = 64 << 10;
  private static final int START = (int) Engine.RESERVED;

  private final long seed = Long.getLong("pmstore.seed", System.nanoTime());

  @Test
  void theFragmentsHoldWhatTheWriteSetHolds() throws IOException {
    System.out.println("FragmentsTest: -Dpmstore.seed=" + seed);
    Random random = new Random(seed);
    for (int run = 0; run < 200; run++) {
      byte[] source = new byte[HEAP];
      random.nextBytes(source);
      byte[] expected = new byte[START + HEAP];
      WriteSet writes = new WriteSet();
      int split = random.nextInt(HEAP >>> 3) << 3; // lent from there on
      int last = HEAP;
      for (int at = 0; at < split; ) {
        int size = Math.min(split - at, (1 + random.nextInt(200)) << 3);
        if (random.nextBoolean()) {
          writes.put(START + at, source, at, size);
          System.arraycopy(source, at, expected, START + at, size);
        }
        at += size;
      }
      if (split < last) {
        writes.lend(
            (used, unused) -> unused.range(START + split, source, split, last - split),
            RangeLayout.HEADER_SIZE + last - split);
        System.arraycopy(source, split, expected, START + split, last - split);
      }
      assertNull(Ranges.findFault(writes, expected.length));
      int payload = (3 + random.nextInt(run < 100 ? 10 : 2000)) << 3;
      byte[] found = new byte[expected.length];
      Fragments fragments = new Fragments(payload);
      int[] parts = {0};
      fragments.cut(
          writes,
          fragment -> {
            assertEquals(parts[0]++, fragment.part());
            apply(fragment, payload, found);
          });
      assertEquals(parts[0], fragments.part());
      apply(fragments, payload, found);
      assertArrayEquals(expected, found);
    }
  }

  private static void apply(Fragments fragment, int payload, byte[] found) {
    int from = LogRecordLayout.HEADER_SIZE;
    assertTrue(fragment.size() <= from + payload);
    assertNull(Ranges.findFault(fragment.record(), from, fragment.size(), found.length));
    RangeLayout.forEach(
        fragment.record(),
        from,
        fragment.size(),
        (address, source, offset, length) ->
            System.arraycopy(source, offset, found, (int) address, length));
  }
}
