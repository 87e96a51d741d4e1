package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.MethodFacts;
import io.pmstore.enhance.Universe.KeptField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Changes one class: rewrites its code, and adds the members that make its objects persistent. */
final class ClassEnhancer extends ClassVisitor {
  // Methods that only read, by their contracts.
  private static final Set<String> READERS =
      Set.of("equals", "hashCode", "toString", "compareTo", "compare", "finalize");

  private static final int HANDLE_FLAGS =
      Opcodes.ACC_PROTECTED | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC;
  private static final String CLONE = "pmstore$clone";
  private static final String CLONE_TYPE = "()Ljava/lang/Object;";
  private static final String[] CLONE_THROWS = {"java/lang/CloneNotSupportedException"};

  private final Universe universe;
  private final ClassFacts facts;
  private final Faults faults;
  private final Rewriting rewriting;
  private final boolean isEnhanced;
  private final boolean isTop; // of the enhanced classes of the hierarchy
  private final Map<String, Integer> clones; // of the classes above the top
  private final @Nullable CollectionCode elements; // of a class that extends one of the JDK's
  private @Nullable String signature;

  ClassEnhancer(ClassVisitor to, Universe universe, ClassFacts facts, boolean mayHaveMoreMethods) {
    super(OpenedClassReader.ASM_API, to);
    this.universe = universe;
    this.facts = facts;
    this.faults = new Faults(facts.name());
    this.rewriting = Rewriting.of(universe, faults, facts, mayHaveMoreMethods);
    this.isEnhanced = rewriting.isEnhanced();
    ClassFacts above = universe.superclass(facts);
    this.isTop = isEnhanced && (above == null || !universe.isEnhanced(above));
    this.clones = isTop ? inheritedClones() : Map.of();
    this.elements =
        isTop && CollectionCode.isFor(facts.superName()) ? new CollectionCode(to, facts) : null;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String generic,
      @Nullable String superName,
      String @Nullable [] interfaces) {
    if (!isEnhanced) {
      super.visit(version, access, name, generic, superName, interfaces);
      return;
    }
    signature = generic;
    if (facts.hasSubroutines()) {
      faults.add(
          "the class file",
          0,
          "its code has subroutines, which stack maps cannot describe, as compilers before that of"
              + " Java 6 made them",
          "compile it for Java 6 or newer");
    }
    List<String> more = new ArrayList<>(interfaces == null ? List.of() : List.of(interfaces));
    more.add(Spi.ENHANCED);
    String moreSignature = generic == null ? null : generic + "L" + Spi.ENHANCED + ";";
    if (elements != null) {
      more.add(Spi.COLLECTION);
      moreSignature = moreSignature == null ? null : moreSignature + "L" + Spi.COLLECTION + ";";
    }
    // Constants that are resolved by code need class files of Java 11.
    int newer = facts.version() < Opcodes.V11 ? Opcodes.V11 : version;
    super.visit(newer, access, name, moreSignature, superName, more.toArray(String[]::new));
  }

