package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.RolledBackException;
import io.pmstore.proxy.collection.PersistentConcurrentMap;
import io.pmstore.proxy.collection.PersistentDeque;
import io.pmstore.proxy.collection.PersistentList;
import io.pmstore.proxy.collection.PersistentMap;
import io.pmstore.proxy.collection.PersistentSet;
import io.pmstore.proxy.collection.PersistentSortedSet;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.fixture.Ticker;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Which persistent collection a property has, and what becomes of the plain one that is assigned to
 * it.
 */
class CollectionPropertiesTest extends StoreTest {
  private Holder holder() {
    return store().root(Holder.class);
  }

  @Test
  void initialValuesAreOfTheDeclaredKind() {
    for (int i = 0; i < 2; i++) {
      Holder holder = holder();
      assertInstanceOf(PersistentList.class, holder.getCollection());
      assertInstanceOf(PersistentList.class, holder.getList());
      assertInstanceOf(PersistentSet.class, holder.getSet());
      assertInstanceOf(PersistentDeque.class, holder.getQueue());
      assertInstanceOf(PersistentDeque.class, holder.getDeque());
      assertEquals(PersistentMap.class, holder.getMap().getClass());
      assertInstanceOf(PersistentConcurrentMap.class, holder.getConcurrent());
      reopen();
    }
  }

  @Test
  void aMutableEntryIsEqualToAStoredOne() {
    Map.Entry<String, Object> mutable = new SimpleEntry<>("a", 1);
    List<Collection<@Nullable Object>> collections = List.of(holder().getList(), holder().getSet());
    for (Collection<@Nullable Object> stored : collections) {
      stored.add(Map.entry("a", 1));
      assertTrue(stored.contains(mutable));
      assertFalse(stored.contains(new SimpleEntry<>("a", 2)));
      assertTrue(stored.remove(mutable));
      assertThrows(NotPersistableException.class, () -> stored.add(mutable));
    }
  }

  @Test
  void contentsAreThereAfterReopening() {
    holder().getSet().addAll(Arrays.asList("a", null, 1L));
    holder().getQueue().addAll(List.of(1, 2, 3));
    holder().getDeque().addAll(List.of("x", "y"));
    holder().getDeque().addFirst("w");
    holder().getConcurrent().put("k", List.of(1, 2));
    reopen();
    assertEquals(new HashSet<>(Arrays.asList("a", null, 1L)), holder().getSet());
    assertEquals(1, holder().getQueue().poll());
    assertEquals(List.of("w", "x", "y"), new ArrayList<>(holder().getDeque()));
    assertEquals(Map.of("k", List.of(1, 2)), holder().getConcurrent());
    assertThrows(NullPointerException.class, () -> holder().getConcurrent().put("n", nothing()));
    holder().getMap().put(null, null);
    reopen();
    assertTrue(holder().getMap().containsKey(null));
  }

  @SuppressWarnings("NullAway") // what the test is about
  private static Object nothing() {
    return null;
  }

