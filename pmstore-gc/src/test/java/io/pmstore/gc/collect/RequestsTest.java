package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFailedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RequestsTest {
  private static final GcReport REPORT =
      new GcReport(GcReport.Cause.OPENING, 1, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  @Test
  void whoWaitsForACollectionIsToldWhatEndedIt() {
    for (PmStoreException ended :
        List.of(
            new StoreClosedException("closed meanwhile"),
            new StoreFailedException("failed meanwhile"),
            new StoreDamagedException("damaged"),
            new PmStoreException("of another kind"))) {
      PmStoreException told = told(ended);
      assertEquals(ended.getClass(), told.getClass());
      assertSame(ended, told.getCause());
    }
  }

  /** Returns the exception that a waiting thread gets if an error ends the collection. */
  private static PmStoreException told(Throwable ended) {
    Requests requests = new Requests();
    return assertThrows(
        PmStoreException.class,
        () ->
            requests.await(
                GcReport.Cause.REQUESTED,
                false,
                () -> {
                  requests.began();
                  requests.failed(ended);
                }));
  }

  @Test
  void whoWaitsIsToldWhatACollectionWithoutMemoryNeeds() {
    OutOfMemoryError ended = new OutOfMemoryError("for a test");
    PmStoreException told = told(ended);
    assertSame(ended, told.getCause());
    assertTrue(told.getMessage().contains("a larger heap (-Xmx)"), told.getMessage());
  }

  @Test
  @Timeout(30)
  void theCollectionThatWasAskedToReleasesChunks() throws InterruptedException {
    Requests requests = new Requests();
    Runnable asking = () -> requests.await(GcReport.Cause.REQUESTED, true, () -> {});
    requests.began();
    assertFalse(requests.isReleasing());
    requests.ended(REPORT);
    Thread first = asked(requests, asking);
    requests.began();
    Thread second = asked(requests, asking); // for the next one
    assertTrue(requests.isReleasing());
    requests.ended(REPORT);
    first.join();
    requests.began();
    assertTrue(requests.isReleasing());
    requests.ended(REPORT);
    second.join();
    requests.began();
    assertFalse(requests.isReleasing());
  }

  private static Thread asked(Requests requests, Runnable asking) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(asking);
    while (requests.wanted() == null) {
      Thread.sleep(1); // until it waits
    }
    return thread;
  }

  /** It may be a later one than the first, which alone tells of its marks. */
  @Test
  void aCollectionThatCameToItsEndHasMarked() {
    Requests requests = new Requests();
    int[] asked = {0};
    requests.awaitMarks(
        GcReport.Cause.OPENING,
        () -> {
          asked[0]++;
          requests.began();
          requests.ended(REPORT);
        });
    assertEquals(1, asked[0]);
  }
}
