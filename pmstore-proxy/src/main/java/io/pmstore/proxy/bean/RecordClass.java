package io.pmstore.proxy.bean;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.reflect.RecordComponent;
import java.lang.runtime.ObjectMethods;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record whose values can be kept in a store, or {@code Optional}, which is kept like one.
 *
 * @param type the record
 * @param components its components, in their own order
 * @param shape the shape of a value in a heap, with id 0
 * @param slots for each component its property's index in the shape
 * @param hasOwnHash whether the record says itself how it is hashed
 * @param keepsArguments whether the canonical constructor surely leaves in the components what it
 *     is given
 */
public record RecordClass(
    Class<?> type,
    List<RecordComponent> components,
    Shape shape,
    List<Integer> slots,
    boolean hasOwnHash,
    boolean keepsArguments) {

  /**
   * Returns true if values of a class have components and are written and read as a whole: records
   * and {@code Optional}.
   */
  public static boolean hasComponents(Class<?> type) {
    return type.isRecord() || type == Optional.class;
  }

  /**
   * Examines a record, or {@code Optional}.
   *
   * @throws io.pmstore.ClassRefusedException if a component is of a type that no property can have
   */
  public static RecordClass of(Class<?> type) {
    if (type == Optional.class) {
      return ofOptional();
    }
    Refusal refusal = new Refusal(type);
    List<RecordComponent> components = Arrays.asList(type.getRecordComponents());
    List<Property> properties = new ArrayList<>();
    for (RecordComponent component : components) {
      Class<?> componentType = component.getType();
      TypeArguments.checkComponent(refusal, component.getName(), component.getGenericType());
      properties.add(
          new Property(
              component.getName(),
              PropertyTypes.kind(refusal, component.getName(), componentType),
              CollectionClasses.storedAs(componentType).getName()));
    }
    Shape shape = Shape.layOut(type.getName(), "", properties);
    Map<String, Integer> indices = new HashMap<>();
    for (Property property : shape.properties()) {
      indices.put(property.name(), indices.size());
    }
    List<Integer> slots = components.stream().map(c -> indices.get(c.getName())).toList();
    ClassModel model = new ClassFiles(refusal).of(type);
    return new RecordClass(
        type,
        components,
        shape,
        slots,
        hasOwnHash(model),
        CanonicalConstructor.keepsArguments(model));
  }

  /** Treats {@code Optional}, which is no record, like one with a component that may be null. */
  private static RecordClass ofOptional() {
    Property value = new Property("value", SlotKind.CELL, Object.class.getName());
    return new RecordClass(
        Optional.class,
        Arrays.asList(Contents.class.getRecordComponents()),
        Shape.layOut(Optional.class.getName(), "", List.of(value)),
        List.of(0),
        false,
        true);
  }

  private record Contents(@Nullable Object value) {}

  /** Returns true if the hash code is not the one that the compiler generates for a record. */
  private static boolean hasOwnHash(ClassModel model) {
    for (MethodModel method : model.methods()) {
      if (method.methodName().equalsString("hashCode") && method.methodType().equalsString("()I")) {
        return method.code().stream()
            .flatMap(code -> code.elementStream())
            .noneMatch(RecordClass::isGivenToRecords);
      }
    }
    return false;
  }

  private static boolean isGivenToRecords(Object element) {
    return element instanceof InvokeDynamicInstruction call
        && call.bootstrapMethod().owner().equals(ObjectMethods.class.describeConstable().get());
  }
}