  @Test
  void whatIsAssignedDecides() {
    Map<String, Integer> map = new HashMap<>(Map.of("one", 1));
    Map<Collection<?>, Class<?>> expected = new IdentityHashMap<>();
    expected.put(new ArrayList<>(List.of(1)), PersistentList.class);
    expected.put(new LinkedList<>(List.of(1)), PersistentList.class);
    expected.put(map.values(), PersistentList.class);
    expected.put(Collections.unmodifiableCollection(List.of(1)), PersistentList.class);
    expected.put(new HashSet<>(Set.of(1)), PersistentSet.class);
    expected.put(new HashMap<>(Map.of(1, 2)).keySet(), PersistentSet.class);
    expected.put(ConcurrentHashMap.newKeySet(), PersistentSet.class);
    expected.put(new ArrayDeque<>(List.of(1)), PersistentDeque.class);
    expected.put(new ConcurrentLinkedQueue<>(List.of(1)), PersistentDeque.class);
    expected.put(new LinkedBlockingDeque<>(List.of(1)), PersistentDeque.class);
    expected.put(new TreeSet<>(Set.of(2, 1)), PersistentSortedSet.class);
    expected.forEach(
        (plain, type) -> {
          @SuppressWarnings("unchecked") // read only
          Collection<Object> elements = (Collection<Object>) plain;
          Holder holder = holder();
          holder.setAny(plain);
          holder.setCollection(elements);
          holder.setIterable(elements);
          assertSame(holder.getAny(), holder.getCollection());
          assertSame(holder.getAny(), holder.getIterable());
          assertInstanceOf(type, holder.getCollection());
          reopen();
          assertInstanceOf(type, holder().getAny());
          assertEquals(List.copyOf(plain), List.copyOf(holder().getCollection()));
        });
    holder().setSequenced(new ArrayDeque<>(List.of(1, 2)));
    assertEquals(2, assertNotNull2(holder().getSequenced()).getLast());
    holder().setAny(new ConcurrentHashMap<>(map));
    assertInstanceOf(PersistentConcurrentMap.class, holder().getAny());
    holder().setMap(new ConcurrentHashMap<>(map));
    assertInstanceOf(PersistentConcurrentMap.class, holder().getMap());
  }

  private static <T> T assertNotNull2(@Nullable T value) {
    assertNotNull(value);
    return value;
  }

