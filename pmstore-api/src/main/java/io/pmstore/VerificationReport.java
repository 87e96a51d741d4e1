package io.pmstore;

import java.util.List;
import java.util.Locale;

/**
 * What {@link PmStore#verify(java.nio.file.Path)} found: faults, and where the bytes of the heap
 * are. Immutable.
 *
 * <p>An object's bytes are those of the place that it takes, its header and the rounding included.
 * So all bytes of the heap are counted once: {@code bytes + garbageBytes + freeBytes +
 * overheadBytes == heapBytes}.
 *
 * <p>What only a faulty reference or a faulty object leads to is not walked: it counts as garbage.
 *
 * @param heapBytes the size of the heap
 * @param objects how many objects the named roots reach, the store's own included: nodes of
 *     collections, values kept out of line, the type catalogue
 * @param bytes what these objects take
 * @param classes the same by class, the one that takes most bytes first
 * @param garbageObjects how many objects nothing reaches; garbage is no fault
 * @param garbageBytes what these objects take
 * @param freeBytes what is free for new objects
 * @param overheadBytes the rest: allocation tables, what is left over where slots do not fill a
 *     chunk, and chunks whose allocation data is damaged
 * @param faultCount how many faults there are
 * @param faults the faults, at most {@link #FAULTS_MAX} of them; empty if the store is sound
 */
public record VerificationReport(
    long heapBytes,
    long objects,
    long bytes,
    List<ClassUse> classes,
    long garbageObjects,
    long garbageBytes,
    long freeBytes,
    long overheadBytes,
    long faultCount,
    List<Fault> faults) {

  /** How many faults a report describes: 1000. Further ones are counted only. */
  public static final int FAULTS_MAX = 1000;

  private static final int FAULTS_SHOWN_MAX = 20;
  private static final int CLASSES_SHOWN_MAX = 30;

  /**
   * Checks that the numbers belong together, and copies the lists.
   *
   * @throws IllegalArgumentException if they do not
   */
  public VerificationReport {
    classes = List.copyOf(classes);
    faults = List.copyOf(faults);
    if (bytes + garbageBytes + freeBytes + overheadBytes != heapBytes) {
      throw new IllegalArgumentException(
          "%d reachable, %d garbage, %d free and %d other bytes are not the %d bytes of the heap"
              .formatted(bytes, garbageBytes, freeBytes, overheadBytes, heapBytes));
    }
    if (classes.stream().mapToLong(ClassUse::objects).sum() != objects
        || classes.stream().mapToLong(ClassUse::bytes).sum() != bytes) {
      throw new IllegalArgumentException(
          "%d objects of %d bytes are not the sum of %s".formatted(objects, bytes, classes));
    }
    if (faults.size() != Math.min(faultCount, FAULTS_MAX)) {
      throw new IllegalArgumentException(
          faults.size() + " faults are described, of " + faultCount + " that were counted");
    }
  }

  /**
   * The objects of one class.
   *
   * @param className its binary name; names that begin with {@code pmstore.} stand for objects of
   *     the store's own
   * @param objects how many the named roots reach
   * @param bytes what they take
   */
  public record ClassUse(String className, long objects, long bytes) {}

  /**
   * One fault.
   *
   * @param path the way from a root to it: property names, {@code [node]} for the inside of a
   *     collection, and last the object with its address in the heap, and its property; or which
   *     part of the store's own data
   * @param found what is there
   * @param expected what should be there
   */
  public record Fault(String path, String found, String expected) {
    @Override
    public String toString() {
      return path + ": found " + found + ", expected " + expected;
    }
  }

  /**
   * Says whether there is no fault.
   *
   * @return true if the store is sound
   */
  public boolean isSound() {
    return faultCount == 0;
  }

  /**
   * A summary to be read: totals, the classes that take most, and the first faults.
   *
   * @return several lines, the last one without a line feed
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        isSound() ? "sound" : number(faultCount) + (faultCount == 1 ? " fault" : " faults"));
    line(text, "reachable", number(objects) + " objects", bytes);
    line(text, "garbage", number(garbageObjects) + " objects", garbageBytes);
    line(text, "free", "", freeBytes);
    line(text, "overhead", "", overheadBytes);
    line(text, "heap", "", heapBytes);
    text.append("\nreachable by class");
    for (ClassUse use : classes.subList(0, Math.min(classes.size(), CLASSES_SHOWN_MAX))) {
      line(text, use.className(), number(use.objects()) + " objects", use.bytes());
    }
    more(text, classes.size() - CLASSES_SHOWN_MAX, "classes");
    if (!isSound()) {
      text.append("\nfaults");
      for (Fault fault : faults.subList(0, Math.min(faults.size(), FAULTS_SHOWN_MAX))) {
        text.append("\n  ").append(fault);
      }
      more(text, faultCount - FAULTS_SHOWN_MAX, "faults");
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String what, String objects, long bytes) {
    text.append(String.format(Locale.ROOT, "\n  %-40s %23s %,22d bytes", what, objects, bytes));
  }

  private static void more(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append("\n  and ").append(number(count)).append(" more ").append(what);
    }
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
