package io.pmstore.evolution.random;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A class, a record or an enum, through all versions of a program. */
final class Definition {
  /** What it is. */
  enum Sort {
    CLASS,
    ABSTRACT_CLASS,
    RECORD,
    ENUM
  }

  final Sort sort;

  /** Its name now, without the package. */
  String name;

  final Set<String> names = new LinkedHashSet<>();

  /** Names that the store may know it by. */
  final Set<String> formerNames = new LinkedHashSet<>();

  /** Names of members that the store may have, and that are gone. */
  final Set<String> removed = new LinkedHashSet<>();

  /** In the order of the source. */
  final List<Member> members = new ArrayList<>();

  /** The superclass; null if there is none. */
  Definition parent;

  /** Whether the type of a property ever was this class. */
  boolean isUsedAsType;

  Definition(Sort sort, String name, Definition parent) {
    this.sort = sort;
    this.name = name;
    this.parent = parent;
    names.add(name);
  }

  boolean isClass() {
    return sort == Sort.CLASS || sort == Sort.ABSTRACT_CLASS;
  }

  void rename(String to) {
    formerNames.add(name);
    names.add(to);
    name = to;
  }

  /** Takes a member away, for good. */
  void remove(Member member) {
    members.remove(member);
    removed.add(member.name);
    removed.addAll(member.formerNames);
  }

  boolean isA(Definition other) {
    return this == other || parent != null && parent.isA(other);
  }

  /** The members of the class and of its superclasses. */
  List<Member> allMembers() {
    List<Member> all = parent == null ? new ArrayList<>() : parent.allMembers();
    all.addAll(members);
    return all;
  }

  @Override
  public String toString() {
    return name;
  }
}
