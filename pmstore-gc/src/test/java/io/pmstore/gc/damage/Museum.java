package io.pmstore.gc.damage;

import io.pmstore.Persistent;
import io.pmstore.gc.damage.Exhibit.Label;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The root: every kind of collection, each of several sizes. */
@Persistent(root = "museum")
public class Museum {
  private List<List<Object>> lists = new ArrayList<>();
  private List<Deque<Object>> deques = new ArrayList<>();
  private List<Set<Object>> sets = new ArrayList<>();
  private List<Map<Object, Object>> maps = new ArrayList<>();
  private List<ConcurrentMap<Object, Object>> concurrentMaps = new ArrayList<>();
  private List<NavigableMap<Object, Object>> sortedMaps = new ArrayList<>();
  private List<NavigableSet<Object>> sortedSets = new ArrayList<>();

  public List<List<Object>> getLists() {
    return lists;
  }

  public void setLists(List<List<Object>> lists) {
    this.lists = lists;
  }

  public List<Deque<Object>> getDeques() {
    return deques;
  }

  public void setDeques(List<Deque<Object>> deques) {
    this.deques = deques;
  }

  public List<Set<Object>> getSets() {
    return sets;
  }

  public void setSets(List<Set<Object>> sets) {
    this.sets = sets;
  }

  public List<Map<Object, Object>> getMaps() {
    return maps;
  }

  public void setMaps(List<Map<Object, Object>> maps) {
    this.maps = maps;
  }

  public List<ConcurrentMap<Object, Object>> getConcurrentMaps() {
    return concurrentMaps;
  }

  public void setConcurrentMaps(List<ConcurrentMap<Object, Object>> concurrentMaps) {
    this.concurrentMaps = concurrentMaps;
  }

  public List<NavigableMap<Object, Object>> getSortedMaps() {
    return sortedMaps;
  }

  public void setSortedMaps(List<NavigableMap<Object, Object>> sortedMaps) {
    this.sortedMaps = sortedMaps;
  }

  public List<NavigableSet<Object>> getSortedSets() {
    return sortedSets;
  }

  public void setSortedSets(List<NavigableSet<Object>> sortedSets) {
    this.sortedSets = sortedSets;
  }

  /** Fills a new one. */
  static void fill(Museum museum) {
    for (int size : new int[] {3, 20, 200}) {
      museum.getLists().add(filled(new ArrayList<>(), size * 8));
      museum.getLists().add(exhibits(new ArrayList<>(), size));
      museum.getDeques().add(filled(new ArrayDeque<>(), size));
      museum.getDeques().add(exhibits(new ArrayDeque<>(), size));
      museum.getSets().add(filled(new HashSet<>(), size));
      museum.getSets().add(filled(new LinkedHashSet<>(), size));
      museum.getMaps().add(filled(new HashMap<>(), size));
      museum.getMaps().add(filled(new LinkedHashMap<>(), size));
      museum.getConcurrentMaps().add(filled(new ConcurrentHashMap<>(), size));
      museum.getSortedMaps().add(sorted(size * 2));
      museum.getSortedSets().add(new TreeSet<>(sorted(size * 2).keySet()));
    }
    museum.getMaps().add(colliding());
    museum.getSets().add(new HashSet<>(colliding().keySet()));
    museum.getSets().add(new LinkedHashSet<>(colliding().keySet()));
  }

  private static NavigableMap<Object, Object> sorted(int size) {
    NavigableMap<Object, Object> map = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      map.put((long) i, value(i));
    }
    return map;
  }

  private static Map<Object, Object> colliding() {
    Map<Object, Object> map = new HashMap<>();
    for (long i = 0; i < 40; i++) {
      map.put(i << 32 | i, i); // all have the hash code 0
    }
    return map;
  }

  private static <M extends Map<Object, Object>> M filled(M map, int size) {
    for (int i = 0; i < size; i++) {
      map.put(value(i), value(i + 1));
    }
    return map;
  }

  private static <C extends Collection<Object>> C filled(C collection, int size) {
    for (int i = 0; i < size; i++) {
      collection.add(value(i));
    }
    return collection;
  }

  /** Elements that are all kept by reference. */
  private static <C extends Collection<Object>> C exhibits(C collection, int size) {
    for (int i = 0; i < size; i++) {
      collection.add(value(6 * i + 4));
    }
    return collection;
  }

  /** One of many kinds. */
  static Object value(int i) {
    return switch (i % 6) {
      case 0 -> (long) i;
      case 1 -> "text " + i;
      case 2 -> "a text that does not fit in line, of " + i;
      case 3 -> new Label(i, "label " + i, i % 12 == 3 ? new Label(-i, "inner", null) : null);
      case 4 -> {
        Exhibit exhibit = new Exhibit();
        exhibit.setNumber(i);
        exhibit.setName("exhibit " + i);
        exhibit.setLabel(new Label(i, "its", (long) i));
        exhibit.setNames(new String[] {"one", null, "a third name, of more letters"});
        yield exhibit;
      }
      default -> i;
    };
  }
}
