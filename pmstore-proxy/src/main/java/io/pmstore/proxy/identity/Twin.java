package io.pmstore.proxy.identity;

import org.jspecify.annotations.Nullable;

/**
 * The persistent object that a plain object was converted to, and what the plain object held then.
 * Thread-safe once it is published with its snapshot.
 */
public final class Twin {
  private final Object persistent;
  private @Nullable Object @Nullable [] snapshot;

  /** Creates a twin whose conversion is under way. */
  public Twin(Object persistent) {
    this.persistent = persistent;
  }

  public Object persistent() {
    return persistent;
  }

  /**
   * Returns what the plain object held at its conversion: values, and the persistent twins of
   * objects. So a twin keeps no plain object alive. Null while the conversion is under way.
   */
  public @Nullable Object @Nullable [] snapshot() {
    return snapshot;
  }

  /** Ends the conversion. */
  public void converted(@Nullable Object[] contents) {
    snapshot = contents;
  }
}
