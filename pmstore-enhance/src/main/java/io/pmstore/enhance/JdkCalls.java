package io.pmstore.enhance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Which calls of the JDK's methods change a collection or an array that they are given. */
final class JdkCalls {
  private static final List<String> COLLECTIONS =
      List.of("List", "Set", "Map", "Queue", "Deque", "Collection", "Vector", "Stack");

  private static final List<String> CHANGES =
      List.of(
          "add", "clear", "compute", "insert", "merge", "offer", "poll", "pop", "push", "put",
          "remove", "replace", "retain", "set", "sort");

  /** The methods of {@code java.util.Collections} that change their first argument. */
  private static final Set<String> UTILITIES =
      Set.of(
          "addAll", "copy", "fill", "replaceAll", "reverse", "rotate", "shuffle", "sort", "swap");

  private static final List<String> ARRAY_UTILITIES =
      List.of("fill", "parallelPrefix", "parallelSetAll", "parallelSort", "setAll", "sort");

  private JdkCalls() {}

  /** Returns true if a call changes a collection of the JDK, its first operand. */
  static boolean changesCollection(int opcode, String owner, String name) {
    return switch (opcode) {
      case Opcodes.INVOKESTATIC ->
          owner.equals("java/util/Collections") && UTILITIES.contains(name);
      case Opcodes.INVOKEVIRTUAL, Opcodes.INVOKEINTERFACE -> isChange(owner, name);
      default -> false;
    };
  }

  private static boolean isChange(String owner, String name) {
    return owner.startsWith("java/util/")
        && COLLECTIONS.stream().anyMatch(owner::endsWith)
        && CHANGES.stream().anyMatch(name::startsWith);
  }

  /**
   * Returns true if a dynamic call makes a function of a method that changes a collection, and of
   * the collection: {@code list::add}.
   */
  static boolean isChangeOfCollection(String descriptor, Object... arguments) {
    return Type.getArgumentTypes(descriptor).length == 1
        && Stream.of(arguments)
            .anyMatch(
                argument ->
                    argument instanceof Handle handle
                        && handle.getTag() != Opcodes.H_INVOKESTATIC
                        && isChange(handle.getOwner(), handle.getName()));
  }

  /** Returns true if a call may store elements into an array that it is given. */
  static boolean storesElements(int opcode, String owner, String name, String descriptor) {
    if (!owner.startsWith("java/") || opcode == Opcodes.INVOKESPECIAL) {
      return false;
    }
    List<Type> operands = operands(opcode, owner, descriptor);
    for (int i = 0; i < operands.size(); i++) {
      if (mayStoreInto(opcode, owner, name, operands, i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if a call may store elements into one of its operands. Of methods that take an
   * array of objects, most have it for a variable number of arguments.
   */
  static boolean mayStoreInto(
      int opcode, String owner, String name, List<Type> operands, int index) {
    if (!owner.startsWith("java/") || opcode == Opcodes.INVOKESPECIAL) {
      return false;
    }
    return switch (owner) {
      case "java/util/Arrays" -> index == 0 && ARRAY_UTILITIES.contains(name);
      case "java/lang/System" -> index == 2 && name.equals("arraycopy");
      case "java/lang/reflect/Array" -> index == 0 && name.startsWith("set");
      default -> {
        Type operand = operands.get(index);
        boolean isArray = operand.getSort() == Type.ARRAY;
        int element = isArray ? operand.getElementType().getSort() : Type.VOID;
        yield isArray && (element < Type.ARRAY || name.equals("toArray"));
      }
    };
  }

  /** Returns the types of what a call takes from the stack: the receiver, if any, and arguments. */
  static List<Type> operands(int opcode, String owner, String descriptor) {
    List<Type> operands = new ArrayList<>();
    if (opcode != Opcodes.INVOKESTATIC) {
      operands.add(Type.getObjectType(owner));
    }
    operands.addAll(List.of(Type.getArgumentTypes(descriptor)));
    return operands;
  }
}
