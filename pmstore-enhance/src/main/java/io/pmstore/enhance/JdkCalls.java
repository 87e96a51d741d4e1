package io.pmstore.enhance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Knows which methods may change a collection or an array that they receive. */
final class JdkCalls {
  private static final List<String> COLLECTIONS =
      List.of(
          "List",
          "Set",
          "Map",
          "Queue",
          "Deque",
          "Collection",
          "Vector",
          "Stack",
          "Hashtable",
          "Properties");

  private static final List<String> CHANGES =
      List.of(
          "add", "clear", "compute", "insert", "load", "merge", "offer", "poll", "pop", "push",
          "put", "remove", "replace", "retain", "set", "sort");

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
        && mayChange(name);
  }

  /** Returns true if methods of a collection that have a name may change it. */
  static boolean mayChange(String name) {
    return CHANGES.stream().anyMatch(name::startsWith);
  }

  /**
   * Returns true if a dynamic call makes a function of a method that changes a collection, and of
   * the collection: {@code list::add}.
   */
  static boolean isChangeOfCollection(String descriptor, Object... arguments) {
    return Stream.of(arguments)
            .anyMatch(
                argument ->
                    argument instanceof Handle handle
                        && handle.getTag() != Opcodes.H_INVOKESTATIC
                        && isChange(handle.getOwner(), handle.getName()))
        && Type.getArgumentTypes(descriptor).length == 1;
  }

  /**
   * Returns which operands of a call are, or may be, arrays that it may store elements into. All
   * code but the JDK's may, and what it calls.
   */
  static List<Integer> arraysStoredInto(int opcode, String owner, String name, String descriptor) {
    if (!owner.startsWith("java/") || owner.startsWith("java/util/function/")) {
      boolean isReader =
          owner.startsWith("[")
              || owner.startsWith("io/pmstore/spi/")
              || owner.startsWith("kotlin/jvm/internal/") // checks of arguments
              || name.equals("equals");
      return isReader ? List.of() : objectsAmong(opcode, owner, descriptor);
    }
    return switch (opcode == Opcodes.INVOKESPECIAL ? "" : owner) {
      case "" -> List.of();
      case "java/util/Arrays" -> ARRAY_UTILITIES.contains(name) ? List.of(0) : List.of();
      case "java/lang/System" -> name.equals("arraycopy") ? List.of(2) : List.of();
      case "java/lang/reflect/Array" -> name.startsWith("set") ? List.of(0) : List.of();
      default ->
          descriptor.contains("[")
              ? arraysAmong(operands(opcode, owner, descriptor), name.equals("toArray"))
              : List.of();
    };
  }

  /** Returns true for {@code Arrays.asList}. */
  static boolean isListOfArray(String owner, String name) {
    return owner.equals("java/util/Arrays") && name.equals("asList");
  }

  /** Returns which arguments are arrays, or of type {@code Object}. */
  private static List<Integer> objectsAmong(int opcode, String owner, String descriptor) {
    List<Type> operands = operands(opcode, owner, descriptor);
    List<Integer> found = new ArrayList<>();
    for (int i = opcode == Opcodes.INVOKESTATIC ? 0 : 1; i < operands.size(); i++) {
      Type type = operands.get(i);
      if (type.getSort() == Type.ARRAY || type.getDescriptor().equals("Ljava/lang/Object;")) {
        found.add(i);
      }
    }
    return found;
  }

  /**
   * Returns which operands are arrays of primitive elements, or of objects too. Of methods that
   * take an array of objects, most have it for a variable number of arguments.
   */
  private static List<Integer> arraysAmong(List<Type> operands, boolean ofObjects) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      boolean isArray = operands.get(i).getSort() == Type.ARRAY;
      if (isArray && (ofObjects || operands.get(i).getElementType().getSort() < Type.ARRAY)) {
        found.add(i);
      }
    }
    return found;
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
