package io.pmstore;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of {@link PmStore#verify(java.nio.file.Path)}: faults, and the use of the heap's
 * bytes. All sizes are in bytes. Immutable.
 *
 * <p>The size of an object is the size of its slot in the heap, including its header and the
 * rounding. So the report counts every byte of the heap once: {@code bytes + garbageBytes +
 * freeBytes + overheadBytes == heapBytes}.
 *
 * <p>The walk does not follow faulty references and does not enter faulty objects: an object that
 * only they lead to counts as garbage.
 *
 * @param heapBytes the size of the heap
 * @param objects how many objects the named roots reach, including the store's own: nodes of
 *     collections, values kept out of line, the type catalogue
 * @param bytes the size of these objects
 * @param classes the reachable objects and their size for each class; the class that takes most
 *     bytes is first; unmodifiable
 * @param garbageObjects how many objects no root reaches; garbage is not a fault
 * @param garbageBytes the size of these objects
 * @param freeBytes space that is free for new objects
 * @param overheadBytes the rest: allocation tables, space that slots leave over in a chunk, and
 *     chunks whose allocation data is damaged
 * @param checksumsMade when {@link PmStore#repair} computed checksums of pages from the contents of
 *     the pages, because the file of the checksums was lost. Verification does not find plain
 *     values that were damaged before that time. Empty if all checksums were written with their
 *     pages
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
    Optional<Instant> checksumsMade,
    long faultCount,
    List<Fault> faults) {

  /**
   * The largest number of faults that a report describes: 1000. The report only counts further
   * ones.
   */
  public static final int FAULTS_MAX = 1000;

  private static final int FAULTS_SHOWN_MAX = 20;
  private static final int CLASSES_SHOWN_MAX = 30;

  /**
   * Copies the lists, and checks that the numbers add up.
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
   * The objects of one class. Immutable.
   *
   * @param className the binary name of the class; a name that begins with {@code pmstore.} stands
   *     for the store's own objects
   * @param objects how many objects of the class the named roots reach
   * @param bytes the size of these objects
   */
  public record ClassUse(String className, long objects, long bytes) {}

  /**
   * One fault. Immutable.
   *
   * @param path the path from a root to the fault: property names, {@code [node]} for the inside of
   *     a collection, and last the object with its address in the heap, and its property. For a
   *     fault in the store's own data, the name of that part
   * @param found what was found there
   * @param expected what should be there
   */
  public record Fault(String path, String found, String expected) {
    @Override
    public String toString() {
      return path + ": found " + found + ", expected " + expected;
    }
  }

  /**
   * Returns true if there is no fault.
   *
   * @return true if the store is sound
   */
  public boolean isSound() {
    return faultCount == 0;
  }

  /**
   * Returns a summary: totals, the classes that take most bytes, and the first faults.
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
    checksumsMade.ifPresent(
        time ->
            text.append("\nchecksums of pages were made by PmStore.repair at ")
                .append(time)
                .append(": values that were damaged before are not found"));
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
