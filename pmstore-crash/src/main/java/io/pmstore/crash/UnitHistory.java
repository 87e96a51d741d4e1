package io.pmstore.crash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The contents that a unit of a file has had since it was last known to be durable, oldest first: a
 * power cut may leave any of them.
 */
public final class UnitHistory {
  /** One of them. */
  public static final class Version {
    private final long stamp;
    private final byte[] bytes;
    private long hash; // 0 until it is wanted, and for zeros

    private Version(long stamp, byte[] bytes) {
      this.stamp = stamp;
      this.bytes = bytes;
    }

    /** The time of the write that made it. */
    long stamp() {
      return stamp;
    }

    /** All of the unit; not to be changed. */
    byte[] bytes() {
      return bytes;
    }
  }

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long unit;
  private final List<Version> versions = new ArrayList<>(2);

  public UnitHistory(long unit, byte[] durable) {
    this.unit = unit;
    versions.add(new Version(0, durable));
  }

  public void add(long stamp, byte[] bytes) {
    versions.add(new Version(stamp, bytes));
  }

  /** What a version adds to the hash of its file. */
  public long hash(int index) {
    Version version = versions.get(index);
    if (version.hash == 0) {
      version.hash = hash(unit, version.bytes);
    }
    return version.hash;
  }

  /** What the contents of a unit add to the hash of its file: zeros nothing. */
  public static long hash(long unit, byte[] contents) {
    long h = 0;
    long any = 0;
    for (int i = 0; i < contents.length; i += 8) {
      long word = (long) LONG.get(contents, i);
      h = (h ^ word) * 0x9E3779B97F4A7C15L;
      h ^= h >>> 29;
      any |= word;
    }
    return any == 0 ? 0 : mix(h + mix(unit + 1));
  }

  public static long mix(long x) {
    long z = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Makes durable what was written up to a time; returns true if nothing else is left. */
  public boolean settle(long stamp) {
    int durable = lastUpTo(stamp);
    versions.subList(0, durable).clear();
    return versions.size() == 1;
  }

  /** The index of the newest version that is not younger than a time. */
  public int lastUpTo(long stamp) {
    int last = 0;
    while (last + 1 < versions.size() && versions.get(last + 1).stamp <= stamp) {
      last++;
    }
    return last;
  }

  public int size() {
    return versions.size();
  }

  public int newestIndex() {
    return versions.size() - 1;
  }

  public Version get(int index) {
    return versions.get(index);
  }

  public Version newest() {
    return versions.getLast();
  }
}
