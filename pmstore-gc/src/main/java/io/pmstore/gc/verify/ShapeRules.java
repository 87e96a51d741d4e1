package io.pmstore.gc.verify;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.ForwarderLayout;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.gc.trace.TracedShape;
import java.util.List;

/** Rules for the objects of one shape, apart from where their slots lead. */
final class ShapeRules {
  final TracedShape traced;
  final int size;
  final NodeRole role;
  final boolean isForwarder;

  private final List<Property> booleans;
  private final List<Property> enums;
  private final int[] constants;

  /** Receives the properties with impossible values. */
  interface FaultVisitor {
    void fault(Property property, int value, int max);
  }

  /**
   * Creates the rules of a shape.
   *
   * @param enumTable all enums of the heap
   */
  ShapeRules(TracedShape traced, EnumTable enumTable) {
    this.traced = traced;
    Shape shape = traced.shape();
    size = shape.size();
    role = NodeRole.of(shape.className());
    isForwarder = shape.className().equals(ForwarderLayout.CLASS_NAME);
    booleans = of(shape, SlotKind.BOOLEAN);
    enums = of(shape, SlotKind.ENUM);
    constants = enums.stream().mapToInt(p -> enumTable.constants(p.typeName())).toArray();
  }

  private static List<Property> of(Shape shape, SlotKind kind) {
    return shape.properties().stream().filter(p -> p.kind() == kind).toList();
  }

  /** Checks the slots of an object that have few valid values: booleans and enums. */
  void checkValues(HeapMemory memory, long object, FaultVisitor faults) {
    for (int i = 0; i < booleans.size(); i++) {
      Property property = booleans.get(i);
      int value = memory.getByte(object + property.offset());
      if ((value & ~1) != 0) {
        faults.fault(property, value, 1);
      }
    }
    for (int i = 0; i < enums.size(); i++) {
      Property property = enums.get(i);
      int value = memory.getInt(object + property.offset());
      if (value < 0 || value > constants[i]) {
        faults.fault(property, value, constants[i]);
      }
    }
  }
}
