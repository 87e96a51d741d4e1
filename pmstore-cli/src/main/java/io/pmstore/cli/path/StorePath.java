package io.pmstore.cli.path;

import io.pmstore.StoreDamagedException;
import io.pmstore.cli.value.Elements;
import io.pmstore.cli.value.Scalars;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what a path leads to. */
public final class StorePath {
  private StorePath() {}

  /**
   * Requires that a text is a path, whatever the store has.
   *
   * @throws PathSyntaxException if it is none
   */
  public static void check(String path) {
    Object _ = Step.parse(path);
  }

  /**
   * Returns the name of the property with which a path from an object begins.
   *
   * @param rest such as {@code customer.name}
   * @throws PathSyntaxException if it is no such path
   */
  public static String firstProperty(String rest) {
    return property(Step.parse(rest), rest).text();
  }

  private static Step property(List<Step> steps, String rest) {
    if (steps.getFirst().kind() != Step.Kind.ROOT) {
      throw new PathSyntaxException(
          rest + " does not begin with the name of a property; write it as in customer.name");
    }
    return new Step(Step.Kind.PROPERTY, steps.getFirst().text());
  }

  /**
   * Returns what a path leads to.
   *
   * @throws PathException if it leads nowhere
   * @throws StoreDamagedException if an object on the way cannot be read
   */
  public static @Nullable Object resolve(GenericStore store, String path) {
    List<Step> steps = Step.parse(path);
    Object at = first(store, steps.getFirst());
    return follow(store, at, steps.subList(1, steps.size()), written(steps.getFirst()));
  }

  /**
   * Returns what the rest of a path leads to.
   *
   * @param rest such as {@code customer.name}
   * @throws PathException if it leads nowhere
   * @throws StoreDamagedException if an object on the way cannot be read
   */
  public static @Nullable Object resolve(GenericStore store, PersistentObject from, String rest) {
    List<Step> steps = Step.parse(rest);
    Object at = step(store, from, property(steps, rest), ValueText.of(from));
    return follow(store, at, steps.subList(1, steps.size()), written(steps.getFirst()));
  }

  private static @Nullable Object follow(
      GenericStore store, @Nullable Object from, List<Step> steps, String before) {
    Object at = from;
    StringBuilder path = new StringBuilder(before);
    for (Step step : steps) {
      if (at == null) {
        throw new PathException(path + " is null, so nothing follows it");
      }
      at = step(store, at, step, path.toString());
      path.append(written(step));
    }
    return at;
  }

  /** Returns the path of an object by its address. */
  public static String ofAddress(long address) {
    return "@" + address;
  }

  public static String ofRoot(String name) {
    return Step.written(name, false);
  }

  /** Returns the step to a property. */
  public static String property(String name) {
    return "." + Step.written(name, false);
  }

  /** Returns the step to a place in an order. */
  public static String index(long index) {
    return "[" + index + "]";
  }

  /**
   * Returns the step to the value of a key in a map, or to an element of a set.
   *
   * @param position in the order of an iteration
   */
  public static String key(@Nullable Object key, long position) {
    String text = keyText(key);
    return text == null ? "[#" + position + "]" : "[" + text + "]";
  }

  private static @Nullable String keyText(@Nullable Object key) {
    return switch (key) {
      case GenericEnum constant -> Step.written(constant.name(), true);
      case GenericObject object -> ofAddress(object.address());
      case null -> null;
      default -> {
        Scalars.Scalar scalar = Scalars.of(key);
        yield scalar == null ? null : Step.written(scalar.text().apply(key), true);
      }
    };
  }

  private static String written(Step step) {
    return switch (step.kind()) {
      case ROOT -> ofRoot(step.text());
      case ADDRESS -> "@" + step.text();
      case PROPERTY -> property(step.text());
      case KEY -> "[" + Step.written(step.text(), true) + "]";
      case POSITION -> "[#" + step.text() + "]";
    };
  }

  private static PersistentObject first(GenericStore store, Step step) {
    if (step.kind() == Step.Kind.ADDRESS) {
      return at(store, number(step.text()));
    }
    Long root = store.roots().get(step.text());
    if (root == null || root == 0) {
      throw new PathException(
          "the store has no root \"%s\"; its roots are %s"
              .formatted(step.text(), store.roots().keySet()));
    }
    return store.at(root);
  }

  private static PersistentObject at(GenericStore store, long address) {
    Heap heap = store.heap();
    boolean isObject =
        address >= Engine.RESERVED
            && (address & 7) == 0
            && address < heap.memory().size()
            && heap.read(() -> heap.isAllocated(address));
    if (!isObject) {
      throw new PathException(
          "no object begins at heap address %d; take one that pm find or pm show has shown"
              .formatted(address));
    }
    return store.at(address);
  }

  private static long number(String text) {
    try {
      return Long.decode(text);
    } catch (NumberFormatException e) {
      throw new PathException(
          "\"" + text + "\" is no number; write an index as [17], and an address as @49600");
    }
  }

