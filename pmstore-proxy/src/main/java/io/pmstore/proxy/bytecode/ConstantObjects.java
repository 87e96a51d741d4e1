package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.ConstantFields;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bean.PropertyTypes;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
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
 * and hold values that do not change. Safe for use by any number of threads.
 */
final class ConstantObjects {
  private final Class<?> type;
  private final List<Field> fields;
  private volatile @Nullable Set<Object> known; // once each of the fields has its value
  private volatile @Nullable Map<List<@Nullable Object>, Object> byValues;

  ConstantObjects(BeanClass bean) {
    boolean canBe =
        bean.isEnhanced() && bean.properties().stream().allMatch(ConstantObjects::isUnchanging);
    this.type = bean.type();
    this.fields = canBe ? fields(type) : List.of();
  }

  private static boolean isUnchanging(BeanProperty property) {
    Class<?> type = property.type();
    boolean isValue =
        type.isEnum()
            || (PropertyTypes.isValue(type)
                && !InPlace.mayChange(type)
                && type != Optional.class); // which may hold a persistent object
    Field field = property.field();
    return isValue && field != null && Modifier.isFinal(field.getModifiers());
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

  /** Returns the constants by the values of their properties, which {@code reader} reads. */
  Map<List<@Nullable Object>, Object> byValues(PersistentClass reader) {
    Map<List<@Nullable Object>, Object> map = byValues;
    if (map == null) {
      map = new HashMap<>();
      for (Object constant : objects()) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < reader.properties().size(); i++) {
          values.add(reader.readPlain(constant, i));
        }
        map.putIfAbsent(values, constant);
      }
      if (known != null) {
        byValues = map;
      }
    }
    return map;
  }

  boolean contains(Object object) {
    return !fields.isEmpty() && objects().contains(object);
  }

  private Set<Object> objects() {
    Set<Object> objects = known;
    if (objects == null) {
      objects = Collections.newSetFromMap(new IdentityHashMap<>());
      boolean isComplete = true; // false while the initializer of a class runs
      for (Field field : fields) {
        Object held = ConstantFields.value(field);
        isComplete &= held != null;
        if (held != null && held.getClass() == type) {
          objects.add(held);
        }
      }
      if (isComplete) {
        known = objects;
      }
    }
    return objects;
  }
}
