package io.pmstore.large;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What large transactions write: many small objects, one large value, a long list, a large map. */
@Persistent(root = "depot")
public class Depot {
  private String text = "";
  private Item newest;
  private List<Integer> numbers = new ArrayList<>();
  private Map<Integer, Integer> places = new HashMap<>();

  /** One of many objects, in a chain. */
  @Persistent
  public static class Item {
    private long number;
    private Item next;

    public long getNumber() {
      return number;
    }

    public void setNumber(long number) {
      this.number = number;
    }

    public Item getNext() {
      return next;
    }

    public void setNext(Item next) {
      this.next = next;
    }
  }

  public String getText() {
    return text;
  }

  public void setText(String text) {
    this.text = text;
  }

  public Item getNewest() {
    return newest;
  }

  public void setNewest(Item newest) {
    this.newest = newest;
  }

  public List<Integer> getNumbers() {
    return numbers;
  }

  public void setNumbers(List<Integer> numbers) {
    this.numbers = numbers;
  }

  public Map<Integer, Integer> getPlaces() {
    return places;
  }

  public void setPlaces(Map<Integer, Integer> places) {
    this.places = places;
  }

  /** Puts new objects before those there are; in a transaction. */
  static void addItems(PmStore store, Depot depot, int count) {
    Item newest = depot.getNewest();
    long first = newest == null ? 0 : newest.getNumber() + 1;
    for (int i = 0; i < count; i++) {
      Item item = store.create(Item.class);
      item.setNumber(first + i);
      item.setNext(newest);
      newest = item;
    }
    depot.setNewest(newest);
  }

  /** Counts the objects and checks the order of their numbers, which end with 0. */
  static long countItems(Depot depot) {
    long count = 0;
    long expected = depot.getNewest() == null ? -1 : depot.getNewest().getNumber();
    for (Item at = depot.getNewest(); at != null; at = at.getNext()) {
      if (at.getNumber() != expected--) {
        throw new AssertionError("found " + at.getNumber() + ", expected " + (expected + 1));
      }
      count++;
    }
    if (expected != -1) {
      throw new AssertionError("the chain ends before " + expected);
    }
    return count;
  }

  /** A text of a length that says which one it is. */
  static String text(int number, int length) {
    String piece = "%09d ".formatted(number);
    return piece.repeat(length / piece.length());
  }
}
