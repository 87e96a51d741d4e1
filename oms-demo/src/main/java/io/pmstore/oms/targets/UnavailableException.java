package io.pmstore.oms.targets;

/** A target cannot be had on this machine. */
public final class UnavailableException extends TargetException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what is missing, and what to do
   * @param cause what failed
   */
  public UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
