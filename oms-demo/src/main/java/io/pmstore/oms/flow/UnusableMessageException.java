package io.pmstore.oms.flow;

/** A message that is well-formed FIX and yet cannot be used. */
final class UnusableMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableMessageException(String message) {
    super(message);
  }
}
