package io.pmstore.gc.verify;

import io.pmstore.core.catalogue.EnumType;
import java.util.HashMap;
import java.util.Map;

/** How many constants the enums of a heap have. */
final class EnumTable {
  private final Map<Integer, Integer> byId = new HashMap<>();
  private final Map<String, Integer> byName = new HashMap<>();

  void add(EnumType type) {
    int count = type.constants().size();
    byId.put(type.id(), count);
    byName.merge(type.className(), count, Math::max); // a later entry goes on from the ones before
  }

  /** The number of constants of the type that a cell names, or -1 if there is no such type. */
  int constants(int id) {
    return byId.getOrDefault(id, -1);
  }

  /** The number of constants of a class, or 0 if no object had one of its constants yet. */
  int constants(String className) {
    return byName.getOrDefault(className, 0);
  }
}
