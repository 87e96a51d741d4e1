package io.pmstore.core.heap;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows which of the allocated objects refer to objects only. All that can be reached do; of those
 * that cannot, a collection may have freed a part, so that others refer to what is not there any
 * more. Safe for use by any number of threads.
 */
public interface WholeObjects {
  /** All objects: for a heap of which no collection frees parts. */
  LongPredicate ALL = object -> true;

  /** Knows of all objects that they do: for a store without a collector. */
  WholeObjects WITHOUT_COLLECTOR =
      new WholeObjects() {
        @Override
        public LongPredicate known() {
          return ALL;
        }

        @Override
        public void await() {}
      };

  /**
   * Says which objects these are, as long as {@link Reclamation#unreached()} is held.
   *
   * @return says of an allocated object's address whether it is one of them, as all are that can be
   *     reached; null if that is not known
   */
  @Nullable LongPredicate known();

  /** Waits until it is known; to be called outside transactions, and holding no lock. */
  void await();
}
