package io.pmstore;

/** Receives the progress of a verification: see {@link PmStore#verify}. */
@FunctionalInterface
public interface VerificationProgress {
  /** Ignores the progress. */
  VerificationProgress NONE = (objects, bytes, totalBytes) -> {};

  /**
   * Receives the progress. The thread that called {@code verify} calls this method after every few
   * thousand objects and every few megabytes of pages. An exception ends the verification and
   * leaves {@code verify}; the store is closed then, and no object has changed.
   *
   * @param objects how many objects the walk has reached so far
   * @param bytes how many bytes are done: first those of the objects, then those that are compared
   *     with checksums
   * @param totalBytes an estimate of {@code bytes} at the end. It includes garbage, which the walk
   *     does not enter, and the checksums of all pages, which not every storage has
   */
  void at(long objects, long bytes, long totalBytes);
}
