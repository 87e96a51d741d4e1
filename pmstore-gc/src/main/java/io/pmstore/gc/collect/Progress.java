package io.pmstore.gc.collect;

/** What a step of bounded work has come to. */
public enum Progress {
  /** There is more to do. */
  MORE,
  /** There is more to do when others have ended what they do. */
  WAITS,
  /** Nothing is left to do. */
  DONE
}
