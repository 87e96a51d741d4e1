package io.pmstore.proxy.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Collections that hold what their declaration names by a class of the JDK. */
@SuppressWarnings({
  "JdkObsolete",
  "NonApiType",
  "NullAway"
}) // programs have them; what is put is there
class ShownElementsTest extends StoreTest {
  @Persistent(root = "board")
  static class Board {
    private Map<String, ArrayList<String>> hash = new HashMap<>();
    private HashMap<String, ArrayList<String>> declared = new HashMap<>();
    private Map<String, ArrayList<String>> linked = new LinkedHashMap<>();
    private NavigableMap<String, LinkedList<String>> sorted = new TreeMap<>();
    private ConcurrentMap<String, ArrayList<String>> concurrent = new ConcurrentHashMap<>();
    private List<Properties> list = new ArrayList<>();
    private Deque<HashMap<String, String>> deque = new ArrayDeque<>();
    private Map<String, Map<String, ? extends List<ArrayDeque<String>>>> deep = new HashMap<>();

    Map<String, ArrayList<String>> getHash() {
      return hash;
    }

    void setHash(Map<String, ArrayList<String>> hash) {
      this.hash = hash;
    }

    HashMap<String, ArrayList<String>> getDeclared() {
      return declared;
    }

    Map<String, ArrayList<String>> getLinked() {
      return linked;
    }

    NavigableMap<String, LinkedList<String>> getSorted() {
      return sorted;
    }

    ConcurrentMap<String, ArrayList<String>> getConcurrent() {
      return concurrent;
    }

    List<Properties> getList() {
      return list;
    }

    Deque<HashMap<String, String>> getDeque() {
      return deque;
    }

    Map<String, Map<String, ? extends List<ArrayDeque<String>>>> getDeep() {
      return deep;
    }

    /** Runs as a copy in the generated class. */
    ArrayList<String> ofHash(String key) {
      return hash.computeIfAbsent(key, any -> new ArrayList<>());
    }
  }

  @Persistent(root = "interface")
  interface Shelf {
    Map<String, ArrayList<String>> getBooks();

    void setBooks(Map<String, ArrayList<String>> books);
  }

  private static ArrayList<String> texts(String... texts) {
    return new ArrayList<>(Arrays.asList(texts));
  }

  /** Each operation of a map that hands out values. */
  private static void mapHandsOutArrayLists(Map<String, ArrayList<String>> map) {
    assertNull(map.put("a", texts("1")));
    ArrayList<String> a = map.get("a");
    assertEquals(texts("1"), a);
    assertSame(a, map.get("a"));
    a.add("2");
    ArrayList<String> orDefault = map.getOrDefault("a", texts());
    assertEquals(texts("1", "2"), orDefault);
    ArrayList<String> made = map.computeIfAbsent("b", key -> texts(key));
    made.add("c");
    ArrayList<String> computed = map.compute("b", (key, old) -> texts(old.getLast()));
    assertEquals(texts("c"), computed);
    ArrayList<String> merged =
        map.merge(
            "b",
            texts("d"),
            (old, more) -> {
              ArrayList<String> both = new ArrayList<>(old);
              both.addAll(more);
              return both;
            });
    assertEquals(texts("c", "d"), merged);
    ArrayList<String> present = map.computeIfPresent("b", (key, old) -> old);
    assertEquals(merged, present);
    ArrayList<String> before = map.put("b", texts("e"));
    assertEquals(texts("c", "d"), before);
    ArrayList<String> kept = map.putIfAbsent("b", texts());
    assertEquals(texts("e"), kept);
    ArrayList<String> replaced = map.replace("b", texts("f"));
    assertEquals(texts("e"), replaced);
    int size = 0;
    for (ArrayList<String> value : map.values()) {
      size += value.size();
    }
    assertEquals(3, size);
    for (Map.Entry<String, ArrayList<String>> entry : map.entrySet()) {
      ArrayList<String> value = entry.getValue();
      ArrayList<String> old = entry.setValue(value);
      assertEquals(value, old);
    }
    map.forEach((key, value) -> assertEquals(value.size(), key.equals("a") ? 2 : 1));
    map.replaceAll((key, value) -> texts(value.getFirst()));
    assertEquals(
        texts("f"),
        map.values().stream().max(Comparator.comparing(ArrayList::getFirst)).orElseThrow());
    assertTrue(map.containsValue(texts("f")));
    assertTrue(map.containsValue(map.get("b")));
    map.put("c", map.get("b"));
    assertSame(map.get("b"), map.get("c"));
    ArrayList<String> removed = map.remove("b");
    assertEquals(texts("f"), removed);
    assertEquals(Map.of("a", texts("1"), "c", texts("f")), map);
  }

  @Test
  void mapsHandOutTheDeclaredClass() {
    Board board = store().root(Board.class);
    mapHandsOutArrayLists(board.getHash());
    mapHandsOutArrayLists(board.getDeclared());
    mapHandsOutArrayLists(board.getLinked());
    mapHandsOutArrayLists(board.getConcurrent());
    reopen();
    Board found = store().root(Board.class);
    ArrayList<String> a = found.getHash().get("a");
    assertEquals(texts("1"), a);
    ArrayList<String> made = found.ofHash("new");
    made.add("x");
    assertEquals(texts("x"), found.ofHash("new"));
    store()
        .heap
        .snapshot(
            () -> {
              ArrayList<String> inSnapshot = store().root(Board.class).getHash().get("new");
              assertEquals(texts("x"), inSnapshot);
              return true;
            });
    assertEquals(
        texts("x", "y"),
        store()
            .call(
                () -> {
                  ArrayList<String> inTransaction = found.getHash().get("new");
                  inTransaction.add("y");
                  return new ArrayList<>(found.getHash().get("new"));
                }));
  }

