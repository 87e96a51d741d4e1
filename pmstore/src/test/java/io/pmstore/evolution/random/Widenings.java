package io.pmstore.evolution.random;

import io.pmstore.evolution.random.Made.Operation;
import java.util.ArrayList;
import java.util.List;

/** Which types a property may get: without a function, and with one. */
final class Widenings {
  private final Program program;

  Widenings(Program program) {
    this.program = program;
  }

  /** Another type that needs no function; null if there is none. */
  Type of(Member member) {
    Type type = member.type;
    Kind kind = type.kind();
    if (member.isFixed) {
      return kind == Kind.INT ? Type.of(Kind.LONG) : null;
    }
    List<Type> wider = new ArrayList<>();
    if (kind.isPrimitive()) {
      kind.wider().forEach(each -> wider.add(Type.of(each)));
      kind.wider().forEach(each -> wider.add(Type.of(each.boxed())));
      wider.add(Type.of(kind.boxed()));
    }
    if (kind.isNumeric()) {
      wider.add(Type.of(Kind.NUMBER));
    }
    switch (kind) {
      case CLASS -> {
        for (Definition parent = type.of().parent; parent != null; parent = parent.parent) {
          parent.isUsedAsType = true;
          wider.add(new Type(Kind.CLASS, parent));
        }
        wider.add(Type.of(Kind.THING));
      }
      case ENUM -> wider.add(Type.of(Kind.THING));
      case SORTED_MAP -> wider.add(Type.of(Kind.MAP));
      case SORTED_SET -> wider.add(Type.of(Kind.SET));
      default -> {}
    }
    if (kind != Kind.OBJECT) {
      wider.add(Type.of(Kind.OBJECT));
    }
    return wider.isEmpty() ? null : program.pick(wider);
  }

  /** What a function can make of a member; null if nothing. */
  Operation convertible(Member member) {
    Kind kind = member.type.kind();
    if (member.isFixed || member.made != null) {
      return null;
    }
    if (kind == Kind.LIST && member.type.of() == null) {
      return Operation.SET;
    }
    if (kind.isNumeric() || kind == Kind.CHAR || kind == Kind.BOXED_CHAR) {
      // What needs no function is not asked for one.
      boolean narrower = kind != Kind.INT && !kind.wider().contains(Kind.INT);
      return narrower && program.random.nextBoolean() ? Operation.NUMBER : Operation.TEXT;
    }
    return switch (kind) {
      case BOOLEAN, BOXED_BOOLEAN, ENUM, DECIMAL -> Operation.TEXT;
      default -> null;
    };
  }
}
