package io.pmstore.jmh.consensus.versions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.workload.TestDirectories;
import io.pmstore.jmh.workload.TestSeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The list and the tree of versions: against a HashMap, with roll-backs and crashes. */
final class VersionStoreTest {
  private static final long CAPACITY = 4 << 20;

  private final TestDirectories directories = new TestDirectories();
  private Path directory;
  private boolean inPlace;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = directories.directory(Subject.PMEM); // syncs are fast there
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    directories.close();
  }

  private VersionStore open(Structure structure, int persistEvery) throws IOException {
    return VersionStore.open(medium(), structure, CAPACITY, persistEvery);
  }

  /** Of an ordinary file, what was not persisted is lost; on persistent memory it stays. */
  private Medium medium() {
    return inPlace ? new PmemMedium(directory) : new FileMedium(directory);
  }

  private static List<Change> set(String key, String value) {
    return List.of(Change.set(key, value.getBytes(UTF_8)));
  }

  private static String get(VersionStore store, String key) {
    return store.get(key).map(value -> new String(value, UTF_8)).orElse("-");
  }

  @ParameterizedTest
  @EnumSource(Structure.class)
  void whatIsNotAppliedIsInvisibleAndCanBeRolledBack(Structure structure) throws IOException {
    try (VersionStore store = open(structure, 1)) {
      store.write(1, 0, set("a", "old"));
      store.apply(1, 0);
      store.write(1, 1, set("a", "new"));
      store.write(1, 2, set("b", "new"));
      assertEquals("old", get(store, "a"));
      store.truncate(1);
      store.write(2, 1, set("b", "other"));
      store.apply(2, 1);
      assertEquals("old", get(store, "a"));
      assertEquals("other", get(store, "b"));
      assertThrows(IllegalStateException.class, () -> store.truncate(1));
    }
  }

  @ParameterizedTest
  @EnumSource(Structure.class)
  void anEntryThatTheLogNeverHadIsRolledBackByTheOneThatTakesItsPlace(Structure structure)
      throws IOException {
    try (VersionStore store = open(structure, 1)) {
      store.write(1, 0, set("a", "here"));
      store.apply(1, 0);
      store.write(1, 1, set("a", "gone"));
      store.write(1, 2, set("a", "gone too"));
    }
    try (VersionStore store = open(structure, 1)) {
      assertTrue(store.isWritten(1, 1));
      store.write(2, 1, set("b", "instead"));
      assertFalse(store.isWritten(1, 2));
      store.apply(2, 1);
      assertEquals(1, store.last());
    }
    try (VersionStore store = open(structure, 1)) {
      assertFalse(store.isWritten(1, 2));
    }
  }

  @ParameterizedTest
  @EnumSource(Structure.class)
  void aCompareAndSetIsDecidedWhenItIsApplied(Structure structure) throws IOException {
    try (VersionStore store = open(structure, 1)) {
      store.write(1, 0, List.of(new Change("a", bytes("1"), true, null)));
      store.write(1, 1, List.of(new Change("a", bytes("2"), true, bytes("0"))));
      store.write(1, 2, List.of(new Change("a", bytes("3"), true, bytes("1"))));
      assertTrue(store.apply(1, 0));
      assertFalse(store.apply(1, 1));
      assertEquals("1", get(store, "a"));
      assertTrue(store.apply(1, 2));
      assertEquals("3", get(store, "a"));
      store.persist();
    }
    try (VersionStore store = open(structure, 1)) {
      assertEquals("3", get(store, "a"));
      store.collect(Long.MAX_VALUE);
      assertNull(store.change("a", 0));
      assertNull(store.change("a", 1));
      assertEquals("3", get(store, "a"));
    }
  }

  @ParameterizedTest
  @EnumSource(Structure.class)
  void pagesAreUsedAgain(Structure structure) throws IOException {
    try (VersionStore store = open(structure, 1)) {
      for (int i = 0; i < 5_000; i++) { // ten times the region
        store.write(1, i, set("key " + i % 10, "x".repeat(8_000)));
        store.apply(1, i);
        store.collect(i);
      }
      assertTrue(store.usedBytes() < CAPACITY / 4, () -> store.usedBytes() + " bytes");
    }
  }

  @Test
  void aFullRegionSaysSo() throws IOException {
    try (VersionStore store = open(Structure.LIST, 1)) {
      IllegalStateException full =
          assertThrows(
              IllegalStateException.class,
              () -> {
                for (int i = 0; ; i++) {
                  store.write(1, i, set("key", "x".repeat(100_000)));
                }
              });
      assertTrue(full.getMessage().contains("full"), full.getMessage());
    }
  }

  @Test
  void keysAreOrderedByTheirBytesAndNotTooLong() {
    TreeMap<VersionKey, String> sorted = new TreeMap<>();
    for (String key :
        List.of("b", "", "a", "ab", "a\0", "abcdefghi", "ä", "12345678901234567890123")) {
      sorted.put(VersionKey.of(key, 0), key);
      assertEquals(key, VersionKey.of(key, 7).key());
    }
    assertEquals(
        List.of("", "12345678901234567890123", "a", "a\0", "ab", "abcdefghi", "b", "ä"),
        List.copyOf(sorted.values()));
    assertThrows(
        IllegalArgumentException.class, () -> VersionKey.of("123456789012345678901234", 0));
  }

  /**
   * Random entries, roll-backs, collections and crashes. After a crash the store is as it was at
   * some index, from which the entries of the log are applied again.
   */
  @ParameterizedTest
  @CsvSource({
    "LIST,1,false",
    "LIST,10,false",
    "TREE,1,true",
    "TREE,10,false",
    "LIST,10,true",
    "TREE,10,true"
  })
  void behavesLikeAHashMap(Structure structure, int persistEvery, boolean onPersistentMemory)
      throws IOException {
    inPlace = onPersistentMemory && PmemMedium.hasLibrary();
    run(structure, persistEvery, new SplittableRandom(TestSeed.next("VersionStoreTest")));
  }

  private record Entry(long term, List<Change> changes) {}

  private void run(Structure structure, int persistEvery, SplittableRandom random)
      throws IOException {
    List<Entry> log = new ArrayList<>();
    List<Map<String, String>> states = new ArrayList<>(); // after each applied entry
    long term = 1;
    VersionStore store = open(structure, persistEvery);
    try {
      for (int i = 0; i < 4_000; i++) {
        int dice = random.nextInt(100);
        if (dice < 50) {
          Entry entry = new Entry(term, changes(random));
          store.write(term, log.size(), entry.changes());
          log.add(entry);
        } else if (dice < 92) {
          if (states.size() < log.size()) {
            apply(store, log, states);
          }
        } else if (dice < 95) {
          int from = random.nextInt(states.size(), log.size() + 1);
          term++;
          store.truncate(from);
          log.subList(from, log.size()).clear();
        } else if (dice < 97) {
          store.collect(random.nextInt(states.size() + 1));
        } else if (dice < 98) {
          assertEquals(states.size() - 1, store.persist());
        } else {
          store.close(); // what was not persisted is lost
          store = open(structure, persistEvery);
          recover(store, log, states);
        }
        check(store, states, random);
      }
    } finally {
      store.close();
    }
  }

  private static List<Change> changes(SplittableRandom random) {
    Map<String, Change> changes = new HashMap<>(); // one for each key
    for (int i = random.nextInt(10) == 0 ? 30 : 1; i > 0; i--) {
      String key = key(random);
      byte[] value = bytes("v".repeat(random.nextInt(random.nextInt(20) == 0 ? 3_000 : 6)));
      byte[] expected = random.nextBoolean() ? null : bytes("v".repeat(random.nextInt(6)));
      changes.put(key, new Change(key, value, random.nextInt(3) == 0, expected));
    }
    return List.copyOf(changes.values());
  }

  private static String key(SplittableRandom random) {
    return "key " + random.nextInt(300);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void apply(VersionStore store, List<Entry> log, List<Map<String, String>> states) {
    int entry = states.size();
    Map<String, String> state = new HashMap<>(entry == 0 ? Map.of() : states.getLast());
    boolean done = true;
    for (Change change : log.get(entry).changes()) {
      byte[] expected = change.expected();
      String wanted = expected == null ? null : new String(expected, UTF_8);
      String found = state.get(change.key());
      if (change.conditional() && !java.util.Objects.equals(wanted, found)) {
        done = false;
      } else {
        state.put(change.key(), new String(change.value(), UTF_8));
      }
    }
    states.add(state);
    assertEquals(done, store.apply(log.get(entry).term(), entry));
  }

  /** Applies what the log has behind the durable state, as Ratis does. */
  private static void recover(VersionStore store, List<Entry> log, List<Map<String, String>> states)
      throws IOException {
    int durable = (int) store.durableApplied();
    assertTrue(durable < states.size(), () -> durable + " is durable of " + states.size());
    int applied = states.size();
    states.subList(durable + 1, applied).clear();
    for (int entry = durable + 1; entry < log.size(); entry++) {
      if (!store.isWritten(log.get(entry).term(), entry)) {
        store.restore(log.get(entry).term(), entry, log.get(entry).changes());
      }
      if (entry < applied) {
        apply(store, log, states);
      }
    }
  }

  private static void check(
      VersionStore store, List<Map<String, String>> states, SplittableRandom random) {
    Map<String, String> state = states.isEmpty() ? Map.of() : states.getLast();
    for (int i = 0; i < 5; i++) {
      String key = key(random);
      assertEquals(state.getOrDefault(key, "-"), get(store, key));
    }
  }
}
