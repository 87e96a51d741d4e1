package io.pmstore.jmh.workload;

/** A store cannot be had on this machine. */
public final class UnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param cause what failed; its message says what is missing
   */
  public UnavailableException(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
