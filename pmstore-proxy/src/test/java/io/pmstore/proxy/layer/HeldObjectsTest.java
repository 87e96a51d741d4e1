package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.proxy.layer.Shelf.Book;
import io.pmstore.spi.PersistentObject;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An object that has a Java object stays whole when it is unlinked, and can be linked again. */
class HeldObjectsTest extends ShelfTest {

  @Test
  void whatAJavaObjectHoldsStaysUsableAndCanBeLinkedAgain() {
    shelf.getList().add(book(1));
    restart();
    Book held = (Book) shelf.getList().getFirst();
    shelf.getList().clear();
    churn();
    assertWhole(1, held);
    held.setTitle(text(2));
    held.getPages().add(text("added"));
    Book sequel = book(3);
    held.setSequel(sequel);
    churn();
    assertEquals(text(2), held.getTitle());
    shelf.getMap().put("again", held);
    assertSame(held, shelf.getMap().get("again"));
    churn();
    restart();
    Book again = (Book) shelf.getMap().get("again");
    assertNotNull(again);
    assertEquals(text(2), again.getTitle());
    assertEquals(21, again.getPages().size());
    assertEquals(text("added"), again.getPages().getLast());
    Book last = again.getSequel();
    assertNotNull(last);
    assertWhole(3, last);
  }

  @Test
  @Timeout(60)
  void aTransactionThatLinksAnObjectKeepsItUntilItsEnd() throws Exception {
    shelf.getList().add(book(1));
    restart();
    @Nullable Book[] held = {(Book) shelf.getList().getFirst()};
    shelf.getList().clear();
    int[] runs = new int[1];
    store()
        .transaction(
            () -> {
              runs[0]++;
              shelf.setBook(held[0]);
              held[0] = null;
              for (int i = 0; i < 3; i++) {
                awaitCollection();
              }
              Thread other = new Thread(collector::freeUnlinked);
              other.start();
              other.join();
            });
    assertEquals(1, runs[0]);
    churn();
    restart();
    Book book = shelf.getBook();
    assertNotNull(book);
    assertWhole(1, book);
  }

  /** A class whose objects take as long to be read back as the test likes. */
  @Persistent
  static class Slow {
    private static volatile @Nullable Runnable delay;
    private int number;

    Slow() {}

    Slow(int number) {
      this.number = number;
    }

    int getNumber() {
      return number;
    }

    @OnLoad
    void load() {
      Runnable waiting = delay;
      if (waiting != null && number == 0) {
        waiting.run();
      }
    }
  }

