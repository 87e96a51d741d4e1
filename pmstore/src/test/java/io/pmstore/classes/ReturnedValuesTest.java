package io.pmstore.classes;

import static io.pmstore.logged.LoggedWarnings.assertNames;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.logged.LoggedWarnings;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log warns a program that changes the copy of an array or a date that a getter returned. */
@SuppressWarnings("JavaUtilDate") // users have such values
class ReturnedValuesTest {
  @TempDir Path directory;

  private final LoggedWarnings warnings =
      new LoggedWarnings("io.pmstore.proxy.convert.LostChanges");

  /** The root. */
  @Persistent(root = "diary")
  public static class Diary {
    private int[] counts = {1, 2, 3};
    private String[] names = {"a", "b"};
    private double[][] grid = {{1, 2}, {3, 4}};
    private Date day = new Date(0);
    private Calendar hour = Calendar.getInstance();
    private Object any = new long[] {1};
    private int[] large = new int[2_000];
    private Span span = new Span(new Date(0), new int[] {1}, "a");
    private Guarded guarded = new Guarded(new Date(0));
    private Optional<Date> end = Optional.of(new Date(0));
    private Holder holder = new Holder(new int[] {1}, null);
    private Basket basket = new Basket(List.of("a"), Map.of("k", 1));
    private Crate crate = new Crate(List.of("a"), new ArrayList<>());
    private long other;
    private Page page;
    private List<Page> pages = new ArrayList<>();
    private List<Note> notes = new ArrayList<>();

    public int[] getCounts() {
      return counts;
    }

    public void setCounts(int[] counts) {
      this.counts = counts;
    }

    public String[] getNames() {
      return names;
    }

    public double[][] getGrid() {
      return grid;
    }

    public Date getDay() {
      return day;
    }

    public void setDay(Date day) {
      this.day = day;
    }

    public Calendar getHour() {
      return hour;
    }

    public Object getAny() {
      return any;
    }

    public void setAny(Object any) {
      this.any = any;
    }

    public Page getPage() {
      return page;
    }

    public void setPage(Page page) {
      this.page = page;
    }

    public List<Page> getPages() {
      return pages;
    }

    public List<Note> getNotes() {
      return notes;
    }

    public Span getSpan() {
      return span;
    }

    public void setSpan(Span span) {
      this.span = span;
    }

    public Guarded getGuarded() {
      return guarded;
    }

    public Optional<Date> getEnd() {
      return end;
    }

    public Holder getHolder() {
      return holder;
    }

    public void setHolder(Holder holder) {
      this.holder = holder;
    }

    /** Changes the array in place, which is stored. */
    public void countSpan() {
      span.counts()[0]++;
    }

    public Basket getBasket() {
      return basket;
    }

    public void setBasket(Basket basket) {
      this.basket = basket;
    }

    public Crate getCrate() {
      return crate;
    }

    /** Changes a copy. */
    public void pack(String item) {
      basket.items().add(item);
    }

    public int[] getLarge() {
      return large;
    }

    public long getOther() {
      return other;
    }

    public void setOther(long other) {
      this.other = other;
    }

    /** Changes the array in place, which is stored. */
    public void count(int index) {
      counts[index]++;
    }

    /** Only reads. */
    public int sum() {
      return Arrays.stream(counts).sum();
    }
  }

  /** A record that gives its parts out. */
  @SuppressWarnings("ArrayRecordComponent") // users have such records
  public record Span(Date from, int[] counts, String name) {}

  /** A record that gives copies of its part out. */
  public record Guarded(Date at) {
    @Override
    public Date at() {
      return (Date) at.clone();
    }
  }

  /** A record that refers to an object. */
  @SuppressWarnings("ArrayRecordComponent") // users have such records
  public record Holder(int[] counts, Page page) {}

  /** A record whose constructor copies its collections. */
  public record Basket(List<String> items, Map<String, Integer> counts) {
    public Basket {
      items = new ArrayList<>(items);
      counts = new TreeMap<>(counts);
    }
  }

  /** A record whose constructor makes one of its collections unmodifiable. */
  public record Crate(List<String> items, List<String> more) {
    public Crate {
      items = List.copyOf(items);
    }
  }

  /** An object that can be removed. */
  @Persistent
  public static class Page {
    private int[] lines = {1};

    public int[] getLines() {
      return lines;
    }

    public void setLines(int[] lines) {
      this.lines = lines;
    }
  }

  /** Another one of the same size. */
  @Persistent
  public static class Note {
    private String text = "";

    public String getText() {
      return text;
    }

    public void setText(String text) {
      this.text = text;
    }
  }

  @AfterEach
  void close() {
    warnings.close();
  }

