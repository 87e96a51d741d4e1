package io.pmstore.gc.verify;

import static io.pmstore.gc.TestHeap.create;
import static io.pmstore.gc.TestHeap.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.Fault;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.gc.TestCells;
import io.pmstore.gc.TestHeap;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.collection.PersistentConcurrentMap;
import io.pmstore.proxy.collection.PersistentDeque;
import io.pmstore.proxy.collection.PersistentLinkedMap;
import io.pmstore.proxy.collection.PersistentLinkedSet;
import io.pmstore.proxy.collection.PersistentList;
import io.pmstore.proxy.collection.PersistentMap;
import io.pmstore.proxy.collection.PersistentSet;
import io.pmstore.proxy.collection.PersistentSortedMap;
import io.pmstore.proxy.collection.PersistentSortedSet;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Walks the nodes of collections by their shapes. */
class CollectionsTest {
  private static final int MAP_ROOT = 8;
  private static final int NUMBER_KEY = 8;
  private static final int NUMBER_VALUE = 24;

  private final TestHeap store = new TestHeap();
  private final CollectionSpace space = store.collections();
  private final Shape exchangeShape =
      store.define("com.acme.Exchange", TestHeap.property("orders", SlotKind.REFERENCE));
  private final long exchange = store.newObject(exchangeShape);

  @AfterEach
  void close() {
    store.heap.close();
  }

  private static long address(PersistentObject collection) {
    return ((HeapObject) collection.pmstoreHandle()).address();
  }

  private long holdInExchange(PersistentObject collection) {
    store.heap.putLong(exchange, 8, address(collection));
    store.heap.directory().setRoot("exchange", exchange);
    return address(collection);
  }

  private PersistentMap<Long, String> newMap(int entries) {
    PersistentMap<Long, String> map =
        store.heap.transaction(() -> create(space, CollectionKind.MAP));
    store.heap.transaction(
        () -> {
          for (long i = 0; i < entries; i++) {
            map.put(i, "value " + i);
          }
          return null;
        });
    return map;
  }

  @Test
  void entriesOfAMapAreReachedAndRemovedOnesAreFreed() {
    PersistentMap<Long, String> map = newMap(1000);
    holdInExchange(map);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1, use(report, "pmstore.map").objects());
    assertEquals(1, use(report, "pmstore.map.counters").objects());
    assertEquals(1000, use(report, "pmstore.map.entry").objects());
    assertEquals(56 * 1000, use(report, "pmstore.map.entry").bytes());
    assertEquals(0, report.garbageObjects(), "a map that only grew leaves nothing behind");

