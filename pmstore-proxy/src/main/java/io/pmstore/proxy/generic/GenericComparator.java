package io.pmstore.proxy.generic;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A comparator that the store knows by the name of a static field. Immutable.
 *
 * @param name a class, {@code #}, and the field
 */
@SuppressWarnings("UnusedVariable") // it only stands for a comparator
public record GenericComparator(String name) implements Comparator<@Nullable Object> {
  private static final ThreadLocal<Boolean> IN_ORDER = ThreadLocal.withInitial(() -> false);

  /** Throws {@link UnsupportedOperationException}: only the program has the field. */
  @Override
  public int compare(@Nullable Object one, @Nullable Object other) {
    return unknown(name);
  }

  /**
   * Compares by a comparator of the program's.
   *
   * @return 1 while the calling thread adds keys in their order: in either direction, the added one
   *     is the last
   */
  static int unknown(String comparator) {
    if (IN_ORDER.get()) {
      return 1;
    }
    throw new UnsupportedOperationException(
        "the comparator %s is the program's, and this tool runs without the program's classes"
            .formatted(comparator));
  }

  /** Runs a body that adds keys to sorted collections in their order. */
  static void inOrder(Runnable body) {
    IN_ORDER.set(true);
    try {
      body.run();
    } finally {
      IN_ORDER.remove();
    }
  }
}