  /** Returns what the log says when a program has done something with a store and closed it. */
  private List<String> after(BiConsumer<PmStore, Diary> use) {
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      use.accept(store, store.root(Diary.class));
    }
    return warnings.messages();
  }

  @Test
  void anElementThatIsStoredIntoTheReturnedArrayIsNamed() {
    assertNames(
        after(
            (store, diary) -> {
              diary.getCounts()[0] = 7;
              assertEquals(1, diary.getCounts()[0]);
            }),
        "int[] that diary.counts returned",
        "not stored");
  }

  @Test
  void inATransactionToo() {
    assertNames(
        after((store, diary) -> store.transaction(() -> diary.getCounts()[0] = 7)), "diary.counts");
  }

  @Test
  void inASnapshotToo() {
    assertNames(
        after((store, diary) -> store.snapshot(() -> diary.getCounts()[0] = 7)), "diary.counts");
  }

  @Test
  void otherValuesToo() {
    assertNames(after((store, diary) -> diary.getNames()[0] = "x"), "String[] that diary.names");
  }

  @Test
  void rowsToo() {
    assertNames(after((store, diary) -> diary.getGrid()[1][0] = 9), "double[][] that diary.grid");
  }

  @Test
  void datesToo() {
    assertNames(after((store, diary) -> diary.getDay().setTime(1)), "Date that diary.day");
  }

  @Test
  void calendarsToo() {
    assertNames(
        after((store, diary) -> diary.getHour().add(Calendar.HOUR, 1)), "that diary.hour returned");
  }

  @Test
  void arraysInPropertiesOfAnyTypeToo() {
    assertNames(
        after((store, diary) -> ((long[]) diary.getAny())[0]++), "long[] that diary.any returned");
  }

  @Test
  void datesInRecordsToo() {
    assertNames(
        after((store, diary) -> diary.getSpan().from().setTime(1)),
        "Span that diary.span returned");
  }

  @Test
  void arraysInRecordsToo() {
    assertNames(
        after((store, diary) -> store.transaction(() -> diary.getSpan().counts()[0]++)),
        "Span that diary.span returned");
  }

  @Test
  void datesInOptionalsToo() {
    assertNames(
        after((store, diary) -> diary.getEnd().orElseThrow().setTime(1)),
        "Optional that diary.end returned");
  }

  @Test
  void listsThatTheConstructorOfARecordHasCopiedToo() {
    assertNames(
        after(
            (store, diary) -> {
              diary.getBasket().items().add("b");
              assertEquals(List.of("a"), diary.getBasket().items());
            }),
        "Basket that diary.basket returned",
        "not stored");
  }

  @Test
  void mapsThatItHasCopiedToo() {
    assertNames(
        after(
            (store, diary) -> {
              diary.getBasket().counts().put("k", 2);
            }),
        "Basket that diary.basket returned");
  }

  @Test
  void inMethodsOfTheClassToo() {
    assertNames(
        after(
            (store, diary) -> {
              diary.pack("b");
            }),
        "Basket that diary.basket returned");
  }

  @Test
  void whoReadsOrSetsARecordWithCopiesOrChangesACollectionOfTheStoreIsNotWarned() {
    List<String> found =
        after(
            (store, diary) -> {
              assertEquals("a", diary.getBasket().items().getFirst());
              Basket changed = diary.getBasket();
              changed.items().add("b");
              diary.setBasket(changed);
              assertEquals(List.of("a", "b"), diary.getBasket().items());
              assertEquals(1, diary.getBasket().counts().get("k"));
              diary.getCrate().more().add("c");
              assertEquals(List.of("c"), diary.getCrate().more());
            });
    assertEquals(List.of(), found);
  }

  @Test
  void whoReadsOrSetsARecordIsNotWarned() {
    List<String> found =
        after(
            (store, diary) -> {
              assertEquals(0, diary.getSpan().from().getTime());
              assertEquals("a", diary.getSpan().name());
              diary.getGuarded().at().setTime(7);
              assertEquals(0, diary.getEnd().orElseThrow().getTime());
              diary.countSpan();
              Span span = diary.getSpan();
              span.from().setTime(7);
              diary.setSpan(span);
              assertEquals(2, diary.getSpan().counts()[0]);
              assertThrows(
                  IllegalStateException.class,
                  () ->
                      store.transaction(
                          () -> {
                            diary.getSpan().counts()[0] = 9;
                            throw new IllegalStateException();
                          }));
            });
    assertEquals(List.of(), found);
  }

  @Test
  void oneMistakeIsLoggedOnce() {
    assertNames(
        after(
            (store, diary) -> {
              for (int i = 0; i < 1_000; i++) {
                diary.getCounts()[0]++;
                diary.setOther(i);
              }
            }),
        "diary.counts");
  }

  @Test
  @Timeout(60)
  void aProgramThatGoesOnIsTold() throws InterruptedException {
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      store.root(Diary.class).getCounts()[0] = 7;
      assertTrue(warnings.take().contains("diary.counts"));
    }
    assertEquals(List.of(), warnings.messages());
  }

  @Test
  void whoSetsThePropertyHasLostNothing() {
    List<String> found =
        after(
            (store, diary) -> {
              int[] counts = diary.getCounts();
              counts[0] = 7;
              diary.setCounts(counts);
              store.transaction(
                  () -> {
                    int[] more = diary.getCounts();
                    more[0] = 1; // as it was
                    diary.setCounts(more);
                    Date day = diary.getDay();
                    day.setTime(5);
                    diary.setDay(day);
                  });
              store.transaction(
                  () -> {
                    diary.setCounts(new int[] {4});
                    diary.getCounts()[0] = 5;
                    diary.setCounts(new int[] {6});
                  });
              assertArrayEquals(new int[] {6}, diary.getCounts());
              assertEquals(5, diary.getDay().getTime());
            });
    assertEquals(List.of(), found);
  }

  @Test
  void methodsOfTheClassLoseNothing() {
    List<String> found =
        after(
            (store, diary) -> {
              int[] before = diary.getCounts();
              diary.count(0);
              store.transaction(
                  () -> {
                    diary.count(0);
                    diary.getCounts()[1] = 9; // the method's own array, until the transaction ends
                  });
              assertEquals(15, diary.sum());
              assertArrayEquals(new int[] {1, 2, 3}, before);
            });
    assertEquals(List.of(), found);
  }

  @Test
  void whatWasRolledBackIsNotLostByMistake() {
    List<String> found =
        after(
            (store, diary) ->
                assertThrows(
                    IllegalStateException.class,
                    () ->
                        store.transaction(
                            () -> {
                              int[] counts = diary.getCounts();
                              counts[0] = 7;
                              throw new IllegalStateException("given up");
                            })));
    assertEquals(List.of(), found);
  }

  @Test
  void whoOnlyReadsOrChangesAnotherCopyIsNotWarned() {
    List<String> found =
        after(
            (store, diary) -> {
              Arrays.fill(diary.getCounts().clone(), 0);
              Diary plain = store.copy(diary);
              plain.getCounts()[0] = 7;
              plain.getDay().setTime(7);
              assertEquals(6, diary.sum() + diary.getOther());
              Calendar hour = diary.getHour();
              assertTrue(hour.get(Calendar.YEAR) > 2000 && hour.getTimeInMillis() > 0);
              assertTrue(hour.getActualMaximum(Calendar.DAY_OF_YEAR) > 300);
            });
    assertEquals(List.of(), found);
  }

  @Test
  void aPropertyThatGetsAValueOfAnotherKindHasLostNothing() {
    List<String> found =
        after(
            (store, diary) -> {
              for (Object next : new Object[] {"text", 1, null, List.of("a")}) {
                diary.setAny(new long[] {1});
                ((long[]) diary.getAny())[0]++;
                diary.setAny(next);
              }
            });
    assertEquals(List.of(), found);
  }

  private static void changeLines(Diary diary) {
    diary.getPage().getLines()[0] = 7;
  }

  /** The comparison reads no object, since its space may be that of another one by then. */
  @Test
  @Timeout(60)
  void anObjectThatIsFreedIsNamedAsItWas() {
    assertNames(
        after(
            (store, diary) -> {
              store.transaction(() -> diary.setPage(store.create(Page.class)));
              changeLines(diary);
              diary.setPage(null);
              while (store.statistics().freedObjects() == 0) {
                System.gc();
                store.gc();
              }
              store.transaction(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      diary.getNotes().add(store.create(Note.class));
                    }
                  });
            }),
        "int[] that page.lines returned");
  }

  /** A loop that reads and sets leaves room for the plain objects that are to be looked at. */
  @Test
  void whoSetsThePropertyOftenIsToldOfPlainObjects() {
    assertNames(
        after(
            (store, diary) -> {
              store.transaction(
                  () -> {
                    for (int i = 0; i < 2_000; i++) {
                      diary.getPages().add(store.create(Page.class));
                    }
                  });
              store.transaction(
                  () -> {
                    for (Page page : diary.getPages()) {
                      int[] lines = page.getLines();
                      lines[0]++;
                      page.setLines(lines);
                    }
                  });
              Page plain = new Page();
              diary.setPage(plain);
              plain.setLines(new int[3]);
            }),
        "a plain " + Page.class.getName());
  }

  @Test
  @Timeout(60)
  void aLongTransactionKeepsNoneOfTheValues() throws Exception {
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      Diary diary = store.root(Diary.class);
      store.transaction(
          () -> {
            WeakReference<int[]> counts = new WeakReference<>(diary.getCounts());
            while (counts.get() != null) {
              System.gc();
              Thread.sleep(10);
            }
          });
    }
  }

  /** They would keep their objects in memory. */
  @Test
  void recordsThatReferToObjectsAreNotCompared() {
    assertEquals(
        List.of(),
        after(
            (store, diary) -> {
              diary.setHolder(new Holder(new int[] {1}, new Page()));
              diary.getHolder().counts()[0] = 7;
            }));
  }

  /** Comparing them would cost more than the reads. */
  @Test
  void largeArraysAreNotCompared() {
    assertEquals(List.of(), after((store, diary) -> diary.getLarge()[0] = 7));
  }
}
