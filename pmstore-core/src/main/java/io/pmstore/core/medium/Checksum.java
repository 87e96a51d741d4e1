package io.pmstore.core.medium;

import java.util.zip.CRC32C;

/** CRC-32C, the checksum of everything that a store writes to a medium. */
public final class Checksum {
  private Checksum() {}

  /**
   * Returns the checksum of some bytes.
   *
   * @param from the first of them
   * @param to the first behind them
   */
  public static int of(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  /**
   * Returns the checksum that is kept among the bytes that it covers, of all bytes with zeros in
   * its place.
   *
   * @param at where its four bytes are
   */
  public static int around(byte[] bytes, int at) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, at);
    crc.update(new byte[Integer.BYTES]);
    int behind = at + Integer.BYTES;
    crc.update(bytes, behind, bytes.length - behind);
    return (int) crc.getValue();
  }
}
