package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A collection asks its own objects whether they are equal to a plain one, whose code would read
 * the unused fields of a persistent object. So do its views.
 */
class PlainArgumentsTest extends StoreTest {

  /** Its {@code equals} reads fields. */
  @Persistent
  static class Seat {
    private final int row;

    Seat(int row) {
      this.row = row;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Seat other && row == other.row;
    }

    @Override
    public int hashCode() {
      return row;
    }
  }

  /** Its {@code compareTo} reads fields. */
  @Persistent
  static class Row implements Comparable<Row> {
    private final int number;

    Row(int number) {
      this.number = number;
    }

    @Override
    public int compareTo(Row other) {
      return Integer.compare(number, other.number);
    }
  }

  /** A value with an object in it. */
  record Booking(Seat seat, int price) {}

  /** Equal to itself only. */
  @Persistent
  static class Usher {}

  record Shift(Usher usher, int day) {}

  @Persistent
  static class Hall {
    private final List<Seat> seats = new ArrayList<>();
    private final Vector<Seat> vector = new Vector<>();
    private final Set<Seat> set = new HashSet<>();
    private final List<Booking> bookings = new ArrayList<>();
    private final List<Optional<Seat>> best = new ArrayList<>();

    private final List<Usher> ushers = new ArrayList<>();
    private final Set<Usher> usherSet = new HashSet<>();
    private final List<Shift> shifts = new ArrayList<>();
    private final CopyOnWriteArrayList<Usher> rota = new CopyOnWriteArrayList<>();
    private final Map<Usher, Seat> places = new HashMap<>();
    private final List<int[]> arrays = new ArrayList<>();
    private final Map<String, int[]> named = new HashMap<>();
    private final List<Object[]> groups = new ArrayList<>();
    private final List<Object> rows = new ArrayList<>();
    private final Map<Row, String> byRow = new HashMap<>();
    private final Map<String, List<Usher>> teams = new HashMap<>();

    void fill() {
      for (int i = 0; i < 100; i++) {
        seats.add(new Seat(i % 50));
        vector.add(new Seat(i % 50));
        bookings.add(new Booking(new Seat(i), i));
        best.add(Optional.of(new Seat(i)));
      }
    }

    List<Seat> seats() {
      return seats;
    }

    Vector<Seat> vector() {
      return vector;
    }

    Set<Seat> set() {
      return set;
    }

    List<Booking> bookings() {
      return bookings;
    }

    List<Usher> ushers() {
      return ushers;
    }

    Map<String, List<Usher>> teams() {
      return teams;
    }

    Set<Usher> usherSet() {
      return usherSet;
    }

    CopyOnWriteArrayList<Usher> rota() {
      return rota;
    }

    Map<Usher, Seat> places() {
      return places;
    }

    List<int[]> arrays() {
      return arrays;
    }

    Map<String, int[]> named() {
      return named;
    }

    List<Object[]> groups() {
      return groups;
    }

    Map<Row, String> byRow() {
      return byRow;
    }

    List<Object> rows() {
      return rows;
    }

    List<Shift> shifts() {
      return shifts;
    }

    List<Optional<Seat>> best() {
      return best;
    }
  }

  private Hall hall;

  @BeforeEach
  void fill() {
    hall = store().root("hall", Hall.class);
    hall.fill();
  }

  @Test
  void aSublistFindsThemInItsRangeOnly() {
    List<Seat> range = hall.seats().subList(10, 90);
    assertEquals(10, range.indexOf(new Seat(20)));
    assertEquals(60, range.lastIndexOf(new Seat(20)));
    assertEquals(45, range.indexOf(new Seat(5)));
    assertEquals(-1, range.subList(0, 40).indexOf(new Seat(5)));
    assertTrue(range.contains(new Seat(20)));
    assertTrue(range.containsAll(List.of(new Seat(20), new Seat(21))));
    assertFalse(hall.seats().subList(0, 0).contains(new Seat(0)));
    assertEquals(19, range.reversed().indexOf(new Seat(20)));
    assertTrue(hall.bookings().subList(3, 9).contains(new Booking(new Seat(4), 4)));
    assertTrue(hall.best().subList(3, 9).contains(Optional.of(new Seat(4))));
  }

  @Test
  void aSublistRemovesTheFirstOfThem() {
    List<Seat> outer = hall.seats().subList(10, 90);
    List<Seat> inner = outer.subList(5, 70);
    rolledBack(() -> inner.remove(new Seat(20)));
    assertEquals(65, inner.size());
    assertTrue(inner.remove(new Seat(20)));
    assertFalse(inner.remove(new Seat(77)));
    assertEquals(64, inner.size());
    assertEquals(79, outer.size());
    assertEquals(99, hall.seats().size());
    assertTrue(hall.seats().get(20).equals(new Seat(21)));
    assertEquals(69, hall.seats().lastIndexOf(new Seat(20)));
  }