  private static @Nullable Object step(GenericStore store, Object at, Step step, String path) {
    return switch (at) {
      case GenericObject object -> {
        if (!isProperty(step)) {
          throw new PathException(nothing(path, step, ValueText.of(at), names(object)));
        }
        Property property = object.property(step.text());
        if (property == null) {
          throw new NoPropertyException(
              nothing(path, step, ValueText.of(at), names(object)), object, step.text());
        }
        yield object.get(property);
      }
      case GenericDamage damage -> throw new StoreDamagedException(path + ": " + damage.message());
      case GenericRecord record -> {
        if (!isProperty(step) || !record.values().containsKey(step.text())) {
          throw new PathException(
              nothing(path, step, ValueText.of(at), record.values().sequencedKeySet()));
        }
        yield record.values().get(step.text());
      }
      case GenericArray array -> array.elements().get(index(step, array.elements().size(), path));
      case Map<?, ?> map -> value(store, map, step, path);
      case List<?> list -> list.get(index(step, list.size(), path));
      case Collection<?> elements -> element(elements, step, path);
      default -> {
        if (at.getClass().isArray()) {
          yield Array.get(at, index(step, Array.getLength(at), path));
        }
        throw new PathException(
            "%s is %s, a value without parts, so %s leads nowhere"
                .formatted(path, ValueText.of(at), written(step)));
      }
    };
  }

  private static boolean isProperty(Step step) {
    return step.kind() == Step.Kind.PROPERTY;
  }

  private static String nothing(
      String path, Step step, String what, Collection<String> properties) {
    return "%s is %s, which has no %s; its properties are %s"
        .formatted(path, what, written(step), properties);
  }

  private static Collection<String> names(GenericObject object) {
    return object.shape().properties().stream().map(Property::name).sorted().toList();
  }

  private static int index(Step step, int size, String path) {
    if (step.kind() == Step.Kind.KEY || step.kind() == Step.Kind.POSITION) {
      long index = number(step.text());
      if (index >= 0 && index < size) {
        return (int) index;
      }
    }
    throw new PathException(
        "%s has %d elements, so %s leads nowhere; use [0] to [%d]"
            .formatted(path, size, written(step), size - 1));
  }

  private static @Nullable Object element(Collection<?> elements, Step step, String path) {
    if (step.kind() == Step.Kind.POSITION || elements instanceof Deque) {
      int index = index(step, elements.size(), path);
      return nth(Elements.of(elements, index + 1L), index);
    }
    if (step.kind() == Step.Kind.KEY || step.kind() == Step.Kind.ADDRESS) {
      Iterator<?> all = Elements.of(elements);
      while (all.hasNext()) {
        Object element = all.next();
        if (isKey(element, step)) {
          return element;
        }
      }
    }
    throw new PathException(
        "%s has no element %s; it has %d, and [#0] is the first"
            .formatted(path, written(step), elements.size()));
  }

  private static <T extends @Nullable Object> T nth(Iterator<T> elements, int n) {
    for (int i = 0; i < n; i++) {
      Object _ = elements.next();
    }
    return elements.next();
  }

  private static @Nullable Object value(GenericStore store, Map<?, ?> map, Step step, String path) {
    if (step.kind() == Step.Kind.POSITION) {
      int index = index(step, map.size(), path);
      return Elements.value(nth(Elements.of(map, index + 1L), index));
    }
    if (isProperty(step)) {
      throw new PathException(
          "%s is a map, so %s leads nowhere; write a key in brackets, or [#0] for the first entry"
              .formatted(path, written(step)));
    }
    Object key = likelyKey(store, map, step);
    if (key != null) {
      Object value = lookedUp(map, key);
      if (value != null) {
        return value;
      }
    }
    Iterator<?> entries = Elements.of(map);
    while (entries.hasNext()) {
      Object entry = entries.next();
      if (isKey(Elements.key(entry), step)) {
        return Elements.value(entry);
      }
    }
    throw new PathException(
        "%s has no key %s; it has %d keys, and [#0] leads to the value of the first"
            .formatted(path, written(step), map.size()));
  }

  /** Returns the key that a text is, if the keys are all of the class of the first one. */
  private static @Nullable Object likelyKey(GenericStore store, Map<?, ?> map, Step step) {
    if (step.kind() == Step.Kind.ADDRESS) {
      return at(store, number(step.text()));
    }
    Iterator<?> entries = Elements.of(map, 1);
    Object first = entries.hasNext() ? Elements.key(entries.next()) : null;
    Scalars.Scalar scalar = first == null ? null : Scalars.of(first);
    try {
      return scalar == null ? null : scalar.value().apply(step.text());
    } catch (RuntimeException e) {
      return null; // the text is no such value, but keys may be of several classes
    }
  }

  private static @Nullable Object lookedUp(Map<?, ?> map, Object key) {
    try {
      return map.get(key);
    } catch (ClassCastException | UnsupportedOperationException e) {
      return null; // only the program can compare these keys
    }
  }

  private static boolean isKey(@Nullable Object key, Step step) {
    String text = keyText(key);
    return text != null
        && text.equals(
            step.kind() == Step.Kind.ADDRESS ? "@" + step.text() : Step.written(step.text(), true));
  }

  /** Returns the keys of a map, or the positions of other collections, that complete a path. */
  public static List<String> completions(Object at, int max) {
    List<String> found = new ArrayList<>();
    switch (at) {
      case GenericObject object -> names(object).forEach(name -> found.add(property(name)));
      case GenericRecord record ->
          record.values().sequencedKeySet().forEach(name -> found.add(property(name)));
      case Map<?, ?> map -> addKeys(Elements.of(map, max), max, found);
      case Set<?> set -> addKeys(Elements.of(set, max), max, found);
      case GenericArray array -> addIndexes(array.elements().size(), max, found);
      case Collection<?> elements -> addIndexes(elements.size(), max, found);
      default -> {}
    }
    return found;
  }

  private static void addKeys(Iterator<?> keys, int max, List<String> found) {
    for (int i = 0; i < max && keys.hasNext(); i++) {
      found.add(key(Elements.key(keys.next()), i));
    }
  }

  private static void addIndexes(int size, int max, List<String> found) {
    for (int i = 0; i < Math.min(size, max); i++) {
      found.add(index(i));
    }
  }
}
