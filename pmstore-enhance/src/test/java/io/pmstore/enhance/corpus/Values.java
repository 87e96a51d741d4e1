package io.pmstore.enhance.corpus;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.corpus.LibraryValues;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
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
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import org.jspecify.annotations.Nullable;

/**
 * Values of the JDK and of other libraries; for those that a store does not know itself, what a
 * program registers with it: a text that makes the value again.
 */
final class Values {
  private static final Map<Class<?>, Function<Random, Object>> KNOWN = new LinkedHashMap<>();

  /** A text of a value, and the value of a text; null if the text is the serialized value. */
  private record Coded(Function<Object, String> text, @Nullable Function<String, Object> ofText) {}

  private static final Map<String, Coded> CODED = new LinkedHashMap<>();

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
    value(java.io.Serializable.class, r -> "serializable " + r.nextInt(1000));
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
    coded("javax.xml.datatype.XMLGregorianCalendar", Object::toString, Values::calendar);
    coded("java.nio.ByteBuffer", Values::base64, text -> ByteBuffer.wrap(decoded(text)));
    coded("quickfix.FieldException", Values::serialized, null);
  }

  private Values() {}

  private static void value(Class<?> type, Function<Random, Object> maker) {
    KNOWN.put(type, maker);
  }

  private static void coded(
      String type, Function<Object, String> text, @Nullable Function<String, Object> ofText) {
    CODED.put(type, new Coded(text, ofText));
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
    for (Map.Entry<String, Coded> entry : CODED.entrySet()) {
      try {
        options =
            registered(options, Class.forName(entry.getKey(), true, loader), entry.getValue());
      } catch (ClassNotFoundException | LinkageError e) {
        // a library that is not used
      }
    }
    return options;
  }

  @SuppressWarnings("unchecked") // it is given values of the type only
  private static PmStoreOptions registered(PmStoreOptions options, Class<?> type, Coded coded) {
    Function<String, Object> ofText = coded.ofText();
    return options.valueType(
        (Class<Object>) type,
        ValueCodec.ofText(
            type.getName(),
            value -> coded.text().apply(value),
            text -> ofText == null ? deserialized(type, text) : ofText.apply(text)));
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

  private static String serialized(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static Object deserialized(Class<?> type, String text) {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(decoded(text))) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass found) throws ClassNotFoundException {
            return Class.forName(found.getName(), false, type.getClassLoader());
          }
        }) {
      return in.readObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
