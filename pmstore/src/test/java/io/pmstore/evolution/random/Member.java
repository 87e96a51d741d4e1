package io.pmstore.evolution.random;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A property of a class, a component of a record or a constant of an enum, through all versions. As
 * a constant it is a value of the {@link Oracle}.
 */
final class Member {
  /** Names it for ever. */
  final int number;

  /** What it is a constant or component of; null if it is a property. */
  Definition owner;

  /** Its name now. */
  String name;

  /** All names that it ever had. */
  final Set<String> names = new LinkedHashSet<>();

  /** Names that the store may know it by. */
  final Set<String> formerNames = new LinkedHashSet<>();

  /** Its type now; null for a constant. */
  Type type;

  /** What objects have that were stored before it was there, and new ones. */
  Object initial;

  /** What makes the values of some old objects; null if nothing has to. */
  Made made;

  /** Whether it was there before anything was stored. */
  boolean isOriginal;

  /** Whether the store has seen it with the type and the function that it has now. */
  boolean isSettled;

  /** Whether it stays, since the test needs it. */
  final boolean isFixed;

  /** Whether it has a getter and a setter, or other methods that read and write it. */
  final boolean hasAccessors;

  Member(int number, String name, Type type, Object initial, boolean isFixed) {
    this.number = number;
    this.name = name;
    this.type = type;
    this.initial = initial;
    this.isFixed = isFixed;
    this.hasAccessors = isFixed || number % 4 != 0;
    names.add(name);
  }

  void rename(String to) {
    formerNames.add(name);
    names.add(to);
    name = to;
  }

  String getter() {
    return hasAccessors ? "get" + capitalized() : name + "Read";
  }

  String setter() {
    return hasAccessors ? "set" + capitalized() : name + "Write";
  }

  private String capitalized() {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /** Whether reading it may need an upgrade, since the value belongs to one object alone. */
  boolean mayBeMade() {
    return made != null || initial != null && Values.isOwn(initial);
  }

  @Override
  public String toString() {
    return name;
  }
}
