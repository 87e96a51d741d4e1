package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.ImmutableBiMap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.pmstore.NotPersistableException;
import io.pmstore.proxy.collection.PersistentLinkedMap;
import io.pmstore.proxy.collection.PersistentLinkedSet;
import io.pmstore.proxy.collection.PersistentMap;
import io.pmstore.proxy.collection.PersistentSet;
import io.pmstore.proxy.collection.PersistentSortedMap;
import io.pmstore.proxy.collection.PersistentSortedSet;
import io.pmstore.proxy.fixture.StoreTest;
import java.time.DayOfWeek;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A collection with an order keeps it, in any wrapper; a collection whose order means something
 * else is refused.
 */
class InsertionOrderTest extends StoreTest {
  private Album album() {
    return store().root(Album.class);
  }

  /** In an order that is neither that of hash codes nor the natural one. */
  private static final List<String> KEYS =
      IntStream.range(0, 50).mapToObj(i -> "key " + i * 37 % 50).toList();

  private static LinkedHashMap<String, Object> linkedMap() {
    LinkedHashMap<String, Object> map = new LinkedHashMap<>();
    KEYS.forEach(key -> map.put(key, key.length()));
    return map;
  }

  private static LinkedHashSet<String> linkedSet() {
    return new LinkedHashSet<>(KEYS);
  }

  @Test
  void propertiesWithLinkedInitialValuesKeepTheOrderOfInsertion() {
    for (String key : KEYS) {
      album().getTracks().put(key, key);
      album().getArtists().add(key);
      album().getLengths().put(key, 1);
      album().getLabels().add(key);
    }
    reopen();
    assertEquals(KEYS, List.copyOf(album().getTracks().keySet()));
    assertEquals(KEYS, List.copyOf(album().getArtists()));
    assertEquals(KEYS, List.copyOf(album().getLengths().sequencedKeySet()));
    assertEquals(KEYS, List.copyOf(album().getLabels()));
    assertEquals(KEYS.reversed(), List.copyOf(album().getLabels().reversed()));

    album().getLengths().putFirst(KEYS.get(25), 2);
    album().getTracks().remove(KEYS.get(3));
    album().getTracks().put(KEYS.get(7), "again");
    album().getTracks().put(KEYS.get(3), "last");
    reopen();
    List<String> moved = new ArrayList<>(KEYS);
    moved.remove(3);
    moved.add(KEYS.get(3));
    assertEquals(moved, List.copyOf(album().getTracks().keySet()));
    assertEquals(KEYS.get(25), album().getLengths().firstEntry().getKey());
  }

  @Test
  void rollBackAndSnapshotShowTheOrderThatWas() {
    album().setLengths(new LinkedHashMap<>());
    SequencedMap<String, Integer> lengths = album().getLengths();
    KEYS.forEach(key -> lengths.put(key, 1));
    Runnable changes =
        () -> {
          lengths.putFirst(KEYS.get(30), 2);
          lengths.pollLastEntry();
          lengths.remove(KEYS.get(10));
          lengths.put("new", 3);
        };
    assertThrows(
        IllegalStateException.class,
        () ->
            store()
                .transaction(
                    () -> {
                      changes.run();
                      throw new IllegalStateException();
                    }));
    assertEquals(KEYS, List.copyOf(lengths.keySet()));
    store()
        .heap
        .snapshot(
            () -> {
              assertEquals(KEYS.getFirst(), lengths.firstEntry().getKey());
              Thread writer = new Thread(changes);
              writer.start();
              join(writer);
              assertEquals(KEYS, List.copyOf(lengths.keySet()));
              assertEquals(KEYS.reversed(), List.copyOf(lengths.reversed().keySet()));
              return true;
            });
    assertEquals(KEYS.get(30), lengths.firstEntry().getKey());
    assertEquals("new", lengths.lastEntry().getKey());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void expect(Class<?> type, Object plain) {
    album().setExtra(plain);
    assertEquals(type, Objects.requireNonNull(album().getExtra()).getClass(), name(plain));
    List<Object> order = contents(plain);
    assertEquals(order, contents(album().getExtra()), name(plain));
    reopen();
    assertEquals(order, contents(album().getExtra()), name(plain));
  }

  private static String name(Object plain) {
    return plain.getClass().getName();
  }

  private static List<Object> contents(Object collection) {
    Collection<?> elements =
        collection instanceof Map<?, ?> map ? map.keySet() : (Collection<?>) collection;
    return new ArrayList<>(elements);
  }

  /** A map of somebody else's that has an order which its type does not tell. */
  private static final class Sequence extends AbstractMap<String, Object> {
    @Override
    public Set<Entry<String, Object>> entrySet() {
      return linkedMap().entrySet();
    }
  }

  /** One that extends {@code HashMap}, as many do. */
  private static final class Reversing extends HashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public Set<Entry<String, Object>> entrySet() {
      return linkedMap().reversed().entrySet();
    }

    @Override
    public Set<String> keySet() {
      return linkedMap().reversed().keySet();
    }
  }

