package io.pmstore.spring.boot;

/** Thrown if the application has not set the directory of its store. */
final class StoreDirectoryMissingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  StoreDirectoryMissingException() {
    super("the property pmstore.directory is not set");
  }
}
