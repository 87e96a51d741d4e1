package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which copies of a header a crash may have interrupted, and which are damaged. */
class StoreHeaderTest {
  private static final StoreHeader HEADER =
      new StoreHeader(
          new UUID(1, 2),
          8,
          1024,
          Storage.FILE,
          3,
          false,
          List.of(5L, 6L),
          70,
          1,
          2,
          List.of(StoreHeader.Contents.NONE, StoreHeader.Contents.NONE),
          null,
          null,
          List.of());

  private static boolean isWholeOrInterrupted(byte[] copy) {
    return StoreHeader.fault(copy) == null || HEADER.mayHaveInterrupted(copy);
  }

  @Test
  void aCopyWhoseWritingWasInterruptedIsNotDamaged() {
    byte[] before = HEADER.cut(1, 60).withSequence(7).encode();
    byte[] after =
        HEADER.spilled(0, 3, 90).opened(95, "/pools", "/spills").withSequence(9).encode();
    for (int written = 0; written <= StoreHeader.SIZE; written += 8) {
      byte[] copy = before.clone();
      System.arraycopy(after, 0, copy, 0, written); // the beginning has arrived
      assertTrue(isWholeOrInterrupted(copy), written + " bytes");
      copy = after.clone();
      System.arraycopy(before, 0, copy, 0, written); // the end has arrived
      assertTrue(isWholeOrInterrupted(copy), "all but " + written + " bytes");
    }
  }

  @Test
  void aCopyWithOtherBytesWhereNoHeaderChangesThemIsDamaged() {
    byte[] copy = HEADER.withSequence(7).encode();
    assertNull(StoreHeader.fault(copy));
    for (int at = 0; at < 48; at++) {
      copy[at] ^= 4;
      assertNotNull(StoreHeader.fault(copy), "byte " + at);
      boolean isChecksum = at >= 12 && at < 16;
      assertEquals(isChecksum, HEADER.mayHaveInterrupted(copy), "byte " + at);
      copy[at] ^= 4;
    }
  }
}
