package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.PmStoreOptions;
import io.pmstore.RolledBackException;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.proxy.collection.TestCodec.Plain;
import java.nio.file.Path;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Collections and the transactions around them: what a roll-back undoes, and what a failed call
 * leaves intact.
 */
class CollectionTransactionTest {
  /** Thrown to roll back. */
  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final TestStore store = new TestStore();
  private final PersistentMap<Object, Object> map = store.newMap();
  private final PersistentList<Object> list = store.newList();

  private void rolledBack(Runnable body) {
    assertThrows(
        RollBack.class,
        () ->
            store.in(
                () -> {
                  body.run();
                  throw new RollBack();
                }));
  }

  private static void onOtherThread(Runnable action) {
    Thread thread = Thread.ofPlatform().start(action);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCallThatFailsLeavesTheCollectionAndTheTransactionIntact() {
    Object cannotBeStored = new Object();
    Map<Object, Object> some = new HashMap<>(Map.of("x", 1, "y", cannotBeStored));
    store.in(
        () -> {
          map.put("a", 1);
          list.add("a");
          assertThrows(NotPersistableException.class, () -> map.put("b", cannotBeStored));
          assertThrows(NotPersistableException.class, () -> map.put(cannotBeStored, 1));
          assertThrows(NotPersistableException.class, () -> map.put("a", cannotBeStored));
          assertThrows(NotPersistableException.class, () -> map.putAll(some));
          assertThrows(
              RollBack.class,
              () ->
                  map.compute(
                      "a",
                      (key, value) -> {
                        throw new RollBack();
                      }));
          assertThrows(
              NotPersistableException.class, () -> map.replaceAll((k, v) -> cannotBeStored));
          assertThrows(NotPersistableException.class, () -> list.add(0, cannotBeStored));
          assertThrows(NotPersistableException.class, () -> list.set(0, cannotBeStored));
          assertThrows(
              NotPersistableException.class, () -> list.addAll(List.of("b", cannotBeStored)));
          assertThrows(NotPersistableException.class, () -> list.replaceAll(e -> cannotBeStored));
          assertThrows(IndexOutOfBoundsException.class, () -> list.add(2, "b"));
          assertThrows(IndexOutOfBoundsException.class, () -> list.remove(1));
          assertThrows(IndexOutOfBoundsException.class, () -> list.set(-1, "b"));
          assertThrows(IndexOutOfBoundsException.class, () -> list.addAll(3, List.of("b")));
        });
    assertEquals(Map.of("a", 1), map);
    assertEquals(List.of("a"), list);
    assertNull(map.get(cannotBeStored));
    assertFalse(list.contains(cannotBeStored));
  }

  /** A key's own hashCode may fail when some elements are removed already. */
  @Test
  void aRemovalOfManyThatFailsHalfwayRollsTheTransactionBack() {
    PersistentSet<Object> set = store.newSet();
    for (int i = 0; i < 10; i++) {
      map.put(i, i);
      set.add(i);
    }
    rolledBackAfter(3, () -> map.entrySet().removeIf(entry -> true));
    rolledBackAfter(3, () -> map.values().removeIf(value -> true));
    rolledBackAfter(3, () -> map.keySet().removeIf(key -> true));
    rolledBackAfter(3, () -> set.removeIf(element -> true));
    rolledBackAfter(12, () -> set.removeAll(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8)));
    assertEquals(10, map.size());
    assertEquals(10, set.size());
  }

  private void rolledBackAfter(int hashes, Runnable removal) {
    assertThrows(
        RolledBackException.class,
        () ->
            store.in(
                () -> {
                  store.codec.failAfter(hashes);
                  assertThrows(IllegalStateException.class, removal::run);
                }));
  }

  @Test
  void aRollBackTakesEverythingBack() {
    map.put("a", 1);
    list.add("a");
    rolledBack(
        () -> {
          map.put("b", 2);
          map.replace("a", 3);
          list.add("b");
          list.set(0, "c");
          assertEquals(Map.of("a", 3, "b", 2), map);
        });
    assertEquals(Map.of("a", 1), map);
    assertEquals(List.of("a"), list);
    rolledBack(map::clear);
    assertEquals(1, map.size());
  }

  @Test
  void aCollectionOfARolledBackTransactionCannotBeUsed() {
    AtomicReference<PersistentMap<Object, Object>> lost = new AtomicReference<>();
    AtomicReference<PersistentList<Object>> lostList = new AtomicReference<>();
    rolledBack(
        () -> {
          lost.set(store.newMap());
          lostList.set(store.newList());
          lost.get().put("a", 1);
          lostList.get().add("a");
        });
    assertThrows(RolledBackException.class, () -> lost.get().get("a"));
    assertThrows(RolledBackException.class, () -> lost.get().put("a", 1));
    assertThrows(RolledBackException.class, () -> lost.get().size());
    assertThrows(RolledBackException.class, () -> lostList.get().add("a"));
    assertThrows(RolledBackException.class, () -> lostList.get().size());
  }

  @Test
  void anEntryThatWasReadInARolledBackTransactionShowsTheCommittedValue() {
    map.put("a", 1);
    AtomicReference<Map.Entry<Object, Object>> entry = new AtomicReference<>();
    rolledBack(
        () -> {
          map.put("a", 2);
          entry.set(map.entrySet().iterator().next());
          assertEquals(2, entry.get().getValue());
        });
    assertEquals(1, entry.get().getValue());
  }

