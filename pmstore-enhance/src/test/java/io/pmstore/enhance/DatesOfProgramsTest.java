package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Optional;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What static methods and other classes do with the dates in fields of persistent objects has the
 * effect that it has on a plain object.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
class DatesOfProgramsTest {
  /** Holds a date and an array. */
  record Period(Date from, int[] nights) {}

  /** Holds the record that holds them. */
  record Stay(Period period, String room) {}

  /** The root. */
  @Persistent(root = "diary")
  static class Diary {
    Date day = new Date(1_000);
    Timestamp stamp = new Timestamp(2_000);
    Calendar calendar = new GregorianCalendar(2026, Calendar.MARCH, 1);
    TimeZone zone = new SimpleTimeZone(0, "UTC");
    Date[] days = {new Date(1), new Date(2)};
    Stay stay = new Stay(new Period(new Date(1), new int[] {1, 2}), "room");
    Optional<Date> end = Optional.of(new Date(4));
    Date other = new Date(6);
    Diary next;

    void postponeAroundTransactions(PmStore store) {
      store.transaction(() -> day.setTime(day.getTime() + 1));
      day.setTime(day.getTime() + 2);
      Date mine = store.transaction(() -> day);
      mine.setTime(mine.getTime() + 4);
    }

    void postponeInRecordAroundTransactions(PmStore store) {
      store.transaction(() -> day.setTime(9));
      stay.period().from().setTime(7);
    }

    static void postpone(Diary diary) {
      diary.day.setTime(diary.day.getTime() + 5);
    }

    static void postponeInHelper(Diary diary) {
      shift(diary.day, 7);
    }

    static void postponeLater(Diary diary) {
      Runnable later = () -> diary.day.setTime(8);
      later.run();
    }

    private static void shift(Date date, long by) {
      date.setTime(date.getTime() + by);
    }

    String text() {
      return day.getTime()
          + " "
          + stamp
          + " "
          + calendar.getTimeInMillis()
          + " "
          + zone.getRawOffset()
          + " "
          + Arrays.stream(days).map(Date::getTime).toList()
          + stay.period().from().getTime()
          + Arrays.toString(stay.period().nights())
          + end
          + other.getTime();
    }
  }

  /** Knows no persistent class. */
  static final class Helper {
    private Helper() {}

    static void reset(Date date) {
      date.setTime(0);
    }

    static void resetObject(Object date) {
      ((Date) date).setTime(0);
    }

    static void resetAll(Date[] dates) {
      for (Date date : dates) {
        reset(date);
      }
    }

    static long read(Date date) {
      return date.getTime();
    }
  }

  /** In a class of its own, which is loaded after the agent. */
  private static final class Programs {
    private Programs() {}

    static Stream<Named<Consumer<Diary>>> holders() {
      return Stream.of(
          program("a date in a record", d -> d.stay.period().from().setTime(5)),
          program("an array in a record", d -> d.stay.period().nights()[1]++),
          program(
              "an array in a record, twice",
              d -> {
                int[] nights = d.stay.period().nights();
                nights[0]++;
                d.stay.period().nights()[0]++;
              }),
          program("an array in a record, a helper", d -> Arrays.fill(d.stay.period().nights(), 7)),
          program("a date in an Optional", d -> d.end.orElseThrow().setTime(5)));
    }

    private static Named<Consumer<Diary>> program(String name, Consumer<Diary> program) {
      return Named.of(name, program);
    }

