package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import io.pmstore.spi.PrivateMembers;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.Attribute;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Copies the code of one class. Access to persistent fields goes through the heap, a call of a
 * copied method calls the copy, and a member out of reach of the copy is used through a bridge. No
 * branch is added and the types on the stack stay the same, so the stack maps are copied too.
 */
final class CodeCopier {
  static final String PERSISTENT = Type.getInternalName(PersistentObject.class);
  static final String OF_PERSISTENT = "(L" + PERSISTENT + ";)Ljava/lang/Object;";
  private static final String CONSTRUCTOR = "<init>";
  private static final String CLONE = "pmstore$clone";

  private final CopiedCode copied;
  private final ClassCode code;
  private final Bridges bridges;
  private final Map<String, Maker> makers = new LinkedHashMap<>();
  private @Nullable String cloned; // the class whose clone method is called through super

  /** A static method that calls a constructor that the copy cannot refer to. */
  record Maker(String name, Type made, String descriptor) {}

  CodeCopier(CopiedCode copied, Bridges bridges) {
    this.copied = copied;
    this.code = copied.code();
    this.bridges = bridges;
  }

  /**
   * Returns a visitor of the original that copies its code to {@code to}. {@code isOfClass} is true
   * for a method of the class itself, false for one of a class in its code.
   */
  MethodVisitor copy(MethodModel original, boolean isOfClass, MethodVisitor to) {
    boolean isHandedOut = !isOfClass || original.methodName().stringValue().startsWith("lambda$");
    Set<TypeKind> stored = isHandedOut ? kindsStored(original) : Set.of();
    return new Copy(to, isOfClass, stored, closedConstructorCalls(original));
  }

  /** Returns the kinds of elements that a method stores into arrays. */
  private static Set<TypeKind> kindsStored(MethodModel original) {
    Set<TypeKind> stored = new HashSet<>();
    for (CodeElement element : original.code().orElseThrow()) {
      if (element instanceof ArrayStoreInstruction store) {
        stored.add(store.typeKind());
      }
    }
    return stored;
  }

  /** Replaces instructions of one method. */
  private final class Copy extends MethodVisitor {
    private final MethodVisitor to;
    private final boolean isOfClass;
    private final Set<TypeKind> stored;
    private final Set<Integer> dropped;
    private final Set<Label> notMade = new HashSet<>();
    private @Nullable Label latest;
    private int made;
    private boolean isDroppingCopy;

    Copy(MethodVisitor to, boolean isOfClass, Set<TypeKind> stored, Set<Integer> dropped) {
      super(OpenedClassReader.ASM_API, isOfClass ? null : to);
      this.to = to;
      this.isOfClass = isOfClass;
      this.stored = stored;
      this.dropped = dropped;
    }

    /** Copies nothing but the code: the override of the method has the rest. */
    @Override
    public void visitCode() {
      mv = to;
      super.visitCode();
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      // an unknown attribute may refer to the original's constant pool
    }

    @Override
    public void visitLabel(Label label) {
      latest = label;
      super.visitLabel(label);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode != Opcodes.NEW) {
        super.visitTypeInsn(opcode, type);
        return;
      }
      if (dropped.contains(made++)) {
        isDroppingCopy = true;
        if (latest != null) {
          notMade.add(latest);
        }
      } else {
        super.visitTypeInsn(opcode, type);
      }
      latest = null;
    }

    @Override
    public void visitInsn(int opcode) {
      if (isDroppingCopy && opcode >= Opcodes.POP && opcode <= Opcodes.SWAP) {
        isDroppingCopy = false;
      } else {
        super.visitInsn(opcode);
      }
    }

