package io.pmstore.gc;

import io.pmstore.VerificationReport;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.Heap;
import io.pmstore.gc.verify.Verifier;

/** Finds what can be reached by tracing from the named roots. */
public final class HeapCollector implements Collector {
  private final Heap heap;

  private HeapCollector(Heap heap) {
    this.heap = heap;
  }

  /** Makes collectors; found by {@link java.util.ServiceLoader}. */
  public static final class Provider implements Collector.Provider {
    /** For {@link java.util.ServiceLoader}. */
    public Provider() {}

    @Override
    public Collector open(Heap heap) {
      return new HeapCollector(heap);
    }
  }

  @Override
  public VerificationReport verify() {
    return Verifier.verify(heap);
  }
}
