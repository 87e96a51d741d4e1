package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program that catches the refusal of an operation of a collection goes on in the same
 * transaction as if it had not tried: the collection has what it had, and the plain objects that
 * came before the refused one are no part of the store.
 */
class RefusedOperationTest extends StoreTest {
  @Persistent
  static class Product implements Comparable<Product> {
    private @Nullable Object any;

    @Nullable Object getAny() {
      return any;
    }

    void setAny(@Nullable Object any) {
      this.any = any;
    }

    @Override
    public int compareTo(Product other) {
      return 0;
    }
  }

  /** No key: its hash code is another one at each call. */
  @Persistent
  static class Restless {
    private static int calls;

    @Override
    public int hashCode() {
      return ++calls;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other == this;
    }
  }

  @Persistent(root = "shop")
  static class Shop {
    private List<Object> list = new ArrayList<>();
    private CopyOnWriteArrayList<Object> copyOnWrite = new CopyOnWriteArrayList<>();
    private Deque<Object> deque = new ArrayDeque<>();
    private Map<Object, Object> map = new HashMap<>();
    private ConcurrentMap<Object, Object> concurrent = new ConcurrentHashMap<>();
    private LinkedHashMap<Object, Object> linked = new LinkedHashMap<>();
    private TreeMap<Object, Object> sorted = new TreeMap<>();
    private Set<Object> set = new HashSet<>();
    private LinkedHashSet<Object> linkedSet = new LinkedHashSet<>();
    private TreeSet<Object> sortedSet = new TreeSet<>();
    private @Nullable Object last;
    private String note = "";

    List<Object> getList() {
      return list;
    }

    CopyOnWriteArrayList<Object> getCopyOnWrite() {
      return copyOnWrite;
    }

    Deque<Object> getDeque() {
      return deque;
    }

    Map<Object, Object> getMap() {
      return map;
    }

    ConcurrentMap<Object, Object> getConcurrent() {
      return concurrent;
    }

    LinkedHashMap<Object, Object> getLinked() {
      return linked;
    }

    TreeMap<Object, Object> getSorted() {
      return sorted;
    }

    Set<Object> getSet() {
      return set;
    }

    LinkedHashSet<Object> getLinkedSet() {
      return linkedSet;
    }

    TreeSet<Object> getSortedSet() {
      return sortedSet;
    }

    @Nullable Object getLast() {
      return last;
    }

    void setLast(@Nullable Object last) {
      this.last = last;
    }

    String getNote() {
      return note;
    }

    void setNote(String note) {
      this.note = note;
    }

    String contents() {
      return Stream.of(
              getList(),
              getCopyOnWrite(),
              getDeque(),
              getMap(),
              getConcurrent(),
              getLinked(),
              getSorted(),
              getSet(),
              getLinkedSet(),
              getSortedSet())
          .map(Object::toString)
          .toList()
          .toString();
    }
  }

  /** An operation that is refused, although it could store a product. */
  record Refused(String name, Operation operation) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  interface Operation {
    void run(Shop shop, Product good);
  }

  private static Refused refused(String name, Operation operation) {
    return new Refused(name, operation);
  }

  static Stream<Refused> operations() {
    return Stream.of(
            ofLists(),
            ofDeques(),
            ofMaps(),
            ofOtherMaps(),
            ofFunctions(),
            ofSets(),
            ofSortedOnes(),
            ofRestlessKeys())
        .flatMap(operations -> operations);
  }

  private static Stream<Refused> ofLists() {
    return Stream.of(
        refused("list.addAll", (shop, good) -> shop.getList().addAll(bad(good))),
        refused("list.addAll at", (shop, good) -> shop.getList().addAll(1, bad(good))),
        refused(
            "copyOnWrite.addAllAbsent",
            (shop, good) -> shop.getCopyOnWrite().addAllAbsent(bad(good))),
        refused("list.set outside", (shop, good) -> shop.getList().set(9, good)),
        refused("list.add outside", (shop, good) -> shop.getList().add(9, good)),
        refused("list.addAll outside", (shop, good) -> shop.getList().addAll(9, List.of(good))),
        refused("sublist.addAll", (shop, good) -> shop.getList().subList(0, 1).addAll(bad(good))),
        refused(
            "reversed.addAll",
            (shop, good) -> shop.getList().reversed().addAll(bad(good).reversed())),
        refused(
            "list.replaceAll",
            (shop, good) -> {
              Iterator<Object> results = bad(good).iterator();
              shop.getList().replaceAll(element -> results.next());
            }),
        refused(
            "sublist.replaceAll",
            (shop, good) -> {
              Iterator<Object> results = bad(good).iterator();
              shop.getList().subList(0, 2).replaceAll(element -> results.next());
            }));
  }

