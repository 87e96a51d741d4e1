package io.pmstore.cli.path;

/** A path that leads to nothing. The message says where it ends, and what is there. */
public final class PathException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PathException(String message) {
    super(message);
  }
}
