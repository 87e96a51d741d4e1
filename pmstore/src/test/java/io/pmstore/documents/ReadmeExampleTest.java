package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pmstore.PmStore;
import io.pmstore.documents.ReadmeExample.Exchange;
import io.pmstore.documents.ReadmeExample.Order;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeExampleTest {
  @Test
  void whatTheExampleStoresIsThereAfterReopening(@TempDir Path parent) {
    Path directory = parent.resolve("store");
    ReadmeExample.run(directory);
    ReadmeExample.run(directory); // finds the root it made
    try (PmStore store = PmStore.open(directory)) {
      Exchange exchange = store.root(Exchange.class);
      assertEquals(1, exchange.getOrders().size());
      Order order = exchange.getOrders().get(1L);
      assertEquals("PETR4", order.getSymbol());
      assertEquals(200, order.getQuantity());
      assertSame(order, exchange.getOrders().get(1L));
    }
    Path backup = parent.resolve("backup");
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(List.of(), ReadmeExample.reportAndBackUp(store, backup).faults());
    }
    try (PmStore store = PmStore.open(backup)) {
      assertEquals(200, store.root(Exchange.class).getOrders().get(1L).getQuantity());
    }
  }
}
