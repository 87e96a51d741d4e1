package io.pmstore.evolution.random;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What every property of every object is. When a program changes, all values change with it at
 * once, whatever the store does when.
 */
final class Oracle {
  private final Program program;
  private final List<Entity> entities = new ArrayList<>();
  private final Map<Long, Entity> byId = new HashMap<>();
  private long lastId;

  /** What all is reached from. */
  final Entity root;

  Oracle(Program program) {
    this.program = program;
    this.root = create(program.root, false, 0);
  }

  /** An object of a class, as its constructor leaves it, but for its id. */
  Entity create(Definition type, boolean isListed) {
    return create(type, isListed, ++lastId);
  }

  private Entity create(Definition type, boolean isListed, long id) {
    Entity made = new Entity(id, type, isListed);
    for (Member property : type.allMembers()) {
      made.values.put(property.number, copy(property.initial));
    }
    made.values.put(program.id.number, Values.widened(id, program.id.type));
    entities.add(made);
    byId.put(id, made);
    return made;
  }

  /** The list of all that the root has. */
  @SuppressWarnings("unchecked") // it has nothing else
  List<Entity> listed() {
    return root == null ? List.of() : (List<Entity>) (List<?>) root.values.get(program.all.number);
  }

  Entity find(long id) {
    Entity found = byId.get(id);
    if (found == null) {
      throw new AssertionError("no object has id " + id);
    }
    return found;
  }

  private static Object copy(Object value) {
    return Values.map(value, each -> each);
  }

  /** All values of all objects, as they are now. */
  Map<Entity, Map<Integer, Object>> copy() {
    Map<Entity, Map<Integer, Object>> copies = new HashMap<>();
    for (Entity entity : entities) {
      Map<Integer, Object> values = new HashMap<>();
      entity.values.forEach((number, value) -> values.put(number, copy(value)));
      copies.put(entity, values);
    }
    return copies;
  }

  // ---- when the program changes

  /** Gives a property a value, in all objects of a class and its subclasses. */
  void put(Definition type, Member property, Function<Entity, Object> value) {
    for (Entity entity : List.copyOf(entities)) { // making objects is allowed
      if (entity.type.isA(type)) {
        entity.values.put(property.number, value.apply(entity));
      }
    }
  }

  void remove(Definition type, Member property) {
    for (Entity entity : entities) {
      if (entity.type.isA(type)) {
        entity.values.remove(property.number);
      }
    }
  }

  /** Changes the records of a type, wherever they are. */
  void changeRecords(Definition type, UnaryOperator<Map<Integer, Object>> change) {
    changeAll(
        value ->
            value instanceof Values.OfRecord record && record.type() == type
                ? new Values.OfRecord(type, change.apply(new HashMap<>(record.parts())))
                : value);
  }

  /** Says whether an object, or one to come, has a constant. */
  boolean uses(Member constant) {
    boolean[] found = new boolean[1];
    changeAll(
        value -> {
          found[0] |= value == constant;
          return value;
        });
    return found[0];
  }

  private void changeAll(UnaryOperator<Object> change) {
    for (Entity entity : entities) {
      entity.values.replaceAll((number, value) -> Values.map(value, change));
    }
    program
        .definitions()
        .flatMap(type -> type.members.stream())
        .forEach(member -> member.initial = Values.map(member.initial, change));
  }
}
