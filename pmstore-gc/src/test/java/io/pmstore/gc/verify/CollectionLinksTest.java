package io.pmstore.gc.verify;

import static io.pmstore.gc.TestHeap.create;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.Fault;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.gc.Seed;
import io.pmstore.gc.TestCells;
import io.pmstore.gc.TestHeap;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.collection.PersistentDeque;
import io.pmstore.proxy.collection.PersistentLinkedMap;
import io.pmstore.proxy.collection.PersistentLinkedSet;
import io.pmstore.proxy.collection.PersistentList;
import io.pmstore.proxy.collection.PersistentMap;
import io.pmstore.proxy.collection.PersistentSortedMap;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Verification finds each kind of wrong link, count and size in collections, and none in sound
 * ones, whatever operations they have seen.
 */
class CollectionLinksTest {
  private static final int ENTRIES = 100;

  private final TestHeap store = new TestHeap();
  private final CollectionSpace space = store.collections();
  private final Shape holder =
      store.define("com.acme.Exchange", TestHeap.property("orders", SlotKind.REFERENCE));
  private final long exchange = store.newObject(holder);

  @AfterEach
  void close() {
    store.heap.close();
  }

  private <T extends PersistentObject> T made(Supplier<T> maker) {
    T collection = store.heap.transaction(maker::get);
    store.heap.putLong(exchange, 8, address(collection));
    store.heap.directory().setRoot("exchange", exchange);
    return collection;
  }

  private static long address(PersistentObject collection) {
    return ((HeapObject) collection.pmstoreHandle()).address();
  }

  private void change(Runnable changes) {
    store.heap.transaction(
        () -> {
          changes.run();
          return null;
        });
  }

  private long word(long address) {
    return store.heap.memory().getLong(address);
  }