  @Test
  void aLinkedListIsWhatItsPropertyIs() {
    LinkedList<@Nullable Object> linked = new LinkedList<>(List.of(1, 2, 3));
    holder().setList(linked);
    assertEquals(List.of(1, 2, 3), holder().getList());
    LinkedList<Object> other = new LinkedList<>(List.of(1, 2, 3));
    holder().setDeque(other);
    holder().setQueue(other);
    assertSame(holder().getDeque(), holder().getQueue());
    assertEquals(3, holder().getDeque().getLast());
    @SuppressWarnings({"unchecked", "rawtypes"}) // one list in two properties
    NotPersistableException e =
        assertThrows(
            NotPersistableException.class, () -> holder().setDeque((Deque<Object>) (Deque) linked));
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith(
                "holder.deque is a java.util.LinkedList, which is stored as a PersistentList, and"
                    + " that is no java.util.Deque"),
        e::getMessage);
    Holder plain = new Holder();
    plain.setQueue(new LinkedList<>(List.of(1)));
    plain.setList(new LinkedList<>(List.of(2)));
    holder().setAny(plain);
    assertEquals(1, ((Holder) assertNotNull2(holder().getAny())).getQueue().peek());
    assertEquals(List.of(2), ((Holder) assertNotNull2(holder().getAny())).getList());
  }

  private enum Colour {
    RED
  }

  @Test
  void whatWouldLoseItsOrderOrItsEqualityIsRefused() {
    Map<Object, String> expected = new IdentityHashMap<>();
    expected.put(new IdentityHashMap<>(), "compares by identity; no persistent collection does");
    expected.put(new PriorityQueue<>(), "gives its least element first");
    expected.put(new PriorityBlockingQueue<>(), "gives its least element first");
    expected.put(Collections.asLifoQueue(new ArrayDeque<>()), "in another order");
    expected.forEach(
        (plain, why) -> {
          Holder holder = holder();
          String message =
              assertThrows(NotPersistableException.class, () -> holder.setAny(plain)).getMessage();
          assertTrue(message.startsWith("holder.any is a " + plain.getClass().getName()), message);
          assertTrue(message.contains(why), message);
          assertTrue(message.contains("use a ") || message.contains("copy it into a "), message);
          assertNull(holder.getAny());
          assertThrows(NotPersistableException.class, () -> holder.getList().add(plain));
          assertTrue(holder.getList().isEmpty());
        });
    ConcurrentMap<Object, Object> sorted = new ConcurrentSkipListMap<>();
    assertTrue(
        String.valueOf(
                assertThrows(NotPersistableException.class, () -> holder().setConcurrent(sorted))
                    .getMessage())
            .startsWith(
                "holder.concurrent is a java.util.concurrent.ConcurrentSkipListMap, which is stored"
                    + " as a PersistentSortedMap, and that is no"));
    Deque<@Nullable Object> withNull = new LinkedList<>(Arrays.asList(1, null));
    @SuppressWarnings({"unchecked", "rawtypes"})
    NotPersistableException e =
        assertThrows(
            NotPersistableException.class,
            () -> holder().setDeque((Deque<Object>) (Deque) withNull));
    assertTrue(String.valueOf(e.getMessage()).startsWith("holder.deque[1] is null"), e::getMessage);
  }

  @Test
  void collectionsHoldCollections() {
    List<Object> plain = new ArrayList<>();
    plain.add(new ArrayDeque<>(List.of(new HashSet<>(Set.of(1, 2)), new Order(3))));
    plain.add(new ConcurrentHashMap<>(Map.of("k", new ArrayDeque<>(List.of(Colour.RED)))));
    plain.add(new HashSet<>(Set.of(new Ticker("PETR4"), Colour.RED)));
    holder().getMap().put("nested", plain);
    reopen();
    List<?> list = assertInstanceOf(List.class, holder().getMap().get("nested"));
    Deque<?> deque = assertInstanceOf(Deque.class, list.get(0));
    assertEquals(Set.of(1, 2), deque.getFirst());
    assertEquals(3, assertInstanceOf(Order.class, deque.getLast()).getId());
    ConcurrentMap<?, ?> map = assertInstanceOf(ConcurrentMap.class, list.get(1));
    assertEquals(Colour.RED, assertInstanceOf(Deque.class, map.get("k")).peek());
    Set<?> set = assertInstanceOf(Set.class, list.get(2));
    assertTrue(set.contains(new Ticker("PETR4")));
    assertTrue(set.contains(Colour.RED));
    // A persistent collection cannot be hashed: its hash code would change with its contents.
    assertThrows(NotPersistableException.class, () -> holder().getSet().add(List.of(1)));
  }

  @Test
  void anOriginalAssignedAgainGivesTheSameTwinAndAChangedOneIsRefused() {
    check(new HashSet<>(Set.of(1, 2)), set -> set.add(3));
    check(new ArrayDeque<>(List.of(1, 2)), deque -> deque.addFirst(0));
    check(new ConcurrentHashMap<>(Map.of(1, 2)), map -> map.put(1, 3));
    check(new HashMap<>(Map.of(1, 2)), map -> map.values().clear());
    check(new ArrayList<>(List.of(1, 2)), list -> list.set(0, 2));
    Map<Integer, Integer> map = new HashMap<>(Map.of(1, 2));
    check(map.values(), values -> map.put(2, 2));
  }

  @Test
  void aChangedCollectionOfAPlainObjectIsFoundToo() {
    List<Consumer<Holder>> changes =
        List.of(
            plain -> plain.getSet().add(1),
            plain -> plain.getQueue().add(1),
            plain -> plain.getCollection().add(1),
            plain -> plain.getConcurrent().put(1, 1));
    for (Consumer<Holder> change : changes) {
      Holder plain = new Holder();
      holder().setAny(plain);
      holder().setAny(plain);
      change.accept(plain);
      assertThrows(NotPersistableException.class, () -> holder().setAny(plain));
    }
  }

  private <T> void check(T plain, Consumer<? super T> change) {
    holder().setAny(plain);
    Object twin = holder().getAny();
    holder().setIterable(null);
    holder().getList().add(plain);
    assertSame(twin, holder().getList().getLast());
    change.accept(plain);
    assertThrows(NotPersistableException.class, () -> holder().setAny(plain));
    assertSame(twin, holder().getAny());
  }

  @Test
  void aConcurrentMapMayBeChangedByTheThreadThatIterates() {
    ConcurrentMap<Object, Object> map = holder().getConcurrent();
    for (int i = 0; i < 1000; i++) {
      map.put(i, i);
    }
    int seen = 0;
    for (Object key : map.keySet()) {
      map.remove(key);
      seen++;
    }
    assertEquals(1000, seen);
    assertTrue(map.isEmpty());
    assertThrows(NullPointerException.class, () -> map.get(nothing()));
  }

  @Test
  void aConcurrentMapRefusesNullsWhereConcurrentHashMapDoes() {
    Object none = nothing();
    List<Function<ConcurrentMap<Object, Object>, @Nullable Object>> uses =
        List.of(
            map -> map.get(none),
            map -> map.getOrDefault(none, 1),
            map -> map.containsKey(none),
            map -> map.containsValue(none),
            map -> map.put(none, 1),
            map -> map.put(1, none),
            map -> map.putIfAbsent(none, 1),
            map -> map.putIfAbsent("k", none),
            map -> map.remove(none),
            map -> map.remove(none, 1),
            map -> map.remove("k", none),
            map -> map.replace(none, 1),
            map -> map.replace("k", none),
            map -> map.replace("other", none),
            map -> map.replace("k", none, 1),
            map -> map.replace("k", 1, none),
            map -> map.computeIfAbsent(none, k -> 1),
            map -> map.computeIfAbsent("other", k -> none),
            map -> map.computeIfPresent(none, (k, v) -> 1),
            map -> map.compute(none, (k, v) -> 1),
            map -> map.merge(none, 1, (a, b) -> a),
            map -> map.merge("k", none, (a, b) -> a),
            map -> map.keySet().contains(none),
            map -> map.keySet().remove(none),
            map -> map.values().contains(none),
            map -> map.entrySet().iterator().next().setValue(none));
    for (int i = 0; i < uses.size(); i++) {
      ConcurrentMap<Object, Object> model = new ConcurrentHashMap<>(Map.of("k", "v"));
      holder().setConcurrent(new ConcurrentHashMap<>(model));
      assertEquals(
          outcome(uses.get(i), model), outcome(uses.get(i), holder().getConcurrent()), "use " + i);
      assertEquals(model, holder().getConcurrent(), "after use " + i);
    }
    Map<Object, Object> withNull = new HashMap<>();
    withNull.put(1, none);
    assertThrows(NullPointerException.class, () -> holder().getConcurrent().putAll(withNull));
    assertThrows(
        NullPointerException.class, () -> holder().getConcurrent().replaceAll((k, v) -> none));
  }

  private static @Nullable Object outcome(
      Function<ConcurrentMap<Object, Object>, @Nullable Object> use,
      ConcurrentMap<Object, Object> map) {
    try {
      return use.apply(map);
    } catch (NullPointerException e) {
      return NullPointerException.class;
    }
  }

  @Test
  void collectionsAreMadeOnTheirOwn() {
    Map<?, ?> map = store().heap.layer().newCollection(Map.class, null);
    @SuppressWarnings("unchecked") // new and empty
    List<Object> list = store().heap.layer().newCollection(List.class, null);
    list.add("kept");
    holder().setAny(list);
    assertSame(list, holder().getAny());
    assertTrue(map.isEmpty());
    reopen();
    assertEquals(List.of("kept"), holder().getAny());
    Deque<?>[] made = new Deque<?>[1];
    assertThrows(
        IllegalStateException.class,
        () ->
            store()
                .transaction(
                    () -> {
                      made[0] = store().heap.layer().newCollection(Deque.class, null);
                      throw new IllegalStateException();
                    }));
    assertThrows(RolledBackException.class, () -> made[0].size());
    assertThrows(
        IllegalArgumentException.class,
        () -> store().heap.layer().newCollection(LinkedHashMap.class, null));
  }
}
