package io.pmstore.enhance.corpus;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.corpus.LibraryValues;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.Currency;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import org.jspecify.annotations.Nullable;

/**
 * Values of the JDK and of other libraries; for those that a store does not know itself, what a
 * program registers with it.
 */
final class Values {
  private static final Map<Class<?>, Function<Random, Object>> KNOWN = new LinkedHashMap<>();

  private static final Map<String, Function<Class<?>, ValueCodec<?>>> CODECS =
      new LinkedHashMap<>();

  static {
    value(boolean.class, r -> r.nextInt(3) > 0);
    value(char.class, r -> (char) ('a' + r.nextInt(26)));
    value(byte.class, r -> (byte) r.nextInt(100));
    value(short.class, r -> (short) r.nextInt(1000));
    value(int.class, r -> 1 + r.nextInt(12));
    value(long.class, r -> 1 + (long) r.nextInt(1 << 20));
    value(float.class, r -> r.nextInt(100) / 8f);
    value(double.class, r -> r.nextInt(100) / 8d);
    value(Number.class, r -> r.nextInt(100));
    value(String.class, r -> r.nextInt(5) == 0 ? "" + r.nextInt(99) : "text " + r.nextInt(1000));
    value(CharSequence.class, r -> "text " + r.nextInt(1000));
    value(Object.class, r -> "object " + r.nextInt(1000));
    value(Serializable.class, r -> "serializable " + r.nextInt(1000));
    value(BigDecimal.class, r -> BigDecimal.valueOf(r.nextInt(1000), 2));
    value(BigInteger.class, r -> BigInteger.valueOf(r.nextInt(1000)));
    value(Date.class, r -> new Date(1_600_000_000_000L + r.nextInt(1 << 30)));
    value(java.sql.Timestamp.class, r -> new java.sql.Timestamp(1_600_000_000_000L));
    value(java.sql.Date.class, r -> java.sql.Date.valueOf(day(r)));
    value(Instant.class, r -> Instant.ofEpochSecond(r.nextInt(1 << 30)));
    value(Duration.class, r -> Duration.ofSeconds(r.nextInt(1 << 20)));
    value(Period.class, r -> Period.ofDays(r.nextInt(400)));
    value(LocalDate.class, Values::day);
    value(LocalTime.class, r -> LocalTime.ofSecondOfDay(r.nextInt(86_400)));
    value(LocalDateTime.class, Values::dateTime);
    value(OffsetDateTime.class, r -> dateTime(r).atOffset(ZoneOffset.ofHours(r.nextInt(5))));
    value(ZonedDateTime.class, r -> dateTime(r).atZone(ZoneId.of("Europe/Berlin")));
    value(ZoneId.class, r -> ZoneId.of("Europe/Berlin"));
    value(ZoneOffset.class, r -> ZoneOffset.ofHours(r.nextInt(5)));
    value(Year.class, r -> Year.of(2000 + r.nextInt(50)));
    value(YearMonth.class, r -> YearMonth.of(2000 + r.nextInt(50), 3));
    value(UUID.class, r -> new UUID(r.nextLong(), r.nextLong()));
    value(Locale.class, r -> r.nextBoolean() ? Locale.GERMANY : Locale.CANADA_FRENCH);
    value(Currency.class, r -> Currency.getInstance(r.nextBoolean() ? "EUR" : "USD"));
    value(URI.class, r -> URI.create("urn:x:" + r.nextInt(100)));
    value(Pattern.class, r -> Pattern.compile("a+" + r.nextInt(9)));
    value(Class.class, r -> r.nextBoolean() ? String.class : Integer.class);
    text("javax.xml.datatype.XMLGregorianCalendar", Object::toString, (c, t) -> calendar(t));
    text("java.nio.ByteBuffer", Values::base64, (c, t) -> ByteBuffer.wrap(decoded(t)));
    text("com.fasterxml.jackson.databind.node.LongNode", Object::toString, Values::longNode);
    text(
        "java.time.Clock",
        clock -> ((Clock) clock).getZone().getId(),
        (c, t) -> Clock.system(ZoneId.of(t)));
    for (String type :
        List.of(
            "biweekly.util.ICalDate",
            "com.nimbusds.jwt.JWT",
            "java.text.DateFormat",
            "java.time.temporal.ValueRange",
            "net.fortuna.ical4j.model.Date",
            "net.fortuna.ical4j.model.TimeZone",
            "quickfix.FieldException")) {
      CODECS.put(type, found -> serialized(found.asSubclass(Serializable.class)));
    }
  }

  private Values() {}

  private static void value(Class<?> type, Function<Random, Object> maker) {
    KNOWN.put(type, maker);
  }

  private static void text(
      String type, Function<Object, String> text, BiFunction<Class<?>, String, Object> ofText) {
    CODECS.put(
        type,
        found ->
            ValueCodec.ofText(
                found.getName(), text::apply, encoded -> ofText.apply(found, encoded)));
  }

  private static <T extends Serializable> ValueCodec<T> serialized(Class<T> type) {
    return ValueCodec.ofSerializable(type.getName(), type);
  }

  private static LocalDate day(Random random) {
    return LocalDate.ofEpochDay(18_000 + random.nextInt(3000));
  }

  private static LocalDateTime dateTime(Random random) {
    return day(random).atTime(random.nextInt(24), random.nextInt(60));
  }

  /** Returns a value of a type; null if the type is none of these. */
  static @Nullable Object of(Class<?> type, Random random) {
    Class<?> primitive =
        java.lang.invoke.MethodType.methodType(type).unwrap().returnType(); // of a wrapper
    Function<Random, Object> known = KNOWN.get(primitive == void.class ? type : primitive);
    if (known != null) {
      return known.apply(random);
    }
    if (type == TimeZone.class) {
      return TimeZone.getTimeZone(random.nextBoolean() ? "Europe/Berlin" : "GMT+2");
    }
    if (type == XMLGregorianCalendar.class) {
      return calendar("2020-02-03T04:05:0" + random.nextInt(9));
    }
    if (type == ByteBuffer.class) {
      return ByteBuffer.wrap(new byte[] {(byte) random.nextInt(), 1});
    }
    return LibraryValues.sample(type);
  }

  /** Registers the types of the libraries that a class loader finds. */
  static PmStoreOptions registered(ClassLoader loader) {
    PmStoreOptions options =
        LibraryValues.registered(
            PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofSeconds(1))),
            loader);
    for (Map.Entry<String, Function<Class<?>, ValueCodec<?>>> entry : CODECS.entrySet()) {
      try {
        Class<?> type = Class.forName(entry.getKey(), true, loader);
        options = registered(options, type, entry.getValue().apply(type));
      } catch (ClassNotFoundException | LinkageError e) {
        // a library that is not used
      }
    }
    return options;
  }

  @SuppressWarnings("unchecked") // the codec is one of the type
  private static PmStoreOptions registered(
      PmStoreOptions options, Class<?> type, ValueCodec<?> codec) {
    return options.valueType((Class<Object>) type, (ValueCodec<Object>) codec);
  }

  private static Object longNode(Class<?> type, String text) {
    try {
      return type.getMethod("valueOf", long.class).invoke(null, Long.valueOf(text));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no node: " + text, e);
    }
  }

  private static XMLGregorianCalendar calendar(String text) {
    return DatatypeFactory.newDefaultInstance().newXMLGregorianCalendar(text);
  }

  private static String base64(Object buffer) {
    ByteBuffer all = ((ByteBuffer) buffer).duplicate().rewind();
    byte[] bytes = new byte[all.remaining()];
    all.get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] decoded(String text) {
    return Base64.getDecoder().decode(text);
  }
}