    for (long i = 0; i < 100; i++) {
      map.remove(i);
    }
    VerificationReport after = store.verify();
    assertTrue(after.isSound(), after::toString);
    assertEquals(900, use(after, "pmstore.map.entry").objects());
    assertEquals(0, after.garbageObjects(), "entries, their strings and nodes are freed at once");
    assertTrue(report.objects() - after.objects() >= 200);
    assertEquals(report.bytes() - after.bytes(), after.freeBytes() - report.freeBytes());
  }

  @Test
  void entriesOfOneHashAreReached() {
    PersistentMap<Long, String> map =
        store.heap.transaction(() -> create(space, CollectionKind.MAP));
    store.heap.transaction(
        () -> {
          for (long i = 0; i < 100; i++) {
            map.put(i << 32 | i, "value " + i); // all have the hash code 0
          }
          map.put(1L, "another");
          return null;
        });
    holdInExchange(map);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1, use(report, "pmstore.map.same").objects());
    assertEquals(101, use(report, "pmstore.map.entry").objects());
    assertEquals(0, report.garbageObjects(), "a map that only grew leaves nothing behind");
    for (long i = 0; i < 100; i++) {
      map.remove(i << 32 | i);
    }
    VerificationReport after = store.verify();
    assertTrue(after.isSound(), after::toString);
    assertEquals(1, use(after, "pmstore.map.entry").objects());
    assertEquals(0, after.garbageObjects(), "what held them is freed at once");
  }

  @Test
  void numberEntriesAreReachedAndTheirKeysChecked() {
    PersistentMap<Long, @Nullable Object> map =
        store.heap.transaction(() -> create(space, CollectionKind.MAP));
    PersistentSet<Long> set = store.heap.transaction(() -> create(space, CollectionKind.SET));
    Shape order = store.define("com.acme.Order", TestHeap.property("symbol", SlotKind.CELL));
    long object = store.newObject(order);
    store.heap.transaction(
        () -> {
          for (long i = 0; i < 1000; i++) {
            map.put(i, i % 2 == 0 ? null : new TestCells.Reference(object));
            map.put(i << 32 | i ^ 7, null); // all have the hash code 7
            set.add(i);
          }
          for (long i = 0; i < 300; i++) {
            map.put(i, "value " + i);
          }
          return null;
        });
    holdInExchange(map);
    store.heap.directory().setRoot("set", address(set));
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1999, use(report, "pmstore.map.number").objects());
    assertEquals(32 * 1999, use(report, "pmstore.map.number").bytes());
    assertEquals(300, use(report, "pmstore.map.value").objects());
    assertEquals(24 * 1000, use(report, "pmstore.set.number").bytes());
    assertEquals(0, report.garbageObjects());

    for (long i = 0; i < 150; i++) {
      map.put(i, null);
      map.remove(i + 150);
      set.remove(i);
    }
    VerificationReport after = store.verify();
    assertTrue(after.isSound(), after::toString);
    assertEquals(0, after.garbageObjects(), "cells and entries are freed at once");
    assertEquals(850, use(after, "pmstore.set.number").objects());
    assertTrue(after.classes().stream().noneMatch(u -> u.className().equals("pmstore.map.value")));

    long entry = firstEntry(address(map)) & -8;
    long word = store.heap.getLong(entry, NUMBER_KEY);
    store.damage(entry + NUMBER_KEY, word ^ 1L << 40);
    List<Fault> faults = store.verify().faults();
    assertEquals(1, faults.size(), faults::toString);
    assertTrue(faults.getFirst().path().endsWith("node@" + entry + ".hash"), faults::toString);
    store.damage(entry + NUMBER_KEY, word);
    long value = store.heap.getLong(entry, NUMBER_VALUE);
    store.damage(entry + NUMBER_VALUE, firstEntry(address(set)) & -8);
    assertEquals(1, store.verify().faults().size());
    store.damage(entry + NUMBER_VALUE, value);
    assertTrue(store.verify().isSound());
  }

  /** Returns the reference to the first entry of a map or set with nodes. */
  private long firstEntry(long map) {
    long reference = store.heap.getLong(map, MAP_ROOT);
    while ((reference & 1) != 0) {
      long node = reference - 1;
      int child = 8;
      while (store.heap.getLong(node, child) == 0) {
        child += 8;
      }
      reference = store.heap.getLong(node, child);
    }
    return reference;
  }

  @Test
  void elementsOfAListAreReached() {
    for (int size : new int[] {0, 3, 5, 32, 33, 5000}) {
      PersistentList<String> list =
          store.heap.transaction(() -> create(space, CollectionKind.LIST));
      store.heap.transaction(
          () -> {
            for (int i = 0; i < size; i++) {
              list.add(i / 2, "element " + i);
            }
            return null;
          });
      holdInExchange(list);
      long others = 0; // the blobs of the catalogue and of the root's name
      VerificationReport report = store.verify();
      assertTrue(report.isSound(), report::toString);
      assertEquals(1, use(report, "pmstore.list").objects());
      others = store.catalogue.entries().size() + 1;
      assertEquals(size + others, use(report, "pmstore.blob").objects(), "size " + size);
    }
  }

  @Test
  void elementsOfASetAreReachedAndRemovedOnesAreGarbage() {
    PersistentSet<String> set = store.heap.transaction(() -> create(space, CollectionKind.SET));
    store.heap.transaction(
        () -> {
          for (int i = 0; i < 1000; i++) {
            set.add("element " + i);
          }
          return null;
        });
    long address = holdInExchange(set);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1, use(report, "pmstore.set").objects());
    assertEquals(1, use(report, "pmstore.map.counters").objects());
    assertEquals(1000, use(report, "pmstore.set.entry").objects());
    assertEquals(40 * 1000, use(report, "pmstore.set.entry").bytes());
    assertEquals(0, report.garbageObjects());

    set.removeIf(element -> element.endsWith("7"));
    VerificationReport after = store.verify();
    assertTrue(after.isSound(), after::toString);
    assertEquals(900, use(after, "pmstore.set.entry").objects());

    long other = store.heap.getLong(address(newMap(100)), MAP_ROOT);
    store.damage(address + MAP_ROOT, other);
    assertEquals(
        List.of(
            new Fault(
                inMap("pmstore.set@" + address + ".r8"),
                "an object of class pmstore.map.node at heap address " + (other & ~1L),
                "a node of a set")),
        store.verify().faults());
  }

  @Test
  void elementsOfADequeAreReachedAndRemovedOnesAreGarbage() {
    for (int size : new int[] {0, 1, 4, 5, 1000}) {
      PersistentDeque<String> deque =
          store.heap.transaction(() -> create(space, CollectionKind.DEQUE));
      store.heap.transaction(
          () -> {
            for (int i = 0; i < size; i++) {
              if (i % 3 == 0) {
                deque.addFirst("element " + i);
              } else {
                deque.addLast("element " + i);
              }
            }
            return null;
          });
      long address = holdInExchange(deque);
      VerificationReport report = store.verify();
      assertTrue(report.isSound(), report::toString);
      assertEquals(1, use(report, "pmstore.deque").objects());
      assertEquals(2, use(report, "pmstore.deque.end").objects());
      assertEquals(size > 64, use(report, "pmstore.deque.chunk32").objects() > 0);
      long others = store.catalogue.entries().size() + 1; // the blobs of the catalogue and root
      assertEquals(size + others, use(report, "pmstore.blob").objects(), "size " + size);
      for (int i = 0; i < size; i++) {
        deque.removeFirst();
      }
      VerificationReport after = store.verify();
      assertTrue(after.isSound(), after::toString);
      assertEquals(others, use(after, "pmstore.blob").objects());

      long end = store.heap.getLong(address, 8);
      store.damage(address + 8, exchange);
      assertEquals(
          List.of(
              new Fault(
                  inMap("pmstore.deque@" + address + ".r8"),
                  "an object of class com.acme.Exchange at heap address " + exchange,
                  "an end of a deque")),
          store.verify().faults());
      store.damage(address + 8, end);
    }
  }

  @Test
  void entriesOfASortedMapAndElementsOfASortedSetAreReached() {
    for (int size : new int[] {0, 3, 4, 15, 16, 5000}) {
      PersistentSortedMap<Long, String> map =
          store.heap.transaction(() -> create(space, CollectionKind.SORTED_MAP));
      PersistentSortedSet<String> set =
          store.heap.transaction(
              () -> create(space, CollectionKind.SORTED_SET, Comparator.<String>reverseOrder()));
      store.heap.transaction(
          () -> {
            for (long i = 0; i < size; i++) {
              map.put(i * 7919 % 5003, "value " + i);
              set.add("element " + i);
            }
            return null;
          });
      holdInExchange(map);
      store.heap.directory().setRoot("set", address(set));
      VerificationReport report = store.verify();
      assertTrue(report.isSound(), report::toString);
      assertEquals(1, use(report, "pmstore.sortedmap").objects());
      assertEquals(1, use(report, "pmstore.sortedset").objects());
      assertEquals(size > 15 ? 2 : 0, use(report, "pmstore.map.counters").objects());
      assertEquals(size > 15, use(report, "pmstore.sorted.node").objects() > 0);
      assertEquals(size == 3 ? 1 : 0, use(report, "pmstore.sorted.entries3").objects());
      // Those of the values and elements, and of the catalogue and the roots' names.
      long others = store.catalogue.entries().size() + 2;
      assertEquals(2L * size + others, use(report, "pmstore.blob").objects(), "size " + size);
      store.heap.transaction(
          () -> {
            map.keySet().removeIf(key -> key % 10 > 0);
            set.removeIf(element -> !element.endsWith("0"));
            return null;
          });
      VerificationReport after = store.verify();
      assertTrue(after.isSound(), after::toString);
      assertEquals(
          set.size() + map.size() + others,
          use(after, "pmstore.blob").objects(),
          "no node keeps what was removed");
    }
  }

  @Test
  void entriesOfAConcurrentMapAreReached() {
    PersistentConcurrentMap<Long, String> map =
        store.heap.transaction(() -> create(space, CollectionKind.CONCURRENT_MAP));
    for (long i = 0; i < 100; i++) {
      map.put(i, "value " + i);
    }
    holdInExchange(map);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1, use(report, "pmstore.concurrentmap").objects());
    assertEquals(100, use(report, "pmstore.map.entry").objects());
  }

  @Test
  void entriesOfALinkedMapAndElementsOfALinkedSetAreReachedAndRemovedOnesAreFreed() {
    for (int size : new int[] {0, 1, 4, 5, 1000}) {
      PersistentLinkedMap<Long, String> map =
          store.heap.transaction(() -> create(space, CollectionKind.LINKED_MAP));
      PersistentLinkedSet<String> set =
          store.heap.transaction(() -> create(space, CollectionKind.LINKED_SET));
      store.heap.transaction(
          () -> {
            for (long i = 0; i < size; i++) {
              map.put(i * 7919 % 5003, "value " + i);
              set.add("element " + i);
            }
            return null;
          });
      holdInExchange(map);
      store.heap.directory().setRoot("set", address(set));
      VerificationReport report = store.verify();
      assertTrue(report.isSound(), report::toString);
      assertEquals(1, use(report, "pmstore.linkedmap").objects());
      assertEquals(1, use(report, "pmstore.linkedset").objects());
      assertEquals(4, use(report, "pmstore.linked.end").objects());
      assertEquals(size, use(report, "pmstore.linkedmap.entry").objects());
      assertEquals(size, use(report, "pmstore.linkedset.entry").objects());
      assertEquals(80 * size, use(report, "pmstore.linkedmap.entry").bytes());
      assertEquals(64 * size, use(report, "pmstore.linkedset.entry").bytes());
      long garbage = report.garbageObjects();
      // In one commit, within its budget: some go, one comes, is moved, and goes.
      store.heap.transaction(
          () -> {
            map.keySet().removeIf(key -> key % 40 == 0);
            set.removeIf(element -> element.endsWith("40"));
            map.putFirst(-1L, "first");
            map.putLast(-1L, "last");
            map.pollLastEntry();
            return null;
          });
      VerificationReport after = store.verify();
      assertTrue(after.isSound(), after::toString);
      assertEquals(map.size(), use(after, "pmstore.linkedmap.entry").objects());
      assertEquals(set.size(), use(after, "pmstore.linkedset.entry").objects());
      assertEquals(garbage, after.garbageObjects(), "what was removed is freed at once");
    }
  }

  @Test
  void aReferenceInsideASortedSetToALeafOfASortedMap() {
    PersistentSortedMap<Long, Long> map =
        store.heap.transaction(() -> create(space, CollectionKind.SORTED_MAP));
    map.put(1L, 1L);
    PersistentSortedSet<Long> set =
        store.heap.transaction(() -> create(space, CollectionKind.SORTED_SET));
    long holder = holdInExchange(set);
    long leaf = store.heap.getLong(address(map), MAP_ROOT);
    store.damage(holder + MAP_ROOT, leaf);
    assertEquals(
        List.of(
            new Fault(
                inMap("pmstore.sortedset@" + holder + ".r8"),
                "an object of class pmstore.sorted.entries3 at heap address " + leaf,
                "the counters of a map or set or a leaf of a sorted set")),
        store.verify().faults());
  }

  private String inMap(String holder) {
    return "root \"exchange\" -> orders -> " + holder;
  }

  @Test
  void aWrongValueInAMapIsFoundByItsWay() {
    Shape order = store.define("com.acme.Order", TestHeap.property("symbol", SlotKind.CELL));
    long object = store.newObject(order);
    PersistentMap<Long, Object> map =
        store.heap.transaction(() -> create(space, CollectionKind.MAP));
    for (long i = 0; i < 100; i++) {
      map.put(i, i);
    }
    long mapAddress = holdInExchange(map);
    long entry = firstEntry(mapAddress);
    store.putCell(entry, 40, CellLayout.OBJECT, object);
    assertTrue(store.verify().isSound());

    store.putCell(object, 8, CellLayout.STRING_LATIN1, 24);
    assertEquals(
        List.of(
            new Fault(
                inMap("[node] -> Order@" + object + ".symbol"),
                "heap address 24, which is in a part of the heap that holds no objects",
                "the address of a byte string")),
        store.verify().faults());
    store.putCell(object, 8, 0, 0);
    store.putCell(entry, 40, CellLayout.OBJECT, entry);
    assertEquals(
        List.of(
            new Fault(
                inMap("[node] -> pmstore.map.entry@" + entry + ".c40"),
                "an object of class pmstore.map.entry at heap address " + entry,
                "an object or collection")),
        store.verify().faults());
  }

  @Test
  void aReferenceInsideAMapToSomethingElse() {
    long map = holdInExchange(newMap(100));
    long root = store.heap.getLong(map, MAP_ROOT);
    String path = inMap("pmstore.map@" + map + ".r8");

    store.damage(map + MAP_ROOT, exchange);
    assertEquals(
        List.of(
            new Fault(
                path,
                "an object of class com.acme.Exchange at heap address " + exchange,
                "an entry of a map or the counters of a map or set")),
        store.verify().faults());

    store.damage(map + MAP_ROOT, root & ~1L);
    assertEquals(
        List.of(
            new Fault(
                path,
                "an object of class pmstore.map.node at heap address " + (root & ~1L),
                "an entry of a map or the counters of a map or set")),
        store.verify().faults());

    store.damage(map + MAP_ROOT, root | 4);
    assertEquals(
        List.of(
            new Fault(
                path,
                "a reference of 0x" + Long.toHexString(root | 4),
                "a multiple of 8, or that plus 1 or 2 or 4")),
        store.verify().faults());
  }

  @Test
  void aNodeInTwoMaps() {
    PersistentMap<Long, String> other = newMap(100);
    long map = holdInExchange(newMap(100));
    store.heap.directory().setRoot("other", address(other));
    assertTrue(store.verify().isSound());
    long shared = store.heap.getLong(address(other), MAP_ROOT);
    store.damage(map + MAP_ROOT, shared);
    assertEquals(
        List.of(
            new Fault(
                inMap("pmstore.map@" + map + ".r8"),
                "an object of class pmstore.map.node at heap address %d, which has a place already"
                    .formatted(shared & ~1L),
                "a part of its own")),
        store.verify().faults());
  }

  @Test
  void aBeanThatRefersToTheInsideOfAMap() {
    long map = holdInExchange(newMap(100));
    long node = store.heap.getLong(map, MAP_ROOT) & ~1L;
    store.damage(exchange + 8, node);
    assertEquals(
        List.of(
            new Fault(
                "root \"exchange\" -> Exchange@" + exchange + ".orders",
                "an object of class pmstore.map.node at heap address " + node,
                "an object or collection")),
        store.verify().faults());
  }
}
