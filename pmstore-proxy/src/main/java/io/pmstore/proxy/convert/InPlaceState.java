package io.pmstore.proxy.convert;

import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.slot.EmbeddedValues;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The state, at one moment, of a value that can change in place: an array, a date, a calendar, a
 * time zone, or a record or {@code Optional} that contains them. Can compare it and restore it.
 * Immutable.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
final class InPlaceState {
  private final Object value;
  private final Object copy;
  private final List<InPlaceState> parts = new ArrayList<>();

  private InPlaceState(Object value, EmbeddedValues embedded) {
    this.value = value;
    switch (value) {
      case Object _ when EmbeddedValues.hasComponents(value) -> {
        copy = value;
        addParts(embedded.parts(value), embedded);
      }
      default -> {
        copy = InPlace.copy(value);
        if (value instanceof Object[] elements) {
          addParts(elements, embedded);
        }
      }
    }
  }

  private void addParts(@Nullable Object[] values, EmbeddedValues embedded) {
    for (Object part : values) {
      if (part != null && isMutable(part)) {
        parts.add(new InPlaceState(part, embedded));
      }
    }
  }

  /** Returns true for a value of which a state can be kept. */
  static boolean isMutable(@Nullable Object value) {
    return InPlace.isDateOrZone(value)
        || EmbeddedValues.hasComponents(value)
        || (value != null && value.getClass().isArray());
  }

  static InPlaceState of(Object value, EmbeddedValues embedded) {
    return new InPlaceState(value, embedded);
  }

  /** Returns about how many words the value has. */
  long words() {
    long own = value.getClass().isArray() ? Array.getLength(value) : 16;
    return own + parts.stream().mapToLong(InPlaceState::words).sum();
  }

  /** Returns true if the value holds something else now. */
  boolean isChanged() {
    boolean isSame =
        switch (value) {
          case Object _ when EmbeddedValues.hasComponents(value) -> true;
          case Object[] elements -> isSame(elements, (Object[]) copy);
          default -> Objects.deepEquals(value, copy);
        };
    return !isSame || parts.stream().anyMatch(InPlaceState::isChanged);
  }

  @SuppressWarnings(
      "ReferenceEquality") // equals of the program's classes may take others for the same
  private static boolean isSame(@Nullable Object[] one, @Nullable Object[] other) {
    return IntStream.range(0, one.length).allMatch(i -> one[i] == other[i]);
  }

  /** Gives the value what it held. */
  void restore() {
    switch (value) {
      case Date date -> {
        date.setTime(((Date) copy).getTime());
        if (date.getClass().getName().equals("java.sql.Timestamp")) { // of a module that may lack
          ((java.sql.Timestamp) date).setNanos(((java.sql.Timestamp) copy).getNanos());
        }
      }
      // To set what one has would normalize the fields of a calendar.
      case Calendar calendar when !calendar.equals(copy) -> restore(calendar, (Calendar) copy);
      case TimeZone zone when !zone.equals(copy) -> restore(zone, (TimeZone) copy);
      case Calendar _, TimeZone _ -> {}
      case Object _ when EmbeddedValues.hasComponents(value) -> {}
      default -> System.arraycopy(copy, 0, value, 0, Array.getLength(value));
    }
    parts.forEach(InPlaceState::restore);
  }

  private static void restore(Calendar calendar, Calendar copy) {
    calendar.setTimeZone((TimeZone) copy.getTimeZone().clone());
    calendar.setLenient(copy.isLenient());
    calendar.setFirstDayOfWeek(copy.getFirstDayOfWeek());
    calendar.setMinimalDaysInFirstWeek(copy.getMinimalDaysInFirstWeek());
    if (calendar instanceof GregorianCalendar gregorian) {
      gregorian.setGregorianChange(((GregorianCalendar) copy).getGregorianChange());
    }
    calendar.setTimeInMillis(((Calendar) copy.clone()).getTimeInMillis());
  }

  private static void restore(TimeZone zone, TimeZone copy) {
    zone.setID(copy.getID());
    zone.setRawOffset(copy.getRawOffset());
  }
}