  private static Stream<Refused> ofDeques() {
    return Stream.of(
        refused("deque.addAll", (shop, good) -> shop.getDeque().addAll(bad(good))),
        refused(
            "reversed deque.addAll", (shop, good) -> shop.getDeque().reversed().addAll(bad(good))));
  }

  private static Stream<Refused> ofMaps() {
    return Stream.of(
        refused("map.put", (shop, good) -> shop.getMap().put(good, new Object())),
        refused("map.putIfAbsent", (shop, good) -> shop.getMap().putIfAbsent(good, new Object())),
        refused("map.putAll", (shop, good) -> shop.getMap().putAll(badMap(good))),
        refused("map.put of a list", (shop, good) -> shop.getMap().put(listOf(good), 1)),
        refused("map.put with a value", (shop, good) -> shop.getMap().put(new ArrayList<>(), good)),
        refused(
            "map.putAll of a list", (shop, good) -> shop.getMap().putAll(Map.of(listOf(good), 1))),
        refused("map.merge", (shop, good) -> shop.getMap().merge(new Object(), good, (a, b) -> a)));
  }

  private static Stream<Refused> ofOtherMaps() {
    return Stream.of(
        refused("concurrent.put", (shop, good) -> shop.getConcurrent().put(good, new Object())),
        refused("concurrent.putAll", (shop, good) -> shop.getConcurrent().putAll(badMap(good))),
        refused("linked.put", (shop, good) -> shop.getLinked().put(good, new Object())),
        refused("linked.putFirst", (shop, good) -> shop.getLinked().putFirst(good, new Object())),
        refused("linked.putLast", (shop, good) -> shop.getLinked().putLast(listOf(good), 1)),
        refused(
            "reversed linked.putAll",
            (shop, good) -> shop.getLinked().reversed().putAll(badMap(good))));
  }

  private static Stream<Refused> ofFunctions() {
    return Stream.of(
        refused("map.compute", (shop, good) -> shop.getMap().compute(new Object(), (k, v) -> good)),
        refused(
            "map.computeIfAbsent",
            (shop, good) -> shop.getMap().computeIfAbsent(good, key -> new Object())),
        refused(
            "map.computeIfAbsent of a list",
            (shop, good) -> shop.getMap().computeIfAbsent(new ArrayList<>(), key -> good)),
        refused(
            "map.replaceAll",
            (shop, good) -> {
              Iterator<Object> results = bad(good).iterator();
              shop.getMap().replaceAll((key, value) -> results.next());
            }),
        refused(
            "sorted.replaceAll",
            (shop, good) -> {
              Iterator<Object> results = bad(good).iterator();
              shop.getSorted().replaceAll((key, value) -> results.next());
            }));
  }

  private static Stream<Refused> ofSets() {
    return Stream.of(
        refused("set.addAll", (shop, good) -> shop.getSet().addAll(bad(good))),
        refused("set.add of a list", (shop, good) -> shop.getSet().add(listOf(good))),
        refused("set.addAll of a list", (shop, good) -> shop.getSet().addAll(Set.of(listOf(good)))),
        refused("linkedSet.addAll", (shop, good) -> shop.getLinkedSet().addAll(bad(good))),
        refused("linkedSet.addFirst", (shop, good) -> shop.getLinkedSet().addFirst(listOf(good))));
  }

  private static Stream<Refused> ofSortedOnes() {
    return Stream.of(
        refused("sorted.put", (shop, good) -> shop.getSorted().put(good, 1)),
        refused("sorted.put with a value", (shop, good) -> shop.getSorted().put(1, good)),
        refused("sorted.putAll", (shop, good) -> shop.getSorted().putAll(Map.of(good, 1))),
        refused(
            "view of sorted.putAll",
            (shop, good) -> shop.getSorted().headMap("b").putAll(Map.of("a1", good, "c", 1))),
        refused("sortedSet.add", (shop, good) -> shop.getSortedSet().add(good)),
        refused("sortedSet.addAll", (shop, good) -> shop.getSortedSet().addAll(List.of(good))),
        refused(
            "empty sorted.put",
            (shop, good) -> {
              shop.getSorted().clear();
              shop.getSorted().put(good, new Object());
            }),
        refused(
            "empty sortedSet.addAll",
            (shop, good) -> {
              shop.getSortedSet().clear();
              shop.getSortedSet().addAll(List.of(good, new HashMap<>()));
            }));
  }

