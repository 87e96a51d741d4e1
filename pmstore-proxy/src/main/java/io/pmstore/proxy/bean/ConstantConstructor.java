package io.pmstore.proxy.bean;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.PseudoInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.reflect.AccessFlag;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes classes whose no-argument constructor does nothing but assign constants and new, empty
 * collections to fields, so that all new objects are alike.
 *
 * <p>A constant is a literal, a boxed one, a static final field of the JDK, or a constant of an
 * enum. Other static fields are none: the program may not have set them yet. A collection is one of
 * a class of the JDK, which no second field gets.
 */
public final class ConstantConstructor {
  private static final Set<String> NUMBERS =
      Set.of(
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Double",
          "java/lang/Float",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Short",
          "java/math/BigDecimal",
          "java/math/BigInteger");

  private static final Set<String> COLLECTIONS =
      Set.of(
          "java/util/ArrayDeque",
          "java/util/ArrayList",
          "java/util/HashMap",
          "java/util/HashSet",
          "java/util/LinkedHashMap",
          "java/util/LinkedHashSet",
          "java/util/LinkedList",
          "java/util/TreeMap",
          "java/util/TreeSet",
          "java/util/Vector",
          "java/util/concurrent/ConcurrentHashMap",
          "java/util/concurrent/CopyOnWriteArrayList");

  private ConstantConstructor() {}

  /**
   * Returns true if the constructors of a class and of its superclasses assign nothing else.
   *
   * @param withCollections false if a collection is no constant, because one that the store does
   *     not keep would be shared by all new objects
   */
  public static boolean isIn(ClassCode code, boolean withCollections) {
    for (ClassCode each = code; each != null; each = each.superclass()) {
      if (!assignsConstants(each, withCollections)) {
        return false;
      }
    }
    return true;
  }

  private static boolean assignsConstants(ClassCode code, boolean withCollections) {
    MethodModel constructor = ClassCode.find(code.model(), "<init>()V");
    CodeModel body = constructor == null ? null : constructor.code().orElse(null);
    if (body == null) {
      return false;
    }
    ClassLoader loader = code.type().getClassLoader();
    for (CodeElement element : body) {
      if (!isAllowed(element, code.model(), loader)
          && !(withCollections && makesCollection(element))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAllowed(
      CodeElement element, ClassModel owner, @Nullable ClassLoader loader) {
    return switch (element) {
      case LoadInstruction load -> load.slot() == 0;
      case ConstantInstruction constant ->
          constant.constantValue() instanceof Number
              || constant.constantValue() instanceof String
              || constant.opcode() == Opcode.ACONST_NULL;
      case FieldInstruction field ->
          field.opcode() == Opcode.PUTFIELD
              ? field.owner().equals(owner.thisClass())
              : field.opcode() == Opcode.GETSTATIC && isConstant(field, loader);
      case InvokeInstruction call -> isSuper(call, owner) || isNumber(call);
      case ReturnInstruction _, NopInstruction _, PseudoInstruction _ -> true;
      default -> false;
    };
  }

  /**
   * Returns true for the instructions of {@code new ArrayList<>()} and the like. {@code dup} occurs
   * in these only: assigning one object to two fields takes another instruction.
   */
  private static boolean makesCollection(CodeElement element) {
    return switch (element) {
      case NewObjectInstruction made -> COLLECTIONS.contains(made.className().asInternalName());
      case StackInstruction stack -> stack.opcode() == Opcode.DUP;
      case InvokeInstruction call ->
          call.opcode() == Opcode.INVOKESPECIAL
              && call.name().equalsString("<init>")
              && (call.type().equalsString("()V") || call.type().equalsString("(I)V"))
              && COLLECTIONS.contains(call.owner().asInternalName());
      default -> false;
    };
  }

  private static boolean isSuper(InvokeInstruction call, ClassModel owner) {
    return call.opcode() == Opcode.INVOKESPECIAL
        && call.name().equalsString("<init>")
        && call.type().equalsString("()V")
        && owner.superclass().filter(call.owner()::equals).isPresent();
  }

  /** Returns true for a call that makes a number of a literal. */
  private static boolean isNumber(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESTATIC
        && call.name().equalsString("valueOf")
        && NUMBERS.contains(call.owner().asInternalName());
  }

  private static boolean isConstant(FieldInstruction field, @Nullable ClassLoader loader) {
    try {
      Class<?> owner = Class.forName(ClassFiles.name(field.owner()), false, loader);
      var declared = owner.getField(field.name().stringValue());
      return owner.getClassLoader() == null
          ? declared.accessFlags().contains(AccessFlag.FINAL)
          : declared.isEnumConstant();
    } catch (ReflectiveOperationException | LinkageError e) {
      return false; // the constructor runs, and throws what there is to throw
    }
  }
}
