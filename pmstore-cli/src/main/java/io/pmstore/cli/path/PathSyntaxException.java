package io.pmstore.cli.path;

/** A text that is no path. The message says where, and what a path looks like. */
public final class PathSyntaxException extends PathException {
  private static final long serialVersionUID = 1L;

  PathSyntaxException(String message) {
    super(message);
  }
}
