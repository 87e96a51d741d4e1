package io.pmstore.core.heap;

import io.pmstore.PmStoreException;
import java.io.Serial;

/**
 * Thrown in reads that have to write first: {@link Heap#read} runs them again, as a transaction.
 */
public final class WriteNeededException extends PmStoreException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message for callers that have no {@link Heap#read} around them
   */
  public WriteNeededException(String message) {
    super(message);
  }
}
