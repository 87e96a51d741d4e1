package io.pmstore.proxy.facade;

import org.jspecify.annotations.Nullable;

/** How the JDK's deques differ from its lists. */
final class DequeExtras {
  private DequeExtras() {}

  /** Compares by identity, so that the result is the same in both directions. */
  @SuppressWarnings("ReferenceEquality")
  static boolean equals(View view, @Nullable Object other) {
    return view == other;
  }
}
