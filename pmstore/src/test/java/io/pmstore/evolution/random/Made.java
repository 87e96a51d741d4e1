package io.pmstore.evolution.random;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a migration function does, in terms of the {@link Oracle}. */
final class Made {
  /** What it makes of what. */
  enum Operation {
    /** Text of what the property was. */
    TEXT,
    /** An int of the number that the property was. */
    NUMBER,
    /** A set of the list that the property was. */
    SET,
    /** Text of the object's id, for a new property. */
    TEXT_OF_ID,
    /** A new object, for a new property. */
    OBJECT
  }

  final Operation operation;

  /** The names that the property had before. */
  final Set<String> from;

  /** The types that the property got afterwards. */
  final List<Type> later = new ArrayList<>();

  /** What was made, by the id of the object that it belongs to. */
  final Map<Long, Entity> objects = new HashMap<>();

  Made(Operation operation, Set<String> from) {
    this.operation = operation;
    this.from = new LinkedHashSet<>(from);
  }

  /** The value before it got later types. */
  Object apply(Object old) {
    return switch (operation) {
      case TEXT -> old instanceof String ? old : "v" + plain(old);
      case NUMBER -> old == null ? 0 : number(old).intValue();
      case SET -> {
        Set<Object> elements = new HashSet<>();
        if (old instanceof Iterable<?> iterable) {
          iterable.forEach(
              element -> {
                if (element != null && !(element instanceof Values.OfRecord)) {
                  elements.add(element);
                }
              });
        }
        yield elements;
      }
      case TEXT_OF_ID -> "n" + old;
      case OBJECT -> objects.get((Long) old);
    };
  }

  /** The value as the property has it now. */
  Object applyAll(Object old) {
    Object value = apply(old);
    for (Type type : later) {
      value = Values.widened(value, type);
    }
    return value;
  }

  /** The same for a number, whether it was widened before or not. */
  private static String plain(Object old) {
    return switch (old) {
      case null -> "null";
      case Member constant -> "c" + constant.number;
      case Number number -> "" + number.doubleValue();
      case Character character -> "" + (double) character;
      default -> old.toString();
    };
  }

  private static Number number(Object old) {
    return old instanceof Character character ? (int) character : (Number) old;
  }
}
