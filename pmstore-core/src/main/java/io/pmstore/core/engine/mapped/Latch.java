package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.Backoff;

/** A window of the heap in which nothing may be stored until the latch is opened. */
final class Latch {
  private final long from;
  private final long to;
  private volatile boolean open;

  Latch(long from, long to) {
    this.from = from;
    this.to = to;
  }

  /** Waits until stores to a range are allowed; whoever holds the latch waits for none of them. */
  void await(long address, long length) {
    if (open || address >= to || address + length <= from) {
      return;
    }
    Backoff backoff = new Backoff();
    while (!open) {
      backoff.pause();
    }
  }

  void open() {
    open = true;
  }
}
