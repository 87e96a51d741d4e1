package io.pmstore.core.medium;

import java.io.IOException;

/** Work on files, which may fail. */
@FunctionalInterface
public interface IoAction {
  /**
   * Does the work.
   *
   * @throws IOException if it fails
   */
  void run() throws IOException;
}
