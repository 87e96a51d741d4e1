package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.RolledBackException;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.spi.PersistentObject;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every object layer does for the store above it and the heap below. */
public abstract class ObjectLayerContractTest {
  /** What the layer's classes in these tests have. */
  public interface Node {
    @Nullable String getText();

    void setText(@Nullable String text);

    @Nullable Node getNext();

    void setNext(@Nullable Node next);
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final int SHAPE = 999; // of no class

  private final MemoryEngine engine = new MemoryEngine();
  private Heap heap;

  /** Creates the layer of a heap. */
  protected abstract ObjectLayer layer(Heap heap);

  /** Returns a class of persistent objects. */
  protected abstract Class<? extends Node> node();

  /** Returns a plain object of that class. */
  protected abstract Node plain();

  @BeforeEach
  final void openHeap() {
    heap = open();
  }

  private Heap open() {
    return new Heap(engine, Durability.SYNC, this::layer);
  }

  private ObjectLayer layer() {
    return heap.layer();
  }

  private Node root() {
    return layer().root("root", node());
  }

  private Node next() {
    return Objects.requireNonNull(root().getNext());
  }

  private static long address(Object object) {
    HeapObject handle =
        assertInstanceOf(
            HeapObject.class, assertInstanceOf(PersistentObject.class, object).pmstoreHandle());
    return handle.address();
  }

  private Set<Long> pinned() {
    Set<Long> pinned = new HashSet<>();
    layer().forEachPinned(pinned::add);
    return pinned;
  }

  private void rolledBack(Runnable body) {
    assertThrows(
        RollBack.class,
        () ->
            heap.transaction(
                () -> {
                  body.run();
                  throw new RollBack();
                }));
  }

  @Test
  void aRootIsCreatedOnceAndIsThereForTheNextLayer() {
    Node root = root();
    assertSame(root, root());
    assertNotSame(root, layer().root("other", node()));
    root.setText("kept");
    heap = open();
    assertNotSame(root, root());
    assertEquals("kept", root().getText());
    assertNull(layer().root("other", node()).getText());
  }

