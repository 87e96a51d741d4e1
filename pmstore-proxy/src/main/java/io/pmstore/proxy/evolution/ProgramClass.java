package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.RecordClass;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A class of the program as it asks to be kept, with what it says about its past. Immutable.
 *
 * @param type the class, record or array
 * @param shape its shape today, with id 0
 * @param types the declared type of each property, in the order of the shape
 * @param formerNames the former names of each property, in the order of the shape
 * @param formerClassNames the names that the class had before
 * @param removed the names of properties that are gone for good
 */
public record ProgramClass(
    Class<?> type,
    Shape shape,
    List<Class<?>> types,
    List<Set<String>> formerNames,
    Set<String> formerClassNames,
    Set<String> removed) {

  /**
   * Looks at a persistent class.
   *
   * @param type the user's class or interface
   * @param shape its shape, with id 0
   * @param properties its properties, in the order of the shape
   * @return the class
   */
  public static ProgramClass of(Class<?> type, Shape shape, List<BeanProperty> properties) {
    List<Class<?>> types = new ArrayList<>();
    List<Set<String>> formerNames = new ArrayList<>();
    for (BeanProperty property : properties) {
      Set<String> names = new LinkedHashSet<>(Annotated.formerNames(property.field()));
      names.addAll(Annotated.formerNames(property.getter()));
      names.addAll(Annotated.formerNames(type, property.name()));
      names.remove(property.name());
      types.add(property.type());
      formerNames.add(names);
    }
    return of(type, shape, types, formerNames);
  }

  /**
   * Looks at a record.
   *
   * @param record the record
   * @return the class
   */
  public static ProgramClass of(RecordClass record) {
    Map<String, RecordComponent> byName = new HashMap<>();
    record.components().forEach(component -> byName.put(component.getName(), component));
    List<Class<?>> types = new ArrayList<>();
    List<Set<String>> formerNames = new ArrayList<>();
    for (Property property : record.shape().properties()) {
      RecordComponent component = byName.get(property.name());
      if (component == null) {
        throw new IllegalArgumentException(property + " is no component of " + record.type());
      }
      types.add(component.getType());
      Set<String> names = new LinkedHashSet<>(Annotated.formerNames(component));
      names.remove(property.name());
      formerNames.add(names);
    }
    return of(record.type(), record.shape(), types, formerNames);
  }

  /**
   * Looks at an array of references.
   *
   * @param type the array's class
   * @return the class, whose one property is the list of the elements
   */
  public static ProgramClass ofArray(Class<?> type) {
    Property elements = new Property("elements", SlotKind.REFERENCE, List.class.getName());
    Shape shape = Shape.layOut(type.getName(), "", List.of(elements));
    return of(type, shape, List.of(List.class), List.of(Set.of()));
  }

  private static ProgramClass of(
      Class<?> type, Shape shape, List<Class<?>> types, List<Set<String>> formerNames) {
    return new ProgramClass(
        type, shape, types, formerNames, Annotated.formerNames(type), Annotated.removed(type));
  }
}
