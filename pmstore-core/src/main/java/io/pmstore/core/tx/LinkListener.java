package io.pmstore.core.tx;

/**
 * Informs a collector about the references that commits add and remove. Many threads call it at the
 * same time, some while their commits hold locks. So every method returns at once, waits for
 * nothing and throws nothing, unless it says otherwise. The default methods do nothing.
 */
public interface LinkListener {
  /** Ignores everything: for a store without a collector. */
  LinkListener NONE = new LinkListener() {};

  /**
   * Returns true if {@link #linked} and {@link #born} have to be called. Each commit asks once,
   * after it counts as under way, so that others can wait for it.
   *
   * @return true while objects are being marked or unmarked ones freed
   */
  default boolean isMarking() {
    return false;
  }

  /**
   * Called when an existing object is about to get one more reference, or when a Java object has
   * just been made for it.
   *
   * @param object its address
   */
  default void linked(long object) {}

  /**
   * Called when a commit is about to allocate an object.
   *
   * @param object its address
   */
  default void born(long object) {}

  /**
   * Called after a commit that removed an object's last reference, or made an object and no
   * reference to it, and did not free it: a Java object pins it, a snapshot may show it, or the
   * commit had freed enough.
   *
   * @param object its address
   * @param position the commit's
   */
  default void unlinked(long object, long position) {}

  /**
   * Called after a commit that removed references to shared objects, perhaps their last ones.
   *
   * @param count number of references removed
   */
  default void sharedUnlinked(int count) {}
}
