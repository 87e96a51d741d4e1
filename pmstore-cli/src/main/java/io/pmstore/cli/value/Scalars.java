package io.pmstore.cli.value;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.value.AddressText;
import io.pmstore.proxy.value.CalendarText;
import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values that one text describes: each has a tag, which names its type in JSON, and is read
 * back from its text as an equal value of the same class.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
public final class Scalars {
  private static final List<Scalar> ALL = new ArrayList<>();
  private static final Map<String, Scalar> BY_TAG = new HashMap<>();

  /**
   * A type of such values.
   *
   * @param tag its name in JSON
   * @param type its class; values of a subclass count too, unless the subclass has a type of its
   *     own
   * @param text returns the text of a value
   * @param value returns the value of a text, or throws
   */
  public record Scalar(
      String tag,
      Class<?> type,
      Function<Object, String> text,
      Function<String, ? extends Object> value) {}

  private static <T> void add(
      String tag, Class<T> type, Function<T, String> text, Function<String, ? extends T> value) {
    Scalar scalar = new Scalar(tag, type, object -> text.apply(type.cast(object)), value);
    ALL.add(scalar);
    BY_TAG.put(tag, scalar);
  }

  private static <T> void add(String tag, Class<T> type, Function<String, ? extends T> value) {
    add(tag, type, Object::toString, value);
  }

  static {
    add("string", String.class, text -> text);
    add("boolean", Boolean.class, Scalars::bool);
    add("byte", Byte.class, Byte::valueOf);
    add("short", Short.class, Short::valueOf);
    add("int", Integer.class, Integer::valueOf);
    add("long", Long.class, Long::valueOf);
    add("char", Character.class, Scalars::character);
    add("float", Float.class, Scalars::text, Scalars::toFloat);
    add("double", Double.class, Scalars::text, Scalars::toDouble);
    add("bigDecimal", BigDecimal.class, BigDecimal::new);
    add("bigInteger", BigInteger.class, BigInteger::new);
    add("uuid", UUID.class, UUID::fromString);
    add("instant", Instant.class, Instant::parse);
    add("duration", Duration.class, Duration::parse);
    add("localDate", LocalDate.class, LocalDate::parse);
    add("localTime", LocalTime.class, LocalTime::parse);
    add("localDateTime", LocalDateTime.class, LocalDateTime::parse);
    add("offsetDateTime", OffsetDateTime.class, OffsetDateTime::parse);
    add("offsetTime", OffsetTime.class, OffsetTime::parse);
    add("zonedDateTime", ZonedDateTime.class, Scalars::text, Scalars::zoned);
    add("zoneOffset", ZoneOffset.class, ZoneOffset::of);
    add("zoneId", ZoneId.class, ZoneId::of);
    add("year", Year.class, text -> Year.of(Integer.parseInt(text)));
    add("yearMonth", YearMonth.class, Scalars::yearMonth);
    add("monthDay", MonthDay.class, MonthDay::parse);
    add("period", Period.class, Period::parse);
    add("sqlDate", java.sql.Date.class, Scalars::millis, t -> new java.sql.Date(millis(t)));
    add("sqlTime", java.sql.Time.class, Scalars::millis, t -> new java.sql.Time(millis(t)));
    add("sqlTimestamp", java.sql.Timestamp.class, Scalars::text, Scalars::timestamp);
    add("date", Date.class, Scalars::millis, text -> new Date(millis(text)));
    add("optionalInt", OptionalInt.class, Scalars::text, Scalars::optionalInt);
    add("optionalLong", OptionalLong.class, Scalars::text, Scalars::optionalLong);
    add("optionalDouble", OptionalDouble.class, Scalars::text, Scalars::optionalDouble);
    add("uri", URI.class, URI::create);
    add("url", URL.class, URL::toExternalForm, Scalars::url);
    add("locale", Locale.class, Scalars::text, Scalars::locale);
    add("currency", Currency.class, Currency::getInstance);
    add("file", File.class, File::new);
    add("path", Path.class, Path::of);
    add("pattern", Pattern.class, p -> p.flags() + "/" + p.pattern(), Scalars::pattern);
    add("charset", Charset.class, Charset::name, Charset::forName);
    add("inetAddress", InetAddress.class, AddressText::of, AddressText::address);
    add("socketAddress", InetSocketAddress.class, AddressText::of, AddressText::socketAddress);
    add("proxy", Proxy.class, AddressText::of, AddressText::proxy);
    add("timeZone", TimeZone.class, CalendarText::of, CalendarText::zone);
    add("calendar", Calendar.class, Scalars::text, Scalars::calendar);
    add("bytes", byte[].class, Base64.getEncoder()::encodeToString, Base64.getDecoder()::decode);
  }

  private Scalars() {}

  /** Returns the type of a value, or null if no text describes it. */
  public static @Nullable Scalar of(Object value) {
    for (Scalar scalar : ALL) {
      if (scalar.type().isInstance(value)) {
        return scalar;
      }
    }
    return null;
  }

  /** Returns the type of a tag, or null. */
  public static @Nullable Scalar tagged(String tag) {
    return BY_TAG.get(tag);
  }

  /** Returns the type of the values of a class by the class's name, or null. */
  public static @Nullable Scalar ofClass(String className) {
    for (Scalar scalar : ALL) {
      if (scalar.type().getName().equals(className)) {
        return scalar;
      }
    }
    return null;
  }

