package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A class with every kind of collection. */
@Persistent(root = "shelf")
class Shelf {
  /** Something to put there. */
  @Persistent
  static class Book {
    private @Nullable String title;
    private @Nullable Book sequel;
    private @Nullable Name author;
    private List<Object> pages = new ArrayList<>();
    private Map<String, Object> index = new HashMap<>();

    Book() {}

    Book(String title) {
      this.title = title;
    }

    @Nullable String getTitle() {
      return title;
    }

    void setTitle(@Nullable String title) {
      this.title = title;
    }

    @Nullable Book getSequel() {
      return sequel;
    }

    void setSequel(@Nullable Book sequel) {
      this.sequel = sequel;
    }

    @Nullable Name getAuthor() {
      return author;
    }

    void setAuthor(@Nullable Name author) {
      this.author = author;
    }

    List<Object> getPages() {
      return pages;
    }

    void setPages(List<Object> pages) {
      this.pages = pages;
    }

    Map<String, Object> getIndex() {
      return index;
    }

    void setIndex(Map<String, Object> index) {
      this.index = index;
    }
  }

  /** A value with parts out of line. */
  record Name(String first, String last, @Nullable Object more) {}

  private @Nullable Object thing;
  private @Nullable Book book;
  private List<Object> list = new ArrayList<>();
  private Map<Object, Object> map = new HashMap<>();
  private ConcurrentMap<Object, Object> concurrentMap = new ConcurrentHashMap<>();
  private Set<Object> set = new HashSet<>();
  private NavigableMap<String, Object> sortedMap = new TreeMap<>();
  private NavigableSet<String> sortedSet = new TreeSet<>();
  private Deque<Object> deque = new ArrayDeque<>();

  @Nullable Object getThing() {
    return thing;
  }

  void setThing(@Nullable Object thing) {
    this.thing = thing;
  }

  @Nullable Book getBook() {
    return book;
  }

  void setBook(@Nullable Book book) {
    this.book = book;
  }

  List<Object> getList() {
    return list;
  }

  void setList(List<Object> list) {
    this.list = list;
  }

  Map<Object, Object> getMap() {
    return map;
  }

  void setMap(Map<Object, Object> map) {
    this.map = map;
  }

  ConcurrentMap<Object, Object> getConcurrentMap() {
    return concurrentMap;
  }

  void setConcurrentMap(ConcurrentMap<Object, Object> concurrentMap) {
    this.concurrentMap = concurrentMap;
  }

  Set<Object> getSet() {
    return set;
  }

  void setSet(Set<Object> set) {
    this.set = set;
  }

  NavigableMap<String, Object> getSortedMap() {
    return sortedMap;
  }

  void setSortedMap(NavigableMap<String, Object> sortedMap) {
    this.sortedMap = sortedMap;
  }

  NavigableSet<String> getSortedSet() {
    return sortedSet;
  }

  void setSortedSet(NavigableSet<String> sortedSet) {
    this.sortedSet = sortedSet;
  }

  Deque<Object> getDeque() {
    return deque;
  }

  void setDeque(Deque<Object> deque) {
    this.deque = deque;
  }
}
