package io.pmstore.proxy.bean;

/** The effects that a method of a persistent class may have besides reading. */
public enum MethodEffect {
  /** It only reads, or writes in transactions of its own. */
  NONE,

  /** It may write, so it runs as one transaction. */
  WRITES,

  /** It may also change values of properties in place, such as elements of arrays. */
  CHANGES_IN_PLACE,

  /** It has transactions of its own, and may change values in place, in them or around them. */
  CHANGES_IN_OWN_TRANSACTIONS;

  /** Returns true if the method may change values of properties in place. */
  public boolean changesInPlace() {
    return this == CHANGES_IN_PLACE || this == CHANGES_IN_OWN_TRANSACTIONS;
  }
}
