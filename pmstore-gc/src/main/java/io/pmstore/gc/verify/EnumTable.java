package io.pmstore.gc.verify;

import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.ValueType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The number of constants of each enum of a heap, and the value types. */
final class EnumTable {
  private final Map<Integer, Integer> byId = new HashMap<>();
  private final Map<String, Integer> byName = new HashMap<>();

  private final Set<Integer> valueTypes = new HashSet<>();

  void add(ValueType type) {
    valueTypes.add(type.id());
  }

  boolean isValueType(int id) {
    return valueTypes.contains(id);
  }

  void add(EnumType type) {
    int count = type.constants().size();
    byId.put(type.id(), count);
    byName.merge(type.className(), count, Math::max); // a later entry continues the earlier ones
  }

  /**
   * Returns the number of constants of the type that a cell names, or -1 if there is no such type.
   */
  int constants(int id) {
    return byId.getOrDefault(id, -1);
  }

  /**
   * Returns the number of constants of a class, or 0 if no object has had one of its constants yet.
   */
  int constants(String className) {
    return byName.getOrDefault(className, 0);
  }
}