  @Test
  @Timeout(60)
  void anObjectThatIsFreedWhileItWaitsToBeLoadedIsNotLoaded() throws Exception {
    restart();
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch reused = new CountDownLatch(1);
    Slow.delay =
        () -> {
          loading.countDown();
          try {
            reused.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    try (ExecutorService writer = Executors.newSingleThreadExecutor();
        ExecutorService readers = Executors.newCachedThreadPool()) {
      writer
          .submit(
              () -> {
                shelf.getList().add(new Slow(0));
                shelf.setThing(new Slow(1));
              })
          .get();
      restart();
      Future<Object> first = readers.submit(() -> shelf.getList().getFirst());
      loading.await();
      AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
      Future<Object> second =
          readers.submit(
              () -> {
                reader.set(Thread.currentThread());
                return Optional.ofNullable(store().call(shelf::getThing));
              });
      for (Thread thread = null;
          thread == null || thread.getState() != Thread.State.WAITING;
          thread = reader.get()) {
        Thread.onSpinWait();
      }
      List<Object> others =
          writer
              .submit(
                  () -> {
                    shelf.setThing(null);
                    List<Object> made = new ArrayList<>();
                    for (int i = 0; i < 5000; i++) {
                      made.add(store().create(Slow.class));
                    }
                    return made;
                  })
              .get();
      reused.countDown();
      assertEquals(0, ((Slow) first.get()).getNumber());
      assertEquals(Optional.empty(), second.get());
      assertEquals(5000, others.size());
    } finally {
      Slow.delay = null;
    }
  }

  @Test
  @Timeout(60)
  void whatNobodyHoldsAnyMoreIsFreed() {
    shelf.setBook(book(0));
    shelf.setBook(null);
    restart();
    collector.collect();
    long before = collector.used();
    shelf.setBook(book(1));
    restart();
    WeakReference<Book> dropped = takeAway();
    JavaGarbage.collectUntil(
        "only the shelf has a Java object", () -> dropped.refersTo(null) && held() == 1);
    collector.freeUnlinked();
    assertEquals(before, collector.used());
  }

  private WeakReference<Book> takeAway() {
    Book book = shelf.getBook();
    assertNotNull(book);
    shelf.setBook(null);
    collector.freeUnlinked();
    assertWhole(1, book);
    return new WeakReference<>(book);
  }

  private int held() {
    int[] count = new int[1];
    store().heap.layer().forEachPinned(address -> count[0]++);
    return count[0];
  }

  @Test
  void iteratorsAndViewsKeepTheirCollectionAlive() {
    Map<String, Function<Shelf, Object>> views = new HashMap<>();
    views.put("list iterator", s -> s.getList().iterator());
    views.put("sublist", s -> s.getList().subList(0, 2));
    views.put("reversed list", s -> s.getList().reversed());
    views.put("list stream", s -> s.getList().stream());
    views.put("map iterator", s -> s.getMap().keySet().iterator());
    views.put("map keys", s -> s.getMap().keySet());
    views.put("map values", s -> s.getMap().values());
    views.put("map entries", s -> s.getMap().entrySet());
    views.put("map entry", s -> s.getMap().entrySet().iterator().next());
    views.put("set iterator", s -> s.getSet().iterator());
    views.put("sorted map iterator", s -> s.getSortedMap().keySet().iterator());
    views.put("sorted map part", s -> s.getSortedMap().tailMap(""));
    views.put("sorted map backwards", s -> s.getSortedMap().descendingMap());
    views.put("sorted map keys", s -> s.getSortedMap().navigableKeySet());
    views.put("sorted map entry", s -> s.getSortedMap().entrySet().iterator().next());
    views.put("sorted set iterator", s -> s.getSortedSet().iterator());
    views.put("sorted set part", s -> s.getSortedSet().headSet("z"));
    views.put("deque iterator", s -> s.getDeque().iterator());
    views.put("deque backwards", s -> s.getDeque().descendingIterator());
    for (int i = 0; i < 3; i++) {
      shelf.getList().add(text(i));
      shelf.getMap().put(text(i), text(i));
      shelf.getSet().add(text(i));
      shelf.getSortedMap().put(text(i), text(i));
      shelf.getSortedSet().add(text(i));
      shelf.getDeque().add(text(i));
    }
    Map<String, Object> made = new HashMap<>();
    for (Map.Entry<String, Function<Shelf, Object>> view : views.entrySet()) {
      restart();
      Object kept = view.getValue().apply(shelf);
      made.put(view.getKey(), kept);
      awaitCollection();
      assertEquals(2, held(), () -> view.getKey() + ": the shelf and the collection");
      Reference.reachabilityFence(shelf);
      Reference.reachabilityFence(kept);
    }
  }

  private static void awaitCollection() {
    WeakReference<Object> canary = new WeakReference<>(new Object());
    JavaGarbage.collect(canary);
  }

  @Test
  void anIterationGoesOnOverACollectionThatIsTakenAway() {
    for (int i = 0; i < 300; i++) {
      shelf.getList().add(text(i));
      shelf.getSortedSet().add(text(1000 + i));
      shelf.getDeque().add(text(i));
    }
    restart();
    Iterator<Object> list = shelf.getList().iterator();
    Iterator<String> set = shelf.getSortedSet().iterator();
    Iterator<Object> deque = shelf.getDeque().iterator();
    shelf.setList(new ArrayList<>());
    shelf.setSortedSet(new TreeSet<>());
    shelf.setDeque(new ArrayDeque<>());
    for (int i = 0; i < 300; i++) {
      if (i % 50 == 0) {
        awaitCollection();
        churn();
      }
      assertEquals(text(i), list.next());
      assertEquals(text(1000 + i), set.next());
      assertEquals(text(i), deque.next());
    }
  }

  @Test
  void anIterationOverADequeGoesOnBehindChunksThatWereFreed() throws Exception {
    for (int i = 0; i < 300; i++) {
      shelf.getDeque().add(text(i));
    }
    restart();
    Iterator<Object> iterator = shelf.getDeque().iterator();
    assertEquals(text(0), iterator.next());
    Thread other =
        new Thread(
            () -> {
              for (int i = 0; i < 200; i++) {
                assertEquals(text(i), shelf.getDeque().removeFirst());
              }
            });
    other.start();
    other.join();
    churn();
    for (int i = 200; i < 300; i++) {
      assertEquals(text(i), iterator.next());
    }
  }

  @Test
  void whatARolledBackTransactionMadeHasNoJavaObject() {
    int before = held();
    try {
      store()
          .transaction(
              () -> {
                shelf.setThing(new Object[] {new Book("a"), List.of(text(2))});
                throw new IllegalArgumentException("no");
              });
    } catch (IllegalArgumentException e) {
      assertEquals("no", e.getMessage());
    }
    assertEquals(before, held());
  }

  @Test
  void aNewObjectThatIsNotLinkedIsThereWhileItIsHeld() {
    Book book = store().create(Book.class);
    book.setTitle(text(1));
    churn();
    assertEquals(text(1), book.getTitle());
    PersistentObject persistent = (PersistentObject) book;
    long address = ((HeapObject) persistent.pmstoreHandle()).identity();
    assertSame(book, store().heap.layer().pinning(address));
    assertTrue(collector.allocated().containsKey(address));
    shelf.setBook(book);
    restart();
    book = shelf.getBook();
    assertNotNull(book);
    assertEquals(text(1), book.getTitle());
  }
}