  @Test
  void aVectorFindsThemFromAnIndexOn() {
    assertEquals(70, hall.vector().indexOf(new Seat(20), 30));
    assertEquals(20, hall.vector().lastIndexOf(new Seat(20), 60));
    assertEquals(-1, hall.vector().indexOf(new Seat(20), 80));
  }

  /** {@code Set.of} of two asks one of the two itself. */
  @Test
  void bulkRemovalsFindThemInWhateverCollectionTheyAreGiven() {
    for (int first = 0; first < 50; first += 10) {
      List<Seat> seats = hall.seats();
      Set<Seat> two = Set.of(new Seat(first), new Seat(first + 1));
      List<Seat> list = new ArrayList<>(seats);
      rolledBack(
          () -> {
            hall.set().addAll(list);
            assertTrue(seats.retainAll(two));
            assertEquals(4, seats.size());
            assertFalse(seats.subList(1, 3).retainAll(two));
            assertTrue(seats.subList(1, 3).removeAll(two));
            assertEquals(2, seats.size());
            assertTrue(hall.set().retainAll(two));
            assertEquals(2, hall.set().size());
            assertTrue(hall.set().removeAll(two));
            assertTrue(hall.set().isEmpty());
          });
    }
  }

  @Test
  void bulkRemovalsFindThoseThatHaveBeenStored() {
    List<Usher> all = List.of(new Usher(), new Usher(), new Usher());
    List<Shift> shifts = List.of(new Shift(all.get(0), 1), new Shift(all.get(1), 2));
    hall.ushers().addAll(all);
    hall.usherSet().addAll(all);
    hall.shifts().addAll(shifts);
    assertFalse(hall.ushers().retainAll(all));
    assertFalse(hall.usherSet().retainAll(all));
    assertFalse(hall.shifts().retainAll(shifts));
    assertTrue(hall.ushers().removeAll(all.subList(0, 2)));
    assertTrue(hall.usherSet().removeAll(all.subList(0, 2)));
    assertTrue(hall.usherSet().removeAll(all));
    assertTrue(hall.shifts().removeAll(shifts.subList(0, 1)));
    assertEquals(1, hall.ushers().size());
    assertTrue(hall.usherSet().isEmpty());
    assertEquals(1, hall.shifts().size());
  }

  @Test
  void theAbsentOnesAreAddedOnce() {
    Usher plain = new Usher();
    hall.ushers().add(plain);
    Usher stored = hall.ushers().getFirst();
    rolledBack(() -> assertEquals(1, hall.rota().addAllAbsent(List.of(plain, stored))));
    rolledBack(() -> assertEquals(1, hall.rota().addAllAbsent(List.of(stored, plain))));
    assertEquals(2, hall.rota().addAllAbsent(List.of(new Usher(), plain, plain)));
    assertEquals(1, hall.rota().addAllAbsent(List.of(stored, new Usher(), plain)));
    assertEquals(3, hall.rota().size());
    assertEquals(1, hall.rota().indexOf(plain));
  }

  @Test
  void bulkRemovalsFindEntriesOfThem() {
    Map<Usher, Seat> all = new HashMap<>();
    for (int row = 1; row < 5; row++) {
      all.put(new Usher(), new Seat(row));
    }
    hall.places().putAll(all);
    assertFalse(hall.places().entrySet().retainAll(all.entrySet()));
    all.remove(all.keySet().iterator().next());
    assertTrue(hall.places().entrySet().retainAll(all.entrySet()));
    assertEquals(3, hall.places().size());
    List<Map.Entry<Usher, Seat>> twice = new ArrayList<>(all.entrySet());
    twice.addAll(all.entrySet());
    assertTrue(hall.places().entrySet().removeAll(twice));
    assertTrue(hall.places().isEmpty());
  }

  /** {@code Set.of} of two asks one of the two itself. */
  @Test
  void bulkRemovalsFindRecordsOfThem() {
    for (int first = 0; first < 50; first += 10) {
      Set<Booking> two =
          Set.of(new Booking(new Seat(first), first), new Booking(new Seat(first + 1), first + 1));
      rolledBack(
          () -> {
            assertTrue(hall.bookings().retainAll(two));
            assertEquals(2, hall.bookings().size());
            assertTrue(hall.bookings().removeAll(two));
            assertTrue(hall.bookings().isEmpty());
          });
    }
  }

  /** {@code Set.of} of two asks one of the two itself, which reads zeros of a persistent object. */
  @Test
  void bulkRemovalsTakeNoOthersForThoseThatHaveZeros() {
    for (int row : List.of(3, 777)) {
      Seat other = new Seat(row);
      for (Set<Seat> two : List.of(Set.of(new Seat(0), other), Set.of(other, new Seat(0)))) {
        rolledBack(
            () -> {
              hall.seats().retainAll(two);
              assertEquals(row == 3 ? 4 : 2, hall.seats().size());
            });
      }
      Booking first = new Booking(new Seat(0), 7);
      Booking second = new Booking(other, 3);
      for (Set<Booking> two : List.of(Set.of(first, second), Set.of(second, first))) {
        rolledBack(
            () -> {
              assertEquals(row == 3, hall.bookings().removeAll(two));
              assertEquals(row == 3 ? 99 : 100, hall.bookings().size());
            });
      }
    }
  }

