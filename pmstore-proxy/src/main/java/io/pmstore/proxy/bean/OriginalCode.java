package io.pmstore.proxy.bean;

import io.pmstore.spi.EnhancedArrays;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedObject;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a class file what the enhancer has put into it: the members that it has added, and
 * the calls that stand for uses of fields and elements. A function gets back the method that it
 * referred to.
 *
 * <p>A JVM that makes its first persistent object runs this while its code is cold. So it uses the
 * library that generates classes, which is loaded by then.
 */
final class OriginalCode extends ClassVisitor {
  private static final String ARRAYS = Type.getInternalName(EnhancedArrays.class);
  private static final String SPI = ARRAYS.substring(0, ARRAYS.lastIndexOf('/') + 1);

  private static final String CALL = "pmstore$call$";

  private final Map<String, Handle> called; // by the method that calls it for a function
  private String superclass = "java/lang/Object";

  private OriginalCode(ClassVisitor to, Map<String, Handle> called) {
    super(OpenedClassReader.ASM_API, to);
    this.called = called;
  }

  /**
   * Returns a class file as the compiler made it, but without stack maps: nobody runs it.
   *
   * @param enhanced a class file that the enhancer has changed
   */
  static byte[] of(byte[] enhanced) {
    ClassWriter writer = new ClassWriter(0);
    ClassReader reader = OpenedClassReader.of(enhanced);
    Calls calls = new Calls();
    reader.accept(calls, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    reader.accept(new OriginalCode(writer, calls.called), ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String generic,
      @Nullable String superName,
      String @Nullable [] interfaces) {
    if (superName != null) {
      superclass = superName;
    }
    super.visit(version, access, name, generic, superName, interfaces);
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int access,
      String name,
      String descriptor,
      @Nullable String generic,
      @Nullable Object value) {
    return name.equals(EnhancedObject.HANDLE)
        ? null
        : super.visitField(access, name, descriptor, generic, value);
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String generic,
      String @Nullable [] exceptions) {
    if (name.startsWith(Enhancement.MEMBER)) {
      return null;
    }
    MethodVisitor to = super.visitMethod(access, name, descriptor, generic, exceptions);
    return to == null ? null : new Body(to);
  }

  /** Finds what the methods call that the enhancer has added for functions. */
  private static final class Calls extends ClassVisitor {
    private final Map<String, Handle> called = new HashMap<>();

    Calls() {
      super(OpenedClassReader.ASM_API);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String generic,
        String @Nullable [] exceptions) {
      return name.startsWith(CALL) ? new Call(name) : null;
    }

    /** One of these methods: hooks, and one call of what the function referred to. */
    private final class Call extends MethodVisitor {
      private final String method;

      Call(String method) {
        super(OpenedClassReader.ASM_API);
        this.method = method;
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        boolean isList = owner.equals(ARRAYS) && name.equals("asList");
        if (isList || !owner.startsWith(SPI)) {
          String of = isList ? "java/util/Arrays" : owner;
          called.put(method, new Handle(tag(opcode), of, name, descriptor, isInterface));
        }
      }

      private static int tag(int opcode) {
        return switch (opcode) {
          case Opcodes.INVOKESTATIC -> Opcodes.H_INVOKESTATIC;
          case Opcodes.INVOKEINTERFACE -> Opcodes.H_INVOKEINTERFACE;
          default -> Opcodes.H_INVOKEVIRTUAL;
        };
      }
    }
  }

  private final class Body extends MethodVisitor {
    Body(MethodVisitor to) {
      super(OpenedClassReader.ASM_API, to);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.startsWith(EnhancedCollection.SUPER)) {
        super.visitMethodInsn(Opcodes.INVOKESPECIAL, superclass, member(name), descriptor, false);
      } else if (name.startsWith(EnhancedObject.GET)) {
        String type = Type.getReturnType(descriptor).getDescriptor();
        super.visitFieldInsn(Opcodes.GETFIELD, owner, member(name), type);
      } else if (name.startsWith(EnhancedObject.PUT)) {
        String type = Type.getArgumentTypes(descriptor)[0].getDescriptor();
        super.visitFieldInsn(Opcodes.PUTFIELD, owner, member(name), type);
      } else if (owner.equals(ARRAYS)) {
        ofArray(name, descriptor);
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      Object[] original = arguments.clone();
      for (int i = 0; i < original.length; i++) {
        if (original[i] instanceof Handle handle) {
          original[i] = called.getOrDefault(handle.getName(), handle);
        }
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, original);
    }

    private void ofArray(String name, String descriptor) {
      switch (name) {
        case "set" -> {
          Type[] types = Type.getArgumentTypes(descriptor);
          boolean isArray = types[0].getSort() == Type.ARRAY;
          super.visitInsn(isArray ? types[2].getOpcode(Opcodes.IASTORE) : Opcodes.BASTORE);
        }
        case "asList" ->
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC, "java/util/Arrays", name, descriptor, false);
        case "read" -> { // leaves the array, and not the object and the key
          super.visitInsn(Opcodes.POP);
          super.visitInsn(Opcodes.SWAP);
          super.visitInsn(Opcodes.POP);
        }
        case "wrote" -> { // leaves neither the object, nor the value, nor the key
          super.visitInsn(Opcodes.POP);
          super.visitInsn(Opcodes.POP2);
        }
        case "before" -> {} // leaves an object for the other
        case "after" -> super.visitInsn(Opcodes.POP2);
        default -> throw new IllegalStateException("no hook: " + name);
      }
    }

    private static String member(String hook) {
      return hook.substring(hook.lastIndexOf(':') + 1);
    }
  }
}
