package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.MethodFacts;
import io.pmstore.enhance.Universe.KeptField;
import io.pmstore.spi.EnhancedClasses;
import io.pmstore.spi.EnhancedObject;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the code of a method, of any class, so that it uses persistent fields through their
 * accessor methods. A call pops and pushes the same values as the instruction that it replaces, so
 * stack maps stay valid.
 */
class AccessRewriter extends MethodVisitor {
  private final Rewriting of;
  private final String method;
  private final boolean givesArrays; // out of fields, to code that may store elements
  private final int firstFree; // the first local variable that the method does not use
  private final Iterator<FieldHandles.Named> fieldHandles; // that the method makes
  private final Set<Integer> givesThis;
  private int callsWithObject;
  private int line;

  AccessRewriter(MethodVisitor to, Rewriting of, String method, String descriptor) {
    this(to, of, method, descriptor, of.in().method(method + descriptor));
  }

  /** Takes a method with its facts. */
  AccessRewriter(
      MethodVisitor to, Rewriting of, String method, String descriptor, MethodFacts facts) {
    super(OpenedClassReader.ASM_API, to);
    this.of = of;
    this.method = method;
    boolean returnsArray = descriptor.contains(")[");
    this.givesArrays = of.storesElements() || (returnsArray && of.isEnhanced());
    this.firstFree = facts.maxLocals();
    this.fieldHandles = facts.fieldHandles().iterator();
    this.givesThis = facts.givesThis();
  }