  /** Returns the type of the values of a property, or null if no text describes them. */
  public static @Nullable Scalar ofProperty(Property property) {
    return switch (property.kind()) {
      case REFERENCE, ENUM -> null;
      case SlotKind kind when kind.isPrimitive() -> tagged(kind.name().toLowerCase(Locale.ROOT));
      default -> ofClass(property.typeName());
    };
  }

  // ---- types whose toString cannot be read back

  private static boolean bool(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text + " is neither true nor false");
    };
  }

  private static char character(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException("\"" + text + "\" is not one character");
    }
    return text.charAt(0);
  }

  // Bits other than those of the usual NaN count too.
  private static String text(Float number) {
    int bits = Float.floatToRawIntBits(number);
    return number.isNaN() && bits != Float.floatToIntBits(number)
        ? "NaN:" + Integer.toHexString(bits)
        : number.toString();
  }

  private static Float toFloat(String text) {
    if (text.startsWith("NaN:")) {
      return Float.intBitsToFloat(Integer.parseUnsignedInt(text.substring(4), 16));
    }
    float number = Float.parseFloat(text);
    requireSize(text, Float.isInfinite(number), Float.MAX_VALUE);
    return number;
  }

  /** Refuses what would silently become infinity. */
  private static void requireSize(String text, boolean isInfinite, Number max) {
    if (isInfinite && !text.strip().endsWith("Infinity")) {
      throw new NumberFormatException(
          "its magnitude is greater than %s; infinity is written \"Infinity\"".formatted(max));
    }
  }

  private static String text(Double number) {
    long bits = Double.doubleToRawLongBits(number);
    return number.isNaN() && bits != Double.doubleToLongBits(number)
        ? "NaN:" + Long.toHexString(bits)
        : number.toString();
  }

  private static Double toDouble(String text) {
    if (text.startsWith("NaN:")) {
      return Double.longBitsToDouble(Long.parseUnsignedLong(text.substring(4), 16));
    }
    double number = Double.parseDouble(text);
    requireSize(text, Double.isInfinite(number), Double.MAX_VALUE);
    return number;
  }

  // Its own text is ambiguous if the zone is an offset.
  private static String text(ZonedDateTime time) {
    return time.toLocalDateTime() + " " + time.getOffset() + " " + time.getZone();
  }

  private static ZonedDateTime zoned(String text) {
    String[] parts = text.split(" ", 3);
    if (parts.length != 3) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no local time, offset and zone with spaces between");
    }
    return ZonedDateTime.ofInstant(
        LocalDateTime.parse(parts[0]), ZoneOffset.of(parts[1]), ZoneId.of(parts[2]));
  }

  private static YearMonth yearMonth(String text) {
    int dash = text.lastIndexOf('-');
    return YearMonth.of(
        Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
  }

  private static String millis(Date date) {
    return Instant.ofEpochMilli(date.getTime()).toString();
  }

  private static long millis(String text) {
    return Instant.parse(text).toEpochMilli();
  }

  private static String text(java.sql.Timestamp time) {
    return Instant.ofEpochSecond(Math.floorDiv(time.getTime(), 1000), time.getNanos()).toString();
  }

  private static java.sql.Timestamp timestamp(String text) {
    Instant instant = Instant.parse(text);
    java.sql.Timestamp time = new java.sql.Timestamp(instant.getEpochSecond() * 1000);
    time.setNanos(instant.getNano());
    return time;
  }

  private static String text(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
  }

  private static OptionalInt optionalInt(String text) {
    return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
  }

  private static String text(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "";
  }

  private static OptionalLong optionalLong(String text) {
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  private static String text(OptionalDouble number) {
    return number.isPresent() ? text((Double) number.getAsDouble()) : "";
  }

  private static OptionalDouble optionalDouble(String text) {
    return text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(toDouble(text));
  }

  @SuppressWarnings("deprecation") // not every URL is a URI
  private static URL url(String text) {
    try {
      return new URL(text);
    } catch (java.net.MalformedURLException e) {
      throw new IllegalArgumentException(text + " is no URL: " + e.getMessage(), e);
    }
  }

  // Not every locale has a language tag.
  private static String text(Locale locale) {
    String tag = locale.toLanguageTag();
    return Locale.forLanguageTag(tag).equals(locale)
        ? tag
        : locale.getLanguage() + "/" + locale.getCountry() + "/" + locale.getVariant();
  }

  private static Locale locale(String text) {
    String[] parts = text.split("/", 3);
    return parts.length < 3 ? Locale.forLanguageTag(text) : Locale.of(parts[0], parts[1], parts[2]);
  }

  private static Pattern pattern(String text) {
    int slash = text.indexOf('/');
    return Pattern.compile(text.substring(slash + 1), Integer.parseInt(text.substring(0, slash)));
  }

  // As the store keeps it, but with a time that people can read.
  private static String text(Calendar calendar) {
    String text = CalendarText.of(calendar);
    int space = text.indexOf(' ');
    long milliseconds = Long.parseLong(text.substring(0, space));
    return Instant.ofEpochMilli(milliseconds) + text.substring(space);
  }

  private static Calendar calendar(String text) {
    int space = text.indexOf(' ');
    if (space < 0) {
      throw new IllegalArgumentException("\"" + text + "\" is no time with a calendar behind it");
    }
    return CalendarText.calendar(millis(text.substring(0, space)) + text.substring(space));
  }
}
