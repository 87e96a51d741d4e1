package io.pmstore.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreStatistics;
import io.pmstore.VerificationProgress;
import io.pmstore.VerificationReport;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.heap.Collector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A heap that follows and leads in turn has a collector that knows all of its changes. */
@Timeout(60)
class OpenHeapTest {
  private final AtomicLong leadership = new AtomicLong();
  private final List<String> calls = new ArrayList<>();
  private Runnable starting = () -> {};

  private final OpenHeap open =
      new OpenHeap(
          new OpenHeap.Parts(
              new NoClasses(),
              heap -> new NoCollector(),
              PmStoreOptions.defaults(),
              Path.of("unused")),
          new ParallelEngine() {
            @Override
            public long leadership() {
              return leadership.get();
            }
          });

  private final class NoCollector implements Collector {
    @Override
    public void start(PmStoreOptions options, Path store) {
      calls.add("start");
      starting.run();
    }

    @Override
    public GcReport collect() {
      throw new UnsupportedOperationException();
    }

    @Override
    public StoreStatistics statistics() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long compact() {
      throw new UnsupportedOperationException();
    }

    @Override
    public VerificationReport verify(VerificationProgress progress) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      calls.add("close");
    }
  }

  private void lead() {
    open.lead(leadership::incrementAndGet);
  }

  /** Its marks would not have what the records made, and its sweep would free that. */
  @Test
  void aCollectorThatRanBesideRecordsFromOutsideIsReplaced() {
    lead();
    lead(); // nothing came in between
    assertEquals(List.of("start"), calls);
    open.heap().replica().follow(); // as the first record does
    lead();
    assertEquals(List.of("start", "close", "start"), calls);
  }

  @Test
  void whoeverAsksForTheCollectorDoesNotWaitForItsStart() {
    starting =
        () -> CompletableFuture.supplyAsync(open::collector).orTimeout(10, TimeUnit.SECONDS).join();
    lead();
    assertEquals(List.of("start"), calls);
  }

  @Test
  void aCollectionThatTheEndOfTheLeadershipEndsIsNoFailure() {
    PmStoreException ended = new PmStoreException("ended");
    starting =
        () -> {
          leadership.set(0);
          throw ended;
        };
    lead();
    open.follow();
    starting =
        () -> {
          throw ended;
        };
    assertSame(ended, assertThrows(PmStoreException.class, this::lead));
  }
}
