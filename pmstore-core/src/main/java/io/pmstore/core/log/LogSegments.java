package io.pmstore.core.log;

import io.pmstore.core.medium.MediumFile;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The segments of a log; sizes may differ. A free segment can be replaced by another. Thread-safe.
 */
public final class LogSegments {
  /**
   * A segment.
   *
   * @param bytes the whole file, for reading
   */
  public record Segment(MediumFile file, MemorySegment bytes) {
    /** Returns the size of the segment in bytes, header included. */
    public long size() {
      return bytes.byteSize();
    }
  }

  private final AtomicReferenceArray<Segment> segments;
  private volatile long smallest; // cached: every commit needs it

  /** Creates the segments of a log, in the order of their numbers. */
  public LogSegments(List<Segment> segments) {
    this.segments = new AtomicReferenceArray<>(segments.toArray(Segment[]::new));
    smallest = findSmallest();
  }

  public int count() {
    return segments.length();
  }

  /** Returns the segment with a number, from 0. */
  public Segment get(int number) {
    return segments.get(number);
  }

  /** Returns the bytes of all segments, for reading, in the order of their numbers. */
  public List<MemorySegment> bytes() {
    List<MemorySegment> bytes = new ArrayList<>();
    for (int i = 0; i < count(); i++) {
      bytes.add(get(i).bytes());
    }
    return bytes;
  }

  /** Returns the size of all segments in bytes. */
  public long size() {
    long size = 0;
    for (int i = 0; i < count(); i++) {
      size += get(i).size();
    }
    return size;
  }

  /** Returns the size of the smallest segment in bytes. */
  public long smallest() {
    return smallest;
  }

  private long findSmallest() {
    long found = Long.MAX_VALUE;
    for (int i = 0; i < count(); i++) {
      found = Math.min(found, get(i).size());
    }
    return found;
  }

  /** Replaces a free segment by another. */
  synchronized void replace(int number, Segment segment) {
    segments.set(number, segment);
    smallest = findSmallest();
  }
}
