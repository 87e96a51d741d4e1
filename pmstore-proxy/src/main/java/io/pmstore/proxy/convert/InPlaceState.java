package io.pmstore.proxy.convert;

import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.slot.EmbeddedValues;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The state, at one moment, of a value that can change in place: an array, a date, a calendar, a
 * time zone, or a record or {@code Optional} that contains them. The plain collections in it belong
 * to it. Can compare it and restore it. Immutable.
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
      case Object _ when Snapshots.isPlainCollection(value) -> {
        @Nullable Object[] contents = contents();
        copy = contents;
        addParts(contents, embedded);
      }
      default -> {
        copy = InPlace.copy(value);
        if (value instanceof Object[] elements) {
          addParts(elements, embedded);
        }
      }
    }
  }

  /** Returns the elements of a collection, or its keys and values alternately. */
  private @Nullable Object[] contents() {
    return ChangeCheck.contents(value).toArray();
  }

  private void addParts(@Nullable Object[] values, EmbeddedValues embedded) {
    for (Object part : values) {
      if (part != null && isMutable(part)) {
        parts.add(new InPlaceState(JdkWrappers.behind(part), embedded));
      }
    }
  }

  /** Returns true for a value of which a state can be kept. */
  static boolean isMutable(@Nullable Object value) {
    return InPlace.isDateOrZone(value)
        || EmbeddedValues.hasComponents(value)
        || (value != null && (value.getClass().isArray() || Snapshots.isPlainCollection(value)));
  }

  static InPlaceState of(Object value, EmbeddedValues embedded) {
    return new InPlaceState(value, embedded);
  }

  /** Returns about how many words the value has. */
  long words() {
    long own = copy.getClass().isArray() ? Array.getLength(copy) : 16;
    return own + parts.stream().mapToLong(InPlaceState::words).sum();
  }

  /** Returns true if the value holds something else now. */
  boolean isChanged() {
    boolean isSame =
        switch (value) {
          case Object _ when EmbeddedValues.hasComponents(value) -> true;
          case Object _ when Snapshots.isPlainCollection(value) ->
              isSame(contents(), (@Nullable Object[]) copy);
          case Object[] elements -> isSame(elements, (Object[]) copy);
          default -> Objects.deepEquals(value, copy);
        };
    return !isSame || parts.stream().anyMatch(InPlaceState::isChanged);
  }

  @SuppressWarnings(
      "ReferenceEquality") // equals of the program's classes may take others for the same
  private static boolean isSame(@Nullable Object[] one, @Nullable Object[] other) {
    return one.length == other.length
        && IntStream.range(0, one.length).allMatch(i -> one[i] == other[i]);
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
      case Object _ when Snapshots.isPlainCollection(value) -> {
        if (!isSame(contents(), (@Nullable Object[]) copy)) {
          restoreContents((@Nullable Object[]) copy);
        }
      }
      default -> System.arraycopy(copy, 0, value, 0, Array.getLength(value));
    }
    parts.forEach(InPlaceState::restore);
  }

  @SuppressWarnings("unchecked") // the collection had them
  private void restoreContents(@Nullable Object[] contents) {
    if (value instanceof Map<?, ?> plain) {
      Map<@Nullable Object, @Nullable Object> map = (Map<@Nullable Object, @Nullable Object>) plain;
      map.clear();
      for (int i = 0; i < contents.length; i += 2) {
        map.put(contents[i], contents[i + 1]);
      }
    } else if (value instanceof List<?> list && list.size() == contents.length) {
      // Its size may be fixed.
      Collections.copy((List<@Nullable Object>) list, Arrays.asList(contents));
    } else {
      Collection<@Nullable Object> collection = (Collection<@Nullable Object>) value;
      collection.clear();
      collection.addAll(Arrays.asList(contents));
    }
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
