package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import io.pmstore.core.catalogue.SlotKind;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
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
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;

/** Which Java types a property can have, and how it then lies in the heap. */
final class PropertyTypes {
  private static final Map<Class<?>, SlotKind> PRIMITIVES =
      Map.of(
          boolean.class, SlotKind.BOOLEAN,
          byte.class, SlotKind.BYTE,
          short.class, SlotKind.SHORT,
          char.class, SlotKind.CHAR,
          int.class, SlotKind.INT,
          long.class, SlotKind.LONG,
          float.class, SlotKind.FLOAT,
          double.class, SlotKind.DOUBLE);

  private static final Set<Class<?>> VALUES =
      Set.of(
          Object.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Number.class,
          String.class,
          Date.class,
          URI.class,
          Locale.class,
          Currency.class,
          BigDecimal.class,
          BigInteger.class,
          UUID.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          OffsetTime.class,
          ZonedDateTime.class,
          ZoneId.class,
          ZoneOffset.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          Period.class);

  /** The interfaces that persistent collections implement. */
  private static final Set<Class<?>> COLLECTIONS =
      Set.of(
          Collection.class,
          SequencedCollection.class,
          List.class,
          Set.class,
          SortedSet.class,
          NavigableSet.class,
          Queue.class,
          Deque.class,
          Map.class,
          SortedMap.class,
          NavigableMap.class,
          ConcurrentMap.class);

  private PropertyTypes() {}

  /**
   * Finds how a property lies in the heap.
   *
   * @param refusal refuses the class whose property it is
   * @param name the property's name
   * @param type its declared type
   * @return its kind
   * @throws io.pmstore.ClassRefusedException if no property can have the type
   */
  static SlotKind kind(Refusal refusal, String name, Class<?> type) {
    return kind(refusal, name, type, new HashSet<>());
  }

  private static SlotKind kind(
      Refusal refusal, String name, Class<?> type, Set<Class<?>> recordsAround) {
    SlotKind primitive = PRIMITIVES.get(type);
    if (primitive != null) {
      return primitive;
    }
    if (VALUES.contains(type)) {
      return SlotKind.CELL;
    }
    if (COLLECTIONS.contains(type)) {
      return SlotKind.REFERENCE;
    }
    if (type.isEnum()) {
      return SlotKind.ENUM;
    }
    if (type.isArray()) {
      if (!type.getComponentType().isPrimitive()) {
        kind(refusal, name + "[]", type.getComponentType(), recordsAround);
      }
      return SlotKind.CELL;
    }
    if (type.isRecord()) {
      if (recordsAround.add(type)) {
        for (RecordComponent component : type.getRecordComponents()) {
          kind(refusal, name + "." + component.getName(), component.getType(), recordsAround);
        }
      }
      return SlotKind.CELL;
    }
    String what = "property " + name + " is of type " + type.getTypeName();
    if (type.isAnnotationPresent(Persistent.class)) {
      return SlotKind.REFERENCE;
    }
    if (Map.class.isAssignableFrom(type)) {
      String fit = SortedMap.class.isAssignableFrom(type) ? "NavigableMap" : "Map";
      throw refusal.because(
          what,
          "declare it as java.util."
              + (ConcurrentMap.class.isAssignableFrom(type) ? "concurrent.ConcurrentMap" : fit));
    }
    if (Collection.class.isAssignableFrom(type)) {
      throw refusal.because(
          what,
          SortedSet.class.isAssignableFrom(type)
              ? "declare it as java.util.NavigableSet"
              : "declare it as Collection, List, Set, Queue or Deque of java.util");
    }
    if (type.isInterface()) {
      return SlotKind.CELL;
    }
    throw refusal.because(
        what + ", which is neither a value type nor annotated with @Persistent",
        "annotate " + type.getTypeName() + ", or mark the property's field transient");
  }
}
