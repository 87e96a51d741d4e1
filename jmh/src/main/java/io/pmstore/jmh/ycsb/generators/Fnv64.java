package io.pmstore.jmh.ycsb.generators;

/** The hash FNV-1a of 64 bits, of a number's eight bytes from the lowest, as YCSB hashes. */
public final class Fnv64 {
  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private Fnv64() {}

  /** Returns the absolute value of the hash of a number. */
  public static long hash(long value) {
    long hash = OFFSET_BASIS;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      hash = (hash ^ (value >>> shift & 0xff)) * PRIME;
    }
    return Math.abs(hash);
  }
}
