package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.FieldFacts;
import io.pmstore.enhance.ClassFacts.MethodFacts;
import io.pmstore.spi.EnhancedCollection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Reads {@link ClassFacts} from a class file. */
final class FactsReader extends ClassVisitor {
  private String name = "";
  private @Nullable String superName;
  private List<String> above = List.of();
  private int access;
  private int version;
  private boolean isAnnotated;
  private boolean isChanged;
  private boolean storesElements;
  private boolean changesCollections;
  private boolean givesToReflection;
  private boolean givesToLibrary;
  private boolean isChecked;
  private boolean hasSubroutines;
  private final Map<String, FieldFacts> fields = new LinkedHashMap<>();
  private final Map<String, MethodFacts> methods = new LinkedHashMap<>();
  private final Set<String> owners = new HashSet<>();
  private final Set<String> called = new HashSet<>();
  private final Set<String> givers = new HashSet<>();
  private final Set<String> transients = new HashSet<>(); // by annotated getters

  private FactsReader() {
    super(OpenedClassReader.ASM_API);
  }

  static ClassFacts read(byte[] classFile) {
    ClassReader reader = OpenedClassReader.of(classFile);
    FactsReader facts = new FactsReader();
    reader.accept(facts, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    Map<String, FieldFacts> fields = new LinkedHashMap<>();
    for (FieldFacts field : facts.fields.values()) {
      boolean isKept = field.isKept() && !facts.transients.contains(field.name());
      fields.put(
          field.name(), new FieldFacts(field.name(), field.descriptor(), field.access(), isKept));
    }
    if (CollectionCode.isFor(facts.superName)) {
      fields.putIfAbsent(
          EnhancedCollection.ELEMENTS,
          CollectionCode.field(Objects.requireNonNull(facts.superName)));
    }
    return new ClassFacts(
        facts.name,
        facts.superName,
        facts.above,
        facts.access,
        facts.version,
        facts.isAnnotated,
        facts.isChanged,
        fields,
        facts.methods,
        facts.owners,
        facts.called,
        facts.givers,
        facts.storesElements,
        facts.changesCollections,
        facts.givesToReflection,
        facts.givesToLibrary,
        facts.isChecked,
        facts.hasSubroutines);
  }

  @Override
  public void visit(
      int classVersion,
      int flags,
      String className,
      @Nullable String signature,
      @Nullable String superclass,
      String @Nullable [] interfaces) {
    version = classVersion & 0xffff;
    access = flags;
    name = className;
    superName = superclass;
    above = interfaces == null ? List.of() : List.of(interfaces);
    isChanged = above.contains(Spi.ENHANCED);
  }

  @Override
  public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
    isAnnotated |= descriptor.equals(Spi.PERSISTENT_ANNOTATION);
    return null;
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int flags,
      String field,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    if ((flags & Opcodes.ACC_STATIC) != 0 || field.equals(Spi.HANDLE)) {
      return null;
    }
    boolean isKept = (flags & Opcodes.ACC_TRANSIENT) == 0;
    fields.put(field, new FieldFacts(field, descriptor, flags, isKept));
    return new FieldVisitor(api) {
      @Override
      public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        if (annotation.equals(Spi.TRANSIENT_ANNOTATION)) {
          fields.put(field, new FieldFacts(field, descriptor, flags, false));
        }
        return null;
      }
    };
  }

  @Override
  public MethodVisitor visitMethod(
      int flags,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return new Code(flags, method, descriptor, new EarlyAssignments());
  }

  /** The code of one method. */
  private final class Code extends OpcodeVisitor {
    private final int flags;
    private final String method;
    private final String descriptor;
    private final List<Integer> opcodes = new ArrayList<>();
    private final FieldHandles fieldHandles = new FieldHandles();
    private final EarlyAssignments early;
    private @Nullable String field;
    private boolean isTransient;
    private boolean mayWrite;
    private boolean clonesDirectly;
    private final Set<Integer> givesThis = new HashSet<>();
    private int callsWithObject;
    private boolean isThisLoaded;
    private int maxLocals;

    Code(int flags, String method, String descriptor, EarlyAssignments early) {
      super(method.equals("<init>") ? early : null);
      this.early = early;
      this.flags = flags;
      this.method = method;
      this.descriptor = descriptor;
    }

    @Override
    public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
      isTransient |= annotation.equals(Spi.TRANSIENT_ANNOTATION);
      return null;
    }

    @Override
    void at(int opcode) {
      opcodes.add(opcode);
      if (opcode != Opcodes.LDC && opcode != Opcodes.GETSTATIC) {
        fieldHandles.other();
      }
      isThisLoaded = false;
      hasSubroutines |= opcode == Opcodes.JSR || opcode == Opcodes.RET;
      boolean storesElement = opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE;
      storesElements |= storesElement;
      mayWrite |=
          storesElement
              || opcode == Opcodes.PUTFIELD
              || (opcode >= Opcodes.INVOKEVIRTUAL && opcode <= Opcodes.INVOKEDYNAMIC);
    }

    @Override
    public void visitLdcInsn(Object value) {
      fieldHandles.constant(value);
      super.visitLdcInsn(value);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String used, String type) {
      fieldHandles.value(); // it may be int.class
      if (opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD) {
        owners.add(owner);
        field = owner.equals(name) ? used : null;
      }
      super.visitFieldInsn(opcode, owner, used, type);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean ofInterface) {
      if (MethodFacts.takesObjectLast(type)) {
        if (isThisLoaded) {
          givesThis.add(callsWithObject);
        }
        callsWithObject++;
      }
      called.add(owner);
      fieldHandles.call(owner, name, type);
      addGiver(owner, type);
      clonesDirectly |= opcode == Opcodes.INVOKESPECIAL && name.equals("clone");
      isChecked |=
          owner.equals(Spi.COLLECTIONS) || owner.equals(Spi.ARRAYS) || owner.equals(Spi.REFLECTION);
      givesToReflection |= !ReflectiveCalls.arguments(owner, name, type).isEmpty();
      givesToLibrary |= ReflectiveCalls.isOfLibrary(owner, name, type);
      changesCollections |= JdkCalls.changesCollection(opcode, owner, name);
      storesElements |=
          JdkCalls.isListOfArray(owner, name)
              || !JdkCalls.arraysStoredInto(opcode, owner, name, type).isEmpty();
      super.visitMethodInsn(opcode, owner, name, type, ofInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String type, Handle bootstrap, Object... arguments) {
      changesCollections |= JdkCalls.isChangeOfCollection(type, arguments);
      for (Object argument : arguments) {
        if (argument instanceof Handle handle && handle.getDesc().startsWith("(")) {
          called.add(handle.getOwner());
          addGiver(handle.getOwner(), handle.getDesc());
          storesElements |= ArrayCalls.isStore(handle);
        }
      }
      super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
    }

    private void addGiver(String owner, String type) {
      if (type.contains(")[")) {
        givers.add(owner);
      }
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
      super.visitVarInsn(opcode, slot);
      isThisLoaded = opcode == Opcodes.ALOAD && slot == 0 && (flags & Opcodes.ACC_STATIC) == 0;
    }

    @Override
    public void visitLabel(Label label) {
      isThisLoaded = false; // the code may come from elsewhere
      super.visitLabel(label);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      maxLocals = locals;
    }

    @Override
    public void visitEnd() {
      boolean isSetter =
          opcodes.size() == 4
              && opcodes.get(0) == Opcodes.ALOAD
              && opcodes.get(1) >= Opcodes.ILOAD
              && opcodes.get(1) <= Opcodes.ALOAD
              && opcodes.get(2) == Opcodes.PUTFIELD;
      boolean isGetter =
          opcodes.size() == 3
              && opcodes.get(0) == Opcodes.ALOAD
              && opcodes.get(1) == Opcodes.GETFIELD;
      methods.put(
          method + descriptor,
          new MethodFacts(
              flags,
              mayWrite && !isSetter,
              maxLocals,
              fieldHandles.found(),
              early.found(),
              clonesDirectly,
              givesThis));
      if (isTransient) {
        transients.add(isGetter && field != null ? field : property());
      }
    }

    private String property() {
      String rest =
          method.startsWith("get")
              ? method.substring(3)
              : method.startsWith("is") ? method.substring(2) : method;
      boolean isAcronym =
          rest.length() > 1
              && Character.isUpperCase(rest.charAt(0))
              && Character.isUpperCase(rest.charAt(1));
      return isAcronym || rest.isEmpty()
          ? rest
          : Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
    }
  }
}
