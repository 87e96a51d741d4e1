package io.pmstore.jmh.consensus.versions;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A version's record in a {@link Region}.
 *
 * <pre>
 *    0       24      32      40             48      52       56         60         64
 *   +-------+-------+-------+--------------+-------+--------+----------+----------+-------+----------+
 *   | key   | index | term  | older record | flags | length | expected | zero     | value | expected |
 *   +-------+-------+-------+--------------+-------+--------+----------+----------+-------+----------+
 *                            of the list            of the   length, -1
 *                                                   value    if none
 * </pre>
 */
final class Records {
  /** A compare-and-set. */
  static final long CONDITIONAL = 1;

  /** A compare-and-set whose entry was applied and had found another value. */
  static final long FAILED = 2;

  private static final int INDEX = 24;
  private static final int TERM = 32;
  private static final int OLDER = 40;
  private static final int FLAGS = 48;
  private static final int LENGTH = 56;
  private static final int EXPECTED = 60;
  private static final int VALUE = 64;

  private Records() {}

  static long write(Region region, VersionKey key, long term, Change change) {
    byte[] expected = change.expected();
    int size = VALUE + change.value().length + (expected == null ? 0 : expected.length);
    long at = region.allocate(size);
    region.putLong(at, key.a());
    region.putLong(at + 8, key.b());
    region.putLong(at + 16, key.c());
    region.putLong(at + INDEX, key.index());
    region.putLong(at + TERM, term);
    region.putLong(at + OLDER, 0);
    region.putLong(at + FLAGS, change.conditional() ? CONDITIONAL : 0);
    region.putInt(at + LENGTH, change.value().length);
    region.putInt(at + EXPECTED, expected == null ? -1 : expected.length);
    region.put(at + VALUE, change.value());
    if (expected != null) {
      region.put(at + VALUE + change.value().length, expected);
    }
    return at;
  }

  static int size(Region region, long at) {
    return VALUE + region.getInt(at + LENGTH) + Math.max(0, region.getInt(at + EXPECTED));
  }

  static VersionKey key(Region region, long at) {
    return new VersionKey(
        region.getLong(at),
        region.getLong(at + 8),
        region.getLong(at + 16),
        region.getLong(at + INDEX));
  }

  static long term(Region region, long at) {
    return region.getLong(at + TERM);
  }

  static long older(Region region, long at) {
    return region.getLong(at + OLDER);
  }

  /** Sets the link of a record that is in no list yet. */
  static void initOlder(Region region, long at, long older) {
    region.putLong(at + OLDER, older);
  }

  static void setOlder(Region region, long at, long older) {
    region.overwrite(at + OLDER, older);
  }

  static boolean has(Region region, long at, long flag) {
    return (region.getLong(at + FLAGS) & flag) != 0;
  }

  static void setFailed(Region region, long at, boolean failed) {
    long flags = region.getLong(at + FLAGS);
    long changed = failed ? flags | FAILED : flags & ~FAILED;
    if (changed != flags) {
      region.overwrite(at + FLAGS, changed);
    }
  }

  static byte[] value(Region region, long at) {
    return region.get(at + VALUE, region.getInt(at + LENGTH));
  }

  static Change change(Region region, long at) {
    byte[] value = value(region, at);
    int expected = region.getInt(at + EXPECTED);
    return new Change(
        key(region, at).key(),
        value,
        has(region, at, CONDITIONAL),
        expected < 0 ? null : region.get(at + VALUE + value.length, expected));
  }

  /** Returns true if a value is what a compare-and-set expects; null is no value. */
  static boolean fits(byte @Nullable [] expected, byte @Nullable [] found) {
    return Arrays.equals(expected, found);
  }
}
