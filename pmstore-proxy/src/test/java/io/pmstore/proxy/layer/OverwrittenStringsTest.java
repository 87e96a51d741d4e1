package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A long string that replaces one of the same size takes its space. Transactions, snapshots and
 * readers without either see the old string or the new one, as if it had space of its own.
 */
class OverwrittenStringsTest extends StoreTest {
  /** Two texts and everything that may hold one of them too. */
  @Persistent(root = "page")
  static class Page {
    private @Nullable String head;
    private @Nullable String body;
    private @Nullable Object other;
    private List<String> lines = new ArrayList<>();
    private Map<String, String> notes = new HashMap<>();

    @Nullable String getHead() {
      return head;
    }

    void setHead(@Nullable String head) {
      this.head = head;
    }

    @Nullable String getBody() {
      return body;
    }

    void setBody(@Nullable String body) {
      this.body = body;
    }

    @Nullable Object getOther() {
      return other;
    }

    void setOther(@Nullable Object other) {
      this.other = other;
    }

    List<String> getLines() {
      return lines;
    }

    Map<String, String> getNotes() {
      return notes;
    }
  }

  private static String text(char c, int length) {
    return String.valueOf(c).repeat(length);
  }

  private Page page() {
    return store().root(Page.class);
  }

  private long freed() {
    return store().heap.reclamation().freed().objects();
  }

  @Test
  void nothingIsFreedWhereTheSizeStays() {
    Page page = page();
    page.setHead(text('a', 100));
    long freed = freed();
    for (int length : new int[] {100, 97, 100}) { // 97 to 100 bytes take the same words
      page.setHead(text('b', length));
      assertEquals(text('b', length), page.getHead());
    }
    assertEquals(freed, freed());
    page.setHead(text('\u20ac', 50));
    assertEquals(text('\u20ac', 50), page.getHead(), "as many bytes, in another encoding");
    page.setHead(text('c', 101));
    assertEquals(freed + 2, freed());
    page.setHead(text('d', 5_000));
    page.setHead(text('e', 5_000));
    assertEquals(freed + 4, freed(), "snapshots would keep copies of long strings");
    reopen();
    assertEquals(text('e', 5_000), page().getHead());
  }

  @Test
  void aRollBackKeepsTheOldString() {
    Page page = page();
    page.setHead(text('a', 100));
    rolledBack(
        () -> {
          page.setHead(text('b', 100));
          assertEquals(text('b', 100), page.getHead());
          page.setHead(text('c', 99));
          page.setHead(text('d', 300));
          page.setHead(text('e', 300));
        });
    assertEquals(text('a', 100), page.getHead());
  }

  @Test
  void aTransactionMayReplaceAStringOften() {
    Page page = page();
    page.setHead(text('a', 100));
    store()
        .transaction(
            () -> {
              page.setHead(text('b', 100));
              page.setBody(page.getHead());
              page.setHead(text('c', 100));
              page.setBody(text('d', 100));
              page.setHead(null);
              page.setHead(text('e', 100));
            });
    assertEquals(text('e', 100), page.getHead());
    assertEquals(text('d', 100), page.getBody());
    page.setHead(null);
    assertNull(page.getHead());
    assertEquals(text('d', 100), page.getBody());
  }

  @Test
  void whatWasReadFromAPropertyStays() {
    Page page = page();
    page.setHead(text('a', 100));
    store()
        .transaction(
            () -> {
              page.setBody(page.getHead());
              page.setOther(page.getHead());
              page.getLines().add(page.getHead());
              page.getNotes().put("note", page.getHead());
              page.setHead(text('b', 100));
            });
    page.setHead(text('c', 100));
    page.setOther(text('d', 100));
    assertEquals(text('a', 100), page.getBody());
    assertEquals(List.of(text('a', 100)), page.getLines());
    assertEquals(Map.of("note", text('a', 100)), page.getNotes());
    assertEquals(text('d', 100), page.getOther());
  }

  /** Collections move what they hold, and leave copies behind that nothing refers to. */
  @Test
  void elementsOfCollectionsAreNeverOverwritten() {
    Random random = new Random(seed());
    List<String> model = new ArrayList<>();
    List<String> lines = page().getLines();
    for (int i = 0; i < 2_000; i++) {
      String line = text((char) ('a' + i % 26), 100);
      int at = random.nextInt(model.size() + 1);
      if (at == model.size() || random.nextInt(3) == 0) {
        model.add(at, line);
        lines.add(at, line);
      } else if (random.nextBoolean()) {
        model.set(at, line);
        lines.set(at, line);
      } else {
        model.remove(at);
        lines.remove(at);
      }
    }
    assertEquals(model, lines);
  }

  private static long seed() {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    System.out.println("OverwrittenStringsTest: -Dpmstore.seed=" + seed);
    return seed;
  }

  @Test
  void aSnapshotShowsTheStringOfItsTime() throws Exception {
    Page page = page();
    page.setHead(text('a', 100));
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      String seen =
          store()
              .heap
              .snapshot(
                  () -> {
                    for (char c = 'b'; c < 'z'; c++) {
                      String next = text(c, 100);
                      other.submit(() -> page.setHead(next)).get();
                    }
                    return page.getHead();
                  });
      assertEquals(text('a', 100), seen);
    }
    assertEquals(text('y', 100), page.getHead());
  }

  /** Both texts have the same character, which each transaction changes. */
  @Test
  void noReaderSeesPartsOfTwoStrings() throws Exception {
    Page page = page();
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong reads = new AtomicLong();
    set(page, 'a', 4_000);
    List<Callable<Void>> readers =
        List.of(
            () -> checkUniform(page.getHead()),
            () -> checkSame(store().call(() -> List.of(page.getHead(), page.getBody()))),
            () -> checkSame(store().heap.snapshot(() -> List.of(page.getHead(), page.getBody()))));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (Callable<Void> reader : readers) {
        all.add(
            threads.submit(
                () -> {
                  while (!ended.get()) {
                    reader.call();
                    reads.incrementAndGet();
                  }
                  return null;
                }));
      }
      Random random = new Random(seed());
      int writes = 0;
      while (writes < 3_000 || (reads.get() < 3_000 && all.stream().noneMatch(Future::isDone))) {
        // Now and then of another size, so that the space of the old ones is used for others.
        set(page, (char) ('a' + writes++ % 26), 4_000 + 8 * random.nextInt(2));
      }
      ended.set(true);
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  private void set(Page page, char c, int length) {
    store()
        .transaction(
            () -> {
              page.setHead(text(c, length));
              page.setBody(text(c, length - 1));
            });
  }

  private static Void checkSame(List<String> texts) {
    texts.forEach(OverwrittenStringsTest::checkUniform);
    assertEquals(texts.getFirst().charAt(0), texts.getLast().charAt(0));
    assertEquals(texts.getFirst().length() - 1, texts.getLast().length());
    return null;
  }

  private static Void checkUniform(String text) {
    assertEquals(1, text.chars().distinct().count(), () -> "torn: " + text);
    return null;
  }
}
