package io.pmstore.core.tx;

/**
 * What a collector is told about the references that commits make and take away. Called by many
 * threads at a time, by some while their commits hold locks: so it returns at once, waits for
 * nothing and throws nothing, unless its method says otherwise. What a listener does not care for
 * does nothing.
 */
public interface LinkListener {
  /** Wants to know nothing: for a store without a collector. */
  LinkListener NONE = new LinkListener() {};

  /**
   * Says whether {@link #linked} and {@link #born} are to be called. Asked once by each commit,
   * after it has become one that others can wait for.
   *
   * @return true while objects are being marked or unmarked ones freed
   */
  default boolean isMarking() {
    return false;
  }

  /**
   * An object that exists is about to be referred to from one more place, or has just got a Java
   * object.
   *
   * @param object its address
   */
  default void linked(long object) {}

  /**
   * An object is about to be allocated by a commit.
   *
   * @param object its address
   */
  default void born(long object) {}

  /**
   * An object has lost its last reference, or has been made without getting one, and was not freed:
   * a Java object stands for it, or a snapshot may show it, or the commit had freed enough. Called
   * after the commit.
   *
   * @param object its address
   * @param position the commit's
   */
  default void unlinked(long object, long position) {}

  /**
   * Shared objects have lost references, perhaps their last ones.
   *
   * @param count how many references
   */
  default void sharedUnlinked(int count) {}
}
