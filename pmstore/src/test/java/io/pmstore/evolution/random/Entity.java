package io.pmstore.evolution.random;

import java.util.HashMap;
import java.util.Map;

/** An object as the {@link Oracle} knows it, through all versions. */
final class Entity {
  final long id;

  /** Its class. */
  final Definition type;

  /** Whether it is in the list of all; it is not if a migration function made it. */
  final boolean isListed;

  /** Its properties by their numbers. */
  final Map<Integer, Object> values = new HashMap<>();

  Entity(long id, Definition type, boolean isListed) {
    this.id = id;
    this.type = type;
    this.isListed = isListed;
  }

  @Override
  public String toString() {
    return type.name + " " + id;
  }
}
