package io.pmstore.raft;

/**
 * How many entries may be on their way at a time. If a second entry takes as long as one that is
 * alone, because most of its time is the way to other machines, the two do not disturb each other,
 * and the limit grows. If entries take longer the more there are, because they wait for the same
 * processors or disks, it shrinks: then commits had better share entries.
 *
 * <p>The rule is that of TCP Vegas for the window of a connection (Brakmo, Peterson: TCP Vegas, end
 * to end congestion avoidance on a global internet, 1995): of the entries on their way, a part as
 * large as the part of their time that they spend waiting is in queues. The limit keeps this number
 * between {@value #QUEUED_MIN} and {@value #QUEUED_MAX}. Every {@value #ENTRIES} entries it becomes
 * 1 until one entry was alone, to learn how long such an entry takes now. If {@value #AWAITED}
 * entries began beside others meanwhile, because they had waited for too long, one of those has to
 * do. Not thread-safe.
 */
final class EntryLimit {
  /** The largest limit. */
  static final int MAX = 64;

  private static final double QUEUED_MIN = 1;
  private static final double QUEUED_MAX = 1.5;
  private static final int ENTRIES = 1_000;
  private static final int AWAITED = 100;

  private int limit = 1;
  private long alone; // the shortest time of an entry, in nanoseconds; 0 until one was alone
  private int entries; // since alone was forgotten

  int get() {
    return alone == 0 ? 1 : limit;
  }

  /**
   * Learns from an entry.
   *
   * @param nanos how long it was on its way
   * @param together how many entries were on their way when it began, with itself
   */
  void took(long nanos, int together) {
    if (alone == 0 && together > 1 && ++entries < AWAITED) {
      return; // it began before the limit was 1, or because it had waited for too long
    }
    alone = alone == 0 ? nanos : Math.min(alone, nanos);
    double queued = together * (1 - (double) alone / nanos);
    if (queued > QUEUED_MAX) {
      limit = Math.max(1, limit - 1);
    } else if (queued < QUEUED_MIN && together >= limit) {
      limit = Math.min(MAX, limit + 1);
    }
    if (++entries > ENTRIES) {
      entries = 0;
      alone = 0;
    }
  }
}
