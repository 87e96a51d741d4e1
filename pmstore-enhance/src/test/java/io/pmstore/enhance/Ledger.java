package io.pmstore.enhance;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program whose classes work with and without the enhancer. */
public final class Ledger {
  private Ledger() {}

  /** The root. */
  @Persistent(root = "book")
  static class Book {
    private List<Entry> entries = new ArrayList<>();
    private long sum;
    private int[] digits = new int[2];

    void add(Entry entry) {
      entries.add(entry);
      sum += entry.getAmount();
      digits[1]++;
      entry.setBook(this);
    }

    List<Entry> getEntries() {
      return entries;
    }

    long getSum() {
      return sum;
    }

    int count() {
      return digits[1];
    }
  }

  /** One entry. */
  @Persistent
  static class Entry {
    private String text;
    private long amount;
    private Book book;

    Entry(String text, long amount) {
      this.text = text;
      this.amount = amount;
    }

    String getText() {
      return text;
    }

    long getAmount() {
      return amount;
    }

    Book getBook() {
      return book;
    }

    void setBook(Book newBook) {
      book = newBook;
    }
  }

  /** Adds an entry to the store that the argument names, and prints what there is. */
  public static void main(String[] arguments) {
    try (PmStore store = PmStore.open(Path.of(arguments[0]))) {
      Book book = store.root(Book.class);
      System.out.println(book.getClass());
      book.add(new Entry("" + (book.count() + 1), 10));
      StringBuilder texts = new StringBuilder();
      for (Entry entry : book.getEntries()) {
        texts.append(entry.getText());
        if (entry.getBook() != book) {
          throw new IllegalStateException("another book");
        }
      }
      System.out.println("entries " + texts + " sum " + book.getSum());
    }
  }
}
