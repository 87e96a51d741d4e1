package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.layer.Shelf.Book;
import io.pmstore.proxy.layer.Shelf.Name;
import io.pmstore.spi.PersistentObject;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is taken away gives its space back; what is reachable, or held, stays whole. */
class ReclaimedSpaceTest extends StoreTest {
  private Shelf shelf = new Shelf();
  private SimpleCollector collector = new SimpleCollector(store().heap);

  @BeforeEach
  void openShelf() {
    collector = new SimpleCollector(store().heap);
    shelf = store().root(Shelf.class);
  }

  /** Opens the store anew: nothing has a Java object but the shelf. */
  private void restart() {
    reopen();
    openShelf();
  }

  private static String text(Object what) {
    return "a text that has to be out of line, because it is so long: " + what;
  }

  private static Book book(Object what) {
    Book book = new Book(text(what));
    book.setAuthor(new Name(text("first " + what), text("last " + what), List.of(text("more"))));
    for (int i = 0; i < 20; i++) {
      book.getPages().add(text(i));
      book.getIndex().put(text(i), new Name("a", text(i), null));
    }
    return book;
  }

  private static void assertWhole(Object what, Book book) {
    assertEquals(text(what), book.getTitle());
    Name author = book.getAuthor();
    assertNotNull(author);
    assertEquals(text("first " + what), author.first());
    assertEquals(text("last " + what), author.last());
    assertEquals(List.of(text("more")), author.more());
    assertEquals(20, book.getPages().size());
    assertEquals(20, book.getIndex().size());
    for (int i = 0; i < 20; i++) {
      assertEquals(text(i), book.getPages().get(i));
      assertEquals(new Name("a", text(i), null), book.getIndex().get(text(i)));
    }
  }

  // ---- by commits alone

  @Test
  void replacedStringsGiveTheirSpaceBackAtOnce() {
    shelf.setThing(text(1000));
    long before = collector.used();
    for (int i = 1001; i < 1100; i++) {
      shelf.setThing(text(i));
      assertEquals(before, collector.used());
    }
    shelf.setThing("short");
    assertTrue(collector.used() < before);
    assertEquals("short", shelf.getThing());
  }