  private static Stream<Refused> ofRestlessKeys() {
    return Stream.of(
        refused("put of a restless key", (shop, good) -> shop.getMap().put(new Restless(), good)),
        refused("putAll of a restless key", (shop, good) -> shop.getMap().putAll(restless(good))),
        refused(
            "concurrent.putAll of a restless key",
            (shop, good) -> shop.getConcurrent().putAll(restless(good))),
        refused(
            "linked.putFirst of a restless key",
            (shop, good) -> shop.getLinked().putFirst(new Restless(), good)),
        refused(
            "linked.putAll of a restless key",
            (shop, good) -> shop.getLinked().putAll(restless(good))),
        refused(
            "map.computeIfAbsent of a restless key",
            (shop, good) -> shop.getMap().computeIfAbsent(new Restless(), key -> good)),
        refused("set.add of a restless one", (shop, good) -> shop.getSet().add(new Restless())),
        refused(
            "set.addAll of a restless one",
            (shop, good) -> shop.getSet().addAll(List.of(good, new Restless()))),
        refused(
            "reversed linkedSet.addAll of a restless one",
            (shop, good) -> shop.getLinkedSet().reversed().addAll(List.of(good, new Restless()))));
  }

  private static Map<Object, Object> restless(Product good) {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("first", good);
    map.put(new Restless(), "second");
    return map;
  }

  private static List<Object> bad(Product good) {
    return List.of(good, new Object());
  }

  private static Map<Object, Object> badMap(Product good) {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("first", good);
    map.put("second", new Object());
    return map;
  }

  private static List<Object> listOf(Product good) {
    return new ArrayList<>(List.of(good));
  }

  private Shop shop() {
    return store().root(Shop.class);
  }

  /** A transaction that is the first to store a class may run twice. */
  private void fill() {
    shop().setLast(new Product());
    shop().setLast(null);
    for (String element : List.of("a", "b", "c")) {
      shop().getList().add(element);
      shop().getCopyOnWrite().add(element);
      shop().getDeque().add(element);
      shop().getMap().put(element, element);
      shop().getConcurrent().put(element, element);
      shop().getLinked().put(element, element);
      shop().getSorted().put(element, element);
      shop().getSet().add(element);
      shop().getLinkedSet().add(element);
      shop().getSortedSet().add(element);
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void whatCameBeforeTheRefusedOneIsPlain(Refused refused) {
    fill();
    Product good = new Product();
    store()
        .transaction(
            () -> {
              if (refused.name.startsWith("empty")) {
                shop().getSorted().clear();
                shop().getSortedSet().clear();
              }
              String before = shop().contents();
              assertThrows(RuntimeException.class, () -> refused.operation.run(shop(), good));
              assertEquals(before, shop().contents());
              good.setAny(new Object()); // which no store keeps
              shop().setNote("stored");
            });
    assertEquals("stored", shop().getNote());
    good.setAny("at last");
    shop().setLast(good);
    assertEquals("at last", ((Product) Objects.requireNonNull(shop().getLast())).getAny());
  }

  /** What a function of the program stores is no part of the operation that calls it. */
  @Test
  void whatTheProgramsFunctionHasStoredStays() {
    fill();
    List<Operation> operations =
        List.of(
            (shop, good) ->
                shop.getList()
                    .replaceAll(
                        element -> {
                          boolean isStored = shop.getLast() != null;
                          shop.setLast(good);
                          return isStored ? new Object() : good;
                        }),
            (shop, good) ->
                shop.getMap()
                    .replaceAll(
                        (key, value) -> {
                          boolean isStored = shop.getLast() != null;
                          shop.setLast(good);
                          return isStored ? new Object() : good;
                        }),
            (shop, good) ->
                shop.getMap()
                    .compute(
                        new Object(),
                        (key, value) -> {
                          shop.setLast(good);
                          return good;
                        }),
            (shop, good) ->
                shop.getDeque()
                    .addAll(
                        new AbstractList<>() {
                          @Override
                          public Object get(int index) {
                            shop.setLast(good);
                            return index == 0 ? good : new Object();
                          }

                          @Override
                          public int size() {
                            return 2;
                          }
                        }));
    for (Operation operation : operations) {
      Product good = new Product();
      store()
          .transaction(
              () -> {
                shop().setLast(null);
                assertThrows(RuntimeException.class, () -> operation.run(shop(), good));
                good.setAny("new");
              });
      assertEquals("new", ((Product) Objects.requireNonNull(shop().getLast())).getAny());
    }
  }
}
