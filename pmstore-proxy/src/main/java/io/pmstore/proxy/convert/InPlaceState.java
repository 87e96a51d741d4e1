package io.pmstore.proxy.convert;

import io.pmstore.proxy.slot.EmbeddedValues;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a value that can change in place held at one moment: an array, a date, or a record that
 * contains them. Restores it. Immutable.
 */
final class InPlaceState {
  private final Object value;
  private final Object copy;
  private final List<InPlaceState> parts = new ArrayList<>();

  @SuppressWarnings("JavaUtilDate") // users have such values
  private InPlaceState(Object value, EmbeddedValues embedded) {
    this.value = value;
    switch (value) {
      case Date date -> copy = date.clone();
      case Record record -> {
        copy = record;
        addParts(embedded.parts(record), embedded);
      }
      default -> {
        int length = Array.getLength(value);
        copy = Array.newInstance(value.getClass().componentType(), length);
        System.arraycopy(value, 0, copy, 0, length);
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
    return value instanceof Date
        || value instanceof Record
        || (value != null && value.getClass().isArray());
  }

  static InPlaceState of(Object value, EmbeddedValues embedded) {
    return new InPlaceState(value, embedded);
  }

  /** Gives the value what it held. */
  @SuppressWarnings("JavaUtilDate")
  void restore() {
    switch (value) {
      case Date date -> {
        date.setTime(((Date) copy).getTime());
        if (date.getClass().getName().equals("java.sql.Timestamp")) { // of a module that may lack
          ((java.sql.Timestamp) date).setNanos(((java.sql.Timestamp) copy).getNanos());
        }
      }
      case Record _ -> {}
      default -> System.arraycopy(copy, 0, value, 0, Array.getLength(value));
    }
    parts.forEach(InPlaceState::restore);
  }
}
