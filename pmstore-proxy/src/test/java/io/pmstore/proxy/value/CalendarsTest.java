package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calendars and time zones of older programs: mutable values, as dates are. */
@SuppressWarnings("JavaUtilDate") // that is what is tested
class CalendarsTest extends StoreTest {
  private static final TimeZone BERLIN = TimeZone.getTimeZone("Europe/Berlin");

  @Persistent(root = "diary")
  interface Diary {
    @Nullable Calendar getCalendar();

    void setCalendar(@Nullable Calendar calendar);

    GregorianCalendar getGregorian();

    void setGregorian(GregorianCalendar calendar);

    TimeZone getZone();

    void setZone(TimeZone zone);

    SimpleTimeZone getSimple();

    void setSimple(SimpleTimeZone zone);

    @Nullable Object getAnything();

    void setAnything(@Nullable Object value);

    Comparable<Calendar> getComparable();

    void setComparable(Comparable<Calendar> value);

    List<Object> getList();

    void setList(List<Object> list);

    Map<Object, String> getMap();

    void setMap(Map<Object, String> map);

    Map<Calendar, String> getSorted();

    void setSorted(Map<Calendar, String> map);

    Calendar[] getCalendars();

    void setCalendars(Calendar[] array);

    TimeZone[] getZones();

    void setZones(TimeZone[] array);

    Moment getMoment();

    void setMoment(Moment moment);
  }

  record Moment(@Nullable Calendar at, @Nullable TimeZone zone, @Nullable Object anything) {}

  private static SimpleTimeZone summerTime(int mode) {
    SimpleTimeZone zone =
        new SimpleTimeZone(
            3_600_000,
            "Our, zone\nrules ",
            2,
            -1,
            1,
            3_600_000,
            mode,
            9,
            -1,
            1,
            7_200_000,
            mode,
            1_800_000);
    zone.setStartYear(1990);
    return zone;
  }

  static List<TimeZone> zones() {
    SimpleTimeZone days = new SimpleTimeZone(-1, "days");
    days.setStartRule(Calendar.MARCH, 5, 1000);
    days.setEndRule(Calendar.NOVEMBER, 6, 2000);
    SimpleTimeZone around = new SimpleTimeZone(-5 * 3_600_000, "");
    around.setStartRule(Calendar.MARCH, 8, Calendar.SUNDAY, 7_200_000, true);
    around.setEndRule(Calendar.OCTOBER, 30, Calendar.TUESDAY, 7_200_000, false);
    return List.of(
        TimeZone.getTimeZone("UTC"),
        BERLIN,
        TimeZone.getTimeZone("America/Argentina/ComodRivadavia"),
        TimeZone.getTimeZone("GMT-03:30"),
        TimeZone.getTimeZone("Asia/Tokyo"),
        new SimpleTimeZone(7, "no summer time"),
        days,
        around,
        summerTime(SimpleTimeZone.WALL_TIME),
        summerTime(SimpleTimeZone.STANDARD_TIME),
        summerTime(SimpleTimeZone.UTC_TIME));
  }

  private static Calendar calendar(String type, TimeZone zone, long milliseconds) {
    return new Calendar.Builder()
        .setCalendarType(type)
        .setTimeZone((TimeZone) zone.clone())
        .setInstant(milliseconds)
        .build();
  }

