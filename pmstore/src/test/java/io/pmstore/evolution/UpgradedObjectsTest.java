package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Upgrade;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Identity, transactions and snapshots of objects that are upgraded. */
final class UpgradedObjectsTest extends EvolutionCase {
  @Test
  void anObjectStaysTheSameWhenItIsUpgradedAndMoved() {
    open(bean("class Item", "int a") + bean("class Holder", "Set<Object> set = new HashSet<>()"));
    List<Object> items = new ArrayList<>();
    Object holder = versions.store().create(versions.type("Holder"));
    for (int i = 0; i < 50; i++) {
      Object item = versions.store().create(versions.type("Item"));
      call(item, "setA", i);
      items.add(item);
      put(holder, item);
      all().add(item);
    }
    setOne(holder);
    open(
        bean("class Item", "int a", "long b", "long c", "String d = \"d\"", "long e")
            + bean("class Holder", "Set<Object> set = new HashSet<>()"));
    List<Object> before = new ArrayList<>(all());
    for (Object item : before) {
      call(item, "setE", 5L);
    }
    assertEquals(before, List.copyOf(all()));
    for (int i = 0; i < 50; i++) {
      assertSame(before.get(i), all().get(i));
      assertEquals(i, call(before.get(i), "getA"));
      assertTrue(((java.util.Set<?>) call(one(), "getSet")).contains(before.get(i)));
    }
    versions.reopen();
    for (int i = 0; i < 50; i++) {
      assertEquals(i, call(all().get(i), "getA"));
      assertEquals(5L, call(all().get(i), "getE"));
      assertTrue(((java.util.Set<?>) call(one(), "getSet")).contains(all().get(i)));
    }
    verify();
  }

  /** Else a loop over all objects would wait for the disk at each of them. */
  @Test
  void aGetterThatUpgradesItsObjectWaitsForNoDisk() {
    open(bean("class Item", "String text"));
    for (int i = 0; i < 200; i++) {
      Object item = versions.store().create(versions.type("Item"));
      call(item, "setText", "" + i);
      all().add(item);
    }
    String today =
        bean(
            "class Item",
            "String text",
            "int number",
            "String twice",
            "List<Object> own = new ArrayList<>()");
    PmStoreOptions functions =
        PmStoreOptions.defaults()
            .migrations(
                Migration.of(
                    "shop.Item",
                    "number",
                    (old, i) -> Integer.parseInt(old.get("text", String.class))),
                Migration.of(
                    "shop.Item", "twice", (old, i) -> old.get("text", String.class).repeat(2)));
    open(today, functions);
    long before = versions.store().metrics().log().syncs().orElseThrow();
    for (int i = 0; i < 180; i += 3) {
      assertEquals(i, call(all().get(i), "getNumber"));
      assertEquals("" + (i + 1) + (i + 1), call(all().get(i + 1), "getTwice"));
      assertEquals(List.of(), call(all().get(i + 2), "getOwn"));
    }
    long syncs = versions.store().metrics().log().syncs().orElseThrow() - before;
    assertTrue(syncs < 60, () -> syncs + " syncs for the upgrades of 180 objects");
    versions.reopen();
    assertEquals(0, call(all().get(0), "getNumber"));
    verify();
  }

  @Test
  void aRolledBackUpgradeLeavesTheOldObject() {
    storeTrade();
    open(tradeWith("long filled = 3"));
    PmStore store = versions.store();
    Object trade = one();
    assertRefused(
        IllegalStateException.class,
        () ->
            store.transaction(
                () -> {
                  call(trade, "setFilled", 9L);
                  assertEquals(9L, call(trade, "getFilled"));
                  assertEquals(7, call(trade, "getQty"));
                  throw new IllegalStateException("no");
                }),
        "no");
    assertEquals(3L, call(trade, "getFilled"));
    assertEquals(7, call(trade, "getQty"));
    call(trade, "setFilled", 4L);
    assertEquals(4L, call(trade, "getFilled"));
    assertEquals("12.50", call(trade, "getPrice"));
  }

  @Test
  void aSnapshotShowsTheOldObjectWhileOthersUpgradeIt() throws Exception {
    storeTrade();
    open(tradeWith("long filled = 3"));
    Object trade = one();
    versions
        .store()
        .snapshot(
            () -> {
              Thread writer =
                  new Thread(
                      () -> {
                        call(trade, "setQty", 8);
                        call(trade, "setFilled", 4L);
                        assertEquals(4L, call(trade, "getFilled"));
                      });
              writer.start();
              writer.join();
              assertEquals(7, call(trade, "getQty"));
              assertEquals(3L, call(trade, "getFilled"));
              assertEquals("SAP", call(trade, "getSymbol"));
            });
    assertEquals(8, call(trade, "getQty"));
    assertEquals(4L, call(trade, "getFilled"));
  }

  @Test
  void theWholeStoreIsUpgradedInTheBackground() throws Exception {
    open(bean("class Item", "int a"));
    versions
        .store()
        .transaction(
            () -> {
              for (int i = 0; i < 3000; i++) {
                Object item = versions.make("Item");
                call(item, "setA", i);
                all().add(item);
              }
            });
    open(bean("class Item", "long a", "long b = 4"));
    Upgrade lost = versions.store().upgrade(); // nothing says where the classes are
    assertRefused(PmStoreException.class, lost::await, "shop.", "was not found", "options");
    versions.root();
    Upgrade upgrade = versions.store().upgrade();
    upgrade.await();
    assertEquals(3000, upgrade.upgraded());
    assertEquals(1, upgrade.progress());
    assertTrue(versions.store().upgrade().await(java.time.Duration.ofMinutes(1)));
    for (int i = 0; i < 3000; i++) {
      assertEquals((long) i, call(all().get(i), "getA"));
      assertEquals(4L, call(all().get(i), "getB"));
    }
    verify();
  }
}
