package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFailedException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestsTest {
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
}
