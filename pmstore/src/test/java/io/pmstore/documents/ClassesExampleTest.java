package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.documents.ClassesExample.Customer;
import io.pmstore.documents.ClassesExample.Order;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/classes.md says of its examples. */
class ClassesExampleTest {
  @TempDir Path directory;

  /** Holds them. */
  @Persistent(root = "desk")
  static class Desk {
    private List<Order> orders = new ArrayList<>();
    private Customer customer = new Customer();

    List<Order> orders() {
      return orders;
    }

    Customer customer() {
      return customer;
    }
  }

  @Test
  void theExamplesDoWhatThePageSays() {
    try (PmStore store = PmStore.open(directory)) {
      Desk desk = store.root(Desk.class);
      desk.orders().add(new Order(7, "PETR4"));
      Order order = desk.orders().getFirst();
      order.setQuantity(200);
      assertEquals(50, ClassesExample.fill(store, order).getQuantity());
      String message =
          assertThrows(IllegalArgumentException.class, () -> order.fill(100)).getMessage();
      assertEquals("quantity of 7: -50", message);
      assertEquals("Welcome!", desk.customer().greeting());
      desk.customer().visit();
      desk.customer().setName("Ada");
      assertEquals(1, desk.customer().getVisits());
    }
    try (PmStore store = PmStore.open(directory)) {
      Desk desk = store.root(Desk.class);
      Order order = desk.orders().getFirst();
      assertEquals(7, order.getId());
      assertEquals(50, order.getQuantity());
      assertEquals(order, new Order(7, "PETR4"));
      assertTrue(order.sameSymbol().test(new Order(8, "PETR4")));
      assertEquals("Welcome back, Ada!", desk.customer().greeting());
      assertEquals(0, desk.customer().getVisits());
    }
  }

  @Test
  void classesCanBeChecked() {
    assertEquals(
        List.of(),
        ClassesExample.check().stream().filter(w -> !w.contains("constructor")).toList());
  }
}
