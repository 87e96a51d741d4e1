package io.pmstore.spring.boot;

import io.pmstore.PmStoreException;
import java.time.Duration;

/**
 * Thrown if a root was not there while the application started, and this node could not make it.
 */
final class StoreRootMissingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param root the name of the root
   * @param waited how long the start has waited
   * @param why what the node says
   */
  StoreRootMissingException(String root, Duration waited, PmStoreException why) {
    super(
        "the root \"%s\" of the replicated store is not on this node after %d ms, and another node has to make it: %s"
            .formatted(root, waited.toMillis(), why.getMessage()),
        why);
  }
}
