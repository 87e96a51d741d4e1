package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.core.log.LogRecordLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangeLayoutTest {
  @Test
  void aLogRecordsHeaderFitsInFrontOfTheRanges() {
    assertEquals(LogRecordLayout.HEADER_SIZE, WriteSet.HEADROOM);
  }

  @Test
  void theBytesAreThoseOfTheFormat() {
    WriteSet writes = new WriteSet();
    writes.putLong(0x0102030405060708L & ~7, 0x1112131415161718L);
    byte[] expected = new byte[24];
    for (int i = 0; i < 8; i++) {
      expected[i] = (byte) (i == 0 ? 0 : 8 - i);
      expected[16 + i] = (byte) (0x18 - i);
    }
    expected[0] = 8;
    expected[8] = 1;
    assertArrayEquals(
        expected, Arrays.copyOfRange(writes.record(), WriteSet.HEADROOM, writes.recordSize()));
  }

  @Test
  void rangesAreShownInTheirOrder() {
    byte[] bytes = new byte[5 + 16 + 24 + 16 + 16 + 8];
    RangeLayout.writeHeader(bytes, 5, 8192, 8192, 24);
    RangeLayout.writeHeader(bytes, 45, 16384, 16384, 0);
    RangeLayout.writeHeader(bytes, 61, (1L << 40) - 16, 1L << 40, 8);
    List<String> seen = new ArrayList<>();
    RangeLayout.forEach(
        bytes,
        5,
        bytes.length,
        (address, source, offset, length) -> seen.add(address + " " + offset + " " + length));
    assertEquals(List.of("8192 21 24", (1L << 40) + " 77 8"), seen);
    assertEquals((1L << 40) - 16, RangeLayout.object(bytes, 61));
    assertEquals(3, RangeLayout.words(bytes, 5));
  }
}