  static Stream<Object> values() {
    return Stream.of(
        text("in Latin-1"),
        text("in UTF-16 \u20ac"),
        "x".repeat(1 << 20),
        new BigDecimal("1234567890".repeat(10)),
        new BigInteger("1234567890".repeat(10)),
        new UUID(1, 2),
        URI.create("https://example.com/a/long/path"),
        new int[100],
        new Name(text("first"), text("last"), new Name("nested", text("nested"), null)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueThatIsTakenAwayGivesItsSpaceBackAtOnce(Object value) {
    shelf.setThing(value);
    shelf.setThing(null);
    long before = collector.used();
    shelf.setThing(value);
    assertTrue(collector.used() > before);
    assertTrue(Objects.deepEquals(value, shelf.getThing()));
    shelf.setThing(null);
    assertEquals(before, collector.used());
    assertNull(shelf.getThing());
  }

  @Test
  void manyValuesInCollectionsGiveTheirSpaceBackAtOnce() {
    for (int round = 0; round < 3; round++) {
      long before = collector.used();
      for (int i = 0; i < 300; i++) {
        shelf.getList().add(i / 2, text(i));
        shelf.getMap().put(text(i), text(-i));
        shelf.getConcurrentMap().put(i, text(i));
        shelf.getSet().add(text(i));
      }
      for (int i = 0; i < 300; i++) {
        shelf.getList().set(i, text(i + 1));
        shelf.getMap().put(text(i), text(i));
      }
      for (int i = 299; i >= 0; i--) {
        assertEquals(text(i + 1), shelf.getList().remove(i));
        assertEquals(text(i), shelf.getMap().remove(text(i)));
        assertEquals(text(i), shelf.getConcurrentMap().remove(i));
        assertTrue(shelf.getSet().remove(text(i)));
      }
      assertEquals(before, collector.used());
    }
  }

  @Test
  void anObjectThatMovesToAnotherPlaceStays() {
    shelf.getList().add(book(1));
    restart();
    store()
        .transaction(
            () -> {
              shelf.getMap().put("moved", shelf.getList().removeFirst());
              assertEquals(0, shelf.getList().size());
            });
    churn();
    restart();
    churn();
    Book moved = (Book) shelf.getMap().get("moved");
    assertNotNull(moved);
    assertWhole(1, moved);
    store()
        .transaction(
            () -> {
              shelf.setBook((Book) shelf.getMap().remove("moved"));
              Book book = shelf.getBook();
              assertNotNull(book);
              shelf.getDeque().add(book);
              shelf.setBook(null);
            });
    restart();
    churn();
    assertWhole(1, (Book) shelf.getDeque().getFirst());
  }

  /** Takes freed space and writes over it. */
  private void churn() {
    collector.freeUnlinked();
    collector.collect();
    List<Object> rubbish = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rubbish.add("\u20ac".repeat(8 * (i + 1)));
      rubbish.add(new Name("rubbish", "\u20ac".repeat(i), null));
    }
    store()
        .transaction(
            () -> {
              shelf.setThing(rubbish);
              shelf.setThing(new Book("rubbish"));
              shelf.setThing(null);
              shelf.setThing(new ArrayList<>(rubbish));
            });
    shelf.setThing(null);
  }

  // ---- whole structures, that the program has no Java objects of

  private record Case(String name, Consumer<Shelf> put, Consumer<Shelf> drop) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Map<String, Object> contents() {
    Map<String, Object> contents = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      contents.put(
          text(i), i % 10 == 0 ? book(i) : i % 3 == 0 ? new Name("x", text(i), 5) : text(i));
    }
    return contents;
  }

  private static void removeAll(Collection<?> elements) {
    elements.removeIf(element -> true);
  }

  static Stream<Case> linkedOnce() {
    return Stream.of(
        new Case("a book", s -> s.setBook(book(1)), s -> s.setBook(null)),
        new Case("a book by another", s -> s.setThing(book(1)), s -> s.setThing(5)),
        new Case(
            "a chain",
            s -> {
              Book first = book(0);
              Book last = first;
              for (int i = 1; i < 300; i++) {
                last.setSequel(new Book(text(i)));
                last = Objects.requireNonNull(last.getSequel());
              }
              s.setBook(first);
            },
            s -> s.setBook(null)),
        new Case(
            "an array", s -> s.setThing(contents().values().toArray()), s -> s.setThing("another")),
        new Case("a list", s -> s.getList().addAll(contents().values()), s -> s.getList().clear()),
        new Case(
            "a list's range",
            s -> s.getList().addAll(contents().values()),
            s -> s.getList().subList(0, s.getList().size()).clear()),
        new Case(
            "the list itself",
            s -> s.setList(new ArrayList<>(contents().values())),
            s -> s.setList(new ArrayList<>())),
        new Case("a map", s -> s.getMap().putAll(contents()), s -> s.getMap().clear()),
        new Case(
            "a map's keys",
            s -> s.getMap().putAll(contents()),
            s -> removeAll(s.getMap().keySet())),
        new Case(
            "the map itself",
            s -> s.setMap(new HashMap<>(contents())),
            s -> s.setMap(new HashMap<>())),
        new Case(
            "a concurrent map",
            s -> s.getConcurrentMap().putAll(contents()),
            s -> s.getConcurrentMap().clear()),
        new Case(
            "the concurrent map itself",
            s -> s.setConcurrentMap(new ConcurrentHashMap<>(contents())),
            s -> s.setConcurrentMap(new ConcurrentHashMap<>())),
        new Case("a set", s -> s.getSet().addAll(contents().keySet()), s -> s.getSet().clear()),
        new Case(
            "the set itself",
            s -> s.setSet(new HashSet<>(contents().values())),
            s -> s.setSet(new HashSet<>())));
  }

  @ParameterizedTest
  @MethodSource("linkedOnce")
  void whatWasLinkedOnceGivesItsSpaceBackWithoutTracing(Case structure) {
    givesItsSpaceBack(structure, SimpleCollector::freeUnlinked);
  }

  static Stream<Case> linkedSeveralTimes() {
    return Stream.of(
        new Case(
            "a sorted map",
            s -> s.getSortedMap().putAll(contents()),
            s -> s.getSortedMap().clear()),
        new Case(
            "a sorted map's entries",
            s -> s.getSortedMap().putAll(contents()),
            s -> removeAll(s.getSortedMap().keySet())),
        new Case(
            "the sorted map itself",
            s -> s.setSortedMap(new TreeMap<>(contents())),
            s -> s.setSortedMap(new TreeMap<>())),
        new Case(
            "a sorted set",
            s -> s.getSortedSet().addAll(contents().keySet()),
            s -> s.getSortedSet().clear()),
        new Case(
            "the sorted set itself",
            s -> s.setSortedSet(new TreeSet<>(contents().keySet())),
            s -> s.setSortedSet(new TreeSet<>())),
        new Case(
            "a deque", s -> s.getDeque().addAll(contents().values()), s -> s.getDeque().clear()),
        new Case(
            "a deque's elements",
            s -> s.getDeque().addAll(contents().keySet()),
            s -> {
              while (s.getDeque().size() > 0) {
                s.getDeque().removeFirst();
              }
              s.getDeque().clear();
            }),
        new Case(
            "the deque itself",
            s -> s.setDeque(new ArrayDeque<>(contents().values())),
            s -> s.setDeque(new ArrayDeque<>())),
        new Case(
            "a cycle",
            s -> {
              Book one = book(1);
              Book other = book(2);
              one.setSequel(other);
              other.setSequel(one);
              other.getPages().add(one);
              s.getList().add(one);
              s.setBook(other);
            },
            s -> {
              s.getList().clear();
              s.setBook(null);
            }));
  }

  @ParameterizedTest
  @MethodSource("linkedSeveralTimes")
  void whatWasLinkedMoreThanOnceGivesItsSpaceBackByTracing(Case structure) {
    givesItsSpaceBack(structure, SimpleCollector::collect);
  }

  private void givesItsSpaceBack(Case structure, Consumer<SimpleCollector> freeing) {
    long before = 0;
    for (int round = 0; round < 3; round++) { // the first one also adds to the catalogue
      if (round == 1) {
        before = collector.used();
      }
      structure.put().accept(shelf);
      assertTrue(collector.used() > before + 1000);
      restart();
      structure.drop().accept(shelf);
      restartUnlinked();
      freeing.accept(collector);
    }
    assertEquals(before, collector.used());
  }

  /** Has nothing held but the shelf, and forgets nothing that was left unlinked. */
  private void restartUnlinked() {
    SimpleCollector last = collector;
    restart();
    collector.takeOver(last);
  }

  // ---- what is held

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
    while (dropped.get() != null || held() > 1) {
      System.gc();
    }
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
    store().heap.layer().forEachHeld(address -> count[0]++);
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
    while (canary.get() != null) {
      System.gc();
    }
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

  // ---- what is reachable from several places

  static Stream<Arguments> twoPlaces() {
    return Stream.of(
        Arguments.of(
            (Consumer<Shelf>) s -> s.getList().clear(), (Function<Shelf, Object>) s -> s.getBook()),
        Arguments.of(
            (Consumer<Shelf>) s -> s.setBook(null),
            (Function<Shelf, Object>) s -> s.getList().getFirst()),
        Arguments.of(
            (Consumer<Shelf>)
                s -> {
                  s.setBook(null);
                  s.getMap().put("key", s.getList().removeFirst());
                },
            (Function<Shelf, Object>) s -> s.getMap().get("key")));
  }

  @ParameterizedTest
  @MethodSource("twoPlaces")
  void whatIsTakenFromOneOfTwoPlacesStays(Consumer<Shelf> take, Function<Shelf, Object> find) {
    Book book = book(1);
    shelf.getList().add(book);
    shelf.setBook(book);
    restart();
    take.accept(shelf);
    churn();
    restart();
    churn();
    assertWhole(1, (Book) find.apply(shelf));
  }

  @Test
  void aRolledBackTransactionFreesNothing() {
    shelf.setThing(new Object[0]); // the catalogue keeps what it gets
    shelf.setBook(book(1));
    shelf.getList().add(text(1));
    restart();
    long before = collector.used();
    try {
      store()
          .transaction(
              () -> {
                shelf.setBook(null);
                shelf.getList().clear();
                shelf.setThing(new Object[] {book(2), text(2)});
                throw new IllegalArgumentException("no");
              });
    } catch (IllegalArgumentException e) {
      assertEquals("no", e.getMessage());
    }
    assertEquals(before, collector.used());
    churn();
    Book book = shelf.getBook();
    assertNotNull(book);
    assertWhole(1, book);
    assertArrayEquals(new Object[] {text(1)}, shelf.getList().toArray());
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
    assertSame(book, store().heap.layer().held(address));
    assertTrue(collector.allocated().containsKey(address));
    shelf.setBook(book);
    restart();
    book = shelf.getBook();
    assertNotNull(book);
    assertEquals(text(1), book.getTitle());
  }
}
