package io.pmstore.enhance;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Follows the code of one method, and finds which fields it names in calls that make method
 * handles, {@code VarHandle}s or updaters of fields. It sees class and name if both are constants
 * that the code pushes for the call.
 */
final class FieldHandles {
  /** A field, as such a call names it. */
  record Named(String owner, String field) {
    /** A field that only the running program knows. */
    static final Named UNKNOWN = new Named("", "");

    boolean isKnown() {
      return !field.isEmpty();
    }
  }

  private final List<Named> found = new ArrayList<>();
  private final List<Object> constants = new ArrayList<>(); // pushed last, one after the other

  /** Returns what a call makes of a field, for messages; null for other calls. */
  static @Nullable String made(String owner, String method) {
    if (owner.startsWith("java/util/concurrent/atomic/Atomic")) {
      return owner.endsWith("FieldUpdater") && method.equals("newUpdater")
          ? "a field updater"
          : null;
    }
    return switch (owner.equals("java/lang/invoke/MethodHandles$Lookup") ? method : "") {
      case "findVarHandle" -> "a VarHandle";
      case "findGetter", "findSetter" -> "a method handle";
      default -> null;
    };
  }

  /** Notes that the code pushes a constant. */
  void constant(Object constant) {
    constants.add(constant);
  }

  /** Notes that the code pushes the value of a static field, such as the class {@code int}. */
  void value() {
    constants.add(Type.VOID_TYPE);
  }

  /** Notes any other instruction. */
  void other() {
    constants.clear();
  }

  /** Notes a call, before {@link #other}. */
  void call(String owner, String method, String descriptor) {
    if (made(owner, method) != null) {
      int arguments = Type.getArgumentTypes(descriptor).length;
      boolean areKnown = constants.size() >= arguments;
      found.add(
          areKnown
              ? named(constants.subList(constants.size() - arguments, constants.size()))
              : Named.UNKNOWN);
    }
  }

  private static Named named(List<Object> arguments) {
    Named named = Named.UNKNOWN;
    for (Object argument : arguments) {
      if (argument instanceof String field
          && arguments.getFirst() instanceof Type owner
          && owner.getSort() == Type.OBJECT) {
        named = new Named(owner.getInternalName(), field);
      }
    }
    return named;
  }

  /** Returns the fields that the calls name, one for each call, in the order of the code. */
  List<Named> found() {
    return List.copyOf(found);
  }
}
