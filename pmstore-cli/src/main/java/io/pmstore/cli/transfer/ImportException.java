package io.pmstore.cli.transfer;

/** A file that is no export, or has been changed so that no store can be made of it. */
public final class ImportException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ImportException(String message) {
    super(message);
  }

  ImportException(String message, Throwable cause) {
    super(message, cause);
  }
}