  @Test
  void whatAnIteratorReadAheadOutsideIsReadAgainInATransaction() {
    map.put("a", 1);
    map.put("b", 1);
    list.addAll(List.of(1, 1));
    Iterator<Object> values = map.values().iterator();
    Iterator<Object> elements = list.iterator();
    assertEquals(1, values.next());
    assertEquals(1, elements.next());
    // Changed through other Java objects, as an engine's other user would: nothing tells the
    // iterators.
    PersistentMap<Object, Object> sameMap = store.map(TestStore.address(map));
    PersistentList<Object> sameList = store.list(TestStore.address(list));
    sameMap.replaceAll((key, value) -> 2);
    sameList.replaceAll(value -> 2);
    store.in(
        () -> {
          assertEquals(2, values.next());
          assertEquals(2, elements.next());
        });
  }

  @Test
  void anIteratorSeesItsOwnThreadsWrites() {
    list.addAll(List.of(1, 2, 3));
    Iterator<Object> elements = list.iterator();
    assertEquals(1, elements.next());
    list.set(1, "two");
    assertEquals("two", elements.next());
  }

  @Test
  void onlyTheOwnThreadsChangesMakeAnIteratorFail() {
    map.put("a", 1);
    map.put("b", 2);
    list.addAll(List.of(1, 2));
    Iterator<Object> keys = map.keySet().iterator();
    Iterator<Object> elements = list.iterator();
    onOtherThread(() -> map.put("c", 3));
    onOtherThread(() -> list.addFirst(0));
    keys.next();
    assertEquals(0, elements.next());
    map.put("d", 4);
    list.add(3);
    assertThrows(ConcurrentModificationException.class, keys::next);
    assertThrows(ConcurrentModificationException.class, elements::next);
  }

  @Test
  void whatHasNextPromisedComes() {
    map.put("a", 1);
    list.add("a");
    Iterator<Object> keys = map.keySet().iterator();
    Iterator<Object> elements = list.iterator();
    assertTrue(keys.hasNext());
    assertTrue(elements.hasNext());
    onOtherThread(map::clear);
    onOtherThread(list::clear);
    assertEquals("a", keys.next());
    assertEquals("a", elements.next());
    assertThrows(NoSuchElementException.class, keys::next);
    assertThrows(NoSuchElementException.class, elements::next);
  }

  @Test
  void anEntryThatIsGoneRefusesAValue() {
    map.put("a", 1);
    Map.Entry<Object, Object> entry = map.entrySet().iterator().next();
    map.remove("a");
    assertThrows(IllegalStateException.class, () -> entry.setValue(2));
    assertTrue(map.isEmpty());
    assertEquals(1, entry.getValue());
  }

  @Test
  void aSublistHasItsSizeAgainAfterARollBack() {
    list.addAll(List.of(0, 1, 2, 3));
    List<Object> middle = list.subList(1, 3);
    List<Object> inner = middle.subList(0, 1);
    rolledBack(
        () -> {
          inner.add("new");
          assertEquals(List.of(1, "new", 2), middle);
        });
    assertEquals(List.of(1, 2), middle);
    assertEquals(List.of(1), inner);
    assertEquals(4, list.size());
  }

  @Test
  void aSublistOfAListThatOthersShortenedSaysSo() {
    list.addAll(List.of(0, 1, 2, 3));
    List<Object> end = list.subList(2, 4);
    onOtherThread(list::clear);
    assertThrows(ConcurrentModificationException.class, end::toArray);
    assertThrows(ConcurrentModificationException.class, () -> end.sort(null));
    assertThrows(ConcurrentModificationException.class, end::clear);
  }

  @Test
  void whatIsStoredIsReturned() {
    Plain plain = new Plain("twin");
    assertEquals("twin", map.computeIfAbsent("a", key -> plain));
    assertEquals("twin", map.compute("b", (key, value) -> plain));
    assertEquals("twin", map.merge("c", plain, (a, b) -> a));
    assertNull(map.put(plain, 1));
    assertEquals(1, map.put(plain, 2), "the key's twin is found again");
    assertEquals(2, map.get("twin"));
    list.add(plain);
    assertEquals(List.of("twin"), list);
  }

  @Test
  void collectionsOutliveTheStoreOnDisk(@TempDir Path directory) {
    TestStore first = new TestStore(MappedEngine.open(directory, PmStoreOptions.defaults()));
    PersistentMap<Integer, String> orders = first.newMap();
    PersistentList<String> reports = first.newList();
    first.heap.directory().setRoot("orders", TestStore.address(orders));
    first.heap.directory().setRoot("reports", TestStore.address(reports));
    for (int i = 0; i < 500; i++) {
      int number = i;
      first.in(
          () -> {
            orders.put(number, "order " + number);
            reports.add("report " + number);
          });
    }
    orders.remove(7);
    reports.remove(7);
    first.heap.close();

    TestStore second = new TestStore(MappedEngine.open(directory, PmStoreOptions.defaults()));
    PersistentMap<Integer, String> ordersAgain = second.map(second.heap.directory().root("orders"));
    PersistentList<String> reportsAgain = second.list(second.heap.directory().root("reports"));
    assertEquals(499, ordersAgain.size());
    assertEquals(499, reportsAgain.size());
    for (int i = 0; i < 500; i++) {
      assertEquals(i == 7 ? null : "order " + i, ordersAgain.get(i));
      assertEquals(i < 7, reportsAgain.indexOf("report " + i) == i);
    }
    TrieCheck.check(second, ordersAgain);
    TreeCheck.check(second, reportsAgain);
    second.heap.close();
  }
}
