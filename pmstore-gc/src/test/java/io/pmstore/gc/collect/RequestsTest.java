package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFailedException;
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
                      () -> {
                        requests.began();
                        requests.failed(ended);
                      }));
      assertEquals(ended.getClass(), told.getClass());
      assertSame(ended, told.getCause());
    }
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
