package io.pmstore.spring.boot;

/** The application has not said where its store lives. */
final class StoreDirectoryMissingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  StoreDirectoryMissingException() {
    super("the property pmstore.directory is not set");
  }
}