  @Test
  void mapsThatMayHaveAnOrderKeepIt() {
    Map<String, Object> map = linkedMap();
    List<Map<?, ?>> plain =
        List.of(
            map,
            linkedMap().reversed(),
            Collections.unmodifiableMap(map),
            Collections.unmodifiableSequencedMap(linkedMap()),
            Collections.synchronizedMap(map),
            Collections.checkedMap(map, String.class, Object.class),
            Collections.unmodifiableMap(Collections.synchronizedMap(map)),
            ImmutableMap.copyOf(map),
            ImmutableBiMap.copyOf(Map.of("b", 1, "a", 2)),
            Maps.filterKeys(map, key -> !key.endsWith("7")),
            new EnumMap<>(Map.of(DayOfWeek.SUNDAY, 7, DayOfWeek.MONDAY, 1)),
            new Sequence(),
            new Reversing(),
            Collections.unmodifiableMap(new Reversing()));
    plain.forEach(each -> expect(PersistentLinkedMap.class, each));
  }

  @Test
  void theOrderOfTheOriginalAtTheCommitIsStored() {
    LinkedHashMap<String, Object> plain = linkedMap();
    LinkedHashSet<String> set = linkedSet();
    store()
        .transaction(
            () -> {
              album().setTracks(plain);
              album().setArtists(set);
              plain.putFirst(KEYS.get(20), 20);
              plain.putLast(KEYS.get(4), 4);
              set.addFirst(KEYS.get(9));
            });
    reopen();
    assertEquals(List.copyOf(plain.keySet()), List.copyOf(album().getTracks().keySet()));
    assertEquals(List.copyOf(set), List.copyOf(album().getArtists()));
    LinkedHashMap<String, Integer> both = new LinkedHashMap<>(Map.of("a", 1, "b", 2));
    assertThrows(
        NotPersistableException.class,
        () ->
            store()
                .transaction(
                    () -> {
                      album().setLengths(both);
                      album().getLengths().putFirst(both.lastEntry().getKey(), 3);
                      album()
                          .getLengths()
                          .putFirst(both.lastEntry().getKey(), both.lastEntry().getValue());
                      both.put("c", 3);
                    }));
  }

  @Test
  void setsThatMayHaveAnOrderKeepIt() {
    Set<String> set = linkedSet();
    Map<String, Boolean> backing = new LinkedHashMap<>();
    Set<String> ofMap = Collections.newSetFromMap(backing);
    ofMap.addAll(KEYS);
    List<Set<?>> plain =
        List.of(
            set,
            linkedSet().reversed(),
            linkedMap().keySet(),
            Collections.unmodifiableSet(set),
            Collections.unmodifiableSequencedSet(linkedSet()),
            Collections.synchronizedSet(set),
            Collections.checkedSet(set, String.class),
            ofMap,
            Collections.unmodifiableSet(ofMap),
            new CopyOnWriteArraySet<>(KEYS),
            ImmutableSet.copyOf(KEYS),
            Sets.union(set, Set.of("more")),
            EnumSet.of(DayOfWeek.SUNDAY, DayOfWeek.MONDAY));
    plain.forEach(each -> expect(PersistentLinkedSet.class, each));
  }

  @Test
  void sortedOnesStaySortedInsideOfAWrapper() {
    Map<String, Object> tree = new TreeMap<>(linkedMap());
    Map<String, Object> reverse = new TreeMap<>(Comparator.<String>reverseOrder());
    reverse.putAll(tree);
    expect(PersistentSortedMap.class, Collections.unmodifiableMap(tree));
    expect(PersistentSortedMap.class, Collections.synchronizedMap(reverse));
    expect(
        PersistentSortedMap.class,
        Collections.unmodifiableMap(new TreeMap<>(tree).descendingMap()));
    expect(PersistentSortedSet.class, Collections.unmodifiableSet(new TreeSet<>(KEYS)));
    expect(
        PersistentSortedSet.class,
        Collections.unmodifiableSet(new TreeSet<>(KEYS).descendingSet()));
    album().setTracks(Collections.synchronizedMap(new TreeMap<>()));
    KEYS.forEach(key -> album().getTracks().put(key, ""));
    assertEquals(KEYS.stream().sorted().toList(), List.copyOf(album().getTracks().keySet()));
    Map<String, Object> byLength = new TreeMap<>(Comparator.comparing(String::length));
    byLength.put("one", 1);
    assertRefused(Collections.unmodifiableMap(byLength), "comparator");
  }

