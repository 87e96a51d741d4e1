package io.pmstore.enhance.corpus;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What can be seen of a graph of objects, as text: the same for a plain graph and its copy. */
final class Portrait {
  private static final int DEPTH = 5;
  private static final int MAX_OBJECTS = 20_000;

  private static final Pattern COLLECTION =
      Pattern.compile(
          "\\b(java\\.util\\.|io\\.pmstore\\.proxy\\.(collection|facade)\\.)?"
              + "(Persistent|Array|Linked|Hash|LinkedHash|Tree|Unmodifiable|Sorted)+"
              + "(RandomAccess)?(List|Map|Set|Deque)\\b");

  private final World world;
  private final Map<Object, Integer> seen;
  private final int[] left; // how many objects may still be shown
  private final boolean isLoose; // shows no order

  private Portrait(World world, Map<Object, Integer> seen, int[] left, boolean isLoose) {
    this.isLoose = isLoose;
    this.world = world;
    this.seen = seen;
    this.left = left;
  }

  private static Portrait start(World world, boolean isLoose) {
    return new Portrait(world, new IdentityHashMap<>(), new int[] {MAX_OBJECTS}, isLoose);
  }

  /** Returns one for an element of a container without an order. */
  private Portrait ofElement() {
    return new Portrait(world, new IdentityHashMap<>(seen), left, isLoose);
  }

  /** A graph that is too large is not looked at, on any side: its size is the same on all. */
  private String text(@Nullable Object value) {
    String shown = show(value, 1);
    return left[0] < 0 ? "too large" : shown;
  }

  /**
   * Returns the text of a value.
   *
   * @param isLoose has it show no order, not even that of lists: those may be made of a set
   */
  static String of(@Nullable Object value, World world, boolean isLoose) {
    return start(world, isLoose).text(value);
  }

  /** Returns the text of each field of an object of the unit. */
  static Map<String, String> fields(Object object, World world, boolean isLoose) {
    Map<String, String> shown = new LinkedHashMap<>();
    for (Field field : Fields.of(object.getClass(), world)) {
      Portrait ofField = start(world, isLoose);
      ofField.seen.put(object, 0);
      String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
      shown.put(name, ofField.text(Fields.get(object, field)));
    }
    if (Fields.hasElements(object, world)) {
      Portrait ofElements = start(world, isLoose);
      ofElements.seen.put(object, 0);
      shown.put("elements", ofElements.elements(object, 1));
    }
    return shown;
  }

  private String show(@Nullable Object value, int depth) {
    if (value == null) {
      return "null";
    }
    if (depth > DEPTH || left[0]-- < 0) {
      return "..";
    }
    if (value.getClass().isArray()) {
      List<String> elements = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        elements.add(show(Array.get(value, i), depth + 1));
      }
      return value.getClass().getSimpleName() + elements;
    }
    return switch (value) {
      case Map<?, ?> map when isOnlyContents(value.getClass()) -> map(map, depth);
      case Collection<?> all when isOnlyContents(value.getClass()) -> collection(all, depth);
      case Optional<?> optional -> "Optional " + show(optional.orElse(null), depth);
      case Enum<?> constant -> constant.getDeclaringClass().getName() + "." + constant.name();
      case Class<?> type -> "class " + type.getName();
      case Date date -> date.getClass().getName() + date.getTime();
      case Record entry when world.isOwn(value.getClass()) -> components(entry, depth);
      default ->
          world.isOwn(value.getClass()) && !value.getClass().isSynthetic()
              ? object(value, depth)
              : other(value);
    };
  }

  /** Returns true for collections of the JDK, and those that are written with two braces. */
  private boolean isOnlyContents(Class<?> collection) {
    return !world.isOwn(collection) || collection.isAnonymousClass();
  }

  private String map(Map<?, ?> map, int depth) {
    List<String> entries = new ArrayList<>();
    boolean isOrdered = !isLoose && map instanceof SequencedMap && !map.isEmpty();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Portrait of = isOrdered ? this : ofElement();
      entries.add(of.show(entry.getKey(), depth + 1) + "=" + of.show(entry.getValue(), depth + 1));
    }
    if (!isOrdered) {
      Collections.sort(entries);
    }
    return (isOrdered ? "Ordered map " : "Map ") + entries;
  }

  private String collection(Collection<?> all, int depth) {
    List<String> elements = new ArrayList<>();
    boolean isOrdered = !isLoose && (!(all instanceof Set) || all instanceof SequencedSet);
    for (Object element : all) {
      Portrait of = isOrdered ? this : ofElement();
      elements.add(of.show(element, depth + 1));
    }
    if (!isOrdered || !(all instanceof List || all instanceof Set)) { // say, values of a map
      Collections.sort(elements);
    }
    return (isOrdered && all instanceof Set ? "Ordered set " : all instanceof Set ? "Set " : "")
        + elements;
  }

  private String components(Record entry, int depth) {
    List<String> shown = new ArrayList<>();
    for (RecordComponent component : entry.getClass().getRecordComponents()) {
      try {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        shown.add(component.getName() + "=" + show(accessor.invoke(entry), depth + 1));
      } catch (ReflectiveOperationException e) {
        shown.add(component.getName() + " throws " + e.getCause());
      }
    }
    return entry.getClass().getName() + shown;
  }

  private String object(Object object, int depth) {
    Integer known = seen.putIfAbsent(object, seen.size());
    if (known != null) {
      return isLoose ? "#" : "#" + known;
    }
    List<String> shown = new ArrayList<>();
    for (Field field : Fields.of(object.getClass(), world)) {
      shown.add(field.getName() + "=" + show(Fields.get(object, field), depth + 1));
    }
    if (Fields.hasElements(object, world)) {
      shown.add(elements(object, depth));
    }
    return object.getClass().getName() + shown;
  }

  private String elements(Object object, int depth) {
    return object instanceof Map<?, ?> map
        ? map(map, depth)
        : collection((Collection<?>) object, depth);
  }

  /** A value of the JDK or of another library: by its text, if it has one of its own. */
  private static String other(Object value) {
    Class<?> type = value.getClass();
    try {
      boolean hasText =
          type.getMethod("toString").getDeclaringClass() != Object.class
              && !type.isHidden()
              && !type.isSynthetic();
      return hasText ? withoutAddresses(value.toString()) : "an object";
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Removes what texts of equal objects differ in: where an object is, and of which class a
   * collection.
   */
  static String withoutAddresses(String text) {
    return COLLECTION
        .matcher(text.replaceAll("(\\[[^\\[\\]]*\\])?@[0-9a-f]+", "@"))
        .replaceAll("a collection");
  }
}
