package io.pmstore.model.memory;

/** A memory cannot be measured. The message says what was found and what to do. */
public final class ProbeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ProbeException(String message) {
    super(message);
  }

  public ProbeException(String message, Throwable cause) {
    super(message, cause);
  }
}
