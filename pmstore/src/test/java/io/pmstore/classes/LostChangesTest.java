package io.pmstore.classes;

import static io.pmstore.logged.LoggedWarnings.assertNames;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.logged.LoggedWarnings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A change to a plain object that comes after its transaction is in no store: the log says so. */
class LostChangesTest {
  @TempDir Path directory;

  private final LoggedWarnings warnings =
      new LoggedWarnings("io.pmstore.proxy.convert.LostChanges");

  /** The root. */
  @Persistent(root = "shelf")
  public static class Shelf {
    private Map<Long, Book> books = new HashMap<>();

    public Map<Long, Book> getBooks() {
      return books;
    }
  }

  /** A value. */
  public record Cover(String color, int[] size) {}

  /** An ordinary class. */
  @Persistent
  public static class Book {
    private String title = "";
    private int[] pages = new int[2];
    private List<String> notes = new ArrayList<>();
    private Book next;
    private Cover cover = new Cover("blue", new int[1]);

    public String getTitle() {
      return title;
    }

    public void setTitle(String title) {
      this.title = title;
    }

    public int[] getPages() {
      return pages;
    }

    public List<String> getNotes() {
      return notes;
    }

    public void setNotes(List<String> notes) {
      this.notes = notes;
    }

    public Cover getCover() {
      return cover;
    }

    public Book getNext() {
      return next;
    }

    public void setNext(Book next) {
      this.next = next;
    }
  }

  @AfterEach
  void close() {
    warnings.close();
  }

  private List<String> after(Consumer<Book> change) {
    Book plain = new Book();
    plain.setTitle("A");
    plain.setNext(new Book());
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      Shelf shelf = store.root(Shelf.class);
      shelf.getBooks().put(1L, plain);
      change.accept(plain);
      shelf.getBooks().get(1L).setTitle("B"); // the persistent one may change
    }
    return warnings.messages();
  }

  @Test
  void aProperty() {
    assertNames(after(book -> book.setTitle("lost")), Book.class.getName(), "property title");
  }

  @Test
  void aPropertyOfAnObjectThatCameWithIt() {
    assertNames(after(book -> book.getNext().setTitle("lost")), "property title");
  }

  @Test
  void anElementOfAnArray() {
    assertNames(after(book -> book.getPages()[1] = 7), "property pages");
  }

  @Test
  void anElementOfAnArrayInARecord() {
    assertNames(after(book -> book.getCover().size()[0] = 7), "property cover");
  }

  @Test
  void anElementOfACollection() {
    List<String> found = after(book -> book.getNotes().add("lost"));
    assertTrue(found.stream().anyMatch(w -> w.contains("java.util.ArrayList")), found::toString);
    assertTrue(found.stream().anyMatch(w -> w.contains("property notes")), found::toString);
  }

  @Test
  void nothingIsLoggedOfWhatIsStored() {
    assertEquals(List.of(), after(book -> {}));
    Book plain = new Book();
    try (PmStore store = PmStore.open(directory.resolve("other"))) {
      Shelf shelf = store.root(Shelf.class);
      store.transaction(
          () -> {
            shelf.getBooks().put(1L, plain);
            plain.setTitle("in time");
            plain.getNotes().add("in time");
          });
      assertEquals("in time", shelf.getBooks().get(1L).getTitle());
      plain.setTitle(shelf.getBooks().get(1L).getTitle());
    }
    assertEquals(List.of(), warnings.messages());
  }

  @Test
  @Timeout(60)
  void aProgramThatGoesOnIsTold() throws InterruptedException {
    Book plain = new Book();
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      store.root(Shelf.class).getBooks().put(1L, plain);
      plain.setTitle("lost");
      assertNames(List.of(warnings.take()), "property title");
    }
    assertEquals(List.of(), warnings.messages());
  }

  @Test
  void oneMistakeIsLoggedOnce() {
    List<Book> all = new ArrayList<>();
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      Shelf shelf = store.root(Shelf.class);
      store.transaction(
          () -> {
            for (long i = 0; i < 2000; i++) {
              all.add(new Book());
              shelf.getBooks().put(i, all.getLast());
            }
          });
      all.forEach(book -> book.setTitle("lost"));
    }
    assertNames(warnings.messages(), "property title");
  }

  /** Has references to objects. */
  @Persistent(root = "stack")
  public static class Stack {
    private List<Book> books = new ArrayList<>();

    public List<Book> getBooks() {
      return books;
    }

    public void setBooks(List<Book> books) {
      this.books = books;
    }
  }

  /** Keeps other threads from its elements. */
  @SuppressWarnings("serial") // nobody serializes it
  private static final class Held extends ArrayList<Book> {
    private final transient Thread owner = Thread.currentThread();
    private final transient CountDownLatch asked = new CountDownLatch(1);
    private final transient CountDownLatch released = new CountDownLatch(1);

    @Override
    public Iterator<Book> iterator() {
      if (Thread.currentThread() != owner) {
        asked.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return super.iterator();
    }
  }

  private static boolean waitsForTheLook(Thread closer) {
    return closer.getState() == Thread.State.BLOCKED
        && Arrays.stream(closer.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith(".LostChanges"));
  }

  @Test
  @Timeout(60)
  void aStoreThatClosesWhileAnObjectIsLookedAtIsNoChange() throws InterruptedException {
    Held books = new Held();
    PmStore store = PmStore.open(directory.resolve("store"));
    books.add(new Book());
    store.root(Stack.class).setBooks(books);
    books.asked.await(); // by the look of some seconds later
    Thread closer = new Thread(store::close);
    closer.start();
    while (!waitsForTheLook(closer) && closer.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
    books.released.countDown();
    closer.join();
    CountDownLatch looked = new CountDownLatch(1); // the thread that looks has done so
    CompletableFuture.delayedExecutor(1, TimeUnit.NANOSECONDS, Runnable::run)
        .execute(looked::countDown);
    looked.await();
    assertEquals(List.of(), warnings.messages());
  }
}
