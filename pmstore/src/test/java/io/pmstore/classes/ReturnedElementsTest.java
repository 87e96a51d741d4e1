package io.pmstore.classes;

import static io.pmstore.logged.LoggedWarnings.assertNames;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.logged.LoggedWarnings;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The log warns a program that changes the copy of an array or a date that a collection returned.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
class ReturnedElementsTest {
  @TempDir Path directory;

  private final LoggedWarnings warnings =
      new LoggedWarnings("io.pmstore.proxy.convert.LostChanges");

  /** The root. */
  @Persistent(root = "ledger")
  public static class Ledger {
    private Map<String, int[]> tallies = new HashMap<>();
    private SortedMap<String, Date> days = new TreeMap<>();
    private List<int[]> rows = new ArrayList<>();
    private Deque<int[]> queue = new ArrayDeque<>();
    private List<Basket> baskets = new ArrayList<>();

    public Map<String, int[]> getTallies() {
      return tallies;
    }

    public SortedMap<String, Date> getDays() {
      return days;
    }

    public List<int[]> getRows() {
      return rows;
    }

    public Deque<int[]> getQueue() {
      return queue;
    }

    public List<Basket> getBaskets() {
      return baskets;
    }
  }

  /** A record whose constructor copies its list. */
  public record Basket(List<String> items) {
    public Basket {
      items = new ArrayList<>(items);
    }
  }

  @AfterEach
  void close() {
    warnings.close();
  }

  /** Returns what the log says when a program has done something with a store and closed it. */
  private List<String> after(BiConsumer<PmStore, Ledger> use) {
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      use.accept(store, store.root(Ledger.class));
    }
    return warnings.messages();
  }

  @Test
  void arraysInMapsToo() {
    assertNames(
        after(
            (store, ledger) -> {
              ledger.getTallies().put("a", new int[1]);
              ledger.getTallies().get("a")[0]++;
              assertEquals(0, ledger.getTallies().get("a")[0]);
            }),
        "the int[] that a collection returned at",
        "ReturnedElementsTest.java",
        "not stored");
  }

  @Test
  void arraysThatAMapComputesToo() {
    assertNames(
        after((store, ledger) -> ledger.getTallies().computeIfAbsent("a", key -> new int[1])[0]++),
        "the int[] that a collection returned at");
  }

  @Test
  void datesInSortedMapsToo() {
    assertNames(
        after(
            (store, ledger) -> {
              ledger.getDays().put("a", new Date(0));
              store.transaction(() -> ledger.getDays().values().iterator().next().setTime(1));
            }),
        "the Date that a collection returned at");
  }

  @Test
  void arraysInListsToo() {
    assertNames(
        after(
            (store, ledger) -> {
              ledger.getRows().add(new int[2]);
              for (int[] row : ledger.getRows()) {
                Arrays.fill(row, 7);
              }
            }),
        "the int[] that a collection returned at");
  }

  @Test
  void listsThatARecordInAListHasCopiedToo() {
    assertNames(
        after(
            (store, ledger) -> {
              ledger.getBaskets().add(new Basket(List.of("a")));
              ledger.getBaskets().getFirst().items().add("b");
            }),
        "the Basket that a collection returned at");
  }

  @Test
  void arraysInDequesToo() {
    assertNames(
        after(
            (store, ledger) -> {
              ledger.getQueue().add(new int[2]);
              ledger.getQueue().peek()[1] = 7;
            }),
        "the int[] that a collection returned at");
  }

  private static Consumer<Ledger> onTallies(Consumer<Map<String, int[]>> use) {
    return ledger -> {
      ledger.getTallies().put("a", new int[1]);
      use.accept(ledger.getTallies());
    };
  }

  private static Consumer<Ledger> onDays(Consumer<SortedMap<String, Date>> use) {
    return ledger -> {
      ledger.getDays().put("a", new Date(0));
      use.accept(ledger.getDays());
    };
  }

  private static Consumer<Ledger> onRows(Consumer<List<int[]>> use) {
    return ledger -> {
      ledger.getRows().addAll(List.of(new int[1], new int[1]));
      use.accept(ledger.getRows());
    };
  }

  private static Consumer<Ledger> onQueue(Consumer<Deque<int[]>> use) {
    return ledger -> {
      ledger.getQueue().add(new int[1]);
      use.accept(ledger.getQueue());
    };
  }

  static Stream<Consumer<Ledger>> changesThatAreNotLost() {
    return Stream.of(
        onTallies(tallies -> tallies.put("a", plusOne(tallies.get("a")))),
        onTallies(tallies -> tallies.compute("a", (key, tally) -> plusOne(tally))),
        onTallies(tallies -> tallies.merge("a", new int[1], (tally, other) -> plusOne(tally))),
        onTallies(tallies -> tallies.replaceAll((key, tally) -> plusOne(tally))),
        onTallies(
            tallies ->
                tallies.entrySet().forEach(entry -> entry.setValue(plusOne(entry.getValue())))),
        onTallies(tallies -> plusOne(tallies.entrySet().iterator().next().setValue(new int[1]))),
        onTallies(tallies -> plusOne(tallies.replace("a", new int[1]))),
        onTallies(tallies -> plusOne(tallies.put("a", new int[1]))),
        onTallies(tallies -> plusOne(tallies.remove("a"))),
        onDays(days -> days.put("a", new Date(0)).setTime(1)),
        onDays(days -> days.replace("a", new Date(0)).setTime(1)),
        onDays(days -> days.remove("a").setTime(1)),
        onDays(days -> days.pollFirstEntry().getValue().setTime(1)),
        onRows(rows -> rows.replaceAll(ReturnedElementsTest::plusOne)),
        onRows(rows -> rows.set(0, plusOne(rows.get(0)))),
        onRows(rows -> plusOne(rows.set(0, new int[1]))),
        onRows(rows -> plusOne(rows.remove(0))),
        onRows(rows -> plusOne(rows.removeLast())),
        onRows(rows -> plusOne(rows.subList(0, 1).set(0, new int[1]))),
        onRows(rows -> plusOne(rows.reversed().removeFirst())),
        onRows(
            rows -> {
              ListIterator<int[]> each = rows.listIterator();
              each.set(plusOne(each.next()));
            }),
        onRows(
            rows -> {
              Iterator<int[]> each = rows.iterator();
              int[] first = each.next();
              each.remove();
              plusOne(first);
            }),
        onQueue(queue -> plusOne(queue.poll())),
        onQueue(queue -> plusOne(queue.removeLast())));
  }

  @ParameterizedTest
  @MethodSource("changesThatAreNotLost")
  void whoChangesTheCollectionIsNotWarned(Consumer<Ledger> use) {
    assertEquals(List.of(), after((store, ledger) -> use.accept(ledger)));
  }

  private static int[] plusOne(int[] array) {
    array[0]++;
    return array;
  }
}