    /**
     * Leaves objects whose constructors bridges call out of the frame: the copy does not have them
     * on the stack.
     */
    @Override
    public void visitFrame(int kind, int locals, Object[] local, int depth, Object[] stack) {
      Object[] left =
          notMade.isEmpty()
              ? stack
              : Arrays.stream(stack, 0, depth).filter(on -> !notMade.contains(on)).toArray();
      super.visitFrame(kind, locals, local, notMade.isEmpty() ? depth : left.length, left);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      boolean isInstance = opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD;
      boolean isRead = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC;
      ClassCode declarer = isInstance ? code.declarerOfField(named(owner), name) : null;
      if (declarer != null) {
        CopiedCode of = copied.of(declarer);
        if (isRead && isStoredInto(descriptor)) {
          visitInsn(Opcodes.DUP);
          Code.callStatic(mv, PERSISTENT, "checkChanging", "(Ljava/lang/Object;)V");
        }
        Code.callStatic(
            mv,
            of.internalName(),
            isRead ? of.reader(name) : of.writer(name),
            of.onObject(isRead ? "()" + descriptor : "(" + descriptor + ")V"));
      } else if (bridges.isFieldClosed(named(owner), name)) {
        String object = isInstance ? "L" + owner + ";" : "";
        String use =
            switch (opcode) {
              case Opcodes.GETFIELD -> PrivateMembers.GET;
              case Opcodes.PUTFIELD -> PrivateMembers.PUT;
              case Opcodes.GETSTATIC -> PrivateMembers.GET_STATIC;
              default -> PrivateMembers.PUT_STATIC;
            };
        String type = isRead ? ")" + descriptor : descriptor + ")V";
        bridges.link(mv, use, owner, name, "(" + object + type);
      } else {
        super.visitFieldInsn(opcode, owner, name, descriptor);
      }
    }

