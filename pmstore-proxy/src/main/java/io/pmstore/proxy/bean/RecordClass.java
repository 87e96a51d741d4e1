package io.pmstore.proxy.bean;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
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

/**
 * A record whose values can be kept in a store.
 *
 * @param type the record
 * @param components its components, in their own order
 * @param shape the shape of a value in a heap, with id 0
 * @param slots for each component its property's index in the shape
 * @param hasOwnHash whether the record says itself how it is hashed
 */
public record RecordClass(
    Class<?> type,
    List<RecordComponent> components,
    Shape shape,
    List<Integer> slots,
    boolean hasOwnHash) {

  /**
   * Looks at a record.
   *
   * @param type a record
   * @return its components
   * @throws io.pmstore.ClassRefusedException if a component is of a type that no property can have
   */
  public static RecordClass of(Class<?> type) {
    Refusal refusal = new Refusal(type);
    List<RecordComponent> components = Arrays.asList(type.getRecordComponents());
    List<Property> properties = new ArrayList<>();
    for (RecordComponent component : components) {
      Class<?> componentType = component.getType();
      properties.add(
          new Property(
              component.getName(),
              PropertyTypes.kind(refusal, component.getName(), componentType),
              componentType.getName()));
    }
    Shape shape = Shape.layOut(type.getName(), "", properties);
    Map<String, Integer> indices = new HashMap<>();
    for (Property property : shape.properties()) {
      indices.put(property.name(), indices.size());
    }
    List<Integer> slots = components.stream().map(c -> indices.get(c.getName())).toList();
    return new RecordClass(
        type, components, shape, slots, hasOwnHash(new ClassFiles(refusal).of(type)));
  }

  /** Says whether the hash code is another than the one that the compiler gives a record. */
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
