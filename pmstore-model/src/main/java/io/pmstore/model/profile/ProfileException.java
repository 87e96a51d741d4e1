package io.pmstore.model.profile;

/** A profile lacks a figure, or has one that cannot be. The message says which and what to do. */
public final class ProfileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ProfileException(String message) {
    super(message);
  }

  public ProfileException(String message, Throwable cause) {
    super(message, cause);
  }
}
