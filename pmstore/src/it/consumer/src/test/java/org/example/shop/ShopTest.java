package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.PmStore;
import java.math.BigDecimal;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a program needs pmstore for, with nothing of it on the program's side but one dependency.
 */
class ShopTest {
  @TempDir private Path directory;

  @BeforeEach
  void fill() {
    try (PmStore store = PmStore.open(directory)) {
      Shop shop = store.root(Shop.class);
      store.transaction(
          () -> {
            Article created = store.create(Article.class);
            created.setName("clock");
            created.setPrice(new BigDecimal("129.90"));
            created.setStock(3);
            shop.getArticles().put("c-1", created);
            Article plain = new Article();
            plain.setName("vase");
            plain.setPrice(new BigDecimal("15.00"));
            shop.getArticles().put("v-1", plain);
            shop.getDisplay().add(shop.getArticles().get("v-1"));
            shop.getDisplay().add(created);
          });
    }
  }

  /** Else the run as a module could be a run on the class path, and nobody would see. */
  @Test
  void theProgramIsAModuleOrOnTheClassPathAsTheRunSays() {
    boolean named = Boolean.parseBoolean(System.getProperty("shop.named"));
    assertEquals(named, Shop.class.getModule().isNamed());
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(named, store.getClass().getModule().isNamed());
      assertEquals(named, store.root(Shop.class).getClass().getModule().isNamed());
    }
  }

  @Test
  void whatWasWrittenIsThereAfterReopening() {
    try (PmStore store = PmStore.open(directory)) {
      Shop shop = store.root(Shop.class);
      assertEquals(2, shop.getArticles().size());
      Article clock = shop.getArticles().get("c-1");
      assertEquals("clock", clock.getName());
      assertEquals(new BigDecimal("129.90"), clock.getPrice());
      assertEquals(3, clock.getStock());
      Article vase = shop.getArticles().get("v-1");
      assertEquals("vase", vase.getName());
      assertEquals(0, vase.getStock());
      assertEquals(2, shop.getDisplay().size());
      assertSame(vase, shop.getDisplay().get(0));
      assertSame(clock, shop.getDisplay().get(1));
      assertSame(shop, store.root("shop", Shop.class));
    }
  }

  @Test
  void methodsUseFieldsAsTheyAreWritten() {
    try (PmStore store = PmStore.open(directory)) {
      Article clock = store.root(Shop.class).getArticles().get("c-1");
      clock.sell(2);
      assertEquals(
          "only 1 of clock",
          assertThrows(IllegalStateException.class, () -> clock.sell(2)).getMessage());
    }
    try (PmStore store = PmStore.open(directory)) {
      Article clock = store.root(Shop.class).getArticles().get("c-1");
      assertEquals(1, clock.getStock());
      assertEquals("clock for 129.90", clock.label());
      Article same = new Article();
      same.setName("clock");
      same.setPrice(new BigDecimal("129.90"));
      assertEquals(clock, same);
      assertEquals(clock.hashCode(), same.hashCode());
    }
  }

  @Test
  void aSetterIsATransactionOfItsOwn() {
    try (PmStore store = PmStore.open(directory)) {
      store.root(Shop.class).getArticles().get("c-1").setStock(2);
    }
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(2, store.root(Shop.class).getArticles().get("c-1").getStock());
    }
  }

  @Test
  void aBodyThatThrowsLeavesNothing() {
    try (PmStore store = PmStore.open(directory)) {
      Shop shop = store.root(Shop.class);
      Article clock = shop.getArticles().get("c-1");
      IllegalStateException thrown = new IllegalStateException("out of paper");
      IllegalStateException caught =
          assertThrows(
              IllegalStateException.class,
              () ->
                  store.transaction(
                      () -> {
                        clock.setStock(0);
                        shop.getArticles().put("c-2", store.create(Article.class));
                        shop.getDisplay().clear();
                        throw thrown;
                      }));
      assertSame(thrown, caught);
      assertEquals(3, clock.getStock());
      assertFalse(shop.getArticles().containsKey("c-2"));
      assertEquals(2, shop.getDisplay().size());
    }
    try (PmStore store = PmStore.open(directory)) {
      Shop shop = store.root(Shop.class);
      assertEquals(3, shop.getArticles().get("c-1").getStock());
      assertEquals(2, shop.getArticles().size());
      assertEquals(2, shop.getDisplay().size());
    }
  }
}