  @Override
  public void visitSource(@Nullable String source, @Nullable String debug) {
    faults.file(source);
    super.visitSource(source, debug);
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (to == null || (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
      return to;
    }
    if (!isEnhanced) {
      return new AccessRewriter(to, rewriting, name, descriptor);
    }
    if (name.equals("<init>")) {
      return new ConstructorRewriter(to, rewriting, name, descriptor);
    }
    boolean hasPrologue = isTransaction(access, name, descriptor);
    return new AccessRewriter(to, rewriting, name, descriptor) {
      @Override
      public void visitCode() {
        super.visitCode();
        if (hasPrologue) {
          TransactionPrologue.emit(new MethodCode(mv), name, descriptor);
        }
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String type, boolean ofInterface) {
        boolean ofSuper = isTop && opcode == Opcodes.INVOKESPECIAL;
        if (ofSuper && called.equals("clone") && clones.containsKey(type)) {
          mv.visitMethodInsn(Opcodes.INVOKEVIRTUAL, facts.name(), CLONE, type, false);
        } else if (ofSuper
            && called.equals("hashCode")
            && type.equals("()I")
            && isOfObject(owner)) {
          // The hash code of the Java object is another one when it is read back.
          mv.visitMethodInsn(
              Opcodes.INVOKESTATIC,
              Spi.OBJECT_HANDLE,
              "identityHashCode",
              "(Ljava/lang/Object;)I",
              false);
        } else {
          super.visitMethodInsn(opcode, owner, called, type, ofInterface);
        }
      }
    };
  }

  private boolean isOfObject(String owner) {
    if (CollectionCode.isFor(owner)) {
      return false;
    }
    for (ClassFacts k = universe.facts(owner); k != null; k = universe.superclass(k)) {
      if (k.methods().containsKey("hashCode()I")) {
        return k.name().equals("java/lang/Object");
      }
    }
    return true;
  }

  /** Returns true if a call of the method may need a transaction of its own. */
  private boolean isTransaction(int access, String name, String descriptor) {
    MethodFacts method = facts.methods().get(name + descriptor);
    int others = Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;
    return (access & others) == 0
        && method != null
        && method.mayWrite()
        && !READERS.contains(name)
        && !name.startsWith("<");
  }

  @Override
  public void visitEnd() {
    if (isEnhanced) {
      if (isTop) {
        handle();
        cloning();
        if (!has("writeReplace" + CLONE_TYPE)) {
          serialization();
        }
        if (elements != null) {
          elements.check(faults);
          elements.emit(signature);
        } else if (!has("toString()Ljava/lang/String;")) {
          text();
        }
      }
      for (KeptField kept : universe.allKept(facts)) {
        new AccessorCode(cv, universe, facts, kept).emit();
      }
    }
    if (rewriting.arrayCalls() != null) {
      rewriting.arrayCalls().emit(cv, rewriting);
    }
    faults.throwIfAny();
    super.visitEnd();
  }

  private void handle() {
    cv.visitField(HANDLE_FLAGS, Spi.HANDLE, Spi.OBJECT_HANDLE_TYPE, null, null).visitEnd();
    MethodCode code =
        MethodCode.begin(
            cv,
            Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL,
            "pmstoreHandleOrNull",
            "()" + Spi.OBJECT_HANDLE_TYPE);
    loadHandle(code);
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  private void loadHandle(MethodCode code) {
    code.loadThis();
    code.visitFieldInsn(Opcodes.GETFIELD, facts.name(), Spi.HANDLE, Spi.OBJECT_HANDLE_TYPE);
  }

  /** Java serialization would write the fields, which a persistent object does not use. */
  private void serialization() {
    MethodCode code =
        MethodCode.begin(
            cv, Opcodes.ACC_PROTECTED, "writeReplace", CLONE_TYPE, "java/io/ObjectStreamException");
    code.loadThis();
    code.invokeStatic(Spi.CLASSES, "serialized", "(L" + Spi.ENHANCED + ";)Ljava/lang/Object;");
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  /** The text of a persistent object whose class does not override {@code toString}. */
  private void text() {
    MethodCode code = MethodCode.begin(cv, Opcodes.ACC_PUBLIC, "toString", "()Ljava/lang/String;");
    code.visitCode();
    Label plain = new Label();
    loadHandle(code);
    code.visitJumpInsn(Opcodes.IFNULL, plain);
    loadHandle(code);
    code.loadThis();
    code.invokeVirtual(
        Spi.OBJECT_HANDLE, "describe", "(L" + Spi.PERSISTENT + ";)Ljava/lang/String;");
    code.visitInsn(Opcodes.ARETURN);
    code.target(plain);
    code.loadThis();
    code.invokeSuper(facts, "toString", "()Ljava/lang/String;");
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  private boolean has(String method) {
    for (ClassFacts k = facts; k != null; k = universe.superclass(k)) {
      if (k.methods().containsKey(method)) {
        return true;
      }
    }
    return false;
  }

  /** A clone of a persistent object is another persistent object, and has a handle of its own. */
  private void cloning() {
    for (Map.Entry<String, Integer> clone : clones.entrySet()) {
      cloning(clone.getKey());
      if (!facts.methods().containsKey("clone" + clone.getKey())) {
        overrideClone(clone.getKey(), clone.getValue());
      }
    }
  }

  private void cloning(String type) {
    MethodCode code = MethodCode.begin(cv, Opcodes.ACC_FINAL, CLONE, type, CLONE_THROWS);
    Label persistent = new Label();
    loadHandle(code);
    code.visitJumpInsn(Opcodes.IFNONNULL, persistent);
    code.loadThis();
    code.invokeSuper(facts, "clone", type);
    code.visitInsn(Opcodes.ARETURN);
    code.target(persistent);
    code.loadThis();
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        Spi.PERSISTENT,
        "cloneOf",
        "(L" + Spi.PERSISTENT + ";)Ljava/lang/Object;",
        true);
    if (elements != null) {
      CollectionCode.copyElements(code, facts);
    }
    if (!type.equals(CLONE_TYPE)) {
      code.visitTypeInsn(Opcodes.CHECKCAST, Type.getReturnType(type).getInternalName());
    }
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  private void overrideClone(String type, int access) {
    // As the method that it overrides, which is public and throws nothing in a collection class.
    boolean isPublic = elements != null || (access & Opcodes.ACC_PUBLIC) != 0;
    MethodCode code =
        MethodCode.begin(
            cv,
            isPublic ? Opcodes.ACC_PUBLIC : Opcodes.ACC_PROTECTED,
            "clone",
            type,
            elements == null ? CLONE_THROWS : new String[0]);
    code.loadThis();
    code.invokeVirtual(facts.name(), CLONE, type);
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  /**
   * Returns the {@code clone} of {@code Object}, and those of superclasses that are not enhanced,
   * which would copy the handle: the access of each by its descriptor.
   */
  private Map<String, Integer> inheritedClones() {
    Map<String, Integer> found = new LinkedHashMap<>();
    found.put(CLONE_TYPE, Opcodes.ACC_PROTECTED);
    for (ClassFacts k = universe.superclass(facts); k != null; k = universe.superclass(k)) {
      for (Map.Entry<String, MethodFacts> method : k.methods().entrySet()) {
        String key = method.getKey();
        int access = method.getValue().access();
        boolean isClone = key.startsWith("clone()");
        boolean isFixed = !isClone || (access & Opcodes.ACC_FINAL) != 0;
        if (isFixed && method.getValue().clonesDirectly()) {
          faults.add(
              "method " + key.substring(0, key.indexOf('(')) + " of " + k.binaryName(),
              0,
              "it clones an object by Object.clone, which makes two Java objects of one persistent"
                  + " object, and "
                  + k.binaryName()
                  + " is not enhanced",
              "extend another class, or enhance that one too");
        } else if (isClone && (access & Opcodes.ACC_PRIVATE) == 0) {
          found.merge(key.substring("clone".length()), access, (one, other) -> one | other);
        }
      }
    }
    return found;
  }
}
