package io.pmstore.oms.targets;

/** A target failed. */
public class TargetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was being done, and what to do
   * @param cause what failed
   */
  public TargetException(String message, Throwable cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
