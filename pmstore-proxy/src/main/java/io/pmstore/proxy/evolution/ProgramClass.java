package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.PropertyTypes;
import io.pmstore.proxy.bean.RecordClass;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A class of the program, as it is to be stored, and what its annotations say about its past.
 * Immutable.
 *
 * @param type the class, record or array
 * @param shape its shape today, with id 0
 * @param types the declared type of each property, in the order of the shape
 * @param formerNames the former names of each property, in the order of the shape
 * @param formerClassNames the names that the class had before
 * @param removed the names of properties that were removed
 */
public record ProgramClass(
    Class<?> type,
    Shape shape,
    List<Class<?>> types,
    List<Set<String>> formerNames,
    Set<String> formerClassNames,
    Set<String> removed) {

  /**
   * Returns the description of a persistent class. The properties are in the order of the shape,
   * which has id 0.
   */
  public static ProgramClass of(Class<?> type, Shape shape, List<BeanProperty> properties) {
    List<Class<?>> types = new ArrayList<>();
    List<Set<String>> formerNames = new ArrayList<>();
    Map<String, Set<String>> onGetters = Annotated.formerNamesOnGetters(type);
    for (BeanProperty property : properties) {
      Set<String> names = new LinkedHashSet<>(Annotated.formerNames(property.field()));
      names.addAll(Annotated.formerNames(property.getter()));
      names.addAll(onGetters.getOrDefault(property.name(), Set.of()));
      names.addAll(formerQualifiedNames(property));
      names.remove(property.name());
      types.add(property.type());
      formerNames.add(names);
    }
    return of(type, shape, types, formerNames);
  }

  /** A property that is qualified with its class's name is renamed with its class. */
  private static Set<String> formerQualifiedNames(BeanProperty property) {
    Set<String> names = new LinkedHashSet<>();
    Field field = property.field();
    if (field != null
        && property
            .name()
            .equals(BeanProperty.qualified(field.getDeclaringClass().getName(), field))) {
      for (String former : Annotated.formerNames((AnnotatedElement) field.getDeclaringClass())) {
        names.add(BeanProperty.qualified(former, field));
      }
    }
    return names;
  }

  /** Returns the description of a record. */
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
   * Returns the description of an array of references. Its one property is the list of the
   * elements.
   */
  public static ProgramClass ofArray(Class<?> type) {
    Property elements = new Property("elements", SlotKind.REFERENCE, List.class.getName());
    Shape shape = Shape.layOut(type.getName(), "", List.of(elements));
    return of(type, shape, List.of(List.class), List.of(Set.of()));
  }

  /**
   * Throws if a property is of a type that the store does not know.
   *
   * @param hasCodec returns true if a class is registered as a value type
   * @throws io.pmstore.ClassRefusedException if there is such a property
   */
  public void checkTypes(Predicate<Class<?>> hasCodec) {
    for (int i = 0; i < types.size(); i++) {
      PropertyTypes.check(type, shape.properties().get(i).name(), types.get(i), hasCodec);
    }
  }

  private static ProgramClass of(
      Class<?> type, Shape shape, List<Class<?>> types, List<Set<String>> formerNames) {
    return new ProgramClass(
        type, shape, types, formerNames, Annotated.formerNames(type), Annotated.removed(type));
  }
}
