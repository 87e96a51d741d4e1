package io.pmstore.enhance;

/**
 * Thrown if a class cannot be enhanced. The message names each fault with its class, its member and
 * its line, and says what to change.
 */
public final class EnhancementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  EnhancementException(String message) {
    super(message);
  }
}
