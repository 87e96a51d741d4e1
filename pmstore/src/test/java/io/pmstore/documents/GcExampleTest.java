package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GcReport;
import io.pmstore.PmStore;
import io.pmstore.StoreStatistics;
import io.pmstore.documents.GcExample.Desk;
import io.pmstore.documents.GcExample.Ticket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page about garbage says is so. */
class GcExampleTest {
  @TempDir Path parent;

  @Test
  void whatIsHeldAndLinkedAgainStays() {
    try (PmStore store = PmStore.open(parent.resolve("store"), GcExample.options())) {
      assertEquals("call back", GcExample.held(store));
      StoreStatistics statistics = GcExample.collect(store);
      assertEquals("call back", store.root(Desk.class).getTickets().get(1L).getText());
      assertEquals(GcReport.Cause.REQUESTED, statistics.lastCollection().orElseThrow().cause());
      assertTrue(
          statistics.classes().stream()
              .anyMatch(c -> c.className().equals(Ticket.class.getName()) && c.liveObjects() == 1));
    }
  }

  @Test
  void theOptionsAreWhatTheyAreCalled() {
    assertFalse(GcExample.options().gcInBackground());
    assertTrue(GcExample.options().gcBeforeOpening());
  }
}