  @Override
  public void visitLineNumber(int number, Label start) {
    line = number;
    super.visitLineNumber(number, start);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    KeptField kept =
        opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD
            ? of.universe().kept(owner, name)
            : null;
    if (kept == null) {
      if (CollectionCode.isFieldOfElements(of.universe(), owner, name)) {
        fault(
            "it uses the field "
                + name
                + " of java.util.Vector, where a persistent object has no"
                + " elements",
            "call a method of the class instead, such as size() or get(int)");
      }
      super.visitFieldInsn(opcode, owner, name, descriptor);
    } else if (opcode == Opcodes.GETFIELD && givesArrays && kept.field().isArray()) {
      super.visitInsn(Opcodes.DUP);
      call(kept, owner, EnhancedObject.GET, "()" + descriptor);
      super.visitLdcInsn(EnhancedClasses.key(kept.owner().binaryName(), name));
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          Spi.ARRAYS,
          "read",
          "(L" + Spi.ENHANCED + ";Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;",
          false);
      super.visitTypeInsn(Opcodes.CHECKCAST, descriptor);
    } else if (opcode == Opcodes.GETFIELD) {
      call(kept, owner, EnhancedObject.GET, "()" + descriptor);
    } else if (isFinal(kept)) {
      assignFinal(owner, name, descriptor);
    } else {
      write(kept, owner, name, descriptor);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    String descriptor = of.storesElements() ? elementSetter(opcode) : null;
    if (descriptor == null) {
      super.visitInsn(opcode);
    } else {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, Spi.ARRAYS, "set", descriptor, false);
    }
  }

  private static @Nullable String elementSetter(int opcode) {
    return switch (opcode) {
      case Opcodes.IASTORE -> "([III)V";
      case Opcodes.LASTORE -> "([JIJ)V";
      case Opcodes.FASTORE -> "([FIF)V";
      case Opcodes.DASTORE -> "([DID)V";
      case Opcodes.CASTORE -> "([CIC)V";
      case Opcodes.SASTORE -> "([SIS)V";
      case Opcodes.BASTORE -> "(Ljava/lang/Object;II)V";
      case Opcodes.AASTORE -> "([Ljava/lang/Object;ILjava/lang/Object;)V";
      default -> null;
    };
  }

  void write(KeptField kept, String owner, String name, String descriptor) {
    call(kept, owner, EnhancedObject.PUT, "(" + descriptor + ")V");
  }

  /** Assigns a final field, as only constructors of its class do. */
  void assignFinal(String owner, String name, String descriptor) {
    super.visitFieldInsn(Opcodes.PUTFIELD, owner, name, descriptor);
  }

  /** Emits an instruction for a field as it is. */
  final void direct(int opcode, String owner, String name, String descriptor) {
    super.visitFieldInsn(opcode, owner, name, descriptor);
  }

  final void fault(String what, String remedy) {
    of.faults().add("method " + method, line, what, remedy);
  }

  static boolean isFinal(KeptField kept) {
    return (kept.field().access() & Opcodes.ACC_FINAL) != 0;
  }

  private void call(KeptField kept, String named, String kind, String descriptor) {
    // A class may inherit a public field from one that is not public, but may not name that one.
    // Other fields are used as their own class declares them: only there they are accessible.
    boolean isPublic = (kept.field().access() & Opcodes.ACC_PUBLIC) != 0;
    String owner = isPublic ? named : kept.owner().name();
    super.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        owner,
        kind + EnhancedObject.member(kept.owner().name(), kept.field().name()),
        descriptor,
        false);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean ofInterface) {
    boolean isThisGiven =
        MethodFacts.takesObjectLast(descriptor) && givesThis.contains(callsWithObject++);
    String inPlaceOfSuper =
        opcode == Opcodes.INVOKESPECIAL && of.isEnhanced()
            ? CollectionCode.inPlaceOf(of.in(), owner, name, descriptor)
            : null;
    if (inPlaceOfSuper != null) {
      super.visitMethodInsn(
          Opcodes.INVOKESPECIAL, of.in().name(), inPlaceOfSuper, descriptor, false);
      return;
    }
    String made = FieldHandles.made(owner, name);
    if (made != null) {
      checkFieldHandle(made, fieldHandles.next());
    }
    boolean changes = of.changesCollections() && JdkCalls.changesCollection(opcode, owner, name);
    List<Integer> arrays =
        of.storesElements() && !isOwn(opcode, owner, name + descriptor)
            ? JdkCalls.arraysStoredInto(opcode, owner, name, descriptor)
            : List.of();
    if (isThisGiven) { // which is no array
      int last = JdkCalls.operands(opcode, owner, descriptor).size() - 1;
      arrays = arrays.stream().filter(operand -> operand != last).toList();
    }
    List<Integer> shown =
        of.givesToReflection() ? ReflectiveCalls.arguments(owner, name, descriptor) : List.of();
    if (!shown.isEmpty()) {
      showPlainCopies(descriptor, shown, ReflectiveCalls.hook(owner, name));
      super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
    } else if (changes || !arrays.isEmpty()) {
      callOfOther(opcode, owner, name, descriptor, ofInterface, changes, arrays);
    } else if (of.storesElements() && JdkCalls.isListOfArray(owner, name)) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, Spi.ARRAYS, name, descriptor, false);
    } else {
      super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
    }
  }

  private void checkFieldHandle(String made, FieldHandles.Named named) {
    KeptField kept = named.isKnown() ? of.universe().kept(named.owner(), named.field()) : null;
    if (kept != null) {
      fault(
          "it makes %s of the persistent field %s of %s, which would use the field past the store"
              .formatted(made, named.field(), kept.owner().binaryName()),
          "use the field itself, in a transaction, or mark it @Transient");
    } else if (!named.isKnown() && of.isEnhanced() && of.in().hasKeptFields()) {
      fault(
          "it makes %s, which may use a persistent field past the store".formatted(made),
          "use the field itself, in a transaction; if the field is not persistent, write its class"
              + " and its name in the call, as constants");
    }
  }

  /** Returns true if a call cannot reach the code of another class. */
  private boolean isOwn(int opcode, String owner, String key) {
    MethodFacts called = owner.equals(of.in().name()) ? of.in().methods().get(key) : null;
    int fixed = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
    return called != null
        && (called.access() & Opcodes.ACC_NATIVE) == 0
        && (opcode == Opcodes.INVOKESTATIC
            || opcode == Opcodes.INVOKESPECIAL
            || ((called.access() | of.in().access()) & fixed) != 0);
  }

  /**
   * Emits hooks that replace arguments of a call that uses fields by reflection. A hook makes a
   * plain copy of a persistent object, or refuses it.
   *
   * @param shown which of its arguments
   * @param hook what is called for them
   */
  private void showPlainCopies(String descriptor, List<Integer> shown, String hook) {
    List<Type> types = List.of(Type.getArgumentTypes(descriptor));
    int[] local = storeOperands(types);
    for (int i = 0; i < types.size(); i++) {
      mv.visitVarInsn(types.get(i).getOpcode(Opcodes.ILOAD), local[i]);
      if (shown.contains(i)) {
        helper(Spi.REFLECTION, hook, "(Ljava/lang/Object;)Ljava/lang/Object;");
        mv.visitTypeInsn(Opcodes.CHECKCAST, types.get(i).getInternalName());
      }
    }
  }

  /**
   * Emits stores of the operands of a call into local variables, which no other code uses.
   *
   * @return the variable of each operand, and the first variable behind them
   */
  private int[] storeOperands(List<Type> operands) {
    int[] local = new int[operands.size() + 1];
    local[0] = firstFree;
    for (int i = 0; i < operands.size(); i++) {
      local[i + 1] = local[i] + operands.get(i).getSize();
    }
    for (int i = operands.size() - 1; i >= 0; i--) {
      mv.visitVarInsn(operands.get(i).getOpcode(Opcodes.ISTORE), local[i]);
    }
    return local;
  }

  /**
   * Emits a call of other code. The operands wait in local variables, which no other code uses. The
   * receiver waits on the stack if no hook needs it: that of a constructor is no object yet.
   *
   * @param changes whether it changes a collection, its first operand
   * @param arrays which operands may be arrays that it may store elements into
   */
  private void callOfOther(
      int opcode,
      String owner,
      String name,
      String descriptor,
      boolean ofInterface,
      boolean changes,
      List<Integer> arrays) {
    List<Type> operands = JdkCalls.operands(opcode, owner, descriptor);
    int onStack = changes || opcode == Opcodes.INVOKESTATIC ? 0 : 1;
    operands = operands.subList(onStack, operands.size());
    int[] local = storeOperands(operands);
    int free = local[operands.size()];
    for (int i = 0; i < arrays.size(); i++) {
      mv.visitVarInsn(Opcodes.ALOAD, local[arrays.get(i) - onStack]);
      helper(Spi.ARRAYS, "before", "(Ljava/lang/Object;)Ljava/lang/Object;");
      mv.visitVarInsn(Opcodes.ASTORE, free + i);
    }
    if (changes) {
      mv.visitVarInsn(Opcodes.ALOAD, local[0]);
      helper(Spi.COLLECTIONS, "checkPlain", "(Ljava/lang/Object;)V");
    }
    for (int i = 0; i < operands.size(); i++) {
      mv.visitVarInsn(operands.get(i).getOpcode(Opcodes.ILOAD), local[i]);
    }
    mv.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
    if (changes) {
      mv.visitVarInsn(Opcodes.ALOAD, local[0]);
      helper(Spi.COLLECTIONS, "changed", "(Ljava/lang/Object;)V");
    }
    for (int i = 0; i < arrays.size(); i++) {
      mv.visitVarInsn(Opcodes.ALOAD, local[arrays.get(i) - onStack]);
      mv.visitVarInsn(Opcodes.ALOAD, free + i);
      helper(Spi.ARRAYS, "after", "(Ljava/lang/Object;Ljava/lang/Object;)V");
    }
  }

  private void helper(String owner, String name, String descriptor) {
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    for (Object argument : arguments) {
      checkHandle(argument);
    }
    if (of.changesCollections() && JdkCalls.isChangeOfCollection(descriptor, arguments)) {
      mv.visitInsn(Opcodes.DUP); // the collection of list::add
      helper(Spi.COLLECTIONS, "checkPlain", "(Ljava/lang/Object;)V");
    }
    super.visitInvokeDynamicInsn(
        name, descriptor, bootstrap, followed(descriptor, bootstrap, arguments));
  }

  /**
   * Replaces references to methods that may store elements into arrays. A function that can be
   * serialized keeps its own: it is found by the name of the method.
   */
  private Object[] followed(String descriptor, Handle bootstrap, Object... arguments) {
    ArrayCalls calls = of.arrayCalls();
    if (calls == null || !of.storesElements() || !bootstrap.getName().equals("metafactory")) {
      return arguments;
    }
    Object[] followed = arguments.clone();
    for (int i = 0; i < followed.length; i++) {
      if (followed[i] instanceof Handle handle
          && ArrayCalls.isStore(handle)
          && !handle.getOwner().equals(of.in().name())) {
        followed[i] = calls.through(handle, descriptor, of.in());
      }
    }
    return followed;
  }

  @Override
  public void visitLdcInsn(Object value) {
    checkHandle(value);
    super.visitLdcInsn(value);
  }

  private void checkHandle(@Nullable Object constant) {
    if (constant instanceof Handle handle
        && (handle.getTag() == Opcodes.H_GETFIELD || handle.getTag() == Opcodes.H_PUTFIELD)
        && of.universe().kept(handle.getOwner(), handle.getName()) != null) {
      fault(
          "it has a method handle of the persistent field " + handle.getName(),
          "let the compiler use an accessor");
    }
  }
}
