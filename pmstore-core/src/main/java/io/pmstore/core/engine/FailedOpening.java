package io.pmstore.core.engine;

import org.jspecify.annotations.Nullable;

/** Closes what an opening has opened before it failed. */
public final class FailedOpening {
  private FailedOpening() {}

  /** The rest of an opening, which uses what is open already. */
  @FunctionalInterface
  public interface Opening<T extends @Nullable Object, X extends Exception> {
    /** Opens the rest. */
    T open() throws X;
  }

  /**
   * Completes an opening; if that fails, closes a resource.
   *
   * @param opened the resource
   * @param rest returns what is open then
   */
  public static <T extends @Nullable Object, X extends Exception> T orClose(
      AutoCloseable opened, Opening<T, X> rest) throws X {
    try {
      return rest.open();
    } catch (Throwable e) {
      closeAfter(e, opened);
      throw e;
    }
  }

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
