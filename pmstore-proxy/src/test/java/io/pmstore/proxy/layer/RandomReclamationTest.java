package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.layer.Shelf.Book;
import io.pmstore.proxy.layer.Shelf.Name;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random changes of every kind of collection, small and large, with objects and out-of-line values
 * that are added, moved and removed, compared with JDK collections of their texts, while garbage is
 * freed and its space reused. Finally nothing is left.
 */
class RandomReclamationTest extends StoreTest {
  private static final int STEPS = 4000;
  private static final int SIZE_MAX = 150;

  private final List<String> list = new ArrayList<>();
  private final Map<String, String> map = new HashMap<>();
  private final Map<String, String> concurrentMap = new HashMap<>();
  private final Set<String> set = new HashSet<>();
  private final Map<String, String> sortedMap = new TreeMap<>();
  private final Set<String> sortedSet = new TreeSet<>();
  private final Deque<String> deque = new ArrayDeque<>();

  private Shelf shelf = new Shelf();
  private SimpleCollector collector = new SimpleCollector(store().heap);
  private Random random = new Random();
  private int made;

  private void open() {
    collector = new SimpleCollector(store().heap);
    shelf = store().root(Shelf.class);
  }

  /** What is stored for a text: itself, or something that has it. */
  private Object stored(String text) {
    return switch (random.nextInt(4)) {
      case 0 -> text;
      case 1 -> new Name("x", text, null);
      case 2 -> new Object[] {text};
      default -> {
        Book book = new Book(text);
        book.getPages().add(text);
        yield book;
      }
    };
  }

  private static @Nullable String text(@Nullable Object stored) {
    return switch (stored) {
      case null -> null;
      case Name name -> name.last();
      case Object[] array -> text(array[0]);
      case Book book -> {
        assertEquals(List.of(String.valueOf(book.getTitle())), book.getPages());
        yield book.getTitle();
      }
      default -> stored.toString();
    };
  }

  private String newText() {
    return made++ + "x".repeat(random.nextInt(60));
  }

  private String key() {
    int number = random.nextInt(SIZE_MAX);
    return number + "k".repeat(number % 40);
  }

  @Test
  @Timeout(120)
  void whatIsReachableIsWholeAndNothingElseIsLeft() {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    try {
      run(new Random(seed));
    } catch (Throwable t) {
      throw new AssertionError("replay with -Dpmstore.seed=" + seed, t);
    }
  }

  private void run(Random seeded) {
    random = seeded;
    open();
    shelf.getList().addAll(List.of(new Object[] {"a"}, new Name("", "", ""), new Book()));
    shelf.getList().clear();
    reopen();
    open();
    collector.collect();
    long before = collector.used();
    for (int i = 0; i < STEPS; i++) {
      if (random.nextInt(5) == 0) {
        store().transaction(this::someSteps);
      } else {
        step();
      }
      switch (random.nextInt(200)) {
        case 0 -> {
          reopen();
          open();
        }
        case 1, 2 -> collector.collect();
        case 3, 4, 5 -> collector.freeUnlinked();
        case 6, 7 -> check();
        default -> {}
      }
    }
    check();
    for (Collection<?> each : List.of(shelf.getList(), shelf.getSet(), shelf.getSortedSet())) {
      each.clear();
    }
    shelf.getMap().clear();
    shelf.getConcurrentMap().clear();
    shelf.getSortedMap().clear();
    shelf.getDeque().add("last"); // a deque that was emptied from its ends keeps a chunk
    shelf.getDeque().clear();
    reopen();
    open();
    collector.collect();
    assertEquals(before, collector.used());
  }

  private void someSteps() {
    for (int i = random.nextInt(10); i >= 0; i--) {
      step();
    }
  }

  /** Grows for a while, and shrinks for a while. */
  private boolean grows(int size) {
    return size == 0 || (size < SIZE_MAX && random.nextInt(10) < (made / 300 % 2 == 0 ? 7 : 3));
  }