    /** Returns true if the method stores elements of the kind that an array has. */
    private boolean isStoredInto(String descriptor) {
      if (!descriptor.startsWith("[")) {
        return false;
      }
      String element = descriptor.substring(1);
      return stored.contains(TypeKind.fromDescriptor(element))
          || (element.equals("Z") && stored.contains(TypeKind.BYTE))
          || (element.startsWith("[") && !stored.isEmpty());
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      String key = name + descriptor;
      if (owner.startsWith("[")) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      } else if (key.equals(ClassCode.GET_CLASS)) {
        Code.callStatic(mv, PERSISTENT, "classOf", "(Ljava/lang/Object;)Ljava/lang/Class;");
      } else if (code.isOwnHelper(named(owner), key)) {
        callCopy(copied, key);
      } else if (opcode == Opcodes.INVOKESPECIAL && isOfClass && !name.equals(CONSTRUCTOR)) {
        callSuper(owner, name, descriptor);
      } else if (!bridges.isMethodClosed(named(owner), name, descriptor)) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      } else if (name.equals(CONSTRUCTOR)) {
        String made = descriptor.substring(0, descriptor.length() - 1) + "L" + owner + ";";
        bridges.link(mv, PrivateMembers.NEW, owner, "new", made);
      } else if (opcode == Opcodes.INVOKESTATIC) {
        bridges.link(mv, PrivateMembers.CALL_STATIC, owner, name, descriptor);
      } else {
        String onObject = "(L" + owner + ";" + descriptor.substring(1);
        bridges.link(mv, PrivateMembers.CALL, owner, name, onObject);
      }
    }

    private void callSuper(String owner, String name, String descriptor) {
      String key = name + descriptor;
      ClassCode above = code.superclass();
      ClassCode declarer = above == null ? null : above.declarerOfMethod(named(owner), key);
      if (declarer != null && declarer.touches(key)) {
        callCopy(copied.of(declarer), key);
      } else if (code.isHashOfObject(named(owner), key)) {
        mv.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            Type.getInternalName(ObjectHandle.class),
            "identityHashCode",
            "(Ljava/lang/Object;)I",
            false);
      } else if (code.isCloneOfObject(named(owner), key)) {
        cloned = owner;
        Code.callStatic(mv, copied.internalName(), CLONE, copied.onObject(descriptor));
      } else {
        bridges.link(mv, PrivateMembers.CALL_SUPER, owner, name, copied.onObject(descriptor));
      }
    }

    private void callCopy(CopiedCode of, String key) {
      CopiedCode.Target target = of.method(key);
      Code.callStatic(mv, of.internalName(), target.name(), target.descriptor());
    }

    /** Lambdas and references to private methods name them in the bootstrap's arguments. */
    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      Object[] replaced = arguments.clone();
      for (int i = 0; i < replaced.length; i++) {
        CopiedCode.Target target = replaced[i] instanceof Handle handle ? target(handle) : null;
        if (target != null) {
          replaced[i] =
              new Handle(
                  Opcodes.H_INVOKESTATIC,
                  copied.internalName(),
                  target.name(),
                  target.descriptor(),
                  true);
        }
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, replaced);
    }
  }

  /** Returns the static method that replaces a private one or a private constructor. */
  private CopiedCode.@Nullable Target target(Handle handle) {
    String owner = named(handle.getOwner());
    String descriptor = handle.getDesc();
    if (code.isOwnHelper(owner, handle.getName() + descriptor)) {
      return copied.method(handle.getName() + descriptor);
    }
    if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL
        && bridges.isMethodClosed(owner, CONSTRUCTOR, descriptor)) {
      Type made = Type.getObjectType(handle.getOwner());
      String makes = Type.getMethodDescriptor(made, Type.getArgumentTypes(descriptor));
      Maker maker =
          makers.computeIfAbsent(
              owner + descriptor, added -> new Maker("pmstore$new$" + makers.size(), made, makes));
      return new CopiedCode.Target(maker.name(), maker.descriptor());
    }
    return null;
  }

  /**
   * Emits the methods that copied code calls in place of instructions. Runs after everything was
   * copied.
   */
  void helpers(ClassVisitor members) {
    for (Maker maker : makers.values()) {
      ClassFrame.method(
          members,
          ClassFrame.HELPER,
          maker.name(),
          maker.descriptor(),
          code -> {
            Code.loadArguments(code, maker.descriptor(), 0);
            String owner = maker.made().getInternalName();
            bridges.link(code, PrivateMembers.NEW, owner, "new", maker.descriptor());
            code.visitInsn(Opcodes.ARETURN);
          });
    }
    String owner = cloned;
    if (owner != null) {
      String descriptor = copied.onObject("()Ljava/lang/Object;");
      ClassFrame.method(
          members,
          ClassFrame.HELPER,
          CLONE,
          descriptor,
          code -> cloneOrElse(code, owner, descriptor));
    }
  }

  /** A clone of a Java object would be a second one for one object of the store. */
  private void cloneOrElse(MethodVisitor code, String owner, String descriptor) {
    Label plain = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitTypeInsn(Opcodes.INSTANCEOF, PERSISTENT);
    code.visitJumpInsn(Opcodes.IFEQ, plain);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitTypeInsn(Opcodes.CHECKCAST, PERSISTENT);
    Code.callStatic(code, PERSISTENT, "cloneOf", OF_PERSISTENT);
    code.visitInsn(Opcodes.ARETURN);
    Code.target(code, plain);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    bridges.link(code, PrivateMembers.CALL_SUPER, owner, "clone", descriptor);
    code.visitInsn(Opcodes.ARETURN);
  }

  /**
   * Returns the {@code new} instructions, by their order, of constructors that the copy cannot
   * call: the bridge creates the object itself.
   */
  private Set<Integer> closedConstructorCalls(MethodModel original) {
    record Pending(String type, int index) {}
    Set<Integer> dropped = new HashSet<>();
    Deque<Pending> open = new ArrayDeque<>();
    int count = 0;
    for (CodeElement element : original.code().orElseThrow()) {
      if (element instanceof NewObjectInstruction made) {
        open.push(new Pending(made.className().asInternalName(), count++));
      } else if (element instanceof InvokeInstruction call
          && call.name().equalsString(CONSTRUCTOR)
          && !open.isEmpty()
          && call.owner().asInternalName().equals(open.peek().type())) {
        Pending pending = open.pop();
        String descriptor = call.type().stringValue();
        if (bridges.isMethodClosed(named(pending.type()), CONSTRUCTOR, descriptor)) {
          dropped.add(pending.index());
        }
      }
    }
    return dropped;
  }

  private static String named(String internalName) {
    return internalName.replace('/', '.');
  }
}