  @Test
  void bulkRemovalsFindArraysByTheirContents() {
    List<int[]> given = List.of(new int[] {1}, new int[] {2});
    hall.arrays().addAll(given);
    assertFalse(hall.arrays().retainAll(given));
    assertTrue(hall.arrays().removeAll(given.subList(0, 1)));
    assertEquals(1, hall.arrays().size());
    Map<String, int[]> named = Map.of("a", new int[] {1}, "b", new int[] {2});
    hall.named().putAll(named);
    assertFalse(hall.named().values().retainAll(named.values()));
    assertFalse(hall.named().entrySet().retainAll(named.entrySet()));
    assertTrue(hall.named().entrySet().removeAll(List.copyOf(named.entrySet())));
    assertTrue(hall.named().isEmpty());
  }

  @Test
  void arraysOfThemAreFound() {
    Usher[] pair = {new Usher(), new Usher()};
    Object[] nested = {pair, "x"};
    hall.groups().add(pair);
    hall.groups().add(nested);
    assertTrue(hall.groups().contains(pair));
    assertTrue(hall.groups().contains(pair.clone()));
    assertEquals(1, hall.groups().indexOf(nested));
    assertFalse(hall.groups().contains(new Usher[] {pair[1], pair[0]}));
    assertFalse(hall.groups().retainAll(List.of(pair, nested)));
    assertTrue(hall.groups().removeAll(List.of(nested, pair)));
    assertTrue(hall.groups().isEmpty());
  }

  /** As its sets are, whose elements are looked up. */
  @Test
  void collectionsOfThemAreEqualToTheirTwins() {
    List<Usher> ushers = List.of(new Usher(), new Usher());
    List<Shift> shifts = List.of(new Shift(ushers.get(0), 1), new Shift(ushers.get(1), 2));
    Map<Usher, Seat> places = Map.of(ushers.get(0), new Seat(0), ushers.get(1), new Seat(1));
    hall.ushers().addAll(ushers);
    hall.shifts().addAll(shifts);
    hall.places().putAll(places);
    assertTrue(hall.ushers().equals(ushers));
    assertTrue(hall.ushers().subList(0, 1).equals(ushers.subList(0, 1)));
    assertFalse(hall.ushers().equals(ushers.reversed()));
    assertTrue(hall.shifts().reversed().equals(shifts.reversed()));
    assertTrue(hall.places().equals(places));
    assertTrue(hall.places().entrySet().equals(places.entrySet()));
    assertTrue(hall.places().entrySet().stream().allMatch(e -> holds(places, e)));
    Map<Row, String> descending = new TreeMap<>(Comparator.reverseOrder());
    descending.putAll(Map.of(new Row(1), "a", new Row(2), "b"));
    hall.byRow().putAll(descending);
    assertTrue(hall.byRow().equals(descending));
    assertFalse(
        hall.places().equals(Map.of(ushers.get(0), new Seat(0), ushers.get(1), new Seat(7))));
    assertFalse(hall.places().equals(Map.of(ushers.get(0), new Seat(0), new Usher(), new Seat(1))));
  }

  private static boolean holds(Map<Usher, Seat> plain, Map.Entry<Usher, Seat> stored) {
    return plain.entrySet().stream().anyMatch(stored::equals);
  }

  @Test
  void collectionsOfThemAreFoundInOthers() {
    List<Usher> pair = List.of(new Usher(), new Usher());
    hall.rows().add(pair);
    hall.rows().add(Map.of(pair.get(0), "x"));
    assertEquals(0, hall.rows().indexOf(new ArrayList<>(pair)));
    assertEquals(1, hall.rows().indexOf(new HashMap<>(Map.of(pair.get(0), "x"))));
    assertFalse(hall.rows().contains(pair.reversed()));
    List<Object> given = List.of(List.copyOf(pair), Map.of(pair.get(0), "x"));
    assertFalse(hall.rows().retainAll(given));
    assertFalse(hall.rows().retainAll(new HashSet<>(given)));
  }

  @Test
  void entriesWithCollectionsOfThemAreFound() {
    Map<String, List<Usher>> teams = Map.of("a", List.of(new Usher()), "b", List.of(new Usher()));
    hall.teams().putAll(teams);
    Map<String, List<Usher>> equal = new HashMap<>();
    teams.forEach((name, team) -> equal.put(name, new ArrayList<>(team)));
    assertFalse(hall.teams().entrySet().retainAll(new HashSet<>(equal.entrySet())));
    assertFalse(hall.teams().entrySet().retainAll(equal.entrySet()));
    assertEquals(2, hall.teams().size());
    assertTrue(hall.teams().values().removeAll(new HashSet<>(equal.values())));
    assertTrue(hall.teams().isEmpty());
  }
}