  @Test
  void sortedMapsHandOutTheDeclaredClass() {
    NavigableMap<String, LinkedList<String>> map = store().root(Board.class).getSorted();
    map.put("b", new LinkedList<>(List.of("2")));
    map.put("a", new LinkedList<>(List.of("1")));
    LinkedList<String> first = map.firstEntry().getValue();
    first.addFirst("0");
    LinkedList<String> floor = map.floorEntry("az").getValue();
    assertSame(first, floor);
    LinkedList<String> head = map.headMap("b").get("a");
    assertEquals("0", head.getFirst());
    LinkedList<String> last = map.descendingMap().values().iterator().next();
    assertEquals("2", last.getFirst());
    LinkedList<String> polled = map.pollFirstEntry().getValue();
    assertEquals(List.of("0", "1"), polled);
    LinkedList<String> tail = map.tailMap("a", true).entrySet().iterator().next().getValue();
    assertEquals(List.of("2"), tail);
  }

  @Test
  void listsHandOutTheDeclaredClass() {
    List<Properties> list = store().root(Board.class).getList();
    for (String name : List.of("c", "a", "b")) {
      Properties properties = new Properties();
      properties.setProperty("name", name);
      list.add(properties);
    }
    Comparator<Properties> byName = Comparator.comparing(p -> p.getProperty("name"));
    list.sort(byName);
    Properties first = list.get(0);
    assertEquals("a", first.getProperty("name"));
    assertSame(first, list.getFirst());
    first.setProperty("more", "yes");
    ListIterator<Properties> iterator = list.listIterator(1);
    Properties second = iterator.next();
    assertEquals("b", second.getProperty("name"));
    assertEquals("yes", list.subList(0, 2).get(0).getProperty("more"));
    assertEquals(1, Collections.binarySearch(list, second, byName));
    list.replaceAll(
        p -> {
          Properties changed = new Properties();
          changed.setProperty("name", p.getProperty("name") + "!");
          return changed;
        });
    assertTrue(list.removeIf(p -> p.getProperty("name").equals("b!")));
    Properties old = list.set(0, new Properties());
    assertEquals("a!", old.getProperty("name"));
    Properties removed = list.remove(1);
    assertEquals("c!", removed.getProperty("name"));
    for (Object each : list.toArray()) {
      assertTrue(((Properties) each).isEmpty());
    }
    reopen();
    Properties read = store().root(Board.class).getList().getLast();
    assertTrue(read.isEmpty());
  }

  @Test
  void dequesHandOutTheDeclaredClass() {
    Deque<HashMap<String, String>> deque = store().root(Board.class).getDeque();
    deque.addLast(new HashMap<>(Map.of("n", "1")));
    deque.addLast(new HashMap<>(Map.of("n", "2")));
    HashMap<String, String> first = deque.peekFirst();
    assertEquals("1", first.get("n"));
    HashMap<String, String> iterated = deque.descendingIterator().next();
    assertEquals("2", iterated.get("n"));
    HashMap<String, String> polled = deque.pollLast();
    assertEquals("2", polled.get("n"));
    assertTrue(deque.contains(first));
  }

  @Test
  void whatIsDeepWithinIsShownToo() {
    Board board = store().root(Board.class);
    Map<String, List<ArrayDeque<String>>> inner = new HashMap<>();
    inner.put("y", new ArrayList<>(List.of(new ArrayDeque<>(List.of("z")))));
    board.getDeep().put("x", inner);
    ArrayDeque<String> deep = board.getDeep().get("x").get("y").getFirst();
    assertEquals("z", deep.pollFirst());
    reopen();
    ArrayDeque<String> again = store().root(Board.class).getDeep().get("x").get("y").getFirst();
    assertTrue(again.isEmpty());
  }

  @Test
  void propertiesOfInterfacesShowTheDeclaredClass() {
    Shelf shelf = store().root(Shelf.class);
    shelf.setBooks(new HashMap<>(Map.of("a", texts("1"))));
    ArrayList<String> books = shelf.getBooks().get("a");
    assertEquals(texts("1"), books);
  }

  @Test
  void aPlainMapIsTakenAndGivenBack() {
    Board board = store().root(Board.class);
    Map<String, ArrayList<String>> plain = new HashMap<>();
    plain.put("a", texts("1"));
    board.setHash(plain);
    ArrayList<String> stored = board.getHash().get("a");
    assertEquals(texts("1"), stored);
    board.setHash(board.getHash());
    assertSame(stored, board.getHash().get("a"));
    Board copy = (Board) store().heap.layer().copy(board, any -> true);
    ArrayList<String> copied = copy.getHash().get("a");
    assertSame(ArrayList.class, copied.getClass());
  }

  @Persistent
  static class OfSets {
    private @Nullable Set<ArrayList<String>> set;
  }

  @Persistent
  static class OfOptionals {
    private @Nullable Optional<ArrayList<String>> optional;
  }

  @Persistent
  static class OfArrays {
    private Map<String, ArrayList<String>> @Nullable [] maps;
  }

  record Line(Map<String, ArrayList<String>> map) {}

  @Persistent
  static class OfRecords {
    private @Nullable Line line;
  }

  @Test
  void whatCannotBeShownIsRefused() {
    for (Class<?> type :
        List.of(OfSets.class, OfOptionals.class, OfArrays.class, OfRecords.class)) {
      String message =
          assertThrows(ClassRefusedException.class, () -> store().create(type)).getMessage();
      assertTrue(message.contains("handed out as java.util.List"), message);
    }
    assertNotNull(store().root(Board.class));
  }
}
