package io.pmstore.junit.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.EvolutionReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.junit.GoldenStore;
import io.pmstore.junit.TempStore;
import io.pmstore.junit.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing-your-code.md, in the order of the page. */
class ShopTest {
  @TempStore TestStore store;

  @BeforeEach
  void fill() {
    store.root(Shop.class).getStock().put("apple", 3L);
  }

  @Test
  void nothingIsSoldThatIsNotThere() {
    assertThrows(IllegalStateException.class, () -> Shop.sell(store, "pear"));
    assertEquals(0, store.root(Shop.class).getSold());
  }

  @Test
  void aParameterIsAStoreOfItsOwn(@TempStore PmStore other) {
    assertTrue(other.root(Shop.class).getStock().isEmpty());
  }

  @Test
  void theStockIsThereTheNextDay() {
    Shop.sell(store, "apple");
    store.reopen();
    assertEquals(2, store.root(Shop.class).getStock().get("apple"));
  }

  @Test
  void aKillTakesNothingThatWasSold(@TempStore(crashes = true) TestStore store) {
    store.root(Shop.class).getStock().put("apple", 3L);
    Shop.sell(store, "apple");
    store.kill();
    assertEquals(1, store.root(Shop.class).getSold());
  }

  @Test
  void afterAnyCrashNothingIsSoldTwice(@TempStore(crashes = true) TestStore store)
      throws Exception {
    store.root(Shop.class).getStock().put("apple", 30L);
    AtomicLong acknowledged = new AtomicLong();
    store.crashDuring(
        () -> {
          for (int i = 0; i < 30; i++) {
            Shop.sell(store, "apple");
            acknowledged.incrementAndGet();
          }
        },
        acknowledged::get,
        (image, sold) -> {
          Shop shop = image.root(Shop.class);
          assertEquals(30, shop.getStock().get("apple") + shop.getSold());
          assertTrue(shop.getSold() >= sold, "a sale that was acknowledged is lost");
        });
  }

  @Test
  void whatIsStoredNowSurvivesAPowerCut(@TempStore(crashes = true) TestStore store) {
    store.root(Shop.class).getStock().put("apple", 3L);
    store.crash(image -> assertEquals(3, image.root(Shop.class).getStock().get("apple")));
  }

  static final class SmallTiers implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults().storage(Storage.TIERED).tieredPoolSize(1 << 20);
    }
  }

  @Test
  void aKillTakesNothingOfATieredStore(
      @TempStore(crashes = true, options = SmallTiers.class) TestStore store) {
    store.root(Shop.class).getStock().put("apple", 3L);
    Shop.sell(store, "apple");
    store.kill();
    assertEquals(1, store.root(Shop.class).getSold());
  }

  static final class Relaxed implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults()
          .storage(Storage.FILE)
          .durability(Durability.relaxed(Duration.ofSeconds(10)));
    }
  }

  @Test
  void relaxedSalesMayBeLostButNotHalfOfOne(
      @TempStore(options = Relaxed.class, crashes = true) TestStore store) throws Exception {
    store.transaction(Durability.SYNC, () -> store.root(Shop.class).getStock().put("apple", 30L));
    store.crashDuring(
        () -> {
          for (int i = 0; i < 30; i++) {
            Shop.sell(store, "apple");
          }
        },
        () -> 0,
        (image, none) -> {
          Shop shop = image.root(Shop.class);
          assertEquals(30, shop.getStock().get("apple") + shop.getSold());
        });
  }

  @BeforeAll
  static void writeGoldenStore(@TempStore PmStore earlier) throws Exception {
    earlier.root(Shop.class).getStock().put("apple", 7L);
    Path golden = Path.of("target/golden/shop-1.0");
    if (!Files.exists(golden)) {
      Files.createDirectories(golden.getParent());
      earlier.backup(golden);
    }
  }

  @Test
  @GoldenStore(value = "target/golden/shop-1.0", classes = Shop.class)
  void storesOfVersion1CanBeOpened() {}

  @Test
  void theStockOfVersion1IsUnderstood(
      @GoldenStore(value = "target/golden/shop-1.0", classes = Shop.class) PmStore version1) {
    assertEquals(7, version1.root(Shop.class).getStock().get("apple"));
  }

  @Test
  void theReportSaysWhatBecomesOfEachClass(
      @GoldenStore(value = "target/golden/shop-1.0", classes = Shop.class) EvolutionReport report) {
    assertEquals(EvolutionReport.Verdict.UNCHANGED, report.classes().getFirst().verdict());
  }
}
