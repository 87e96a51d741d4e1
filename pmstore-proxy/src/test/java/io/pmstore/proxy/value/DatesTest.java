package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dates of older programs: mutable values of four classes. */
@SuppressWarnings("JavaUtilDate") // that is what is tested
class DatesTest extends StoreTest {

  @Persistent(root = "booking")
  interface Booking {
    Date getDate();

    void setDate(Date date);

    Timestamp getTimestamp();

    void setTimestamp(Timestamp timestamp);

    java.sql.Date getDay();

    void setDay(java.sql.Date day);

    Time getTime();

    void setTime(Time time);

    Object getAnything();

    void setAnything(Object value);

    Comparable<Date> getComparable();

    void setComparable(Comparable<Date> value);

    List<Date> getList();

    void setList(List<Date> list);

    Map<Object, String> getMap();

    void setMap(Map<Object, String> map);

    Map<Date, String> getSorted();

    void setSorted(Map<Date, String> map);

    Date[] getArray();

    void setArray(Date[] array);

    Moment getMoment();

    void setMoment(Moment moment);
  }

  record Moment(Timestamp at, Date day) {}

  private static Timestamp timestamp(long milliseconds, int nanoseconds) {
    Timestamp timestamp = new Timestamp(milliseconds);
    timestamp.setNanos(nanoseconds);
    return timestamp;
  }

  static Stream<Date> dates() {
    List<Date> dates = new ArrayList<>();
    for (long milliseconds :
        new long[] {
          0, -1, 1_700_000_000_123L, -62_135_769_600_001L, Long.MAX_VALUE, Long.MIN_VALUE
        }) {
      dates.add(new Date(milliseconds));
      dates.add(new java.sql.Date(milliseconds));
      dates.add(new Time(milliseconds));
      dates.add(new Timestamp(milliseconds));
    }
    dates.add(timestamp(1_700_000_000_000L, 999_999_999));
    dates.add(timestamp(-1, 1));
    dates.add(Timestamp.valueOf("1969-12-31 23:59:59.000000001"));
    dates.add(java.sql.Date.valueOf("2024-02-29"));
    dates.add(Time.valueOf("23:59:59"));
    return dates.stream();
  }

  private static void assertSameDate(Date expected, @Nullable Object found) {
    assertNotNull(found);
    assertSame(expected.getClass(), found.getClass());
    assertEquals(expected, found);
    assertEquals(expected.getTime(), ((Date) found).getTime());
    if (expected instanceof Timestamp timestamp) {
      assertEquals(timestamp.getNanos(), ((Timestamp) found).getNanos());
    }
  }

  @ParameterizedTest
  @MethodSource("dates")
  void aDateKeepsItsClassAndItsValueWhereverItIs(Date date) {
    Booking booking = store().root(Booking.class);
    store()
        .transaction(
            () -> {
              booking.setDate(date);
              booking.setAnything(date);
              booking.setComparable(date);
              booking.setList(List.of(date));
              booking.setMap(new HashMap<>(Map.of(date, "here")));
              booking.setSorted(new TreeMap<>(Map.of(date, "there")));
              booking.setArray(new Date[] {date});
              booking.setMoment(new Moment(timestamp(date.getTime(), 7_000_000), date));
              switch (date) {
                case Timestamp timestamp -> booking.setTimestamp(timestamp);
                case Time time -> booking.setTime(time);
                case java.sql.Date day -> booking.setDay(day);
                default -> {}
              }
            });
    assertStored(date, booking);
    reopen();
    assertStored(date, store().root(Booking.class));
  }

  private static void assertStored(Date date, Booking booking) {
    assertSameDate(date, booking.getDate());
    assertSameDate(date, booking.getAnything());
    assertSameDate(date, booking.getComparable());
    assertSameDate(date, booking.getList().getFirst());
    assertTrue(booking.getList().contains(date));
    assertSameDate(date, booking.getMap().keySet().iterator().next());
    assertEquals("here", booking.getMap().get(date));
    assertSameDate(date, booking.getSorted().keySet().iterator().next());
    assertEquals("there", booking.getSorted().get(date));
    assertSameDate(date, booking.getArray()[0]);
    assertSameDate(date, booking.getMoment().day());
    assertEquals(7_000_000, booking.getMoment().at().getNanos());
    switch (date) {
      case Timestamp _ -> assertSameDate(date, booking.getTimestamp());
      case Time _ -> assertSameDate(date, booking.getTime());
      case java.sql.Date _ -> assertSameDate(date, booking.getDay());
      default -> {}
    }
  }

  @Test
  void changingWhatAGetterReturnsChangesNothingInTheStore() {
    Booking booking = store().root(Booking.class);
    Timestamp given = timestamp(5, 5_000_000);
    booking.setTimestamp(given);
    given.setTime(6);
    assertEquals(5, booking.getTimestamp().getTime());
    booking.getTimestamp().setNanos(9);
    assertEquals(5_000_000, booking.getTimestamp().getNanos());
  }

  /**
   * Dates of the other three classes are equal if their milliseconds are. (A date is equal to a
   * Timestamp that is not equal to it, so no map can say what becomes of the two.)
   */
  @Test
  void datesOfDifferentClassesAreKeysAsInTheJdk() {
    Booking booking = store().root(Booking.class);
    Map<Object, String> expected = new HashMap<>();
    booking.setMap(new HashMap<>());
    List<Date> keys = dates().filter(date -> !(date instanceof Timestamp)).toList();
    for (Date key : keys) {
      assertEquals(expected.put(key, key.toString()), booking.getMap().put(key, key.toString()));
    }
    assertEquals(expected.size(), booking.getMap().size());
    for (Date key : keys) {
      assertEquals(expected.get(key), booking.getMap().get(key));
    }
  }

  /** A date with something of its own, as some libraries have. */
  static final class Deadline extends Date {
    private static final long serialVersionUID = 1L;
    final String reason;

    Deadline(long milliseconds, String reason) {
      super(milliseconds);
      this.reason = reason;
    }
  }

  @Test
  void aSubclassOfOthersIsRefused() {
    Booking booking = store().root(Booking.class);
    booking.setDate(new Date(1));
    String message =
        assertThrows(
                NotPersistableException.class, () -> booking.setDate(new Deadline(2, "urgent")))
            .getMessage();
    assertTrue(message.startsWith("booking.date is of class " + Deadline.class.getName()), message);
    assertEquals(1, booking.getDate().getTime());
  }
}
