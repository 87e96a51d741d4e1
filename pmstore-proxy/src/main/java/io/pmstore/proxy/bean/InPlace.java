package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The types of values that a program can change without setting the property that has them. */
@SuppressWarnings("JavaUtilDate") // users have such values
public final class InPlace {
  // Whether an object of a record class can hold something that changes in place.
  private static final ClassValue<Boolean> RECORDS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return mayHold(type, InPlace::mayChange);
        }
      };

  // Whether an object of a record class can hold a collection.
  private static final ClassValue<Boolean> RECORDS_WITH_COLLECTIONS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return mayHold(type, InPlace::mayBeCollection);
        }
      };

  private InPlace() {}

  /** Returns true for a record class that may have a collection, itself or in a record of it. */
  public static boolean mayHoldCollection(Class<?> type) {
    return type.isRecord() && RECORDS_WITH_COLLECTIONS.get(type);
  }

  private static boolean mayBeCollection(Class<?> type) {
    return Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)
        || type.isAssignableFrom(Collection.class)
        || type.isAssignableFrom(Map.class);
  }

  /**
   * Returns true if a component of a record class, or of a record that it holds, has a type that a
   * test accepts. Records are not tested themselves. They may refer to each other.
   */
  public static boolean mayHold(Class<?> record, Predicate<Class<?>> test) {
    Set<Class<?>> records = new HashSet<>(Set.of(record));
    Deque<Class<?>> open = new ArrayDeque<>(records);
    while (!open.isEmpty()) {
      for (RecordComponent component : open.remove().getRecordComponents()) {
        Class<?> held = component.getType();
        if (!held.isRecord() && test.test(held)) {
          return true;
        }
        if (held.isRecord() && records.add(held)) {
          open.add(held);
        }
      }
    }
    return false;
  }

  /**
   * Returns true if a value that the store keeps can change in place: an array, a date, a calendar,
   * a time zone, a record that may hold one, or an {@code Optional} or entry that holds one.
   */
  public static boolean changes(Object value) {
    Class<?> type = value.getClass();
    return type.isArray()
        || isDateOrZone(value)
        || (type.isRecord() && RECORDS.get(type))
        || (value instanceof Optional<?> optional && partChanges(optional.orElse(null)))
        || (value instanceof Map.Entry<?, ?> entry
            && RecordClass.isEntry(type)
            && (partChanges(entry.getKey()) || partChanges(entry.getValue())));
  }

  private static boolean partChanges(@Nullable Object part) {
    return part != null && changes(part);
  }

  /** Returns true for a date, a calendar or a time zone. */
  public static boolean isDateOrZone(@Nullable Object value) {
    return value != null && isDateOrZone(value.getClass());
  }

  /** Returns true for a class of dates, calendars or time zones. */
  static boolean isDateOrZone(Class<?> type) {
    return Date.class.isAssignableFrom(type)
        || Calendar.class.isAssignableFrom(type)
        || TimeZone.class.isAssignableFrom(type);
  }

  /** Returns a copy of a date, a calendar, a time zone or an array. An array keeps its elements. */
  public static Object copy(Object value) {
    return switch (value) {
      case Date date -> date.clone();
      case Calendar calendar -> calendar.clone();
      case TimeZone zone -> zone.clone();
      default -> {
        int length = Array.getLength(value);
        Object copy = Array.newInstance(value.getClass().componentType(), length);
        System.arraycopy(value, 0, copy, 0, length);
        yield copy;
      }
    };
  }

  /**
   * Returns true if a property of the declared type can have values that change in place. Objects
   * with an identity do not count.
   */
  public static boolean mayChange(Class<?> declared) {
    return declared.isArray()
        || isDateOrZone(declared)
        || declared == Object.class
        || declared == Record.class
        || declared == Optional.class
        || RecordClass.isEntry(declared)
        || (declared.isInterface()
            && !Collection.class.isAssignableFrom(declared)
            && !Map.class.isAssignableFrom(declared)
            && !declared.isAnnotationPresent(Persistent.class))
        || (declared.isRecord() && RECORDS.get(declared));
  }
}
