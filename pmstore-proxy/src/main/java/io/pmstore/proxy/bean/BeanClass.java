package io.pmstore.proxy.bean;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A class that can be kept in a store.
 *
 * @param type the user's class or interface
 * @param properties its properties, in the order of the shape
 * @param shape its shape, with id 0
 * @param code what its code does with its fields; null for an interface
 * @param overrides the methods that the generated class overrides; none for an interface, whose
 *     accessors are in the properties
 * @param transients the fields that the store does not keep, superclasses' first
 * @param onLoad the methods to run when an object is read back, in their order
 * @param isExposed whether constructors or static methods use fields of their arguments, and were
 *     accepted because no code nearby calls them
 */
public record BeanClass(
    Class<?> type,
    List<BeanProperty> properties,
    Shape shape,
    @Nullable ClassCode code,
    List<MethodOverride> overrides,
    List<Field> transients,
    List<Method> onLoad,
    boolean isExposed) {

  /** Returns true if the enhancer has changed the class, so that none is generated beside it. */
  public boolean isEnhanced() {
    return Enhancement.isIn(type);
  }

  static BeanClass of(
      Class<?> type,
      List<BeanProperty> found,
      @Nullable ClassCode code,
      List<MethodOverride> overrides,
      List<Field> transients,
      List<Method> onLoad,
      boolean isExposed) {
    Class<?> superclass = type.getSuperclass();
    String above =
        superclass == null || superclass == Object.class || Enhancement.isOfElements(superclass)
            ? Shape.OBJECT
            : superclass.getName();
    Map<String, BeanProperty> byName = new HashMap<>();
    List<Property> properties = new ArrayList<>();
    for (BeanProperty property : found) {
      byName.put(property.name(), property);
      Class<?> stored = CollectionClasses.storedAs(property.type());
      String arguments = TypeArguments.stored(property.genericType());
      properties.add(
          new Property(property.name(), property.kind(), stored.getName(), arguments, 0));
    }
    Shape shape = Shape.layOut(type.getName(), above, properties);
    return new BeanClass(
        type,
        shape.properties().stream().map(p -> byName.get(p.name())).toList(),
        shape,
        code,
        overrides,
        transients,
        onLoad,
        isExposed);
  }
}