  static List<Calendar> calendars() {
    List<Calendar> calendars = new ArrayList<>();
    for (String type : new String[] {"gregory", "buddhist", "japanese"}) {
      for (long milliseconds :
          new long[] {
            0, 1_700_000_000_123L, -62_135_769_600_001L, Long.MAX_VALUE, Long.MIN_VALUE
          }) {
        calendars.add(calendar(type, BERLIN, milliseconds));
      }
      zones().forEach(zone -> calendars.add(calendar(type, zone, 1_750_000_000_000L)));
      Calendar strict = calendar(type, BERLIN, 1);
      strict.setLenient(false);
      calendars.add(strict);
      Calendar weeks = calendar(type, BERLIN, 2);
      weeks.setFirstDayOfWeek(Calendar.MONDAY);
      weeks.setMinimalDaysInFirstWeek(4);
      calendars.add(weeks);
    }
    for (long change : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, -6_857_222_400_000L}) {
      for (String type : new String[] {"gregory", "buddhist"}) {
        Calendar changed = calendar(type, BERLIN, 0);
        ((GregorianCalendar) changed).setGregorianChange(new Date(change));
        changed.setTimeInMillis(-10_000_000_000_000L);
        calendars.add(changed);
      }
    }
    GregorianCalendar set = new GregorianCalendar(BERLIN, Locale.GERMANY);
    set.set(2026, Calendar.FEBRUARY, 30); // computes no time yet
    calendars.add(set);
    calendars.add(Calendar.getInstance(Locale.forLanguageTag("th-TH")));
    calendars.add(Calendar.getInstance(Locale.forLanguageTag("ja-JP-u-ca-japanese")));
    return calendars;
  }

  private static void assertSameZone(TimeZone expected, @Nullable Object found) {
    assertNotNull(found);
    assertSame(expected.getClass(), found.getClass());
    assertEquals(expected, found);
    assertEquals(expected.hashCode(), found.hashCode());
    assertEquals(expected.toString(), found.toString());
    TimeZone zone = (TimeZone) found;
    for (long at = -3_000_000_000_000L; at < 3_000_000_000_000L; at += 9_876_543_210L) {
      assertEquals(expected.getOffset(at), zone.getOffset(at));
    }
  }

  private static void assertSameCalendar(Calendar expected, @Nullable Object found) {
    assertNotNull(found);
    assertSame(expected.getClass(), found.getClass());
    assertEquals(expected, found);
    assertEquals(found, expected);
    assertEquals(expected.hashCode(), found.hashCode());
    Calendar copy = (Calendar) expected.clone();
    Calendar calendar = (Calendar) found;
    assertEquals(copy.getTimeInMillis(), calendar.getTimeInMillis());
    assertSameZone(copy.getTimeZone(), calendar.getTimeZone());
    assertEquals(copy.isLenient(), calendar.isLenient());
    for (int field = 0; field < Calendar.FIELD_COUNT; field++) {
      assertEquals(copy.get(field), calendar.get(field), "field " + field);
    }
  }

  @ParameterizedTest
  @MethodSource("calendars")
  void aCalendarIsKeptWhereverItIs(Calendar calendar) {
    String before = calendar.toString();
    Diary diary = store().root(Diary.class);
    store()
        .transaction(
            () -> {
              diary.setCalendar(calendar);
              diary.setAnything(calendar);
              diary.setComparable(calendar);
              diary.setList(List.of(calendar));
              diary.setMap(new HashMap<>(Map.of(calendar, "here")));
              diary.setSorted(new TreeMap<>(Map.of(calendar, "there")));
              diary.setCalendars(new Calendar[] {calendar});
              diary.setMoment(new Moment(calendar, null, calendar));
              if (calendar instanceof GregorianCalendar gregorian) {
                diary.setGregorian(gregorian);
              }
            });
    assertEquals(before, calendar.toString(), "the store has changed it");
    assertStored(calendar, diary);
    reopen();
    assertStored(calendar, store().root(Diary.class));
  }

  private static void assertStored(Calendar calendar, Diary diary) {
    assertSameCalendar(calendar, diary.getCalendar());
    assertSameCalendar(calendar, diary.getAnything());
    assertSameCalendar(calendar, diary.getComparable());
    assertSameCalendar(calendar, diary.getList().getFirst());
    assertTrue(diary.getList().contains(calendar));
    assertSameCalendar(calendar, diary.getMap().keySet().iterator().next());
    assertEquals("here", diary.getMap().get(calendar));
    assertEquals("there", diary.getSorted().get(calendar));
    assertSameCalendar(calendar, diary.getCalendars()[0]);
    assertSameCalendar(calendar, diary.getMoment().at());
    assertSameCalendar(calendar, diary.getMoment().anything());
    if (calendar instanceof GregorianCalendar gregorian) {
      assertSameCalendar(calendar, diary.getGregorian());
      assertEquals(gregorian.getGregorianChange(), diary.getGregorian().getGregorianChange());
    }
  }

  @ParameterizedTest
  @MethodSource("zones")
  void aTimeZoneIsKeptWhereverItIs(TimeZone zone) {
    Diary diary = store().root(Diary.class);
    store()
        .transaction(
            () -> {
              diary.setZone(zone);
              diary.setAnything(zone);
              diary.setList(List.of(zone));
              diary.setMap(new HashMap<>(Map.of(zone, "here")));
              diary.setZones(new TimeZone[] {zone});
              diary.setMoment(new Moment(null, zone, zone));
              if (zone instanceof SimpleTimeZone simple) {
                diary.setSimple(simple);
              }
            });
    for (int i = 0; i < 2; i++) {
      Diary found = store().root(Diary.class);
      assertSameZone(zone, found.getZone());
      assertSameZone(zone, found.getAnything());
      assertSameZone(zone, found.getList().getFirst());
      assertTrue(found.getList().contains(zone));
      assertEquals("here", found.getMap().get(zone));
      assertSameZone(zone, found.getZones()[0]);
      assertSameZone(zone, found.getMoment().zone());
      assertSameZone(zone, found.getMoment().anything());
      if (zone instanceof SimpleTimeZone) {
        assertSameZone(zone, found.getSimple());
      }
      reopen();
    }
  }

  @Test
  void everyZoneOfThisJvmIsKept() {
    for (String id : TimeZone.getAvailableIDs()) {
      if (id.length() != 3) { // the JVM warns of those
        assertEquals(TextCells.TIME_ZONE, TextCells.of(TimeZone.getTimeZone(id)), id);
      }
    }
  }

  @Test
  void changingWhatAGetterReturnsChangesNothingInTheStore() {
    Diary diary = store().root(Diary.class);
    Calendar given = calendar("gregory", BERLIN, 5);
    diary.setCalendar(given);
    given.setTimeInMillis(6);
    given.getTimeZone().setRawOffset(0);
    Calendar got = Objects.requireNonNull(diary.getCalendar());
    assertSameCalendar(calendar("gregory", BERLIN, 5), got);
    got.add(Calendar.YEAR, 1);
    got.getTimeZone().setRawOffset(0);
    assertSameCalendar(calendar("gregory", BERLIN, 5), diary.getCalendar());
    SimpleTimeZone zone = new SimpleTimeZone(1, "zone");
    diary.setSimple(zone);
    zone.setRawOffset(2);
    diary.getSimple().setRawOffset(3);
    assertEquals(1, diary.getSimple().getRawOffset());
  }

  /** A class whose methods change what they have in place. */
  @Persistent(root = "task")
  static class Task {
    private Calendar due = calendar("gregory", BERLIN, 0);
    private Object other = calendar("japanese", BERLIN, 0);
    private SimpleTimeZone zone = new SimpleTimeZone(1, "zone");
    private TimeZone known = (TimeZone) BERLIN.clone();
    private Moment moment = new Moment(calendar("buddhist", BERLIN, 0), null, null);
    private int calls;

    void change() {
      calls++;
      due.add(Calendar.MONTH, 1);
      due.setTimeZone(TimeZone.getTimeZone("Asia/Tokyo"));
      ((Calendar) other).roll(Calendar.DATE, 1);
      Objects.requireNonNull(moment.at()).set(Calendar.HOUR, 3);
      zone.setRawOffset(7);
      helper(due);
    }

    private static void helper(Calendar calendar) {
      calendar.setLenient(false);
    }

    void postpone(int minutes) {
      due.add(Calendar.MINUTE, minutes);
    }

    void shift() {
      known.setRawOffset(0);
    }

    List<Object> all() {
      List<Object> all = new ArrayList<>(List.of(due, other, zone, known, moment, calls));
      all.add(due.getTimeInMillis());
      return all;
    }
  }

  @Test
  void aMethodOfTheClassChangesThemInPlace() {
    Task plain = new Task();
    Task kept = store().persist(new Task());
    assertEquals(plain.all(), kept.all());
    plain.change();
    kept.change();
    assertEquals(plain.all(), kept.all());
    store().transaction(kept::change);
    plain.change();
    store()
        .transaction(
            () -> {
              kept.postpone(5);
              kept.change();
            });
    plain.postpone(5);
    plain.change();
    kept.postpone(7);
    plain.postpone(7);
    assertEquals(plain.all(), kept.all());
    List<Object> before = kept.all();
    rolledBack(kept::change);
    assertEquals(before, kept.all());
  }

  @Test
  void aChangeInPlaceThatNoStoreCouldKeepIsRefused() {
    Task kept = store().persist(new Task());
    assertThrows(NotPersistableException.class, kept::shift);
    assertEquals(new Task().all(), kept.all());
  }

  @Test
  void calendarsOfDifferentZonesAreKeysAsInTheJdk() {
    Diary diary = store().root(Diary.class);
    diary.setMap(new HashMap<>());
    List<Calendar> keys = calendars().stream().filter(c -> c.getTimeInMillis() == 0).toList();
    Map<Object, String> expected = new HashMap<>();
    for (Calendar key : keys) {
      if (key.getCalendarType().equals("gregory")) {
        assertEquals(expected.put(key, key + ""), diary.getMap().put(key, key + ""));
      }
    }
    zones().forEach(zone -> diary.getMap().put(zone, "zone"));
    zones().forEach(zone -> expected.put(zone, "zone"));
    assertEquals(expected, new HashMap<>(diary.getMap()));
  }

  /** A calendar with something of its own. */
  static final class Shifts extends GregorianCalendar {
    private static final long serialVersionUID = 1L;
    final int shift = 3;
  }

  /** A zone of the program. */
  static final class Mars extends TimeZone {
    private static final long serialVersionUID = 1L;

    @Override
    public int getOffset(int era, int year, int month, int day, int weekday, int milliseconds) {
      return 1;
    }

    @Override
    public void setRawOffset(int offset) {}

    @Override
    public int getRawOffset() {
      return 1;
    }

    @Override
    public boolean useDaylightTime() {
      return false;
    }

    @Override
    public boolean inDaylightTime(Date date) {
      return false;
    }
  }

  private static TimeZone renamed(String id) {
    TimeZone zone = (TimeZone) BERLIN.clone();
    zone.setID(id);
    return zone;
  }

  private static TimeZone moved() {
    TimeZone zone = (TimeZone) BERLIN.clone();
    zone.setRawOffset(5);
    return zone;
  }

  private static Calendar noDate() {
    Calendar strict = calendar("gregory", BERLIN, 0);
    strict.setLenient(false);
    strict.set(2026, Calendar.FEBRUARY, 30);
    return strict;
  }

  static Stream<Object> refused() {
    return Stream.of(
        new Shifts(),
        new Mars(),
        renamed("Europe/Nowhere"),
        renamed("Asia/Tokyo"),
        moved(),
        calendar("gregory", moved(), 0),
        calendar("japanese", new Mars(), 0),
        calendar("buddhist", renamed("x y"), 0),
        noDate());
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatCannotBeReadBackEqualIsRefused(Object value) {
    Diary diary = store().root(Diary.class);
    diary.setAnything("before");
    String message =
        assertThrows(NotPersistableException.class, () -> diary.setAnything(value)).getMessage();
    assertTrue(message.startsWith("diary.anything is of class " + value.getClass().getName()));
    boolean isOfJdk = !(value instanceof Shifts || value instanceof Mars);
    assertTrue(
        message.endsWith(
            (value instanceof Calendar
                    ? "; use a java.time.ZonedDateTime or an Instant"
                    : "; use a java.time.ZoneId, as toZoneId() makes it")
                + (isOfJdk
                    ? ""
                    : ", or give the store a codec for it with PmStoreOptions.valueType, such as"
                        + " ValueCodec.ofSerializable")),
        message);
    assertEquals(
        value.getClass() == GregorianCalendar.class,
        message.contains("is a value type, but no store could give this value back equal"));
    assertEquals("before", diary.getAnything());
  }

  // ---- what is damaged

  @Test
  void aZoneThatThisJvmDoesNotKnowIsNamed() {
    String message =
        assertThrows(PmStoreException.class, () -> CalendarText.zone("Europe/Nowhere"))
            .getMessage();
    assertTrue(message.contains("the time zone \"Europe/Nowhere\""), message);
    assertThrows(
        PmStoreException.class,
        () -> CalendarText.calendar("0 gregory lenient 1 1 0 Europe/Nowhere"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\u0000",
        "rules  x",
        "rules 1,2 x",
        "rules 0,0,0,0,0,0,0,0,0,0,0,0,0 x",
        "rules 0,1,0,99,1,0,0,0,9,1,0,0,0 x",
        "rules 0,1,0,2,1,99,0,0,9,1,0,0,0 x",
        "rules 0,1,0,2,1,0,0,0,9,1,0,0,99999999999 x"
      })
  void aTextThatIsNoZoneIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> CalendarText.zone(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0 gregory lenient 1 1 0",
        "0 gregory lenient 1 1 - UTC",
        "0 japanese lenient 1 1 0 UTC",
        "0 lunar lenient 1 1 0 UTC",
        "0 gregory maybe 1 1 0 UTC",
        "x gregory lenient 1 1 0 UTC",
        "0 gregory lenient x 1 0 UTC",
        "99999999999999999999 gregory lenient 1 1 0 UTC"
      })
  void aTextThatIsNoCalendarIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> CalendarText.calendar(text));
  }

  @Test
  void theTextsAreAsTheFormatSays() {
    GregorianCalendar calendar = new GregorianCalendar(BERLIN, Locale.ROOT);
    calendar.setTimeInMillis(5);
    assertEquals("5 gregory lenient 1 1 -12219292800000 Europe/Berlin", CalendarText.of(calendar));
    assertEquals(
        "6 japanese lenient 1 1 - UTC",
        CalendarText.of(
            new Calendar.Builder()
                .setCalendarType("japanese")
                .setLocale(Locale.ROOT)
                .setTimeZone(TimeZone.getTimeZone("UTC"))
                .setInstant(6)
                .build()));
    assertEquals(
        "rules 3600000,1800000,1990,2,-1,1,3600000,2,9,-1,1,7200000,2 Our, zone\nrules ",
        CalendarText.of(summerTime(SimpleTimeZone.UTC_TIME)));
    assertFalse(CalendarText.zone("UTC") instanceof SimpleTimeZone);
    assertNotSame(CalendarText.zone("UTC"), CalendarText.zone("UTC"));
  }
}
