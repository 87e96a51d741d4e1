package io.pmstore.core.heap;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows which allocated objects are whole: all their references lead to objects. All objects that
 * can be reached are. Of the others a collection may have freed some, so that the rest refer to
 * freed space. Safe for use by any number of threads.
 */
public interface WholeObjects {
  /** All objects: for a heap in which no collection has freed some of them. */
  LongPredicate ALL = object -> true;

  /** All objects are whole: for a store without a collector. */
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
   * Returns which objects are whole. The answer is valid while the caller holds {@link
   * Reclamation#unreached()}.
   *
   * @return tests the address of an allocated object; null if it is not known
   */
  @Nullable LongPredicate known();

  /** Waits until it is known. Called outside transactions by a thread that holds no lock. */
  void await();
}