  @Test
  void threadsGetTheSameRoot() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      List<Future<Node>> found = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        found.add(pool.submit(this::root));
      }
      for (Future<Node> one : found) {
        assertSame(root(), one.get());
      }
    }
  }

  @Test
  void anObjectIsOneJavaObject() {
    Node created = layer().create(node());
    root().setNext(created);
    assertSame(created, root().getNext());
    heap = open();
    Node read = next();
    assertNotSame(created, read);
    assertSame(read, root().getNext());
  }

  @Test
  void aPlainObjectHasOneTwin() {
    Node plain = plain();
    plain.setText("plain");
    Object twin = layer().persist(plain);
    assertNotSame(plain, twin);
    assertEquals("plain", assertInstanceOf(Node.class, twin).getText());
    assertSame(twin, layer().persist(plain));
    assertSame(twin, layer().persist(twin));
    assertSame(twin, layer().stored(plain), "a method returned it");
    root().setNext(plain);
    assertSame(twin, root().getNext());
  }

  @Test
  void whatIsNotStoredIsReturnedAsItIs() {
    Node plain = plain();
    assertNull(layer().stored(null));
    assertSame("text", layer().stored("text"));
    assertSame(plain, layer().stored(plain));
    assertSame(root(), layer().stored(root()));
  }

  @Test
  void aRollBackRestoresPropertiesAndForgetsObjects() {
    root().setText("before");
    List<Node> lost = new ArrayList<>();
    Node plain = plain();
    rolledBack(
        () -> {
          lost.add(layer().create(node()));
          lost.add((Node) layer().persist(plain));
          root().setText("within");
          root().setNext(plain);
          assertEquals("within", root().getText());
        });
    assertEquals("before", root().getText());
    assertNull(root().getNext());
    for (Node object : lost) {
      assertThrows(RolledBackException.class, object::getText);
      assertThrows(RolledBackException.class, () -> root().setNext(object));
    }
    assertSame(plain, layer().stored(plain), "it has no twin any more");
    root().setNext(plain);
    assertNull(next().getText());
  }

  @Test
  void aJavaObjectPinsItsObject() {
    Node node = layer().create(node());
    root().setNext(node);
    assertSame(node, layer().pinning(address(node)));
    assertTrue(pinned().containsAll(List.of(address(node), address(root()))));
    long address = address(node);
    Reference.reachabilityFence(node);
    heap = open();
    root();
    assertNull(layer().pinning(address), "nobody has read it");
    assertFalse(pinned().contains(address));
    Node read = next();
    assertEquals(address, address(read));
    assertSame(read, layer().pinning(address));
    assertTrue(pinned().contains(address));
    Reference.reachabilityFence(read);
  }

  @Test
  void nothingPinsAnObjectThatIsNoJavaObject() {
    long address = heap.transaction(() -> heap.allocate(SHAPE, 64));
    assertNull(layer().pinning(address));
    assertFalse(pinned().contains(address));
  }

  @Test
  void collectionsImplementWhatWasAskedFor() {
    for (Class<?> type : List.of(List.class, Set.class, Deque.class, NavigableSet.class)) {
      Collection<?> made = (Collection<?>) layer().newCollection(type, null);
      assertInstanceOf(type, made);
      assertTrue(made.isEmpty());
    }
    for (Class<?> type : List.of(Map.class, ConcurrentMap.class, NavigableMap.class)) {
      Map<?, ?> made = (Map<?, ?>) layer().newCollection(type, null);
      assertInstanceOf(type, made);
      assertTrue(made.isEmpty());
    }
    assertNotSame(layer().newCollection(List.class, null), layer().newCollection(List.class, null));
    assertThrows(IllegalArgumentException.class, () -> layer().newCollection(Iterable.class, null));
  }

  @Test
  void aSortedCollectionHasTheOrderThatWasGiven() {
    @SuppressWarnings("unchecked")
    NavigableSet<String> set =
        (NavigableSet<String>) layer().newCollection(NavigableSet.class, Comparator.reverseOrder());
    set.addAll(List.of("a", "c", "b"));
    assertEquals(List.of("c", "b", "a"), List.copyOf(set));
  }

  @Test
  void aCopyIsPlainAndLeavesTheOriginal() {
    root().setText("text");
    root().setNext(root());
    Node copy = assertInstanceOf(Node.class, layer().copy(root(), _ -> true));
    assertFalse(copy instanceof PersistentObject);
    assertEquals("text", copy.getText());
    assertSame(copy, copy.getNext());
    copy.setText("changed");
    assertEquals("text", root().getText());
  }

  @Test
  void aCloneIsPersistentAndHasTheValues() {
    root().setText("text");
    HeapObject handle =
        assertInstanceOf(HeapObject.class, ((PersistentObject) root()).pmstoreHandle());
    Node clone = assertInstanceOf(Node.class, layer().cloned(handle, root()));
    assertTrue(address(clone) != address(root()));
    assertEquals("text", clone.getText());
    clone.setText("changed");
    assertEquals("text", root().getText());
  }

  @Test
  void itKnowsTheMethodsThatMayChangeValuesInPlace() throws Exception {
    assertFalse(layer().isChangingInPlace());
    Object result =
        heap.<@Nullable Object, Exception>transaction(
            () ->
                layer()
                    .changingInPlace(
                        () -> {
                          assertTrue(layer().isChangingInPlace());
                          Object inner = layer().changingInPlace(() -> "inner");
                          assertTrue(layer().isChangingInPlace());
                          return inner;
                        }));
    assertEquals("inner", result);
    assertFalse(layer().isChangingInPlace());
    RollBack thrown = new RollBack();
    assertSame(
        thrown,
        assertThrows(
            RollBack.class,
            () ->
                heap.<@Nullable Object, Exception>transaction(
                    () ->
                        layer()
                            .changingInPlace(
                                () -> {
                                  throw thrown;
                                }))));
    assertFalse(layer().isChangingInPlace());
  }
}
