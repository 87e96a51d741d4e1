package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class RootsTest extends StoreTest {

  @Persistent(root = "order")
  static class OtherOrder {}

  @Persistent(root = "broken")
  static class Broken {
    Broken() {
      throw new IllegalStateException("from the constructor");
    }
  }

  @Persistent
  static class Empty {}

  @Test
  void aRootIsCreatedOnceAndFoundAfterwards() {
    store().root(Order.class).setId(5);
    store().root("second", Order.class).setId(6);
    for (int i = 0; i < 2; i++) {
      assertEquals(5, store().root(Order.class).getId());
      assertSame(store().root(Order.class), store().root("order", Order.class));
      assertEquals(6, store().root("second", Order.class).getId());
      reopen();
    }
  }

  @Test
  void aClassWithoutARootNameIsRefusedByClass() {
    String message =
        assertThrows(ClassRefusedException.class, () -> store().root(Empty.class)).getMessage();
    assertTrue(message.contains("Empty") && message.contains("names no root"), message);
    assertEquals(Empty.class, store().root("empty", Empty.class).getClass().getSuperclass());
    assertThrows(IllegalArgumentException.class, () -> store().root("", Empty.class));
  }

  @Test
  void aRootWhoseNameIsNoUnicodeIsRefused() {
    store().root("?", Order.class).setId(1);
    for (String name : List.of("\ud800", "x\udc00y")) {
      String message =
          assertThrows(NotPersistableException.class, () -> store().root(name, Order.class))
              .getMessage();
      assertTrue(message.contains("name of a root has half of a surrogate pair"), message);
    }
    store().root("\ud83d\ude00", Order.class).setId(2);
    reopen();
    assertEquals(Set.of("?", "\ud83d\ude00"), store().heap.directory().roots().keySet());
    assertEquals(2, store().root("\ud83d\ude00", Order.class).getId());
  }

  @Test
  void aRootOfAnotherClassIsRefused() {
    store().root("x", Empty.class);
    assertEquals(
        "root \"x\" is an object of class "
            + Empty.class.getName()
            + ", not of "
            + Order.class.getName()
            + "; ask for it with its own class",
        assertThrows(PmStoreException.class, () -> store().root("x", Order.class)).getMessage());
  }

  @Test
  void twoClassesThatClaimOneRootAreRefused() {
    store().root(Order.class);
    for (int i = 0; i < 2; i++) {
      String message =
          assertThrows(ClassRefusedException.class, () -> store().root(OtherOrder.class))
              .getMessage();
      assertTrue(
          message.contains(Order.class.getName()) && message.contains(OtherOrder.class.getName()),
          message);
      reopen();
    }
  }

  @Test
  void anExceptionOfTheConstructorGoesToTheCallerAndLeavesNoRoot() {
    for (int i = 0; i < 2; i++) {
      assertEquals(
          "from the constructor",
          assertThrows(IllegalStateException.class, () -> store().root(Broken.class)).getMessage());
      assertEquals(0, store().heap.directory().root("broken"));
    }
  }

  @Test
  void threadsThatAskForANewRootAtTheSameTimeGetTheSame() throws Exception {
    int threads = 4;
    for (int round = 0; round < 50; round++) {
      String name = "root" + round;
      CountDownLatch start = new CountDownLatch(threads);
      List<Future<Order>> results = new ArrayList<>();
      try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
        for (int t = 0; t < threads; t++) {
          results.add(
              pool.submit(
                  () -> {
                    start.countDown();
                    start.await();
                    return store().root(name, Order.class);
                  }));
        }
      }
      Set<Order> roots = new HashSet<>();
      for (Future<Order> result : results) {
        roots.add(result.get());
      }
      assertEquals(1, roots.size());
    }
  }

  @Test
  void theNameOfARemovedRootIsFreeForAnotherClass() {
    store().root(Order.class).setId(1);
    store().heap.directory().removeRoot("order");
    assertInstanceOf(OtherOrder.class, store().root(OtherOrder.class));
    assertThrows(ClassRefusedException.class, () -> store().root(Order.class));
    reopen();
    assertInstanceOf(OtherOrder.class, store().root(OtherOrder.class));
  }

  @Test
  void aRootIsReplacedByOneOfAnotherClassInOneTransaction() {
    Order former = store().root(Order.class);
    former.setId(1);
    for (boolean undone : new boolean[] {true, false}) {
      Runnable replacement =
          () -> {
            assertSame(former, store().root(Order.class));
            store().heap.directory().removeRoot("order");
            assertInstanceOf(OtherOrder.class, store().root(OtherOrder.class));
          };
      if (undone) {
        rolledBack(replacement);
        assertSame(former, store().root(Order.class));
        assertThrows(ClassRefusedException.class, () -> store().root(OtherOrder.class));
      } else {
        store().transaction(replacement::run);
        assertThrows(ClassRefusedException.class, () -> store().root(Order.class));
      }
    }
    former.setId(2); // held, so usable
    assertEquals(2, former.getId());
  }

  @Test
  void theClassesOfRootsAreToldWithoutThem() {
    assertEquals(Map.of(), store().heap.directory().rootClasses());
    store().root("b", Empty.class);
    store().root(Order.class);
    store().heap.directory().setRoot("none", 0);
    reopen();
    assertEquals(
        Map.of("b", Empty.class.getName(), "order", Order.class.getName()),
        store().heap.directory().rootClasses());
    assertEquals("b", store().heap.directory().rootClasses().firstKey());
  }
}
