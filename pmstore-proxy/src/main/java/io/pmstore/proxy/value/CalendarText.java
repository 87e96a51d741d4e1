package io.pmstore.proxy.value;

import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The texts of time zones and calendars of older programs. They are part of the format.
 *
 * <pre>
 *   zone      id
 *             rules offset,saving,year,month,day,weekday,time,mode,month,day,weekday,time,mode id
 *   calendar  milliseconds type lenient first minimal change zone
 * </pre>
 *
 * <p>The numbers of the rules are the arguments of the constructor of {@link SimpleTimeZone}. Of a
 * calendar, {@code lenient} is {@code lenient} or {@code strict}, {@code first} and {@code minimal}
 * define its weeks, and {@code change} is the milliseconds of the Gregorian change, or {@code -} if
 * its type has none.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
public final class CalendarText {
  private static final String RULES = "rules ";
  private static final String NO_CHANGE = "-";
  private static final int RULE_NUMBERS = 13;
  private static final int CALENDAR_PARTS = 7;

  // How a SimpleTimeZone numbers the meanings of a day of the month with a day of the week.
  private static final int WEEKDAY_ON_OR_AFTER = 3;
  private static final int WEEKDAY_ON_OR_BEFORE = 4;

  // SimpleTimeZone has no getters for its rules. A zone that this does not describe is refused.
  private static final Pattern DESCRIBED =
      Pattern.compile(
          "java\\.util\\.SimpleTimeZone\\[id=.*,offset=(-?\\d+),dstSavings=(-?\\d+)"
              + ",useDaylight=(?:true|false),startYear=(-?\\d+)"
              + described("start")
              + described("end")
              + "\\]",
          Pattern.DOTALL);

  private static final Pattern ID = Pattern.compile("[A-Za-z][A-Za-z0-9~/._+:-]*");

  private CalendarText() {}

  private static String described(String rule) {
    return Stream.of("Mode", "Month", "Day", "DayOfWeek", "Time", "TimeMode")
        .map(part -> "," + rule + part + "=(-?\\d+)")
        .collect(Collectors.joining());
  }

  /** Returns true if a zone or a calendar is of a class of the JDK. */
  static boolean isOfJdk(Object value) {
    return value.getClass().getModule() == Object.class.getModule();
  }

  // ---- time zones

  /**
   * Returns the text of a time zone.
   *
   * @throws IllegalArgumentException if it has rules that no text describes
   */
  public static String of(TimeZone zone) {
    return zone.getClass() == SimpleTimeZone.class
        ? RULES + rules(zone) + " " + zone.getID()
        : zone.getID();
  }

  private static String rules(TimeZone zone) {
    Matcher matcher = DESCRIBED.matcher(zone.toString());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no rules of a time zone: " + zone);
    }
    return String.join(
        ",",
        matcher.group(1),
        matcher.group(2),
        matcher.group(3),
        rule(matcher, 4),
        rule(matcher, 10));
  }

  /** Returns the arguments that give a rule: the zone tells them apart from their meaning. */
  private static String rule(MatchResult described, int group) {
    int mode = Integer.parseInt(described.group(group));
    int day = Integer.parseInt(described.group(group + 2));
    int weekday = Integer.parseInt(described.group(group + 3));
    return String.join(
        ",",
        described.group(group + 1),
        Integer.toString(mode == WEEKDAY_ON_OR_BEFORE ? -day : day),
        Integer.toString(mode >= WEEKDAY_ON_OR_AFTER ? -weekday : weekday),
        described.group(group + 4),
        described.group(group + 5));
  }

  /**
   * Returns the time zone of a text.
   *
   * @throws IllegalArgumentException if no time zone has such a text
   * @throws io.pmstore.PmStoreException if this JVM does not know the id
   */
  public static TimeZone zone(String text) {
    if (text.startsWith(RULES)) {
      return zoneOfRules(text);
    }
    TimeZone zone = TimeZone.getTimeZone(text); // GMT if it is not known
    if (zone.getID().equals(text)) {
      return zone;
    }
    IllegalArgumentException unknown = new IllegalArgumentException("no time zone: " + text);
    if (!ID.matcher(text).matches()) {
      throw unknown;
    }
    throw UnknownHere.of(
        "time zone", text, "use a JVM whose time zone data are not older", unknown);
  }

  private static TimeZone zoneOfRules(String text) {
    String[] parts = parts(text, 3);
    String[] numbers = parts[1].split(",", -1);
    if (numbers.length != RULE_NUMBERS) {
      throw new IllegalArgumentException("no rules of a time zone: " + text);
    }
    int[] n = new int[RULE_NUMBERS];
    for (int i = 0; i < n.length; i++) {
      n[i] = Integer.parseInt(numbers[i]);
    }
    SimpleTimeZone zone =
        new SimpleTimeZone(
            n[0], parts[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[1]);
    zone.setStartYear(n[2]);
    return zone;
  }

  // ---- calendars

  /**
   * Returns the text of a calendar.
   *
   * @throws IllegalArgumentException if it is not lenient and has fields that are no date, or if no
   *     text describes its zone
   */
  public static String of(Calendar calendar) {
    // To compute the time normalizes the fields, which the program may not have set all.
    Calendar copy = (Calendar) calendar.clone();
    String change =
        copy instanceof GregorianCalendar gregorian
            ? Long.toString(gregorian.getGregorianChange().getTime())
            : NO_CHANGE;
    return String.join(
        " ",
        Long.toString(copy.getTimeInMillis()),
        copy.getCalendarType(),
        copy.isLenient() ? "lenient" : "strict",
        Integer.toString(copy.getFirstDayOfWeek()),
        Integer.toString(copy.getMinimalDaysInFirstWeek()),
        change,
        of(copy.getTimeZone()));
  }

  /**
   * Returns the calendar of a text.
   *
   * @throws IllegalArgumentException if no calendar has such a text
   * @throws io.pmstore.PmStoreException if this JVM does not know the time zone
   */
  public static Calendar calendar(String text) {
    String[] parts = parts(text, CALENDAR_PARTS);
    // It gets its time last, since the time's fields depend on the rest.
    Calendar calendar =
        new Calendar.Builder()
            .setCalendarType(parts[1])
            .setLocale(Locale.ROOT)
            .setTimeZone(zone(parts[6]))
            .setInstant(0)
            .build();
    calendar.setLenient(isLenient(parts[2]));
    calendar.setFirstDayOfWeek(Integer.parseInt(parts[3]));
    calendar.setMinimalDaysInFirstWeek(Integer.parseInt(parts[4]));
    if (calendar instanceof GregorianCalendar gregorian) {
      gregorian.setGregorianChange(new Date(Long.parseLong(parts[5])));
    } else if (!parts[5].equals(NO_CHANGE)) {
      throw new IllegalArgumentException("a Gregorian change of another calendar: " + text);
    }
    calendar.setTimeInMillis(Long.parseLong(parts[0]));
    return calendar;
  }

  private static boolean isLenient(String text) {
    return switch (text) {
      case "lenient" -> true;
      case "strict" -> false;
      default -> throw new IllegalArgumentException("neither lenient nor strict: " + text);
    };
  }

  private static String[] parts(String text, int count) {
    String[] parts = text.split(" ", count);
    if (parts.length != count) {
      throw new IllegalArgumentException("no " + count + " parts: " + text);
    }
    return parts;
  }

  /** Returns a text that equal calendars share. */
  static String key(Calendar calendar) {
    return Long.toString(((Calendar) calendar.clone()).getTimeInMillis());
  }
}
