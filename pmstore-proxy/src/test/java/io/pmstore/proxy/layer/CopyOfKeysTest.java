package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plain copies of records that have maps and sets: their keys must be complete before. */
class CopyOfKeysTest extends StoreTest {
  record Id(String text) {}

  record Owned(Item owner, String text) {}

  record Tags(Set<String> all) {}

  record Index(Map<Item, Integer> counts) {
    Index {
      if (counts.isEmpty()) {
        throw new IllegalArgumentException("empty");
      }
    }
  }

  record Family(Set<Item> members) {
    Family {
      if (members.isEmpty()) {
        throw new IllegalArgumentException("empty");
      }
    }
  }

  record Copying(Set<Item> members) {
    Copying {
      members = Set.copyOf(members);
    }
  }

  record Lists(List<Family> families) {}

  /** Its hash code is that of what its properties have; their names give an order. */
  @Persistent
  static class Item {
    private @Nullable Object a;
    private @Nullable Object id;
    private @Nullable Object z;
    private Set<String> tags = new HashSet<>();

    Item() {}

    Item(@Nullable Object id) {
      this.id = id;
    }

    @Nullable Object getA() {
      return a;
    }

    void setA(@Nullable Object a) {
      this.a = a;
    }

    @Nullable Object getId() {
      return id;
    }

    void setId(@Nullable Object id) {
      this.id = id;
    }

    @Nullable Object getZ() {
      return z;
    }

    void setZ(@Nullable Object z) {
      this.z = z;
    }

    Set<String> getTags() {
      return tags;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Item other
          && Objects.requireNonNull(getId()).equals(other.getId())
          && getTags().equals(other.getTags());
    }

    @Override
    public int hashCode() {
      return 31 * Objects.requireNonNull(getId()).hashCode() + getTags().hashCode();
    }
  }

  @Persistent(root = "pair")
  static class Pair {
    private @Nullable Object first;
    private @Nullable Object second;
    private @Nullable Object third;

    @Nullable Object getFirst() {
      return first;
    }

    void setFirst(@Nullable Object first) {
      this.first = first;
    }

    @Nullable Object getSecond() {
      return second;
    }

    void setSecond(@Nullable Object second) {
      this.second = second;
    }

    @Nullable Object getThird() {
      return third;
    }

    void setThird(@Nullable Object third) {
      this.third = third;
    }
  }

  private static List<Item> items(Function<String, Object> id) {
    List<Item> items = new ArrayList<>();
    for (String text : List.of("p", "q", "r", "s")) {
      Item item = new Item(id.apply(text));
      item.tags.add(text);
      items.add(item);
    }
    return items;
  }

  /** Returns items with identifiers that are written at once, and ones that are not. */
  private static List<List<Item>> kinds() {
    Item owner = new Item("o");
    Item second = new Item(new Owned(owner, "second"));
    second.tags.add("x");
    return List.of(
        items(Id::new),
        items(text -> new Owned(owner, text)),
        items(text -> new Owned(second, text)),
        items(text -> new Tags(new HashSet<>(Set.of(text)))),
        items(text -> new Item(new Tags(new HashSet<>(Set.of(text))))),
        items(text -> new Item(new Owned(second, text))),
        items(text -> new ArrayList<>(List.of(new Owned(second, text)))));
  }

  /** Returns persistent items, which are complete. */
  private List<Item> stored(List<Item> items) {
    store().root(Pair.class).setFirst(new ArrayList<>(items));
    List<Item> stored = of(store().root(Pair.class).getFirst());
    return new ArrayList<>(stored);
  }

  private Pair copied() {
    return (Pair) store().heap.layer().copy(store().root(Pair.class), x -> true);
  }

  @SuppressWarnings("unchecked")
  private static <T> T of(@Nullable Object value) {
    return (T) Objects.requireNonNull(value);
  }

  @Test
  void keysOfAMapInARecordAreFound() {
    for (List<Item> kind : kinds()) {
      List<Item> items = stored(kind);
      for (boolean isInItem : new boolean[] {false, true}) {
        Map<Item, Integer> counts = new HashMap<>();
        items.forEach(item -> counts.put(item, counts.size()));
        Item shelf = new Item("shelf");
        (isInItem ? items.getLast() : shelf).setA(new Index(counts));
        Pair root = store().root(Pair.class);
        root.setFirst(items.getFirst());
        root.setSecond(isInItem ? items.getLast() : shelf);
        root.setThird(items.get(1));
        Pair copy = copied();
        Index index = of(CopyOfKeysTest.<Item>of(copy.getSecond()).getA());
        assertEquals(4, index.counts().size());
        assertEquals(0, index.counts().get(copy.getFirst()));
        assertEquals(1, index.counts().get(copy.getThird()));
        for (Item key : index.counts().keySet()) {
          assertTrue(index.counts().containsKey(key));
          assertEquals(Item.class, key.getClass());
        }
      }
    }
  }

  @Test
  void theMembersOfASetMayHaveItInARecord() {
    for (List<Item> kind : kinds()) {
      List<Item> items = stored(kind);
      Set<Item> members = new HashSet<>(items);
      items.forEach(item -> item.setA(new Family(members)));
      items.forEach(item -> item.setZ(new Lists(new ArrayList<>(List.of(new Family(members))))));
      store().root(Pair.class).setFirst(items.getFirst());
      Item copy = of(copied().getFirst());
      Set<Item> copies = CopyOfKeysTest.<Family>of(copy.getA()).members();
      assertEquals(4, copies.size());
      assertTrue(copies.contains(copy));
      for (Item each : copies) {
        assertTrue(copies.contains(each));
        assertSame(copies, CopyOfKeysTest.<Family>of(each.getA()).members());
        assertSame(copies, CopyOfKeysTest.<Lists>of(each.getZ()).families().getFirst().members());
      }
    }
  }

  @Test
  void membersOfASetThatAConstructorHasCopiedAreFound() {
    for (List<Item> kind : kinds()) {
      List<Item> items = stored(kind);
      Item shelf = new Item("shelf");
      shelf.setA(new Copying(new HashSet<>(items)));
      store().root(Pair.class).setFirst(items.getFirst());
      store().root(Pair.class).setSecond(shelf);
      Pair copy = copied();
      Set<Item> copies =
          CopyOfKeysTest.<Copying>of(CopyOfKeysTest.<Item>of(copy.getSecond()).getA()).members();
      assertEquals(4, copies.size());
      assertTrue(copies.contains(CopyOfKeysTest.<Item>of(copy.getFirst())));
      copies.forEach(each -> assertTrue(copies.contains(each)));
    }
  }

  @Test
  void aLargeGraphThroughSetsInRecordsNeedsNoStack() {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      items.add(new Item(new Id("" + i)));
    }
    for (int i = 0; i < items.size(); i++) {
      Item next = items.get((i + 1) % items.size());
      Item far = items.get(i * 7 % items.size());
      items.get(i).setA(new Family(new HashSet<>(List.of(next, far))));
    }
    for (List<Item> order : List.of(items, items.reversed())) {
      store().root(Pair.class).setFirst(new ArrayList<>(order));
      List<Item> copies = of(copied().getFirst());
      for (Item copy : copies) {
        Set<Item> members = CopyOfKeysTest.<Family>of(copy.getA()).members();
        members.forEach(each -> assertTrue(members.contains(each)));
      }
      assertNull(copies.getFirst().getZ());
    }
  }
}
