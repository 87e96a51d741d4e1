package io.pmstore.proxy.bean;

/** The effects that a method of a persistent class may have besides reading. */
public enum MethodEffect {
  /** It only reads, or has transactions of its own. */
  NONE,

  /** It may write, so it runs as one transaction. */
  WRITES,

  /** It may also change values of properties in place, such as elements of arrays. */
  CHANGES_IN_PLACE
}