    static Stream<Named<Consumer<Diary>>> all() {
      return Stream.of(
          program("a static method", Diary::postpone),
          program("a static method with a helper", Diary::postponeInHelper),
          program("a lambda of a static method", Diary::postponeLater),
          program("another class", d -> d.day.setTime(5)),
          program(
              "twice",
              d -> {
                Date day = d.day;
                day.setTime(5);
                day.setTime(day.getTime() + 5);
              }),
          program(
              "each read anew",
              d -> {
                d.day.setTime(5);
                d.day.setTime(d.day.getTime() + 5);
              }),
          program("nanoseconds", d -> d.stamp.setNanos(5)),
          program("a calendar", d -> d.calendar.add(Calendar.MONTH, 1)),
          program("a field of a calendar", d -> d.calendar.set(Calendar.YEAR, 2030)),
          program("a time zone", d -> d.zone.setRawOffset(3_600_000)),
          program("an element", d -> d.days[1].setTime(5)),
          program(
              "an element that was replaced",
              d -> {
                Date mine = new Date(9);
                d.days[0] = mine;
                mine.setTime(10);
              }),
          program("a helper", d -> Helper.reset(d.day)),
          program("a helper that takes any object", d -> Helper.resetObject(d.day)),
          program("a helper that takes an array", d -> Helper.resetAll(d.days)),
          program(
              "a reference to a helper", d -> Optional.ofNullable(d.day).ifPresent(Helper::reset)),
          program("a lambda", d -> Optional.ofNullable(d.day).ifPresent(day -> day.setTime(5))),
          program(
              "a reference to a helper in a stream",
              d -> Stream.of(d).map(one -> one.day).forEach(Helper::reset)),
          program(
              "two fields that change their dates",
              d -> {
                Date day = d.day;
                d.day = d.other;
                d.other = day;
                day.setTime(5);
                d.day.setTime(d.day.getTime() + 1);
              }),
          program("a list of elements", d -> List.of(d.days).forEach(day -> day.setTime(5))),
          program(
              "changed after it was assigned",
              d -> {
                Date mine = new Date(9);
                d.day = mine;
                mine.setTime(10);
              }),
          program(
              "a calendar that sets itself",
              d -> {
                Calendar calendar = d.calendar;
                calendar.setTime(new Date(7));
                calendar.roll(Calendar.DAY_OF_MONTH, true);
              }));
    }
  }

  static Stream<Named<Consumer<Diary>>> programs() {
    return Programs.all();
  }

  /** Dates and arrays within records. */
  static Stream<Named<Consumer<Diary>>> holders() {
    return Programs.holders();
  }

  @TempDir Path directory;

  private void check(Consumer<Diary> program, boolean inTransaction) {
    Diary plain = new Diary();
    program.accept(plain);
    try (PmStore store = PmStore.open(directory)) {
      Diary diary = store.root(Diary.class);
      if (inTransaction) {
        store.transaction(() -> program.accept(diary));
      } else {
        program.accept(diary);
      }
      assertEquals(plain.text(), diary.text());
    }
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(plain.text(), store.root(Diary.class).text());
    }
  }

  @ParameterizedTest
  @MethodSource({"programs", "holders"})
  void inATransaction(Consumer<Diary> program) {
    check(program, true);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void outsideOfTransactions(Consumer<Diary> program) {
    check(program, false);
  }

  @ParameterizedTest
  @MethodSource("holders")
  void outsideOfTransactionsAChangeInARecordIsRefused(Consumer<Diary> program) {
    try (PmStore store = PmStore.open(directory)) {
      Diary diary = store.root(Diary.class);
      String before = diary.text();
      assertThrows(IllegalStateException.class, () -> program.accept(diary));
      assertThrows(
          IllegalStateException.class,
          () -> {
            int[] nights = store.transaction(() -> diary.stay.period().nights());
            nights[0] = 7;
          });
      assertEquals(before, diary.text());
    }
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void aRollBackUndoesTheChange() {
    try (PmStore store = PmStore.open(directory)) {
      Diary diary = store.root(Diary.class);
      assertThrows(
          RollBack.class,
          () ->
              store.transaction(
                  () -> {
                    Diary.postpone(diary);
                    throw new RollBack();
                  }));
      assertEquals(new Date(1_000), diary.day);
      diary.day.setTime(3);
      assertEquals(new Date(3), diary.day);
    }
  }

  @Test
  void aMethodWithTransactionsOfItsOwnChangesDatesAroundThem() {
    try (PmStore store = PmStore.open(directory)) {
      Diary diary = store.root(Diary.class);
      diary.postponeAroundTransactions(store);
      assertEquals(new Date(1_007), diary.day);
      assertThrows(
          IllegalStateException.class, () -> diary.postponeInRecordAroundTransactions(store));
      assertEquals(new Date(1), diary.stay.period().from());
    }
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(new Date(9), store.root(Diary.class).day);
    }
  }

  @Test
  void aDateThatWasReplacedIsRefused() {
    try (PmStore store = PmStore.open(directory)) {
      Diary diary = store.root(Diary.class);
      Date day = diary.day;
      diary.day = new Date(2);
      assertThrows(IllegalStateException.class, () -> day.setTime(3));
      assertEquals(new Date(2), diary.day);
    }
  }

  @Test
  void codeThatOnlyReadsADateCommitsNothing() {
    try (PmStore store = PmStore.open(directory)) {
      Diary diary = store.root(Diary.class);
      long before = store.metrics().transactions().commits();
      assertEquals(1_000, Helper.read(diary.day));
      store.transaction(() -> Helper.read(diary.day));
      assertEquals(before, store.metrics().transactions().commits());
      store.snapshot(
          () -> {
            assertEquals(1_000, Helper.read(diary.day));
          });
    }
  }
}