  private void step() {
    String text = newText();
    String key = key();
    switch (random.nextInt(10)) {
      case 0 -> stepOfList(text);
      case 1 -> {
        assertEquals(map.put(key, text), text(shelf.getMap().put(key, stored(text))));
      }
      case 2 -> assertEquals(map.remove(key), text(shelf.getMap().remove(key)));
      case 3 -> {
        if (grows(concurrentMap.size())) {
          shelf.getConcurrentMap().put(key, stored(text));
          concurrentMap.put(key, text);
        } else {
          shelf.getConcurrentMap().keySet().remove(key);
          concurrentMap.remove(key);
        }
      }
      case 4 -> assertEquals(set.add(key), shelf.getSet().add(key));
      case 5 -> assertEquals(set.remove(key), shelf.getSet().remove(key));
      case 6 -> {
        if (grows(sortedMap.size())) {
          assertEquals(sortedMap.put(key, text), text(shelf.getSortedMap().put(key, stored(text))));
        } else {
          assertEquals(sortedMap.remove(key), text(shelf.getSortedMap().remove(key)));
        }
      }
      case 7 -> {
        if (grows(sortedSet.size())) {
          assertEquals(sortedSet.add(key), shelf.getSortedSet().add(key));
        } else {
          assertEquals(sortedSet.remove(key), shelf.getSortedSet().remove(key));
        }
      }
      case 8 -> stepOfDeque(text);
      default -> move(key);
    }
  }

  private void stepOfList(String text) {
    int index = random.nextInt(list.size() + 1);
    if (grows(list.size())) {
      shelf.getList().add(index, stored(text));
      list.add(index, text);
    } else if (index == list.size()) {
      assertEquals(list.removeLast(), text(shelf.getList().removeLast()));
    } else if (random.nextBoolean()) {
      assertEquals(list.remove(index), text(shelf.getList().remove(index)));
    } else {
      shelf.getList().set(index, stored(text));
      list.set(index, text);
    }
  }

  private void stepOfDeque(String text) {
    if (grows(deque.size())) {
      boolean first = random.nextBoolean();
      Object stored = stored(text);
      if (first) {
        shelf.getDeque().addFirst(stored);
        deque.addFirst(text);
      } else {
        shelf.getDeque().addLast(stored);
        deque.addLast(text);
      }
    } else if (random.nextBoolean()) {
      assertEquals(deque.removeFirst(), text(shelf.getDeque().removeFirst()));
    } else {
      assertEquals(deque.removeLast(), text(shelf.getDeque().removeLast()));
    }
  }

  /** Moves what the list has first to elsewhere, or has it in two places. */
  private void move(String key) {
    if (list.isEmpty()) {
      return;
    }
    store()
        .transaction(
            () -> {
              Object moved = shelf.getList().getFirst();
              String text = text(moved);
              assertNotNull(text);
              shelf.getMap().put(key, moved);
              map.put(key, text);
              if (random.nextInt(3) > 0) {
                shelf.getList().removeFirst();
                list.removeFirst();
              }
            });
  }

  private void check() {
    assertEquals(list, shelf.getList().stream().map(RandomReclamationTest::text).toList());
    assertEquals(map, texts(shelf.getMap()));
    assertEquals(concurrentMap, texts(shelf.getConcurrentMap()));
    assertEquals(set, shelf.getSet());
    assertEquals(List.copyOf(sortedMap.entrySet()), List.copyOf(sorted().entrySet()));
    assertEquals(List.copyOf(sortedSet), List.copyOf(shelf.getSortedSet()));
    assertEquals(
        List.copyOf(deque), shelf.getDeque().stream().map(RandomReclamationTest::text).toList());
  }

  private Map<String, String> sorted() {
    return new TreeMap<>(texts(shelf.getSortedMap()));
  }

  private static Map<String, String> texts(Map<?, Object> stored) {
    Map<String, String> texts = new HashMap<>();
    stored.forEach((key, value) -> texts.put(key.toString(), String.valueOf(text(value))));
    return texts;
  }
}
