package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.RepairReport;
import io.pmstore.documents.GuideExample.Archive;
import io.pmstore.documents.GuideExample.Money;
import io.pmstore.documents.GuideExample.Order;
import io.pmstore.documents.GuideExample.Shop;
import io.pmstore.documents.GuideExample.Side;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide says is so. */
class GuideExampleTest {
  @TempDir Path parent;

  @Test
  void rootsAndCreation() {
    GuideExample.run(parent.resolve("store"));
    try (PmStore store = PmStore.open(parent.resolve("store"))) {
      Shop shop = store.root(Shop.class);
      assertEquals(1, shop.getOrders().get(1L).getId());
      assertEquals(new Money(new BigDecimal("9.90"), "EUR"), shop.getOrders().get(2L).getPrice());
      assertEquals(Side.BUY, shop.getOrders().get(2L).getSide());
      assertNull(shop.getMotto());
      Object motto = store.root("a second shop", Shop.class).getMotto();
      assertNotNull(motto);
      GuideExample.replaceRoot(store);
      assertEquals(List.of(motto), store.root("a second shop", Archive.class).getMottos());
    }
  }

  @Test
  void conversion() {
    try (PmStore store = PmStore.open(parent.resolve("store"))) {
      Shop shop = store.root(Shop.class);
      Order twin = GuideExample.convert(store);
      assertSame(twin, shop.getOrders().get(33L));
      assertEquals(4, twin.getParts().getFirst().getId());
      assertEquals(1, GuideExample.arrays(twin));
      assertEquals(2, GuideExample.arrays(twin));
      assertEquals(twin.getPrice(), GuideExample.durable(store, twin));
      assertFalse(GuideExample.form(store, twin, new String[] {"1", "2", "3", "4"}));
      assertEquals(2, twin.getFills().length);
      assertTrue(GuideExample.form(store, twin, new String[] {"1", "2"}));
      assertEquals(2, twin.getFills()[1]);
      GuideExample.persist(store);
      assertEquals(100, shop.getOrders().get(5L).getFills()[0]);
      String changed = GuideExample.changedSince(store);
      assertTrue(
          changed.startsWith(
              "order is a plain object that was converted before, and property fills changed"),
          changed);
    }
  }

  @Test
  void lostFiles() throws IOException {
    Path directory = parent.resolve("store");
    GuideExample.run(directory);
    Files.delete(directory.resolve("log-2"));
    Files.write(directory.resolve("sums"), new byte[5]);
    RepairReport report = GuideExample.repair(directory);
    assertEquals(2, report.replaced().size());
    assertEquals(5, Files.size(directory.resolve("sums.replaced-1")));
    assertTrue(PmStore.verify(directory).checksumsMade().isPresent());
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(1, store.root(Shop.class).getOrders().get(1L).getId());
    }
  }

  @Test
  void valueTypes() {
    Path directory = parent.resolve("store");
    GuideExample.Isbn isbn = GuideExample.Isbn.parse("9780132350884");
    try (PmStore store = PmStore.open(directory, GuideExample.valueTypes())) {
      store.root(Shop.class).setMotto(isbn);
    }
    Object deadline = new GuideExample.Deadline(7, "tax");
    try (PmStore store = PmStore.open(directory, GuideExample.valueTypes())) {
      assertEquals(isbn, store.root(Shop.class).getMotto());
      store.root(Shop.class).setMotto(deadline);
    }
    try (PmStore store = PmStore.open(directory, GuideExample.valueTypes())) {
      Object found = store.root(Shop.class).getMotto();
      assertEquals(deadline, found);
      assertEquals("tax", ((GuideExample.Deadline) found).reason);
    }
  }

  @Test
  void refusals() {
    try (PmStore store = PmStore.open(parent.resolve("store"))) {
      String value = GuideExample.notPersistable(store);
      assertTrue(value.startsWith("shop.motto[1].callback is of class "), value);
      String refused = GuideExample.refused(store);
      assertTrue(
          refused.contains(
              "Misfit cannot be kept in a store: property text is of type"
                  + " java.lang.StringBuilder,"),
          refused);
    }
    try (PmStore store = PmStore.open(parent.resolve("store"), GuideExample.transactionsOnly())) {
      Shop shop = store.root(Shop.class);
      assertThrows(IllegalStateException.class, () -> shop.setMotto("alone"));
      store.transaction(() -> shop.setMotto("inside"));
      assertEquals("inside", shop.getMotto());
    }
  }
}
