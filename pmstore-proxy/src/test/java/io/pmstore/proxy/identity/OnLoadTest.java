package io.pmstore.proxy.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.Transient;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transient fields, and methods that run when an object is read back. */
class OnLoadTest extends StoreTest {
  private static final AtomicInteger LOADS = new AtomicInteger();

  /** A class with every way to keep a field out of the store. */
  @Persistent
  static class Base {
    private transient String keyword = "keyword";
    @Transient private String annotated = "annotated";
    private String byGetter = "byGetter";
    private final transient Object lock = new Object();
    protected transient List<String> loaded = new ArrayList<>();
    private int kept = 1;

    @Transient
    String getByGetter() {
      return byGetter;
    }

    String transients() {
      return keyword + annotated + byGetter;
    }

    Object lock() {
      return lock;
    }

    void change() {
      kept++;
      keyword += kept;
      annotated = keyword + annotated;
    }

    @OnLoad
    private void fill() {
      keyword = "loaded " + kept;
      loaded = new ArrayList<>(List.of("base"));
    }

    @OnLoad
    protected void overridden() {
      loaded.add("not called");
    }
  }

  /** A class that adds to it. */
  @Persistent(root = "derived")
  static class Derived extends Base {
    private @Nullable Node node;

    @OnLoad
    void count() {
      loaded.add("derived");
    }

    @Override
    @OnLoad
    protected void overridden() {
      loaded.add("overridden");
    }

    @Nullable Node getNode() {
      return node;
    }

    void setNode(@Nullable Node node) {
      this.node = node;
    }
  }

  /** One of a cycle, each of which remembers what it saw. */
  @Persistent
  static class Node {
    private static final AtomicInteger FAILURES = new AtomicInteger();
    private @Nullable Node next;
    private boolean fails;
    private transient @Nullable Node seen;
    private transient int loads;

    void link(Node other, boolean oneFails, boolean otherFails) {
      fails = oneFails;
      next = other;
      other.next = this;
      other.fails = otherFails;
    }

    @OnLoad
    private void look() throws IOException {
      LOADS.incrementAndGet();
      loads++;
      seen = next;
      if (fails && FAILURES.getAndDecrement() > 0) {
        throw new IOException("no such luck");
      }
    }
  }

  @Test
  void transientFieldsAreOfTheJavaObject() {
    Base plain = new Derived();
    Derived root = store().root(Derived.class);
    assertEquals(plain.transients(), root.transients(), "what the constructor made is there");
    assertNotNull(root.lock());
    plain.change();
    root.change();
    assertEquals(plain.transients(), root.transients());
    Node node = new Node();
    node.loads = 7;
    root.setNode(node);
    Node twin = assertNotNullNode(root);
    assertEquals(7, twin.loads);
    assertTrue(root.loaded.isEmpty(), "it was not read back");
    reopen();
    root = store().root(Derived.class);
    assertEquals("loaded 2nullnull", root.transients());
    assertNull(root.lock());
    assertEquals(1, assertNotNullNode(root).loads);
  }

  private static Node assertNotNullNode(Derived root) {
    Node node = root.getNode();
    assertNotNull(node);
    return node;
  }

  @Test
  void methodsRunSuperclassFirstAndOverriddenOnesOnce() {
    store().root(Derived.class);
    reopen();
    assertEquals(List.of("base", "overridden", "derived"), store().root(Derived.class).loaded);
    assertEquals(List.of("base", "overridden", "derived"), store().root(Derived.class).loaded);
  }

  private void makeCycle(boolean oneFails, boolean otherFails) {
    Node one = new Node();
    Node other = new Node();
    one.link(other, oneFails, otherFails);
    store().root(Derived.class).setNode(one);
    reopen();
    LOADS.set(0);
  }

  @Test
  void aCycleIsReadBackOnce() {
    makeCycle(false, false);
    Node one = assertNotNullNode(store().root(Derived.class));
    assertSame(one, assertNotNullNode(store().root(Derived.class)));
    Node other = one.seen;
    assertNotNull(other);
    assertSame(one, other.seen);
    assertEquals(2, LOADS.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFailureIsToldAndNothingIsRememberedOfIt(boolean firstFails) {
    makeCycle(firstFails, !firstFails);
    Derived root = store().root(Derived.class);
    Node.FAILURES.set(1);
    PmStoreException failure = assertThrows(PmStoreException.class, root::getNode);
    assertTrue(failure.getMessage().contains(Node.class.getName() + ".look"), failure.getMessage());
    assertTrue(failure.getMessage().contains("no such luck"), failure.getMessage());
    assertTrue(failure.getCause() instanceof IOException);
    Node one = assertNotNullNode(root);
    Node other = one.seen;
    assertNotNull(other);
    assertEquals(4, LOADS.get(), "both methods ran again");
    assertSame(one, other.seen);
  }

  @Test
  void threadsThatReadOneObjectSeeOneThatIsComplete() throws Exception {
    for (int round = 0; round < 20; round++) {
      makeCycle(false, false);
      Derived root = store().root(Derived.class);
      List<Callable<Node>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        readers.add(
            () -> {
              Node one = assertNotNullNode(root);
              Node other = one.seen;
              assertNotNull(other, "seen by another thread before its method ended");
              assertSame(one, other.seen);
              return one;
            });
      }
      Node first = null;
      try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
        for (Future<Node> result : pool.invokeAll(readers)) {
          first = first == null ? result.get() : first;
          assertSame(first, result.get());
        }
      }
      assertEquals(2, LOADS.get());
    }
  }
}
