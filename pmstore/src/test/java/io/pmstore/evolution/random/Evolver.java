package io.pmstore.evolution.random;

import io.pmstore.evolution.random.Definition.Sort;
import io.pmstore.evolution.random.Made.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Changes a program as people do from one version to the next, and the oracle with it. */
final class Evolver {
  private final Program program;
  private final Oracle oracle;
  private final Draw draw;
  private final Widenings widenings;
  private final Random random;

  Evolver(Program program, Oracle oracle) {
    this.program = program;
    this.oracle = oracle;
    this.draw = new Draw(program, oracle);
    this.widenings = new Widenings(program);
    this.random = program.random;
  }

  /** Adds properties to all classes, before there are objects. */
  void begin() {
    for (Definition type : program.classes) {
      for (int i = random.nextInt(6); i > 0; i--) {
        addProperty(type);
      }
    }
    for (Definition type : program.records) {
      addComponent(type);
      type.members.forEach(component -> component.isOriginal = true);
    }
  }

  /** Makes the next version. */
  void change() {
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      Definition type = program.pick(program.definitions().toList());
      switch (type.sort) {
        case CLASS, ABSTRACT_CLASS -> changeClass(type);
        case RECORD -> changeRecord(type);
        case ENUM -> changeEnum(type);
      }
    }
  }

  // ---- classes

  private void changeClass(Definition type) {
    switch (random.nextInt(12)) {
      case 0, 1 -> addProperty(type);
      case 2 -> anyOf(type).forEach(this::widen);
      case 3, 4 -> anyOf(type).forEach(this::rename);
      case 5 -> Collections.shuffle(type.members, random);
      case 6 -> anyOf(type).forEach(property -> convert(type, property));
      case 7 -> addMadeProperty(type);
      case 8 -> type.rename(program.fresh("Class"));
      case 9 -> insertSuperclass(type);
      case 10 -> removeSuperclass(type);
      default -> anyOf(type).forEach(property -> removeProperty(type, property));
    }
  }

  private Stream<Member> anyOf(Definition type) {
    return type.members.isEmpty() ? Stream.empty() : Stream.of(program.pick(type.members));
  }

  private void addProperty(Definition type) {
    Type its = draw.propertyType();
    Member added = program.property(program.fresh("p"), its, draw.initial(its));
    type.members.add(random.nextInt(type.members.size() + 1), added);
    oracle.put(type, added, entity -> Values.map(added.initial, each -> each));
  }

  private void removeProperty(Definition type, Member property) {
    if (!property.isFixed) {
      type.remove(property);
      oracle.remove(type, property);
    }
  }

  private void rename(Member member) {
    member.rename(program.fresh(member.type == null ? "C" : "p"));
  }

  private void widen(Member property) {
    if (!property.isSettled) {
      return; // the store would see two changes as one: an int that became a long, then an Object
    }
    Type wider = widenings.of(property);
    if (wider == null) {
      return;
    }
    property.type = wider;
    property.isSettled = false;
    property.initial = Values.widened(property.initial, wider);
    if (property.made != null) {
      property.made.later.add(wider);
    }
    for (Definition type : program.classes) {
      if (type.members.contains(property)) {
        oracle.put(
            type, property, entity -> Values.widened(entity.values.get(property.number), wider));
      }
    }
  }

  /** Gives a property another type, and a function that makes its values. */
  private void convert(Definition type, Member property) {
    Operation operation = widenings.convertible(property);
    if (operation == null) {
      return;
    }
    Made made = new Made(operation, property.names);
    convert(property, made);
    oracle.put(type, property, entity -> made.apply(entity.values.get(property.number)));
  }

  private static void convert(Member member, Made made) {
    member.made = made;
    member.isSettled = false;
    member.initial = made.apply(member.initial);
    member.type =
        switch (made.operation) {
          case NUMBER -> Type.of(Kind.INT);
          case SET -> Type.of(Kind.SET);
          default -> Type.of(Kind.STRING);
        };
  }

  /** Adds a property with a function that makes its values for old objects. */
  private void addMadeProperty(Definition type) {
    if (program.note.isA(type) || program.root.isA(type)) {
      return; // a note that a function makes is as the oracle knows it
    }
    boolean text = random.nextBoolean();
    Type its = text ? Type.of(Kind.STRING) : new Type(Kind.CLASS, program.note);
    program.note.isUsedAsType |= !text;
    Member added = program.property(program.fresh("p"), its, null);
    added.made = new Made(text ? Operation.TEXT_OF_ID : Operation.OBJECT, Set.of());
    type.members.add(added);
    oracle.put(
        type,
        added,
        entity -> {
          if (!text) {
            added.made.objects.put(entity.id, oracle.create(program.note, false));
          }
          return added.made.apply(entity.id);
        });
  }

  private void insertSuperclass(Definition type) {
    if (type == program.base || type.sort != Sort.CLASS) {
      return;
    }
    Definition inserted = new Definition(Sort.ABSTRACT_CLASS, program.fresh("Middle"), type.parent);
    program.classes.add(inserted);
    type.parent = inserted;
    for (Member property : List.copyOf(type.members)) {
      if (random.nextInt(3) == 0) {
        type.members.remove(property);
        inserted.members.add(property);
      }
    }
    if (random.nextBoolean()) {
      addProperty(inserted);
    }
  }

  private void removeSuperclass(Definition type) {
    Definition removed = type.parent;
    if (removed == null
        || removed == program.base
        || removed.isUsedAsType
        || program.classes.stream().filter(each -> each.parent == removed).count() != 1) {
      return;
    }
    for (Member property : List.copyOf(removed.members)) {
      if (property.isFixed || random.nextBoolean()) {
        removed.members.remove(property);
        type.members.add(property);
      } else {
        removeProperty(removed, property);
      }
    }
    type.removed.addAll(removed.removed);
    type.parent = removed.parent;
    program.classes.remove(removed);
  }

  // ---- records

  private void changeRecord(Definition type) {
    switch (random.nextInt(7)) {
      case 0, 1 -> addComponent(type);
      case 2, 3 -> anyOf(type).forEach(component -> widenComponent(type, component));
      case 4 -> anyOf(type).forEach(this::rename);
      case 5 -> Collections.shuffle(type.members, random);
      default -> anyOf(type).forEach(component -> removeOrConvert(type, component));
    }
    if (random.nextInt(6) == 0) {
      type.rename(program.fresh("Record"));
    }
  }

  private void addComponent(Definition type) {
    Member added = program.component(type, program.fresh("p"), draw.componentType(), false);
    type.members.add(random.nextInt(type.members.size() + 1), added);
    oracle.changeRecords(
        type,
        parts -> {
          parts.put(added.number, added.initial);
          return parts;
        });
  }

  private void widenComponent(Definition type, Member component) {
    if (!component.isSettled) {
      return;
    }
    Type wider = widenings.of(component);
    // A component that was added has what an array of its type has: 0 as an int, null as an
    // Integer.
    boolean isSame =
        component.isOriginal
            || wider == null
            || Values.zero(wider) != null
            || component.initial == null;
    if (wider != null && isSame) {
      component.type = wider;
      component.isSettled = false;
      component.initial = Values.widened(component.initial, wider);
      if (component.made != null) {
        component.made.later.add(wider);
      }
      changePart(type, component, part -> Values.widened(part, wider));
    }
  }

  private void removeOrConvert(Definition type, Member component) {
    if (type == program.key) {
      return; // what differs has to differ for ever
    }
    Operation operation = widenings.convertible(component);
    if (operation != null && random.nextBoolean()) {
      Made made = new Made(operation, component.names);
      convert(component, made);
      changePart(type, component, made::apply);
    } else if (type.members.size() > 1) {
      type.remove(component);
      oracle.changeRecords(
          type,
          parts -> {
            parts.remove(component.number);
            return parts;
          });
    }
  }

  private void changePart(Definition type, Member component, UnaryOperator<Object> change) {
    oracle.changeRecords(
        type,
        parts -> {
          parts.put(component.number, change.apply(parts.get(component.number)));
          return parts;
        });
  }

  // ---- enums

  private void changeEnum(Definition type) {
    switch (random.nextInt(6)) {
      case 0, 1 -> program.addConstant(type, program.fresh("C"));
      case 2 -> Collections.shuffle(type.members, random);
      case 3 -> anyOf(type).forEach(this::rename);
      case 4 -> type.rename(program.fresh("Enum"));
      default -> {
        List<Member> unused = new ArrayList<>(type.members);
        unused.removeIf(oracle::uses);
        if (!unused.isEmpty() && type.members.size() > 1) {
          type.remove(program.pick(unused));
        }
      }
    }
  }
}
