package io.pmstore.proxy.bytecode;

import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.MethodEffect;
import io.pmstore.proxy.bean.MethodOverride;
import io.pmstore.spi.EnhancedClasses;
import io.pmstore.spi.EnhancedMethod;
import io.pmstore.spi.EnhancedObject;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Publishes the constants in the code of enhanced classes. */
final class EnhancedLayouts {
  private EnhancedLayouts() {}

  /** Publishes the layout of an enhanced class. */
  static void publish(BeanClass bean) {
    Map<String, Integer> offsets = new HashMap<>();
    Map<String, Integer> codes = new HashMap<>();
    List<Property> slots = bean.shape().properties();
    for (int i = 0; i < slots.size(); i++) {
      BeanProperty property = bean.properties().get(i);
      Field field = property.requiredField();
      String key = EnhancedClasses.key(field.getDeclaringClass().getName(), field.getName());
      offsets.put(key, slots.get(i).offset());
      codes.put(key, PropertyCode.of(property, i));
    }
    Map<String, EnhancedMethod.Effect> effects = new HashMap<>();
    for (MethodOverride writing : bean.overrides()) {
      effects.put(
          EnhancedClasses.key(writing.owner().type().getName(), ClassCode.key(writing.method())),
          effect(writing.effect()));
    }
    EnhancedClasses.publish(bean.type(), new EnhancedClasses.Layout(offsets, codes, effects));
  }

  private static EnhancedMethod.Effect effect(MethodEffect of) {
    return switch (of) {
      case NONE -> throw new IllegalArgumentException("a method that does not write");
      case WRITES -> EnhancedMethod.Effect.WRITES;
      case CHANGES_IN_PLACE -> EnhancedMethod.Effect.CHANGES_IN_PLACE;
      case CHANGES_IN_OWN_TRANSACTIONS -> EnhancedMethod.Effect.CHANGES_IN_OWN_TRANSACTIONS;
    };
  }

  /** Returns the class of the hierarchy that declares the handle. */
  static Class<?> ownerOfHandle(Class<?> type) {
    Class<?> owner = type;
    while (EnhancedObject.class.isAssignableFrom(owner.getSuperclass())) {
      owner = owner.getSuperclass();
    }
    return owner;
  }
}
