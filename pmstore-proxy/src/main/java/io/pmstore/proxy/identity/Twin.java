package io.pmstore.proxy.identity;

import org.jspecify.annotations.Nullable;

/**
 * The persistent object that a plain one was converted to, and what the plain one held then.
 *
 * <p>Safe for use by several threads once it is published with its snapshot.
 */
public final class Twin {
  private final Object persistent;
  private @Nullable Object @Nullable [] snapshot;

  /**
   * Creates a twin whose conversion is under way.
   *
   * @param persistent the persistent object
   */
  public Twin(Object persistent) {
    this.persistent = persistent;
  }

  /**
   * The persistent object.
   *
   * @return what the plain object was converted to
   */
  public Object persistent() {
    return persistent;
  }

  /**
   * What the plain object held when it was converted: values as they were, for objects their
   * persistent twins. So nothing here keeps a plain object alive.
   *
   * @return the contents, or null while the conversion is under way
   */
  public @Nullable Object @Nullable [] snapshot() {
    return snapshot;
  }

  /**
   * Ends the conversion.
   *
   * @param contents what the plain object held
   */
  public void converted(@Nullable Object[] contents) {
    snapshot = contents;
  }
}