  private void assertSound(String what) {
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), () -> what + ": " + report);
  }

  /** Changes a word, expects faults, one of which is at a place and says so, and undoes it. */
  private void assertFault(long address, long changed, String place, String found) {
    long before = word(address);
    store.damage(address, changed);
    VerificationReport report = store.verify();
    assertFalse(report.isSound(), () -> "not found: " + place + ", " + found);
    assertTrue(
        report.faults().stream()
            .anyMatch(fault -> fault.path().endsWith(place) && fault.found().contains(found)),
        () -> place + ", " + found + " expected, and there are " + report.faults());
    store.damage(address, before);
    assertSound("after " + place);
  }

  // ---- linked maps and sets

  private static final int FIRST = 24;
  private static final int LAST = 32;
  private static final int LINKS = 56;

  private List<Long> linked(long map) {
    List<Long> entries = new ArrayList<>();
    for (long at = word(word(map + FIRST) + 8); at != 0; at = word(at + LINKS + 16)) {
      entries.add(at);
    }
    return entries;
  }

  @Test
  void linksOfALinkedMap() {
    PersistentLinkedMap<Long, String> map = made(() -> create(space, CollectionKind.LINKED_MAP));
    change(
        () -> {
          for (long i = 0; i < ENTRIES; i++) {
            map.put(i, "value");
          }
        });
    assertSound("new");
    List<Long> entries = linked(address(map));
    assertEquals(ENTRIES, entries.size());
    long entry = entries.get(10);
    String node = ".node@" + entry;
    assertFault(entry + LINKS + 16, 0, node + ".after", "0, and last has");
    assertFault(entry + LINKS + 8, 0, node + ".before", "0, and first has");
    assertFault(entry + LINKS + 16, entry, node + ".after", "whose before is");
    assertFault(entry + LINKS + 16, entries.get(5), node + ".after", "whose before is");
    assertFault(entry + LINKS + 16, entries.get(12), node + ".after", "whose before is");
    assertFault(entry + LINKS + 8, entries.get(3), node + ".before", "whose after is");
    assertFault(entry + LINKS + 8, 1L << 40, node + ".before", "outside the heap");
    assertFault(entry + LINKS + 8, address(map), node + ".before", "pmstore.linkedmap");
    assertFault(entry + LINKS, word(entry + LINKS) + 7, node + ".number", "in the entry after it");
    long first = word(address(map) + FIRST) + 8;
    long last = word(address(map) + LAST) + 8;
    assertFault(first, 0, ".first", "no entry");
    assertFault(first, entry, ".first", "whose before is");
    assertFault(last, exchange, ".last", "com.acme.Exchange");
    assertFault(last, entry, ".last", "whose after is");
  }

  @Test
  void anOrderThatGoesOnInAnotherMap() {
    PersistentLinkedMap<Long, String> other = made(() -> create(space, CollectionKind.LINKED_MAP));
    store.heap.directory().setRoot("other", address(other));
    PersistentLinkedMap<Long, String> map = made(() -> create(space, CollectionKind.LINKED_MAP));
    change(
        () -> {
          for (long i = 0; i < 20; i++) {
            map.put(i, "value");
            other.put(i, "value");
          }
        });
    assertSound("new");
    List<Long> here = linked(address(map));
    List<Long> there = linked(address(other));
    // Both halves change places, so that all neighbours agree.
    store.damage(here.get(9) + LINKS + 16, there.get(10));
    store.damage(there.get(10) + LINKS + 8, here.get(9));
    store.damage(there.get(9) + LINKS + 16, here.get(10));
    store.damage(here.get(10) + LINKS + 8, there.get(9));
    store.damage(word(address(map) + LAST) + 8, there.get(19));
    store.damage(word(address(other) + LAST) + 8, here.get(19));
    assertFalse(store.verify().isSound());
  }

  @Test
  void entriesOfATrie() {
    PersistentMap<Long, String> map = made(() -> create(space, CollectionKind.MAP));
    change(
        () -> {
          for (long i = 0; i < ENTRIES; i++) {
            map.put(i, "value");
          }
          for (long i = 1; i < 20; i++) {
            map.put(i << 32 | i, "value of hash code 0");
          }
        });
    assertSound("new");
    long counters = word(address(map) + 16);
    assertFault(counters + 8, word(counters + 8) + 1, ".counters", "a sum of 120");
    assertFault(address(map) + 16, 0, ".counters", "none");
    long root = word(address(map) + 8) & -8;
    long filled = root + 8;
    while (word(filled) == 0) {
      filled += 8;
    }
    assertFault(filled, 0, ".counters", "a sum of 119");
    long entry = anEntry(word(filled));
    assertFault(entry + 8, word(entry + 8) ^ 0xF000_0000L, ".node@" + entry + ".hash", "");
    assertFault(filled, entry, "", "");
  }

  private long anEntry(long reference) {
    long at = reference;
    while ((at & 3) != 0) {
      long child = (at & -8) + 8;
      while (word(child) == 0) {
        child += 8;
      }
      at = word(child);
    }
    return at;
  }

  // ---- lists

  @Test
  void countersOfAList() {
    PersistentList<String> list = made(() -> create(space, CollectionKind.LIST));
    change(
        () -> {
          for (int i = 0; i < 63 * 31; i++) {
            list.add("element");
          }
        });
    assertSound("new");
    long address = address(list);
    long sizeAndHeight = word(address + 8);
    assertFault(address + 8, sizeAndHeight + 1, "", "a leaf that is to have 32 elements");
    assertFault(address + 8, sizeAndHeight - 1, ".elements", "more than the");
    assertFault(address + 8, sizeAndHeight + 100, "", "a leaf that is to have");
    assertFault(address + 8, sizeAndHeight | 0xFFFF_FFFFL, ".size", "-1");
    assertFault(address + 8, sizeAndHeight + (1L << 32), "", "");
    assertFault(address + 8, sizeAndHeight - (1L << 32), "", "");
    long root = word(address + 16);
    assertFault(root + 8, word(root + 8) + 1, "", ""); // the count
    assertFault(root + 8, word(root + 8) + (1L << 32), "", ""); // the start of child 1
    assertFault(root + 136, word(root + 144), "", ""); // a child twice
    assertFault(address + 24, word(root + 136), ".tail", "");
    assertFault(address + 24, word(address + 24) | 1, ".tail", "");
    assertFault(address + 32, word(address + 32) + 1, ".tail start", "" + (62 * 31 + 1));
  }

  @Test
  void formsOfTheLeavesOfAList() {
    PersistentList<Object> list = made(() -> create(space, CollectionKind.LIST));
    change(
        () -> {
          for (int i = 0; i < 3 * 31; i++) {
            list.add(i < 2 * 31 ? new TestCells.Reference(address(list)) : "element");
          }
        });
    assertSound("new");
    long root = word(address(list) + 16);
    long ofReferences = word(root + 136);
    long ofCells = word(root + 152);
    assertFault(root + 136, ofReferences & -8, "", "pmstore.list.references31");
    assertFault(root + 136, ofReferences + 1, "", "");
    assertFault(root + 152, ofCells | 1, "", "pmstore.list.cells31");
    assertFault((ofReferences & -8) + 8, ofCells, "", "pmstore.list.cells31");
    change(() -> list.remove(list.size() - 1));
    change(() -> list.remove(60));
    assertSound("shorter");
  }

  // ---- deques

  @Test
  void chunksAndEndsOfADeque() {
    PersistentDeque<String> deque = made(() -> create(space, CollectionKind.DEQUE));
    change(
        () -> {
          for (int i = 0; i < 200; i++) {
            deque.addLast("element");
          }
        });
    assertSound("new");
    long address = address(deque);
    long firstEnd = word(address + 8);
    long lastEnd = word(address + 16);
    long first = word(firstEnd + 8);
    long second = word(first + 16);
    long third = word(second + 16);
    String node = ".node@" + second;
    assertFault(second + 8, third, node + ".previous", "pmstore.deque.chunk");
    assertFault(second + 8, 0, node + ".previous", "0");
    assertFault(second + 16, second, node + ".next", "a chunk of serial");
    assertFault(second + 16, first, node + ".next", "a chunk of serial");
    assertFault(second + 16, 0, ".last", "pmstore.deque.chunk");
    assertFault(first + 16, third, "", "");
    assertFault(second + 24, word(second + 24) + 8, node + ".mark", "");
    assertFault(second + 32, word(second + 32) + 5, "", "a chunk of serial");
    assertFault(second + 40, word(second + 40) + 1, node + ".cell 0", "an element");
    assertFault(second + 40, word(second + 40) + (1L << 40), node + ".first", "cells");
    assertFault(firstEnd + 8, second, "", "");
    assertFault(lastEnd + 8, second, ".last", "pmstore.deque.chunk");
    assertFault(lastEnd + 16, word(lastEnd + 16) + 1, ".size", "201");
    assertFault(address + 24, word(address + 24) + 1, ".mark", "");
  }

  // ---- sorted maps and sets

  @Test
  void treesOfSortedMaps() {
    PersistentSortedMap<Long, String> map = made(() -> create(space, CollectionKind.SORTED_MAP));
    change(
        () -> {
          for (long i = 0; i < ENTRIES; i++) {
            map.put(i, "value");
          }
          map.remove(5L);
        });
    assertSound("new");
    long address = address(map);
    long root = word(address + 8) & -8;
    long counters = word(address + 16);
    assertFault(counters + 8, word(counters + 8) - 1, ".counters", "a sum of 98");
    assertFault(root + 8, word(root + 8) - 1, "", ""); // the count of children
    assertFault(root + 8, 1, ".count", "1");
    assertFault(root + 256 + 16 + 8, 77, ".key 1", "a cell of");
    long leaf = word(root + 16);
    assertFault(leaf + 8, word(leaf + 8) - 1, "", "");
    assertFault(leaf + 8, word(leaf + 8) + 1, "", "");
    assertFault(leaf + 8, word(leaf + 8) ^ 0x10, ".places", "");
    assertFault(root + 24, word(root + 16), "", "");
  }

  // ---- sound ones

  @Test
  void nothingIsSaidOfSoundCollections() {
    Random random = Seed.random("CollectionLinksTest");
    List<PersistentObject> kinds = new ArrayList<>();
    change(
        () -> {
          kinds.add(create(space, CollectionKind.MAP));
          kinds.add(create(space, CollectionKind.CONCURRENT_MAP));
          kinds.add(create(space, CollectionKind.LINKED_MAP));
          kinds.add(create(space, CollectionKind.SET));
          kinds.add(create(space, CollectionKind.LINKED_SET));
          kinds.add(create(space, CollectionKind.LIST));
          kinds.add(create(space, CollectionKind.DEQUE));
          kinds.add(create(space, CollectionKind.SORTED_MAP));
          kinds.add(create(space, CollectionKind.SORTED_SET));
        });
    kinds.forEach(
        kind -> store.heap.directory().setRoot(kind.getClass().getSimpleName(), address(kind)));
    assertSound("empty ones");
    for (int round = 0; round < 60; round++) {
      int most = 1 << random.nextInt(11);
      boolean grow = random.nextInt(3) > 0;
      for (Object kind : kinds) {
        change(
            () -> {
              for (int i = 0; i < 60; i++) {
                step(kind, random, most, grow ? random.nextInt(4) > 0 : random.nextInt(4) == 0);
              }
              if (random.nextInt(40) == 0) {
                clear(kind);
              }
            });
      }
      assertSound("round " + round);
    }
  }

  private static void clear(Object collection) {
    if (collection instanceof Map<?, ?> map) {
      map.clear();
    } else {
      ((java.util.Collection<?>) collection).clear();
    }
  }

  /** One in four keys has the hash code 0. */
  private static long key(Random random, int most) {
    long key = random.nextInt(most);
    return random.nextInt(4) == 0 ? key << 32 | key : key;
  }

  @SuppressWarnings("unchecked")
  private static void step(Object collection, Random random, int most, boolean add) {
    long key = key(random, most);
    switch (collection) {
      case SequencedMap<?, ?> map when map instanceof PersistentLinkedMap -> {
        SequencedMap<Long, Long> linked = (SequencedMap<Long, Long>) map;
        switch (random.nextInt(8)) {
          case 0 -> linked.putFirst(key, key);
          case 1 -> linked.putLast(key, key);
          case 2 -> linked.pollFirstEntry();
          default -> step((Map<Long, Long>) map, key, add);
        }
      }
      case Map<?, ?> map -> step((Map<Long, Long>) map, key, add);
      case SequencedSet<?> set when set instanceof PersistentLinkedSet && random.nextInt(4) == 0 ->
          ((SequencedSet<Long>) set).addFirst(key);
      case Set<?> set -> {
        if (add) {
          ((Set<Long>) set).add(key);
        } else {
          set.remove(key);
        }
      }
      case List<?> elements -> {
        List<Object> list = (List<Object>) elements;
        int index = list.isEmpty() ? 0 : random.nextInt(list.size());
        if (add) {
          list.add(random.nextBoolean() ? index : list.size(), random.nextInt(9) == 0 ? null : key);
        } else if (!list.isEmpty()) {
          list.remove(index);
        }
      }
      case Deque<?> elements -> {
        Deque<Long> deque = (Deque<Long>) elements;
        switch (random.nextInt(6)) {
          case 0 -> deque.remove(key);
          case 1 -> deque.pollFirst();
          case 2 -> deque.pollLast();
          case 3 -> deque.addFirst(key);
          default -> {
            if (add) {
              deque.addLast(key);
            }
          }
        }
      }
      default -> throw new AssertionError(collection);
    }
  }

  private static void step(Map<Long, Long> map, long key, boolean add) {
    if (add) {
      map.put(key, key);
    } else {
      map.remove(key);
    }
  }

  @Test
  void faultsNameTheWayToTheCollection() {
    PersistentDeque<String> deque = made(() -> create(space, CollectionKind.DEQUE));
    change(() -> deque.add("element"));
    long lastEnd = word(address(deque) + 16);
    store.damage(lastEnd + 16, 4);
    assertEquals(
        List.of(
            new Fault(
                "root \"exchange\" -> orders -> pmstore.deque@%d.size".formatted(address(deque)),
                "4",
                "1, as many as there are elements")),
        store.verify().faults());
  }
}