  @Test
  void whatIsKnownToHaveNoOrderHasNone() {
    Map<String, Object> map = new HashMap<>(linkedMap());
    List<Map<?, ?>> maps =
        List.of(
            map,
            Map.copyOf(map),
            Map.of(),
            Map.of("one", 1),
            Collections.emptyMap(),
            Collections.singletonMap("one", 1),
            new Hashtable<>(map),
            new Properties(),
            Collections.unmodifiableMap(map),
            Collections.synchronizedMap(map),
            new HashMap<String, Object>() {
              private static final long serialVersionUID = 1L;
            });
    for (Map<?, ?> plain : maps) {
      album().setExtra(plain);
      assertEquals(
          PersistentMap.class, Objects.requireNonNull(album().getExtra()).getClass(), name(plain));
      assertEquals(plain, album().getExtra());
    }
    Set<String> set = new HashSet<>(KEYS);
    List<Set<?>> sets =
        List.of(
            set,
            Set.copyOf(set),
            Set.of(),
            Set.of("one"),
            Collections.emptySet(),
            Collections.singleton("one"),
            map.keySet(),
            ConcurrentHashMap.newKeySet(),
            new ConcurrentHashMap<>(map).keySet(),
            Collections.newSetFromMap(new ConcurrentHashMap<>()),
            Collections.unmodifiableSet(set),
            KEYS.stream().collect(Collectors.toSet()),
            KEYS.stream().collect(Collectors.toUnmodifiableSet()));
    for (Set<?> plain : sets) {
      album().setExtra(plain);
      assertEquals(
          PersistentSet.class, Objects.requireNonNull(album().getExtra()).getClass(), name(plain));
      assertEquals(plain, album().getExtra());
    }
  }

  private void assertRefused(Object plain, String... why) {
    album().setExtra(null);
    String message =
        assertThrows(NotPersistableException.class, () -> album().setExtra(plain)).getMessage();
    for (String part : why) {
      assertTrue(message.contains(part), message);
    }
    assertNull(album().getExtra());
  }

  @Test
  void whatComparesByIdentityIsRefusedInsideOfAWrapperToo() {
    Map<String, Object> map = new IdentityHashMap<>();
    Set<String> set = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 2; i++) { // also while they are empty
      assertRefused(map, "album.extra is a", "compares by identity", "HashMap");
      assertRefused(Collections.unmodifiableMap(map), "compares by identity");
      assertRefused(Collections.synchronizedMap(map), "compares by identity");
      assertRefused(set, "compares by identity", "HashSet");
      assertRefused(Sets.newIdentityHashSet(), "compares by identity");
      assertRefused(map.keySet(), "compares by identity");
      assertRefused(new WeakHashMap<>(), "forgets what nobody else holds");
      assertRefused(
          Collections.newSetFromMap(new WeakHashMap<>()), "forgets what nobody else holds");
      map.put("one", 1);
      set.add("one");
    }
  }

  @Test
  void whatDoesMoreThanKeepTheOrderOfInsertionIsRefused() {
    for (int size : new int[] {0, 1, 2, 50}) {
      Map<String, Object> byAccess = new LinkedHashMap<>(16, 0.75f, true);
      KEYS.stream().limit(size).forEach(key -> byAccess.put(key, ""));
      assertRefused(byAccess, "LinkedHashMap, which moves an entry to its end", "putLast");
      assertEquals(KEYS.subList(0, size), List.copyOf(byAccess.keySet()), "as it was");
      if (size > 1) {
        assertRefused(Collections.synchronizedMap(byAccess), "moves an entry to its end");
        assertEquals(KEYS.subList(0, size), List.copyOf(byAccess.keySet()), "as it was");
      }
      assertRefused(
          new LinkedHashMap<String, Object>(byAccess) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Object> eldest) {
              return size() > 100;
            }
          },
          "removes its eldest entry by itself",
          "pollFirstEntry");
    }
    Supplier<Map<String, Object>> doubleBrace =
        () ->
            new LinkedHashMap<>() {
              private static final long serialVersionUID = 1L;

              {
                put("b", 1);
              }
            };
    expect(PersistentLinkedMap.class, doubleBrace.get());
    assertInstanceOf(PersistentLinkedMap.class, album().getExtra());
  }
}
