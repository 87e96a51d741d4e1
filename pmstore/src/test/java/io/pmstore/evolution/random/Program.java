package io.pmstore.evolution.random;

import io.pmstore.evolution.random.Definition.Sort;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The classes, records and enums of a program, in the version that it has at the moment. */
final class Program {
  static final String PACKAGE = "evolving";

  final Random random;
  final List<Definition> classes = new ArrayList<>();
  final List<Definition> records = new ArrayList<>();
  final List<Definition> enums = new ArrayList<>();

  /** The superclass of all. */
  final Definition base;

  /** The class of the root. */
  final Definition root;

  /** What migration functions make objects of. */
  final Definition note;

  /** Comparable. */
  final Definition key;

  /** Of all objects. */
  final Member id;

  /** A property of the root: a list of all objects. */
  final Member all;

  /** A property of the root: values that nobody looks at. */
  final Member met;

  /** Whether objects are equal if their ids are; otherwise they are equal to themselves only. */
  final boolean hasOwnEquality;

  private int numbers;

  Program(Random random) {
    this.random = random;
    hasOwnEquality = random.nextBoolean();
    base = define(classes, Sort.ABSTRACT_CLASS, "Base", null);
    root = define(classes, Sort.CLASS, "Root", base);
    note = define(classes, Sort.CLASS, "Note", base);
    key = define(records, Sort.RECORD, "Key", null);
    define(records, Sort.RECORD, "Pair", null);
    for (int i = 0; i <= random.nextInt(2); i++) {
      Definition type = define(enums, Sort.ENUM, fresh("Side"), null);
      for (int c = 0; c < 3; c++) {
        addConstant(type, fresh("C"));
      }
    }
    key.members.add(component(key, "number", Type.of(Kind.INT), true));
    key.members.add(component(key, "text", Type.of(Kind.STRING), true));
    Kind idKind = random.nextBoolean() ? Kind.INT : Kind.LONG;
    id = new Member(++numbers, "id", Type.of(idKind), Values.zero(Type.of(idKind)), true);
    base.members.add(id);
    all = new Member(++numbers, "all", new Type(Kind.LIST, base), new ArrayList<>(), true);
    met = new Member(++numbers, "met", Type.of(Kind.LIST), new ArrayList<>(), true);
    root.members.add(all);
    root.members.add(met);
    for (int i = 0; i <= random.nextInt(3); i++) {
      define(classes, Sort.CLASS, fresh("K"), base);
    }
  }

  private static Definition define(
      List<Definition> among, Sort sort, String name, Definition parent) {
    Definition made = new Definition(sort, name, parent);
    among.add(made);
    return made;
  }

  /** A name that nothing had before. */
  String fresh(String prefix) {
    return prefix + ++numbers;
  }

  Member property(String name, Type type, Object initial) {
    return new Member(++numbers, name, type, initial, false);
  }

  Member component(Definition record, String name, Type type, boolean isFixed) {
    Member made = new Member(++numbers, name, type, Values.zero(type), isFixed);
    made.owner = record;
    return made;
  }

  void addConstant(Definition type, String name) {
    Member made = new Member(++numbers, name, null, null, false);
    made.owner = type;
    type.members.add(random.nextInt(type.members.size() + 1), made);
  }

  /** The classes whose objects the test makes. */
  List<Definition> concrete() {
    return classes.stream()
        .filter(type -> type.sort == Sort.CLASS && type != root && type != note)
        .toList();
  }

  Stream<Definition> definitions() {
    return Stream.of(classes, records, enums).flatMap(List::stream);
  }

  /** Forgets what the store was before: it has seen all that there is now. */
  void settle() {
    definitions()
        .forEach(
            type -> {
              type.formerNames.clear();
              if (type.sort != Sort.ENUM) { // whose constants are reserved for ever
                type.removed.clear();
              }
              type.members.forEach(member -> member.formerNames.clear());
              type.members.forEach(member -> member.isSettled = true);
            });
  }

  /** One of a list. */
  <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
