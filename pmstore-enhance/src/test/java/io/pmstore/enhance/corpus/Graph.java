package io.pmstore.enhance.corpus;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Walks through the objects of a unit that an object reaches. */
final class Graph {
  private final World world;
  private final Consumer<Object> action;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private Graph(World world, Consumer<Object> action) {
    this.world = world;
    this.action = action;
  }

  /** Calls the action with each object once. */
  static void reach(Object from, World world, Consumer<Object> action) {
    new Graph(world, action).visit(from);
  }

  private void visit(@Nullable Object value) {
    if (value == null || !seen.add(value)) {
      return;
    }
    if (world.isOwn(value.getClass())) {
      action.accept(value);
      for (Field field : Fields.of(value.getClass(), world)) {
        if (!field.getType().isPrimitive()) {
          visit(Fields.get(value, field));
        }
      }
    }
    switch (value) {
      case Collection<?> all -> all.forEach(this::visit);
      case Map<?, ?> map ->
          map.forEach(
              (key, one) -> {
                visit(key);
                visit(one);
              });
      case Optional<?> optional -> visit(optional.orElse(null));
      case Object[] array -> {
        for (int i = 0; i < Array.getLength(array); i++) {
          visit(array[i]);
        }
      }
      default -> {}
    }
  }
}
