package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.ConstantFields;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bean.PropertyTypes;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one enhanced class that are constants of the program: a {@code static final} field
 * of the class, or of a class around it, holds the object, whose kept fields are all {@code final}
 * and hold values that do not change, unmodifiable collections of such values, or <em>parts</em>:
 * objects of enhanced classes with such fields, such as a strategy. The parts of constants are
 * constants too. Safe for use by any number of threads.
 */
final class ConstantObjects {
  /** The parts of one class that the constants known so far have. */
  private static final class Parts {
    private volatile Set<Object> all = Set.of();

    boolean contains(Object object) {
      Set<Object> known = all;
      return !known.isEmpty() && known.contains(object);
    }

    synchronized void add(Object part) {
      Set<Object> more = Collections.newSetFromMap(new IdentityHashMap<>());
      more.addAll(all);
      more.add(part);
      all = more;
    }
  }

  private static final ClassValue<Parts> PARTS =
      new ClassValue<>() {
        @Override
        protected Parts computeValue(Class<?> type) {
          return new Parts();
        }
      };

  /** The collections of the JDK that nobody can add to or remove from, and that are no views. */
  private static final Set<Class<?>> FIXED =
      Stream.of(
              Arrays.asList(),
              List.of(),
              List.of(1),
              Set.of(),
              Set.of(1),
              Map.of(),
              Map.of(1, 1),
              Collections.emptyList(),
              Collections.emptySet(),
              Collections.emptyMap(),
              Collections.singletonList(1),
              Collections.singleton(1),
              Collections.singletonMap(1, 1))
          .map(Object::getClass)
          .collect(Collectors.toUnmodifiableSet());

  private final Class<?> type;
  private final List<Field> fields;
  private final BitSet valued = new BitSet(); // the properties of which each value will do
  private final @Nullable Parts parts; // of this class
  private volatile @Nullable Set<Object> known; // once each of the fields has its value
  private volatile @Nullable Map<List<@Nullable Object>, Object> byValues;

  ConstantObjects(BeanClass bean) {
    List<BeanProperty> properties = bean.properties();
    boolean canBe = bean.isEnhanced() && properties.stream().allMatch(ConstantObjects::isFinal);
    this.type = bean.type();
    this.fields = canBe ? fields(type) : List.of();
    this.parts = canBe ? PARTS.get(type) : null;
    for (int i = 0; i < properties.size(); i++) {
      valued.set(i, holdsValues(properties.get(i).type()));
    }
  }

  private static boolean isFinal(BeanProperty property) {
    Field field = property.field();
    return field != null && Modifier.isFinal(field.getModifiers());
  }

  private static boolean holdsValues(Class<?> type) {
    return type.isEnum() || (PropertyTypes.isValue(type) && !InPlace.mayChange(type));
  }

  private static boolean isFixed(Object held) {
    if (!FIXED.contains(held.getClass())) {
      return false;
    }
    Stream<?> all =
        held instanceof Map<?, ?> map
            ? Stream.concat(map.keySet().stream(), map.values().stream())
            : ((Collection<?>) held).stream();
    return all.allMatch(each -> each == null || holdsValues(each.getClass()));
  }

  private static List<Field> fields(Class<?> type) {
    List<Field> found = new ArrayList<>();
    for (Class<?> owner = type; owner != null; owner = owner.getEnclosingClass()) {
      found.addAll(ConstantFields.of(owner, type));
    }
    return List.copyOf(found);
  }

  boolean canBe() {
    return !fields.isEmpty();
  }

  /**
   * Returns the constant whose properties have the given values, with a {@link ConstantPart} in
   * place of each object; {@code reader} reads theirs.
   */
  @Nullable Object withValues(List<@Nullable Object> values, PersistentClass reader) {
    return byValues(reader).get(values);
  }

  private Map<List<@Nullable Object>, Object> byValues(PersistentClass reader) {
    Map<List<@Nullable Object>, Object> map = byValues;
    if (map == null) {
      map = new HashMap<>();
      for (Object constant : objects(reader)) {
        List<@Nullable Object> values = values(constant, reader);
        values.replaceAll(
            value ->
                value instanceof EnhancedObject
                    ? new ConstantPart(
                        value.getClass(), values(value, PersistentClasses.of(value.getClass())))
                    : value);
        map.putIfAbsent(values, constant);
      }
      if (known != null) {
        byValues = map;
      }
    }
    return map;
  }

  boolean contains(Object object, PersistentClass reader) {
    return (!fields.isEmpty() && objects(reader).contains(object))
        || (parts != null && parts.contains(object));
  }

  private Set<Object> objects(PersistentClass reader) {
    Set<Object> objects = known;
    if (objects == null) {
      objects = Collections.newSetFromMap(new IdentityHashMap<>());
      boolean isComplete = true; // false while the initializer of a class runs
      for (Field field : fields) {
        Object held = ConstantFields.value(field);
        isComplete &= held != null;
        if (held != null && held.getClass() == type && isUnchanging(held, reader)) {
          objects.add(held);
        }
      }
      if (isComplete) {
        known = objects;
      }
    }
    return objects;
  }

  private static List<@Nullable Object> values(Object plain, PersistentClass reader) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < reader.properties().size(); i++) {
      values.add(reader.readPlain(plain, i));
    }
    return values;
  }

  /** Returns true if nothing that an object holds can change. Its parts are then known as such. */
  private boolean isUnchanging(Object object, PersistentClass reader) {
    List<Object> its = others(object, reader);
    if (!its.stream().allMatch(held -> isFixed(held) || isPart(held))) {
      return false;
    }
    for (Object held : its) {
      if (held instanceof EnhancedObject) {
        PARTS.get(held.getClass()).add(held);
      }
    }
    return true;
  }

  /** Returns what an object holds in properties of which not each value will do. */
  private List<Object> others(Object object, PersistentClass reader) {
    List<@Nullable Object> values = values(object, reader);
    List<Object> others = new ArrayList<>();
    for (int i = valued.nextClearBit(0); i < values.size(); i = valued.nextClearBit(i + 1)) {
      Object held = values.get(i);
      if (held != null) {
        others.add(held);
      }
    }
    return others;
  }

  private static boolean isPart(Object held) {
    return held instanceof EnhancedObject
        && !PersistentObject.isPersistent(held)
        && PersistentClasses.of(held.getClass()).isPartOfConstants(held);
  }

  /** Returns true if an object of the class can be a part: it has no parts itself. */
  boolean canBePart(Object object, PersistentClass reader) {
    return parts != null && others(object, reader).stream().allMatch(ConstantObjects::isFixed);
  }
}
