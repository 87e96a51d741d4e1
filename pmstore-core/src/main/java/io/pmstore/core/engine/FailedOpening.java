package io.pmstore.core.engine;

/** Closes what an opening has opened before it failed. */
public final class FailedOpening {
  private FailedOpening() {}

  /**
   * Closes a resource because of a failure. Does not throw: if the resource cannot be closed, this
   * method adds the exception to those that the failure suppresses.
   *
   * @param failure the reason, which the caller throws
   * @param opened the resource
   */
  @SuppressWarnings("ReferenceEquality") // of exceptions
  public static void closeAfter(Throwable failure, AutoCloseable opened) {
    try {
      opened.close();
    } catch (Throwable e) {
      if (e != failure) { // which cannot suppress itself
        failure.addSuppressed(e);
      }
    }
  }
}
