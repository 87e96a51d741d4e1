package io.pmstore.cli.path;

/** A path that leads to nothing. The message says where it ends, and what is there. */
public sealed class PathException extends RuntimeException
    permits PathSyntaxException, NoPropertyException {
  private static final long serialVersionUID = 1L;

  PathException(String message) {
    super(message);
  }
}
