package io.pmstore.proxy.identity;

import io.pmstore.core.heap.HeapObject;
import org.jspecify.annotations.Nullable;

/**
 * The persistent object that a plain object was converted to, and what the plain object held then.
 * Thread-safe once its conversion has ended.
 *
 * <p>A constant of the program is its own twin: it stays plain, and this object has its handle.
 */
public final class Twin {
  private final Object persistent;
  private final @Nullable HeapObject handle;
  private @Nullable Object @Nullable [] snapshot;
  private @Nullable Runnable filling; // of the converting thread
  private volatile boolean committed;

  /** Creates a twin whose conversion is under way. */
  public Twin(Object persistent) {
    this(persistent, null);
  }

  /** Creates the twin of a constant, or of another object if there is no handle. */
  public Twin(Object constant, @Nullable HeapObject handle) {
    this.persistent = constant;
    this.handle = handle;
  }

  /** Returns the handle of a constant; null for another object. */
  public @Nullable HeapObject handle() {
    return handle;
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

  /** Returns true if the transaction that converts the plain object has committed. */
  public boolean isCommitted() {
    return committed;
  }

  /** Tells all threads that the transaction has committed. */
  public void commit() {
    committed = true;
  }

  /** Sets what writes the contents, which are written at some later moment of the conversion. */
  public void fillLater(Runnable fill) {
    filling = fill;
  }

  /** Writes the contents, unless that has begun. Called by the thread that converts. */
  public void fill() {
    Runnable fill = filling;
    if (fill != null) {
      filling = null;
      fill.run();
    }
  }

  /** Returns true if writing the contents has not begun: the caller writes them now. */
  public boolean beginFilling() {
    boolean begins = filling != null;
    filling = null;
    return begins;
  }

  /** Ends the conversion. */
  public void converted(@Nullable Object[] contents) {
    snapshot = contents;
  }
}
