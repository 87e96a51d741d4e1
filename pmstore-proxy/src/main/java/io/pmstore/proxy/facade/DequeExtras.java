package io.pmstore.proxy.facade;

import org.jspecify.annotations.Nullable;

/** The differences between the JDK's deques and its lists. */
final class DequeExtras {
  private DequeExtras() {}

  /** Compares by identity, so that the result is the same in both directions. */
  @SuppressWarnings("ReferenceEquality")
  static boolean equals(View view, @Nullable Object other) {
    return view == other;
  }
}
