package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plain copies of records whose constructors look into what they get. */
class CopyOfRecordsTest extends StoreTest {
  record NonEmpty(List<?> all) {
    NonEmpty {
      if (all.isEmpty()) {
        throw new IllegalArgumentException("empty");
      }
    }
  }

  record Keyed(Map<String, ?> map, Set<?> set) {
    Keyed {
      if (map.isEmpty() || set.isEmpty()) {
        throw new IllegalArgumentException("empty");
      }
    }
  }

  record Link(Node to) {
    Link {
      if (to.getName().isEmpty()) {
        throw new IllegalArgumentException("no name");
      }
    }
  }

  record Copying(Deque<Node> deque, Set<Node> set) {
    Copying {
      deque = new ArrayDeque<>(deque);
      set = Set.copyOf(set);
    }
  }

  @Persistent(root = "node")
  static class Node {
    private @Nullable Object first;
    private String name = "";
    private @Nullable Object second;
    private List<Object> list = new ArrayList<>();

    Node() {}

    Node(String name) {
      this.name = name;
    }

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }

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

    List<Object> getList() {
      return list;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Node other && getName().equals(other.getName());
    }

    @Override
    public int hashCode() {
      return getName().hashCode();
    }
  }

  private Node copied(Node plain) {
    Node root = store().root(Node.class);
    root.setFirst(plain);
    return (Node) store().heap.layer().copy(Objects.requireNonNull(root.getFirst()), x -> true);
  }

  private static Object of(@Nullable Object value) {
    return Objects.requireNonNull(value);
  }

  @Test
  void constructorsSeeWhatTheirCollectionsHold() {
    for (Object value :
        List.of(
            new NonEmpty(new ArrayList<>(List.of("x"))),
            new NonEmpty(List.of(new NonEmpty(List.of(1)))),
            new NonEmpty(List.of(List.of(new NonEmpty(List.of(Optional.of("o")))))),
            new Keyed(Map.of("k", new NonEmpty(List.of("v"))), Set.of(new NonEmpty(List.of("s")))),
            Optional.of(new NonEmpty(List.of(new Node("n")))),
            Map.entry("k", new NonEmpty(List.of("x"))),
            new ArrayList<>(List.of(new NonEmpty(List.of("x")), "y")),
            new HashMap<>(Map.of(new NonEmpty(List.of("x")), new NonEmpty(List.of("y")))),
            new HashSet<>(Set.of(new Keyed(Map.of("k", 1), Set.of(2)))))) {
      Node plain = new Node("a");
      plain.setSecond(value);
      assertEquals(value, copied(plain).getSecond());
    }
    Node plain = new Node("a");
    plain.setSecond(new Object[] {new NonEmpty(List.of("x"))});
    assertEquals(new NonEmpty(List.of("x")), ((Object[]) of(copied(plain).getSecond()))[0]);
  }

  @Test
  void theOrderInWhichTheCollectionsAreMetDoesNotMatter() {
    List<Object> shared = new ArrayList<>(List.of(new NonEmpty(List.of("x"))));
    for (boolean isFirst : new boolean[] {true, false}) {
      Node plain = new Node("a");
      plain.setFirst(isFirst ? shared : new NonEmpty(shared));
      plain.setSecond(isFirst ? new NonEmpty(shared) : shared);
      Node copy = copied(plain);
      Object record = of(isFirst ? copy.getSecond() : copy.getFirst());
      assertSame(isFirst ? copy.getFirst() : copy.getSecond(), ((NonEmpty) record).all());
    }
  }

  @Test
  void constructorsSeeObjectsOfACycle() {
    Node a = new Node("a");
    Node b = new Node("b");
    a.setFirst(new NonEmpty(new ArrayList<>(List.of(new Link(b)))));
    a.setSecond(new Link(a));
    b.setFirst(new Link(a));
    a.getList().add(new Link(b));
    Node copy = copied(a);
    assertSame(copy, ((Link) of(copy.getSecond())).to());
    Node other = ((Link) ((NonEmpty) of(copy.getFirst())).all().getFirst()).to();
    assertEquals("b", other.getName());
    assertSame(copy, ((Link) of(other.getFirst())).to());
    assertSame(other, ((Link) copy.getList().getFirst()).to());
  }

  @Test
  void collectionsThatAConstructorHasCopiedHoldCopies() {
    Node a = new Node("a");
    a.setFirst(new Copying(new ArrayDeque<>(List.of(a, new Node("b"))), Set.of(new Node("c"))));
    Node copy = copied(a);
    Copying record = (Copying) of(copy.getFirst());
    assertSame(copy, record.deque().getFirst());
    assertEquals(List.of(new Node("a"), new Node("b")), List.copyOf(record.deque()));
    assertEquals(Set.of(new Node("c")), record.set());
    assertEquals(Node.class, record.set().iterator().next().getClass());
  }

  @Test
  void aLongChainThroughRecordsNeedsNoStack() {
    Node first = new Node("0");
    Node last = first;
    for (int i = 1; i < 10_000; i++) {
      Node next = new Node("" + i);
      last.setFirst(new Link(next));
      last = next;
    }
    Node at = copied(first);
    for (int i = 1; i < 10_000; i++) {
      at = ((Link) of(at.getFirst())).to();
      assertEquals("" + i, at.getName());
    }
  }
}
