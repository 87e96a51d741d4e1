package io.pmstore.proxy.bean;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A class that can be kept in a store.
 *
 * @param type the user's class or interface
 * @param sourceFile the file it was compiled from, or the empty string
 * @param properties its properties, in the order of the shape
 * @param shape its shape, with id 0
 */
public record BeanClass(
    Class<?> type, String sourceFile, List<BeanProperty> properties, Shape shape) {

  static BeanClass of(Class<?> type, String sourceFile, List<BeanProperty> found) {
    Class<?> superclass = type.getSuperclass();
    Map<String, BeanProperty> byName = new HashMap<>();
    List<Property> properties = new ArrayList<>();
    for (BeanProperty property : found) {
      byName.put(property.name(), property);
      properties.add(new Property(property.name(), property.kind(), property.type().getName()));
    }
    Shape shape =
        Shape.layOut(
            type.getName(),
            superclass == null || superclass == Object.class ? "" : superclass.getName(),
            properties);
    return new BeanClass(
        type,
        sourceFile,
        shape.properties().stream().map(p -> byName.get(p.name())).toList(),
        shape);
  }
}
