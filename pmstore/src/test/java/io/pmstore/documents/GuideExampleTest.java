package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.documents.GuideExample.Money;
import io.pmstore.documents.GuideExample.Order;
import io.pmstore.documents.GuideExample.Shop;
import io.pmstore.documents.GuideExample.Side;
import java.math.BigDecimal;
import java.nio.file.Path;
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
      assertNotNull(store.root("a second shop", Shop.class).getMotto());
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
