package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.documents.GcExample.Desk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the page about observability runs. */
class ObservabilityExampleTest {
  @TempDir Path parent;

  @Test
  void metricsArePrinted() {
    try (PmStore store = PmStore.open(parent.resolve("store"))) {
      store.root(Desk.class);
      assertTrue(ObservabilityExample.print(store).transactions().commits() > 0);
    }
  }
}
