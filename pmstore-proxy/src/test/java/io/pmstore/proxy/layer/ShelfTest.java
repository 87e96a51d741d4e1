package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.layer.Shelf.Book;
import io.pmstore.proxy.layer.Shelf.Name;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A store with a shelf, from which something is removed. */
abstract class ShelfTest extends StoreTest {
  Shelf shelf = new Shelf();
  SimpleCollector collector = new SimpleCollector(store().heap);

  @BeforeEach
  void openShelf() {
    collector = new SimpleCollector(store().heap);
    shelf = store().root(Shelf.class);
  }

  /** Opens the store anew: nothing has a Java object but the shelf. */
  void restart() {
    reopen();
    openShelf();
  }

  static String text(Object what) {
    return "a text that has to be out of line, because it is so long: " + what;
  }

  static Book book(Object what) {
    Book book = new Book(text(what));
    book.setAuthor(new Name(text("first " + what), text("last " + what), List.of(text("more"))));
    for (int i = 0; i < 20; i++) {
      book.getPages().add(text(i));
      book.getIndex().put(text(i), new Name("a", text(i), null));
    }
    return book;
  }

  static void assertWhole(Object what, Book book) {
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

  /** Takes freed space and writes over it. */
  void churn() {
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
}
