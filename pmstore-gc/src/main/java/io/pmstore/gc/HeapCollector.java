package io.pmstore.gc;

import io.pmstore.GcReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreMetrics;
import io.pmstore.StoreStatistics;
import io.pmstore.VerificationProgress;
import io.pmstore.VerificationReport;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.Heap;
import io.pmstore.gc.account.SpaceSurvey;
import io.pmstore.gc.collect.GarbageCollector;
import io.pmstore.gc.verify.Verifier;
import java.nio.file.Path;

/**
 * The collector of a heap: frees what tracing from the named roots and the live Java objects does
 * not reach.
 */
public final class HeapCollector implements Collector {
  private final Heap heap;
  private final GarbageCollector collector;

  private HeapCollector(Heap heap) {
    this.heap = heap;
    this.collector = new GarbageCollector(heap);
  }

  /** Opens collectors; found by {@link java.util.ServiceLoader}. */
  public static final class Provider implements Collector.Provider {
    @Override
    public Collector open(Heap heap) {
      return new HeapCollector(heap);
    }
  }

  @Override
  public void start(PmStoreOptions options, Path directory) {
    collector.start(options, directory);
  }

  @Override
  public GcReport collect() {
    return collector.collectOnRequest();
  }

  @Override
  public StoreStatistics statistics() {
    SpaceSurvey survey = new SpaceSurvey(heap);
    collector.walk(
        () -> {
          while (survey.step()) {
            collector.checkOpen();
          }
        });
    return survey.statistics(collector.collections(), collector.lastReport());
  }

  @Override
  public StoreMetrics.Collections collections() {
    return new StoreMetrics.Collections(collector.collections(), collector.lastReport());
  }

  @Override
  public long compact() {
    return collector.compact();
  }

  @Override
  public VerificationReport verify(VerificationProgress progress) {
    return Verifier.verify(heap, progress);
  }

  @Override
  public void close() {
    collector.close();
  }
}
