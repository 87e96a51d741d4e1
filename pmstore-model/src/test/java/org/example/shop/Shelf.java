package org.example.shop;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.model.observe.ObservedWorkload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The example of docs/model.md. */
@SuppressWarnings("NullAway.Init") // load() comes first
public class Shelf implements ObservedWorkload {
  /** Books by number. */
  @Persistent(root = "books")
  public static class Books {
    private Map<Long, String> titles = new HashMap<>();

    public Map<Long, String> getTitles() {
      return titles;
    }

    public void setTitles(Map<Long, String> titles) {
      this.titles = titles;
    }
  }

  private PmStore store;
  private Books books;
  private Random random;
  private long next;
  private int kind;

  @Override
  public List<String> kinds() {
    return List.of("add", "find");
  }

  @Override
  public void load(PmStore store, long size, long seed) {
    this.store = store;
    books = store.root("books", Books.class);
    random = new Random(seed);
    while (next < size) {
      add();
    }
  }

  @Override
  public int prepare() {
    kind = random.nextInt(2);
    return kind;
  }

  @Override
  public void perform() {
    if (kind == 0) {
      add();
    } else {
      String _ = books.getTitles().get(random.nextLong(next));
    }
  }

  private void add() {
    store.transaction(() -> books.getTitles().put(next, "book " + next));
    next++;
  }
}
