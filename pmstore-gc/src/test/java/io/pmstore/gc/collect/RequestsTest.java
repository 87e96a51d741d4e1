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
import io.pmstore.core.engine.Uninterruptibles;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

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
      Requests requests = new Requests();
      PmStoreException told =
          assertThrows(
              PmStoreException.class,
              () ->
                  requests.await(
                      GcReport.Cause.REQUESTED,
                      false,
                      () -> {
                        requests.began();
                        requests.failed(ended);
                      }));
      assertEquals(ended.getClass(), told.getClass());
      assertSame(ended, told.getCause());
    }
  }

  @Test
  void theCollectionThatWasAskedToReleasesChunks() {
    Requests requests = new Requests();
    requests.began();
    assertFalse(requests.isReleasing());
    requests.await(
        GcReport.Cause.REQUESTED,
        true,
        () -> {
          assertFalse(requests.isReleasing()); // it is under way already
          requests.ended(REPORT);
          requests.began();
          assertTrue(requests.isReleasing());
          Thread other =
              Thread.ofPlatform()
                  .start(() -> requests.await(GcReport.Cause.REQUESTED, true, () -> {}));
          while (requests.wanted() == null) {
            Thread.onSpinWait(); // it asks for the next one
          }
          assertTrue(requests.isReleasing());
          requests.ended(REPORT);
          requests.began();
          requests.ended(REPORT);
          Uninterruptibles.join(other);
        });
    requests.began();
    assertFalse(requests.isReleasing());
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
