package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.fixture.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
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
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of property: set, read in the transaction and outside, overwritten, rolled back,
 * nulled, and read after reopening.
 */
class PropertyKindsTest extends StoreTest {

  /** A property with the values to try, the last of which stays. */
  record Kind<B, V>(
      Class<B> type,
      String name,
      Function<B, @Nullable V> getter,
      BiConsumer<B, V> setter,
      List<V> values) {
    @Override
    public String toString() {
      return type.getSimpleName() + "." + name;
    }
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is copied
  private static <V> Kind<Primitives, V> primitive(
      String name, Function<Primitives, V> getter, BiConsumer<Primitives, V> setter, V... values) {
    return new Kind<>(Primitives.class, name, getter, setter, List.of(values));
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is copied
  private static <V> Kind<Values, V> value(
      String name,
      Function<Values, @Nullable V> getter,
      BiConsumer<Values, V> setter,
      V... values) {
    return new Kind<>(Values.class, name, getter, setter, List.of(values));
  }

  static Stream<Kind<?, ?>> primitives() {
    return Stream.of(
        primitive("flag", Primitives::isFlag, Primitives::setFlag, true, false, true),
        primitive("tiny", Primitives::getTiny, Primitives::setTiny, (byte) -128, (byte) 127),
        primitive(
            "small", Primitives::getSmall, Primitives::setSmall, Short.MIN_VALUE, Short.MAX_VALUE),
        primitive("letter", Primitives::getLetter, Primitives::setLetter, '\uffff', 'x', '\ud800'),
        primitive(
            "number",
            Primitives::getNumber,
            Primitives::setNumber,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE),
        primitive("big", Primitives::getBig, Primitives::setBig, Long.MAX_VALUE, Long.MIN_VALUE),
        primitive(
            "fraction",
            Primitives::getFraction,
            Primitives::setFraction,
            Float.NaN,
            Float.MIN_VALUE,
            -0.0f,
            Float.NEGATIVE_INFINITY),
        primitive(
            "real",
            Primitives::getReal,
            Primitives::setReal,
            Double.NaN,
            Double.MIN_VALUE,
            -0.0,
            Double.MAX_VALUE));
  }

  static Stream<Kind<?, ?>> values() {
    LocalDateTime dateTime = LocalDateTime.of(2026, 2, 28, 23, 59, 59, 999_999_999);
    return Stream.of(
        value("flag", Values::getFlag, Values::setFlag, true, false),
        value("tiny", Values::getTiny, Values::setTiny, (byte) -128, (byte) 0, (byte) 127),
        value("small", Values::getSmall, Values::setSmall, Short.MIN_VALUE, Short.MAX_VALUE),
        value("letter", Values::getLetter, Values::setLetter, '\0', '\uffff'),
        value(
            "number",
            Values::getNumber,
            Values::setNumber,
            0,
            Integer.MIN_VALUE,
            Integer.MAX_VALUE),
        value("big", Values::getBig, Values::setBig, 0L, Long.MIN_VALUE, Long.MAX_VALUE),
        value(
            "fraction",
            Values::getFraction,
            Values::setFraction,
            Float.NaN,
            -0.0f,
            Float.MAX_VALUE),
        value("real", Values::getReal, Values::setReal, Double.NaN, -0.0, Double.MIN_VALUE),
        value("text", Values::getText, Values::setText, strings()),
        value(
            "whole",
            Values::getWhole,
            Values::setWhole,
            BigInteger.ZERO,
            BigInteger.valueOf(Long.MIN_VALUE),
            BigInteger.valueOf(Long.MAX_VALUE).add(BigInteger.ONE),
            BigInteger.TWO.pow(1000).negate()),
        value(
            "decimal",
            Values::getDecimal,
            Values::setDecimal,
            new BigDecimal("0.00"),
            new BigDecimal("-38.4500"),
            new BigDecimal(
                BigInteger.valueOf(999_999_999_999_999_999L), Integer.MAX_VALUE), // the most digits
            new BigDecimal(
                BigInteger.valueOf(-999_999_999_999_999_999L),
                Integer.MIN_VALUE), // of the short way
            new BigDecimal(BigInteger.TEN.pow(18), 3),
            BigDecimal.valueOf(Long.MIN_VALUE, Integer.MAX_VALUE),
            new BigDecimal(BigInteger.TWO.pow(63), Integer.MIN_VALUE),
            new BigDecimal("123456789012345678901234567890.123456789")),
        value(
            "uuid",
            Values::getUuid,
            Values::setUuid,
            new UUID(0, 0),
            UUID.fromString("01234567-89ab-cdef-fedc-ba9876543210")),
        value("day", Values::getDay, Values::setDay, DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
        value("side", Values::getSide, Values::setSide, Order.Side.SELL, Order.Side.BUY),
        value(
            "instant",
            Values::getInstant,
            Values::setInstant,
            Instant.MIN,
            Instant.EPOCH,
            Instant.MAX),
        value(
            "duration",
            Values::getDuration,
            Values::setDuration,
            Duration.ZERO,
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
        value(
            "date",
            Values::getDate,
            Values::setDate,
            LocalDate.MIN,
            LocalDate.EPOCH,
            LocalDate.MAX),
        value("time", Values::getTime, Values::setTime, LocalTime.MIDNIGHT, LocalTime.MAX),
        value(
            "dateTime",
            Values::getDateTime,
            Values::setDateTime,
            LocalDateTime.MIN,
            dateTime,
            LocalDateTime.MAX),
        value(
            "offsetDateTime",
            Values::getOffsetDateTime,
            Values::setOffsetDateTime,
            OffsetDateTime.MIN,
            OffsetDateTime.MAX,
            dateTime.atOffset(ZoneOffset.ofHoursMinutesSeconds(-3, -30, -7))),
        value(
            "offsetTime",
            Values::getOffsetTime,
            Values::setOffsetTime,
            OffsetTime.MIN,
            OffsetTime.MAX),
        value(
            "zonedDateTime",
            Values::getZonedDateTime,
            Values::setZonedDateTime,
            dateTime.atZone(ZoneOffset.MAX),
            dateTime.atZone(ZoneId.of("America/Argentina/ComodRivadavia")),
            // Both of the two times that this hour has when the clocks go back.
            ZonedDateTime.ofLocal(
                LocalDateTime.of(2026, 10, 25, 2, 30),
                ZoneId.of("Europe/Berlin"),
                ZoneOffset.ofHours(2)),
            ZonedDateTime.ofLocal(
                LocalDateTime.of(2026, 10, 25, 2, 30),
                ZoneId.of("Europe/Berlin"),
                ZoneOffset.ofHours(1))),
        value(
            "zone",
            Values::getZone,
            Values::setZone,
            ZoneOffset.MIN,
            ZoneId.of("UTC"),
            ZoneId.of("America/Sao_Paulo")),
        value("offset", Values::getOffset, Values::setOffset, ZoneOffset.MIN, ZoneOffset.MAX),
        value(
            "year",
            Values::getYear,
            Values::setYear,
            Year.of(Year.MIN_VALUE),
            Year.of(Year.MAX_VALUE)),
        value(
            "yearMonth",
            Values::getYearMonth,
            Values::setYearMonth,
            YearMonth.of(Year.MIN_VALUE, 1),
            YearMonth.of(-1, 12),
            YearMonth.of(Year.MAX_VALUE, 12)),
        value(
            "monthDay",
            Values::getMonthDay,
            Values::setMonthDay,
            MonthDay.of(1, 1),
            MonthDay.of(2, 29)),
        value(
            "period",
            Values::getPeriod,
            Values::setPeriod,
            Period.ZERO,
            Period.of(Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE),
            Period.of(1, -2, 3)),
        value("anything", Values::getAnything, Values::setAnything, everyValue()),
        value(
            "comparable",
            Values::getComparable,
            Values::setComparable,
            "text",
            5,
            DayOfWeek.FRIDAY,
            Order.Side.SELL),
        value("count", Values::getCount, Values::setCount, 1, 2L, 3.0, new BigDecimal("4.5")));
  }

  private static String[] strings() {
    List<String> strings = new ArrayList<>();
    for (int length : new int[] {0, 1, 6, 7, 13, 14, 15, 16, 100, 5_000_000}) {
      strings.add("x".repeat(length));
      strings.add("\u00ff".repeat(length));
      strings.add("\u0100".repeat(length));
    }
    strings.add("a lone surrogate \ud800 and a pair \ud83d\ude00");
    strings.add("\0\0");
    strings.add("PETR4");
    return strings.toArray(String[]::new);
  }

  private static Object[] everyValue() {
    return new Object[] {
      true,
      (byte) 1,
      (short) 2,
      'c',
      4,
      5L,
      6f,
      7d,
      "eight",
      BigInteger.TEN,
      BigDecimal.ONE,
      DayOfWeek.MONDAY,
      Order.Side.BUY,
      Instant.EPOCH,
      ZoneOffset.UTC,
      new UUID(1, 2),
      Period.ofDays(3)
    };
  }

  @ParameterizedTest
  @MethodSource("primitives")
  <B, V> void aPrimitiveIsWhatWasSet(Kind<B, V> kind) {
    isWhatWasSet(kind);
  }

  @ParameterizedTest
  @MethodSource("values")
  <B, V> void aValueIsWhatWasSet(Kind<B, V> kind) {
    isWhatWasSet(kind);
    B bean = store().root("bean", kind.type());
    setNull(kind, bean);
    assertNull(kind.getter().apply(bean));
    reopen();
    assertNull(kind.getter().apply(store().root("bean", kind.type())));
  }

  @SuppressWarnings(
      "NullAway") // the setters of values take null, which the generic record does not say
  private static <B, V> void setNull(Kind<B, V> kind, B bean) {
    kind.setter().accept(bean, null);
  }

  private <B, V> void isWhatWasSet(Kind<B, V> kind) {
    B bean = store().root("bean", kind.type());
    for (V value : kind.values()) {
      kind.setter().accept(bean, value);
      assertEquals(value, kind.getter().apply(bean), "after a transaction of its own");
      V other = kind.values().getFirst();
      store()
          .transaction(
              () -> {
                kind.setter().accept(bean, other);
                assertEquals(other, kind.getter().apply(bean), "in its transaction");
                kind.setter().accept(bean, value);
                assertEquals(value, kind.getter().apply(bean), "overwritten in its transaction");
              });
      assertEquals(value, kind.getter().apply(bean), "after the transaction");
      rolledBack(() -> kind.values().forEach(v -> kind.setter().accept(bean, v)));
      assertEquals(value, kind.getter().apply(bean), "after one that was rolled back");
    }
    reopen();
    assertEquals(
        kind.values().getLast(),
        kind.getter().apply(store().root("bean", kind.type())),
        "reopened");
  }

  /** A value in one property never shows in another. */
  @ParameterizedTest
  @MethodSource("values")
  <V> void otherPropertiesStayAsTheyWere(Kind<Values, V> kind) {
    Values bean = store().root("bean", Values.class);
    kind.setter().accept(bean, kind.values().getLast());
    values()
        .forEach(
            other -> {
              @SuppressWarnings("unchecked")
              Kind<Values, Object> untyped = (Kind<Values, Object>) other;
              if (!other.name().equals(kind.name())) {
                assertNull(untyped.getter().apply(bean), other::toString);
              }
            });
  }
}
