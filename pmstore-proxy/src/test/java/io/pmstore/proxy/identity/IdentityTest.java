package io.pmstore.proxy.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.StoreClosedException;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class IdentityTest extends StoreTest {

  @Test
  void theSameObjectIsTheSameJavaObjectHoweverItIsReached() {
    Order root = store().root(Order.class);
    Order child = store().create(Order.class);
    root.setParent(child);
    root.setNote(child);
    root.getChildren().add(child);
    root.getTags().put("child", child);
    assertSame(child, root.getParent());
    assertSame(child, root.getNote());
    assertSame(child, root.getChildren().getFirst());
    assertSame(child, root.getTags().get("child"));
    assertSame(root, store().root(Order.class));
    assertSame(root.getTags(), root.getTags());
    assertSame(root.getChildren(), store().call(root::getChildren));
    reopen();
    Order again = store().root(Order.class);
    assertNotSame(root, again);
    assertNotNull(again.getParent());
    assertSame(again.getParent(), again.getNote());
    assertSame(again.getParent(), again.getChildren().getFirst());
    assertSame(again.getParent(), again.getTags().get("child"));
  }

  @Test
  @Timeout(60)
  void anObjectThatNobodyHoldsIsMadeAnew() {
    Order root = store().root(Order.class);
    root.setParent(new Order(7));
    WeakReference<@Nullable Order> first = new WeakReference<>(root.getParent());
    JavaGarbage.collect(first);
    Order second = root.getParent();
    assertNotNull(second);
    assertEquals(7, second.getId());
    assertSame(second, root.getParent());
  }

  @Test
  @Timeout(60)
  void aStoreThatIsDroppedWithoutBeingClosedIsCollectedWithItsHeap() {
    WeakReference<Heap> heap = dropped();
    JavaGarbage.collect(heap);
  }

  private static WeakReference<Heap> dropped() {
    Store store = new Store();
    store.root(Order.class).setParent(new Order(7));
    return new WeakReference<>(store.heap);
  }

  @Test
  void threadsThatReadTheSameReferenceGetTheSameObject() throws Exception {
    int objects = 500;
    store()
        .transaction(
            () -> {
              for (int i = 0; i < objects; i++) {
                store().root(Order.class).getChildren().add(new Order(i));
              }
            });
    reopen();
    List<Order> children = store().root(Order.class).getChildren();
    int threads = 4;
    CountDownLatch start = new CountDownLatch(threads);
    List<Future<List<Order>>> results = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        results.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  List<Order> read = new ArrayList<>();
                  for (int i = 0; i < objects; i++) {
                    read.add(children.get(i));
                  }
                  return read;
                }));
      }
    }
    List<Order> first = results.getFirst().get();
    for (Future<List<Order>> result : results) {
      for (int i = 0; i < objects; i++) {
        assertEquals(i, first.get(i).getId());
        assertSame(first.get(i), result.get().get(i));
      }
    }
  }

  @Test
  void referencesThatChangeAreNeverReadAsSomethingElse() throws Exception {
    Order root = store().root(Order.class);
    Order even = store().create(Order.class);
    Order odd = store().create(Order.class);
    Object[] notes = {even, "a string of more than fourteen characters", 5L, odd, "short"};
    root.setNote(even);
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      Future<?> writer =
          pool.submit(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  root.setNote(notes[i % notes.length]);
                }
              });
      while (!writer.isDone()) {
        Object note = root.getNote();
        assertTrue(List.of(notes).contains(note), () -> "read " + note);
      }
      writer.get();
    }
  }

  @Test
  void anObjectOfAnotherStoreIsRefused() {
    Store other = new Store();
    Order theirs = other.root(Order.class);
    Order ours = store().root(Order.class);
    assertEquals(
        "order.parent would refer to an object of another store, or of this one before it was"
            + " closed; read the object from this store, or copy it with PmStore.copy of its own"
            + " store and assign the copy",
        assertThrows(NotPersistableException.class, () -> ours.setParent(theirs)).getMessage());
    assertTrue(
        String.valueOf(
                assertThrows(NotPersistableException.class, () -> ours.getTags().put("x", theirs))
                    .getMessage())
            .startsWith("order would refer"));
    Order plain = new Order();
    plain.setTags(Map.of("their", theirs));
    String message =
        assertThrows(NotPersistableException.class, () -> ours.setParent(plain)).getMessage();
    assertTrue(message.startsWith("order.parent.tags[their] would refer"), message);
    other.heap.close();
    assertThrows(NotPersistableException.class, () -> ours.setNote(theirs));
    assertThrows(StoreClosedException.class, theirs::getQuantity);
    assertThrows(StoreClosedException.class, () -> theirs.setQuantity(1));
    assertThrows(StoreClosedException.class, theirs::getTags);
    assertThrows(StoreClosedException.class, () -> other.root(Order.class));
    assertThrows(StoreClosedException.class, () -> other.create(Order.class));
  }

  @Test
  void aTransientFieldIsOrdinaryStateOfTheJavaObject() {
    Order root = store().root(Order.class);
    root.setCached(5);
    assertEquals(5, root.getCached());
    reopen();
    assertEquals(0, store().root(Order.class).getCached());
  }
}
