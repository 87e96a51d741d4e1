package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records that have collections, as keys and as elements of sets. */
class CollectionsInKeysTest extends StoreTest {
  record Route(List<?> stops) {}

  record Copying(List<?> stops) {
    Copying {
      stops = List.copyOf(stops);
    }
  }

  record Declared(LinkedList<?> list, TreeSet<String> set) {}

  record All(Set<?> set, Map<?, ?> map, Optional<List<String>> maybe) {}

  record Loose(Object stops) {}

  /** Hashes itself. */
  record Own(List<?> stops) {
    @Override
    public int hashCode() {
      return stops.hashCode() + 1;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Own other && stops.equals(other.stops);
    }
  }

  /** An object without an equality of its own. */
  @Persistent
  static class Stop {
    private String name = "";

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }
  }

  @Persistent(root = "depot")
  static class Depot {
    private Map<Object, String> map = new HashMap<>();
    private Set<Object> set = new HashSet<>();
    private @Nullable Object any;

    Map<Object, String> getMap() {
      return map;
    }

    Set<Object> getSet() {
      return set;
    }

    @Nullable Object getAny() {
      return any;
    }

    void setAny(@Nullable Object any) {
      this.any = any;
    }
  }

  private Depot depot() {
    return store().root(Depot.class);
  }

  /** Returns the same keys at each call, each with the name of what is special about it. */
  private static Map<String, Object> keys() {
    Map<String, Object> keys = new TreeMap<>();
    keys.put("immutable", new Route(List.of("a", "b")));
    keys.put("mutable", new Route(new ArrayList<>(List.of("a", "c"))));
    keys.put("with null", new Route(Arrays.asList("a", null)));
    keys.put("empty", new Route(List.of()));
    keys.put("nested", new Route(List.of(List.of("a"), Set.of(1, 2L), Map.of("k", 'c'))));
    keys.put("records", new Route(List.of(new Copying(List.of(1.0, -0.0)))));
    keys.put("copying", new Copying(new ArrayList<>(List.of("a", "b"))));
    keys.put("declared", new Declared(new LinkedList<>(List.of(1)), new TreeSet<>(Set.of("a"))));
    keys.put(
        "all",
        new All(
            new LinkedHashSet<>(List.of("b", "a")),
            new HashMap<>(Map.of("k", List.of("v"))),
            Optional.of(List.of("o"))));
    keys.put("own hash", new Own(new ArrayList<>(List.of("a"))));
    return keys;
  }

  private void check(Map<String, Object> keys) {
    for (Map.Entry<String, Object> key : keys.entrySet()) {
      assertEquals(key.getKey(), depot().getMap().get(key.getValue()));
      assertTrue(depot().getSet().contains(key.getValue()), key.getKey());
    }
    assertEquals(new HashSet<>(keys.values()), Set.copyOf(depot().getMap().keySet()));
    assertNull(depot().getMap().get(new Route(List.of("b", "a"))));
    assertFalse(depot().getSet().contains(new Copying(List.of("a"))));
  }

  @Test
  void aKeyIsFoundByWhatItsCollectionsHold() {
    Map<String, Object> keys = keys();
    keys.forEach(
        (name, key) -> {
          depot().getMap().put(key, name);
          assertTrue(depot().getSet().add(key), name);
          assertFalse(depot().getSet().add(key), name);
        });
    check(keys);
    check(keys());
    reopen();
    check(keys);
    check(keys());
    for (Object key : depot().getMap().keySet().toArray()) {
      assertTrue(depot().getMap().containsKey(key));
      depot().getMap().remove(key);
      assertTrue(depot().getSet().remove(key));
    }
    assertTrue(depot().getMap().isEmpty());
    assertTrue(depot().getSet().isEmpty());
  }

  @Test
  void plainMapsWithSuchKeysAreStored() {
    Map<Object, String> plain = new HashMap<>();
    keys().forEach((name, key) -> plain.put(key, name));
    depot().setAny(plain);
    assertEquals(plain, depot().getAny());
    reopen();
    assertEquals(plain, depot().getAny());
  }

  @Test
  void objectsInTheCollectionsAreFoundByTheirOriginals() {
    Stop plain = new Stop();
    depot().getMap().put(new Route(List.of(plain)), "route");
    depot().getMap().put(new All(Set.of(plain), Map.of(plain, plain), Optional.empty()), "all");
    assertEquals("route", depot().getMap().get(new Route(List.of(plain))));
    assertEquals(
        "all",
        depot().getMap().get(new All(Set.of(plain), Map.of(plain, plain), Optional.empty())));
    assertNull(depot().getMap().get(new Route(List.of(new Stop()))));
  }

  @Test
  void aKeyWithAnotherCollectionIsFoundByThatCollection() {
    Map<String, String> of = new HashMap<>(Map.of("k", "v"));
    List<Object> collections =
        List.of(
            Collections.unmodifiableCollection(new ArrayList<>(List.of("a"))),
            of.values(),
            new ArrayDeque<>(List.of("a")));
    for (Object collection : collections) {
      Object key = new Loose(collection);
      Object nested = new Route(List.of(new Loose(collection)));
      store()
          .transaction(
              () -> {
                depot().getMap().put(key, "one");
                depot().getMap().put(nested, "two");
                assertEquals("one", depot().getMap().get(key));
                assertEquals("two", depot().getMap().get(nested));
              });
      assertEquals("one", depot().getMap().get(key));
      assertEquals("two", depot().getMap().get(nested));
      assertEquals("one", depot().getMap().put(key, "again"));
      for (Object stored : Set.copyOf(depot().getMap().keySet())) {
        assertTrue(depot().getMap().containsKey(stored));
      }
      assertFalse(depot().getMap().containsKey(new Loose(new ArrayDeque<>(List.of("a")))));
      assertEquals("again", depot().getMap().remove(key));
      assertEquals("two", depot().getMap().remove(nested));
    }
  }

  @Test
  void aListThatGrowsAfterItsKeyWasPutLeadsToNoOtherKey() {
    List<String> stops = new ArrayList<>(List.of("a"));
    depot().getMap().put(new Route(stops), "one");
    stops.add("b");
    assertNull(depot().getMap().get(new Route(stops)));
    assertEquals("one", depot().getMap().get(new Route(List.of("a"))));
  }

  @Test
  void manyKeysThatDifferInTheirListsAreSpread() {
    for (int i = 0; i < 2000; i++) {
      depot().getMap().put(new Route(List.of(i / 50, i % 50)), "" + i);
    }
    for (int i = 0; i < 2000; i++) {
      assertEquals("" + i, depot().getMap().get(new Route(List.of(i / 50, i % 50))));
    }
  }

  @Test
  void aCollectionItselfIsNoKey() {
    assertThrows(NotPersistableException.class, () -> depot().getMap().put(List.of("a"), "v"));
    assertFalse(depot().getMap().containsKey(List.of("a")));
  }
}
