package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.PersistentObject;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A copy is a plain object graph with the contents of the store, and independent of it. */
class PlainCopyTest extends StoreTest {

  /** A value with an object in it. */
  record Link(String name, @Nullable Item item) {}

  /** Has no constructor without arguments, and a field that is final. */
  @Persistent
  static class Item {
    private final String name;
    private @Nullable Item next;
    private int[] numbers = {1, 2};
    private Item @Nullable [] array;
    private @Nullable Object any;
    private final Set<Item> set = new HashSet<>();
    private transient String note = "noted";

    Item(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Item item && name.equals(item.name());
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }

    String name() {
      return name;
    }

    @Nullable Item next() {
      return next;
    }

    void next(@Nullable Item item) {
      next = item;
    }

    int[] numbers() {
      return numbers;
    }

    Item @Nullable [] array() {
      return array;
    }

    void array(Item... items) {
      array = items;
    }

    @Nullable Object any() {
      return any;
    }

    void any(@Nullable Object value) {
      any = value;
    }

    Set<Item> set() {
      return set;
    }

    String note() {
      return note;
    }
  }

  private <T> T copied(T object) {
    return copied(object, reached -> true);
  }

  @SuppressWarnings("unchecked") // as in the store that users have
  private <T> T copied(T object, Predicate<Object> included) {
    return (T) store().heap.layer().copy(object, included);
  }

  @Test
  void sharedObjectsAndCyclesStayWhatTheyAre() {
    Item a = new Item("a");
    Item b = new Item("b");
    a.next(b);
    b.next(a);
    a.array(b, a, b);
    a.any(new Link("link", b));
    b.any(new Date(5));
    a.set().add(a);
    a.set().add(b);
    Item kept = store().persist(a);
    Item copy = copied(kept);
    assertSame(Item.class, copy.getClass());
    Item other = copy.next();
    assertNotNull(other);
    assertSame(Item.class, other.getClass());
    assertSame(copy, other.next());
    Item[] array = copy.array();
    assertNotNull(array);
    assertArrayEquals(new Item[] {other, copy, other}, array);
    assertSame(other, array[2]);
    assertSame(other, ((Link) Objects.requireNonNull(copy.any())).item());
    assertEquals(new Date(5), other.any());
    assertSame(HashSet.class, copy.set().getClass());
    assertTrue(copy.set().contains(copy) && copy.set().contains(other));
    assertEquals("noted", copy.note());
    copy.numbers()[0] = 99;
    copy.next(null);
    copy.set().clear();
    assertEquals(1, kept.numbers()[0]);
    assertEquals(2, kept.set().size());
    assertNotNull(kept.next());
  }

  @Test
  void collectionsAreThoseOfTheJdk() {
    Comparator<String> order = Comparator.reverseOrder();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("list", new ArrayList<>(List.of(1, "x", new BigDecimal("2.5"))));
    map.put("map", new HashMap<>(Map.of("k", List.of())));
    map.put("concurrent", new ConcurrentHashMap<>(Map.of(1, 2)));
    TreeMap<String, Object> sorted = new TreeMap<>(order);
    sorted.putAll(Map.of("a", 1, "b", 2));
    map.put("sorted", sorted);
    TreeSet<String> set = new TreeSet<>(List.of("q", "p"));
    map.put("set", set);
    map.put("deque", new ArrayDeque<>(List.of(3, 2, 1)));
    map.put("self", map);
    Item item = new Item("holder");
    item.any(map);
    Item kept = store().persist(item);
    Map<?, ?> copy = (Map<?, ?>) Objects.requireNonNull(copied(kept).any());
    assertSame(copy, copy.get("self"));
    assertEquals(new ArrayList<>(map.keySet()), new ArrayList<>(copy.keySet()));
    for (String key : map.keySet()) {
      Object value = Objects.requireNonNull(copy.get(key));
      assertSame(Objects.requireNonNull(map.get(key)).getClass(), value.getClass(), key);
      if (value instanceof ArrayDeque<?> deque) {
        assertEquals(List.of(3, 2, 1), new ArrayList<>(deque));
      } else if (value != copy) {
        assertEquals(map.get(key), value, key);
      }
    }
    assertEquals("b", ((TreeMap<?, ?>) Objects.requireNonNull(copy.get("sorted"))).firstKey());
    List<Integer> list = new ArrayList<>(List.of(1));
    List<Integer> ofList = copied(store().persist(list));
    assertEquals(list, ofList);
    assertSame(ArrayList.class, ofList.getClass());
  }

  @Test
  void aPredicateSaysWhereTheCopyEnds() {
    Item a = new Item("a");
    a.next(new Item("b"));
    Objects.requireNonNull(a.next()).next(new Item("c"));
    Item kept = store().persist(a);
    Item copy = copied(kept, item -> !((Item) item).name().equals("b"));
    assertSame(kept.next(), copy.next());
    assertSame(Item.class, copy.getClass());
    Item alone = copied(kept, item -> false);
    assertSame(Item.class, alone.getClass());
  }

  @Test
  void aCopyThatIsStoredIsANewObject() {
    Item kept = store().persist(new Item("a"));
    Item copy = copied(kept);
    assertEquals(kept, copy);
    Item again = store().persist(copy);
    assertEquals(kept, again);
    assertTrue(kept != again);
    assertNull(again.next());
  }

  record Team(List<Item> players, Map<String, Item> byName) {
    Team {
      players = List.copyOf(players);
      byName = Collections.unmodifiableMap(new TreeMap<>(byName));
    }
  }

  /** They are no collections of the store any more when the record is read. */
  @Test
  void collectionsThatARecordCopiesArePlain() {
    Item item = new Item("captain");
    Item root = new Item("root");
    root.any(new Team(List.of(item, item), Map.of("c", item)));
    Team team = (Team) Objects.requireNonNull(copied(store().persist(root)).any());
    Item captain = team.players().get(0);
    assertFalse(PersistentObject.isPersistent(captain));
    assertEquals("captain", captain.name());
    assertSame(captain, team.players().get(1));
    assertSame(captain, team.byName().get("c"));
  }

  @Test
  void aLongChainNeedsNoStack() {
    Item first = new Item("first");
    Item last = first;
    for (int i = 0; i < 20_000; i++) {
      Item next = new Item("i");
      last.next(next);
      last = next;
    }
    Item copy = copied(store().persist(first));
    int count = 0;
    for (Item item = copy.next(); item != null; item = item.next()) {
      count++;
    }
    assertEquals(20_000, count);
  }

  @Test
  void whatIsNotOfTheStoreIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> copied(new Item("plain")));
    Item elsewhere = new Store().persist(new Item("elsewhere"));
    assertThrows(IllegalArgumentException.class, () -> copied(elsewhere));
  }
}
