package io.pmstore.gc.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads what some things reach, through the API, and checks each thing. */
public final class GraphReader {
  private final Map<Long, Thing> things = new HashMap<>();
  private final Map<Long, Node> nodes = new HashMap<>();
  private final ArrayDeque<Thing> next = new ArrayDeque<>();
  // A collection that several things have is one node's collection that several nodes have.
  private final Map<Object, Object> collections = new IdentityHashMap<>();

  /** What things reach, themselves included, by id. */
  static Map<Long, Node> read(Collection<Thing> from) {
    GraphReader reader = new GraphReader();
    from.forEach(reader::id);
    while (!reader.next.isEmpty()) {
      reader.add(reader.next.pop());
    }
    return reader.nodes;
  }

  private void add(Thing thing) {
    thing.check();
    Node node = new Node();
    nodes.put(thing.getId(), node);
    node.version = thing.getVersion();
    node.next = id(thing.getNext());
    node.other = id(thing.getOther());
    node.list = once(thing.getList(), this::ids);
    node.map = once(thing.getMap(), map -> ids(map, HashMap::new));
    node.set = once(thing.getSet(), HashSet::new);
    node.sorted = once(thing.getSorted(), map -> (TreeMap<String, Long>) ids(map, TreeMap::new));
    node.linked =
        once(thing.getLinked(), map -> (LinkedHashMap<String, Long>) ids(map, LinkedHashMap::new));
    checkSizes(thing, node);
  }

  private static void checkSizes(Thing thing, Node node) {
    if (node.list != null) {
      assertEquals(thing.getList().size(), node.list.size());
    }
    if (node.map != null) {
      assertEquals(thing.getMap().size(), node.map.size());
    }
    if (node.set != null) {
      assertEquals(thing.getSet().size(), node.set.size());
    }
    if (node.sorted != null) {
      NavigableMap<String, Thing> sorted = thing.getSorted();
      assertEquals(List.copyOf(node.sorted.keySet()), List.copyOf(sorted.keySet()));
    }
    if (node.linked != null) {
      List<String> backwards = new ArrayList<>(thing.getLinked().reversed().keySet());
      assertEquals(List.copyOf(node.linked.keySet()), backwards.reversed());
    }
  }

  @SuppressWarnings("unchecked") // what was put in for this collection
  private <C, N> N once(C collection, Function<C, N> reading) {
    if (collection == null) {
      return null;
    }
    N known = (N) collections.get(collection);
    if (known == null) {
      known = reading.apply(collection);
      collections.put(collection, known);
    }
    return known;
  }

  private List<Long> ids(List<Thing> list) {
    List<Long> ids = new ArrayList<>();
    list.forEach(element -> ids.add(id(element)));
    return ids;
  }

  private <K> Map<K, Long> ids(Map<K, Thing> map, Supplier<Map<K, Long>> made) {
    Map<K, Long> ids = made.get();
    map.forEach((key, value) -> ids.put(key, id(value)));
    return ids;
  }

  private long id(Thing thing) {
    if (thing == null) {
      return 0;
    }
    Thing known = things.putIfAbsent(thing.getId(), thing);
    if (known == null) {
      next.push(thing);
    } else {
      assertSame(known, thing, "one object of the store is one Java object");
    }
    return thing.getId();
  }

  /** Fails at the first difference, and says what it is. */
  public static void assertAlike(Map<Long, Node> expected, Map<Long, Node> found) {
    Set<Long> missing = new HashSet<>(expected.keySet());
    missing.removeAll(found.keySet());
    Set<Long> surplus = new HashSet<>(found.keySet());
    surplus.removeAll(expected.keySet());
    expected.forEach(
        (id, node) -> {
          if (found.containsKey(id)) {
            assertEquals(node, found.get(id), "thing " + id);
          }
        });
    assertEquals(Set.of(), missing, "things that are not reached");
    assertEquals(Set.of(), surplus, "things that should not be reached");
  }
}
