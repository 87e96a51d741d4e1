package io.pmstore.gc.damage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SequencedCollection;
import java.util.SequencedMap;

/** A program's operations on collections: first reading, then changing. */
final class Uses {
  /** One of the things to be done. */
  interface Use {
    Object run();
  }

  private Uses() {}

  private static Object shown(Object value) {
    if (value instanceof Exhibit exhibit) {
      exhibit.getNumber();
      exhibit.getName();
      exhibit.getLabel();
      exhibit.getNames();
      return exhibit.getAnything();
    }
    return value;
  }

  private static long count(Iterator<?> iterator) {
    long count = 0;
    while (iterator.hasNext()) {
      shown(iterator.next());
      count++;
    }
    return count;
  }

  /** What only reads. */
  @SuppressWarnings("unchecked")
  static Map<String, Use> reads(Object collection, int number) {
    Map<String, Use> uses = new LinkedHashMap<>();
    switch (collection) {
      case Map<?, ?> map -> readMap(uses, (Map<Object, Object>) map, number);
      case Collection<?> elements -> readCollection(uses, (Collection<Object>) elements, number);
      default -> throw new AssertionError(collection.getClass().getName());
    }
    return uses;
  }

  private static void readCollection(Map<String, Use> uses, Collection<Object> c, int number) {
    uses.put("size", c::size);
    uses.put("isEmpty", c::isEmpty);
    uses.put("iterator", () -> count(c.iterator()));
    uses.put("toArray", c::toArray);
    uses.put("toArray of", () -> c.toArray(new Object[0]));
    uses.put("stream", () -> c.stream().count());
    if (!(c instanceof NavigableSet)) {
      uses.put("contains", () -> c.contains(Museum.value(number)));
      uses.put("contains not", () -> c.contains("nowhere, a text that is not there at all"));
      uses.put("containsAll", () -> c.containsAll(List.of(Museum.value(number), 4711L)));
    } else {
      uses.put("contains", () -> c.contains((long) number));
    }
    uses.put("hashCode", c::hashCode);
    uses.put("equals", () -> c.equals(Collections.emptyList()));
    uses.put("toString", c::toString);
    if (c instanceof SequencedCollection<Object> s) {
      uses.put("getFirst", () -> shown(s.getFirst()));
      uses.put("getLast", () -> shown(s.getLast()));
      uses.put("reversed", () -> count(s.reversed().iterator()));
    }
    if (c instanceof List<Object> list) {
      uses.put("get", () -> list.isEmpty() ? null : shown(list.get(number % list.size())));
      uses.put("indexOf", () -> list.indexOf(Museum.value(number)));
      uses.put("lastIndexOf", () -> list.lastIndexOf(Museum.value(number)));
      uses.put(
          "back",
          () -> {
            ListIterator<Object> iterator = list.listIterator(list.size());
            int count = 0;
            while (iterator.hasPrevious()) {
              iterator.previous();
              count++;
            }
            return count;
          });
      uses.put("subList", () -> list.subList(list.size() / 2, list.size()).toArray());
    }
    if (c instanceof Deque<Object> deque) {
      uses.put("peek", () -> deque.peekFirst() == deque.peekLast());
      uses.put("descending", () -> count(deque.descendingIterator()));
    }
    if (c instanceof NavigableSet<Object> set) {
      uses.put("floor", () -> set.floor((long) number));
      uses.put("higher", () -> set.higher((long) number));
      uses.put("subSet", () -> count(set.subSet((long) number, (long) number + 50).iterator()));
      uses.put("descending", () -> count(set.descendingIterator()));
    }
  }

  private static void readMap(Map<String, Use> uses, Map<Object, Object> map, int number) {
    Object key = map instanceof NavigableMap ? (Object) (long) number : Museum.value(number);
    uses.put("size", map::size);
    uses.put("isEmpty", map::isEmpty);
    uses.put("get", () -> shown(map.get(key)));
    uses.put("containsKey", () -> map.containsKey(4711L));
    uses.put("containsValue", () -> map.containsValue("nowhere, a text that is not there at all"));
    uses.put("keys", () -> count(map.keySet().iterator()));
    uses.put("values", () -> count(map.values().iterator()));
    uses.put("entries", () -> count(map.entrySet().iterator()));
    uses.put("forEach", () -> forEach(map));
    uses.put("toArray", () -> map.entrySet().toArray());
    uses.put("keys toArray", () -> map.keySet().toArray());
    uses.put("values toArray", () -> map.values().toArray(new Object[0]));
    uses.put("hashCode", map::hashCode);
    uses.put("equals", () -> map.equals(Map.of(1, 2)));
    uses.put("toString", map::toString);
    if (map instanceof SequencedMap<Object, Object> s) {
      uses.put("firstEntry", s::firstEntry);
      uses.put("lastEntry", s::lastEntry);
      uses.put("reversed", () -> count(s.reversed().keySet().iterator()));
    }
    if (map instanceof NavigableMap<Object, Object> n) {
      uses.put("floor", () -> n.floorEntry((long) number));
      uses.put("higher", () -> n.higherKey((long) number));
      uses.put(
          "subMap", () -> count(n.subMap((long) number, (long) number + 50).values().iterator()));
      uses.put("headMap", () -> n.headMap((long) number).size());
    }
  }

