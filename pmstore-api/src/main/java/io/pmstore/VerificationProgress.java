package io.pmstore;

/** Receives how far a verification is: see {@link PmStore#verify}. */
@FunctionalInterface
public interface VerificationProgress {
  /** Ignores it. */
  VerificationProgress NONE = (objects, bytes, totalBytes) -> {};

  /**
   * Called by the thread that verifies, after some thousand objects, and after some megabytes of
   * pages. An exception ends the verification and reaches its caller; the store is closed and has
   * not changed.
   *
   * @param objects how many have been reached so far
   * @param bytes that have been gone through: those of the objects, and then those that are
   *     compared with checksums
   * @param totalBytes about what {@code bytes} will be at the end; it includes garbage, which the
   *     walk does not enter, and the checksums of all pages, which not every storage has
   */
  void at(long objects, long bytes, long totalBytes);
}
