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
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one enhanced class that are constants of the program: a {@code static final} field
 * of the class, or of a class around it, holds the object, whose kept fields are all {@code final}
 * and hold values that do not change, or <em>parts</em>: objects of enhanced classes without state,
 * such as a strategy. The parts of constants are constants too. Safe for use by any number of
 * threads.
 */
final class ConstantObjects {
  /** The parts of a class that the constants known so far have. */
  private static final ClassValue<Set<Object>> PARTS =
      new ClassValue<>() {
        @Override
        protected Set<Object> computeValue(Class<?> type) {
          return Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        }
      };

  private final Class<?> type;
  private final List<Field> fields;
  private final BitSet valued = new BitSet(); // the properties that hold values; others hold parts
  private final @Nullable Set<Object> parts; // of this class
  private volatile @Nullable Set<Object> known; // once each of the fields has its value
  private volatile @Nullable Map<List<@Nullable Object>, Object> byValues;

  ConstantObjects(BeanClass bean) {
    List<BeanProperty> properties = bean.properties();
    this.type = bean.type();
    this.fields =
        bean.isEnhanced() && properties.stream().allMatch(ConstantObjects::isFinal)
            ? fields(type)
            : List.of();
    this.parts = bean.isEnhanced() && isStateless(type) ? PARTS.get(type) : null;
    for (int i = 0; i < properties.size(); i++) {
      valued.set(i, holdsValues(properties.get(i).type()));
    }
  }

  private static boolean isFinal(BeanProperty property) {
    Field field = property.field();
    return field != null && Modifier.isFinal(field.getModifiers());
  }

  private static boolean holdsValues(Class<?> type) {
    return type.isEnum()
        || (PropertyTypes.isValue(type)
            && !InPlace.mayChange(type)
            && type != Optional.class); // which may hold a persistent object
  }

  private static boolean isStateless(Class<?> type) {
    for (Class<?> k = type; k != Object.class; k = k.getSuperclass()) {
      for (Field field : k.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !field.getName().equals(EnhancedObject.HANDLE)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isPart(Object held) {
    return held instanceof EnhancedObject
        && !PersistentObject.isPersistent(held)
        && isStateless(held.getClass());
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

  /** Returns the constant whose properties have the given values; {@code reader} reads theirs. */
  @Nullable Object withValues(List<@Nullable Object> values, PersistentClass reader) {
    return byValues(reader).get(comparable(values));
  }

  /** Returns values with the classes of parts in place of parts. */
  private List<@Nullable Object> comparable(List<@Nullable Object> values) {
    List<@Nullable Object> all = new ArrayList<>(values);
    for (int i = 0; i < all.size(); i++) {
      Object value = all.get(i);
      all.set(i, value == null || valued.get(i) ? value : value.getClass());
    }
    return all;
  }

  private Map<List<@Nullable Object>, Object> byValues(PersistentClass reader) {
    Map<List<@Nullable Object>, Object> map = byValues;
    if (map == null) {
      map = new HashMap<>();
      for (Object constant : objects(reader)) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < reader.properties().size(); i++) {
          values.add(reader.readPlain(constant, i));
        }
        map.putIfAbsent(comparable(values), constant);
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

  /** Returns true if an object holds values and parts only, which are then known as parts. */
  private boolean isUnchanging(Object object, PersistentClass reader) {
    List<Object> its = new ArrayList<>();
    for (int i = 0; i < reader.properties().size(); i++) {
      Object held = valued.get(i) ? null : reader.readPlain(object, i);
      if (held != null) {
        its.add(held);
      }
    }
    if (!its.stream().allMatch(ConstantObjects::isPart)) {
      return false;
    }
    its.forEach(part -> PARTS.get(part.getClass()).add(part));
    return true;
  }
}
