package io.pmstore.enhance;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a class that the enhancer needs, read from its class file. Names have the form that
 * they have in class files.
 *
 * @param name the class
 * @param superName its superclass; null for {@code Object}
 * @param interfaces the interfaces that it names
 * @param access its flags
 * @param version the version of the class file
 * @param isAnnotated whether it is annotated with {@code Persistent}
 * @param isChanged whether an enhancer has changed it already
 * @param fields its instance fields, by name
 * @param methods its methods, by name and descriptor
 * @param owners the classes whose fields its code uses
 * @param called the classes whose methods and constructors its code calls
 * @param givers those of them whose methods give it arrays
 * @param storesElements whether its code stores elements of arrays, or may have other code do so
 * @param changesCollections whether its code calls methods that change collections of the JDK
 * @param givesToReflection whether its code calls methods that use fields by reflection
 * @param givesToLibrary whether one of these calls is to a library
 * @param isChecked whether an enhancer has handled these calls already
 * @param hasSubroutines whether its code has subroutine instructions, which class files since Java
 *     6 cannot have
 */
record ClassFacts(
    String name,
    @Nullable String superName,
    List<String> interfaces,
    int access,
    int version,
    boolean isAnnotated,
    boolean isChanged,
    Map<String, FieldFacts> fields,
    Map<String, MethodFacts> methods,
    Set<String> owners,
    Set<String> called,
    Set<String> givers,
    boolean storesElements,
    boolean changesCollections,
    boolean givesToReflection,
    boolean givesToLibrary,
    boolean isChecked,
    boolean hasSubroutines) {

  /**
   * A field.
   *
   * @param isKept whether a store keeps it
   */
  record FieldFacts(String name, String descriptor, int access, boolean isKept) {
    boolean isArray() {
      return descriptor.startsWith("[");
    }
  }

  /**
   * A method.
   *
   * @param mayWrite whether its code does more than read fields, or assign one of its own
   * @param maxLocals how many words of local variables its code has
   * @param fieldHandles {@link FieldHandles#found} of its code
   * @param earlyAssignments {@link EarlyAssignments#in} of a constructor
   * @param clonesDirectly whether its code calls the {@code clone} of a superclass
   * @param givesThis which of its calls, counted from 0, have {@code this} as their last argument;
   *     only calls whose last argument is of type {@code Object} count
   */
  record MethodFacts(
      int access,
      boolean mayWrite,
      int maxLocals,
      List<FieldHandles.Named> fieldHandles,
      Set<Integer> earlyAssignments,
      boolean clonesDirectly,
      Set<Integer> givesThis) {
    static boolean takesObjectLast(String descriptor) {
      return descriptor.contains("Ljava/lang/Object;)");
    }
  }

  /** Returns a method of the class, by its name and descriptor. */
  MethodFacts method(String key) {
    MethodFacts found = methods.get(key);
    if (found == null) {
      throw new IllegalStateException("unknown method " + key);
    }
    return found;
  }

  String binaryName() {
    return name.replace('/', '.');
  }

  /** Returns false if it cannot be a persistent class: it is an interface, an enum or a record. */
  boolean mayBeEnhanced() {
    return (access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM)) == 0
        && !"java/lang/Record".equals(superName);
  }

  /** Returns true if its code has no stack maps. */
  boolean hasNoStackMaps() {
    return version < Opcodes.V1_6 && !hasSubroutines;
  }

  boolean hasKeptFields() {
    return fields.values().stream().anyMatch(FieldFacts::isKept);
  }
}