  private static int forEach(Map<Object, Object> map) {
    List<Object> all = new ArrayList<>();
    map.forEach((key, value) -> all.add(value));
    return all.size();
  }

  /** What changes. */
  @SuppressWarnings("unchecked")
  static Map<String, Use> writes(Object collection, int number) {
    Map<String, Use> uses = new LinkedHashMap<>();
    switch (collection) {
      case Map<?, ?> map -> writeMap(uses, (Map<Object, Object>) map, number);
      case Collection<?> elements -> writeCollection(uses, (Collection<Object>) elements, number);
      default -> throw new AssertionError(collection.getClass().getName());
    }
    return uses;
  }

  private static void writeCollection(Map<String, Use> uses, Collection<Object> c, int number) {
    boolean sorted = c instanceof NavigableSet;
    Object fresh =
        sorted ? (Object) (5000L + number) : "fresh, a text that was not there " + number;
    Object old = sorted ? (Object) (long) number : Museum.value(number);
    uses.put("add", () -> c.add(fresh));
    uses.put("add again", () -> c.add(old));
    uses.put("remove", () -> c.remove(old));
    uses.put(
        "remove by iterator",
        () -> {
          Iterator<Object> iterator = c.iterator();
          if (iterator.hasNext()) {
            iterator.next();
            iterator.remove();
          }
          return null;
        });
    if (c instanceof List<Object> list) {
      uses.put(
          "add first",
          () -> {
            list.add(0, "first");
            return null;
          });
      uses.put(
          "add within",
          () -> {
            list.add(list.size() / 2, "within");
            return null;
          });
      uses.put("set", () -> list.isEmpty() ? null : list.set(number % list.size(), "set"));
      uses.put("remove at", () -> list.isEmpty() ? null : list.remove(number % list.size()));
      uses.put(
          "replaceAll",
          () -> {
            list.replaceAll(element -> element);
            return null;
          });
      uses.put(
          "sort",
          () -> {
            list.sort((a, b) -> Integer.compare(kind(a), kind(b)));
            return null;
          });
    }
    if (c instanceof Deque<Object> deque) {
      uses.put(
          "addFirst",
          () -> {
            deque.addFirst("first");
            return null;
          });
      uses.put("pollFirst", deque::pollFirst);
      uses.put("pollLast", deque::pollLast);
    }
    if (c instanceof NavigableSet<Object> set) {
      uses.put("pollFirst", set::pollFirst);
      uses.put("pollLast", set::pollLast);
      uses.put(
          "subSet and its clear",
          () -> {
            set.subSet((long) number, (long) number + 5).clear();
            return null;
          });
    }
    uses.put("addAll", () -> c.addAll(sorted ? List.of(6000L, 6001L) : List.of("one", "two")));
    uses.put("removeIf", () -> c.removeIf(element -> kind(element) % 3 == 0));
    uses.put(
        "clear",
        () -> {
          c.clear();
          return null;
        });
    uses.put("add after", () -> c.add(fresh));
  }

  private static int kind(Object element) {
    return element == null ? 0 : element.getClass().getSimpleName().length();
  }

  private static void writeMap(Map<String, Use> uses, Map<Object, Object> map, int number) {
    boolean sorted = map instanceof NavigableMap;
    Object fresh =
        sorted ? (Object) (5000L + number) : "fresh, a text that was not there " + number;
    Object old = sorted ? (Object) (long) number : Museum.value(number);
    uses.put("put", () -> map.put(fresh, 1));
    uses.put("put again", () -> map.put(old, "again"));
    uses.put("computeIfAbsent", () -> map.computeIfAbsent(fresh, key -> 5));
    uses.put("merge", () -> map.merge(old, 7, (a, b) -> b));
    uses.put("remove", () -> map.remove(old));
    uses.put(
        "remove by iterator",
        () -> {
          Iterator<Object> iterator = map.keySet().iterator();
          if (iterator.hasNext()) {
            iterator.next();
            iterator.remove();
          }
          return null;
        });
    uses.put(
        "setValue",
        () -> {
          for (Map.Entry<Object, Object> entry : map.entrySet()) {
            return entry.setValue("set");
          }
          return null;
        });
    if (map instanceof SequencedMap<Object, Object> s) {
      if (!sorted) {
        uses.put("putFirst", () -> s.putFirst("first", 1));
        uses.put("putLast", () -> s.putLast("first", 2));
      }
      uses.put("pollFirst", s::pollFirstEntry);
      uses.put("pollLast", s::pollLastEntry);
    }
    uses.put(
        "putAll",
        () -> {
          map.putAll(sorted ? Map.of(6000L, 1, 6001L, 2) : Map.of("one", 1, "two", 2));
          return null;
        });
    uses.put(
        "replaceAll",
        () -> {
          map.replaceAll((key, value) -> value);
          return null;
        });
    uses.put("removeIf", () -> map.values().removeIf(value -> kind(value) % 3 == 0));
    uses.put(
        "clear",
        () -> {
          map.clear();
          return null;
        });
    uses.put("put after", () -> map.put(fresh, 1));
  }
}
