package io.pmstore.raft;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Maps the heap's latest commit positions to the entries of the Raft log from which they come, so
 * that a copy of the heap knows the last entry that it has. Thread-safe.
 */
final class AppliedIndexes {
  /** An entry of the log. */
  record At(long term, long index) {}

  private static final int KEPT = 100_000;

  private final TreeMap<Long, At> entries = new TreeMap<>(); // guarded by this

  AppliedIndexes(long position, At last) {
    entries.put(position, last);
  }

  /**
   * Notes the entry that a commit comes from. {@link #at} waits meanwhile, because a snapshot shows
   * the commit a moment earlier.
   *
   * @param commit returns its position
   */
  synchronized void add(LongSupplier commit, At at) {
    long position = commit.getAsLong();
    entries.put(position, at);
    if (position % KEPT == 0) {
      entries.headMap(position - KEPT).clear();
    }
  }

  /** Returns the entry that the newest commit up to a position comes from. */
  synchronized At at(long position) {
    Map.Entry<Long, At> found = entries.floorEntry(position);
    if (found == null) {
      throw new IllegalStateException(
          "the entry of the log for the position " + position + " is not known any more");
    }
    return found.getValue();
  }
}
