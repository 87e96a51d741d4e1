package io.pmstore.gc.collect;

/** The result of a step of bounded work. */
public enum Progress {
  /** There is more to do. */
  MORE,
  /** There is more to do once other threads have finished. */
  WAITS,
  /** Nothing is left to do. */
  DONE
}
