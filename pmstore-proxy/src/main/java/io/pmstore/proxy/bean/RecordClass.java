package io.pmstore.proxy.bean;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.reflect.RecordComponent;
import java.lang.runtime.ObjectMethods;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A record whose values can be kept in a store, or a class of the JDK that is kept like one: {@code
 * Optional}, and entries that never change, all as {@code SimpleImmutableEntry}.
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

  /** The classes of the JDK that are kept like records, and records with their components. */
  private static final Map<Class<?>, Class<? extends Record>> LIKE_RECORDS =
      Map.of(Optional.class, InOptional.class, SimpleImmutableEntry.class, InEntry.class);

  private static final Set<Class<?>> ENTRIES =
      Set.of(
          SimpleImmutableEntry.class,
          Map.entry("", "").getClass(),
          Objects.requireNonNull(new LinkedHashMap<>(Map.of("", "")).firstEntry()).getClass());

  /**
   * Returns true if values of a class have components and are written and read as a whole: records,
   * {@code Optional}, and entries that never change.
   */
  public static boolean hasComponents(Class<?> type) {
    return type.isRecord() || type == Optional.class || isEntry(type);
  }

  /** Returns true for a class of entries that never change. */
  public static boolean isEntry(Class<?> type) {
    return ENTRIES.contains(type);
  }

  /** Returns the class as whose values those of a class with components are kept. */
  public static Class<?> keptAs(Class<?> type) {
    return isEntry(type) ? SimpleImmutableEntry.class : type;
  }

  /** Returns true for the name of a class of the JDK that is kept like a record. */
  public static boolean isLikeRecord(String className) {
    return LIKE_RECORDS.keySet().stream().anyMatch(type -> type.getName().equals(className));
  }

  /**
   * Examines a record, or a class of the JDK that is kept like one.
   *
   * @throws io.pmstore.ClassRefusedException if a component is of a type that no property can have
   */
  public static RecordClass of(Class<?> type) {
    Class<?> kept = keptAs(type);
    Class<? extends Record> parts = LIKE_RECORDS.get(kept);
    if (parts != null) {
      return likeRecord(kept, Arrays.asList(parts.getRecordComponents()));
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
              CollectionClasses.storedAs(componentType).getName(),
              TypeArguments.stored(component.getGenericType()),
              0));
    }
    Shape shape = Shape.layOut(type.getName(), Shape.RECORD, properties);
    ClassModel model = new ClassFiles(refusal).of(type);
    return new RecordClass(
        type,
        components,
        shape,
        slots(components, shape),
        hasOwnHash(model),
        CanonicalConstructor.keepsArguments(model));
  }

  private static List<Integer> slots(List<RecordComponent> components, Shape shape) {
    Map<String, Integer> indices = new HashMap<>();
    for (Property property : shape.properties()) {
      indices.put(property.name(), indices.size());
    }
    return components.stream().map(c -> indices.get(c.getName())).toList();
  }

  private static RecordClass likeRecord(Class<?> type, List<RecordComponent> components) {
    List<Property> properties =
        components.stream()
            .map(c -> new Property(c.getName(), SlotKind.CELL, Object.class.getName()))
            .toList();
    Shape shape = Shape.layOut(type.getName(), "", properties);
    return new RecordClass(type, components, shape, slots(components, shape), false, true);
  }

  private record InOptional(@Nullable Object value) {}

  private record InEntry(@Nullable Object key, @Nullable Object value) {}

  /** Returns true if the hash code is not the one that the compiler generates for a record. */
  private static boolean hasOwnHash(ClassModel model) {
    MethodModel method = ClassCode.find(model, "hashCode()I");
    return method != null
        && method.code().stream()
            .flatMap(code -> code.elementStream())
            .noneMatch(RecordClass::isGivenToRecords);
  }

  private static boolean isGivenToRecords(Object element) {
    return element instanceof InvokeDynamicInstruction call
        && call.bootstrapMethod().owner().equals(ObjectMethods.class.describeConstable().get());
  }
}
