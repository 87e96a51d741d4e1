package io.pmstore.proxy.bytecode;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Makes the bytes of a generated class: a subclass of the user's class, or an implementation of the
 * interface. Accessors that do nothing else are one call each; other methods that touch persistent
 * fields call their copies.
 *
 * <pre>{@code
 * public long getPrice() {                         // on the line of Order.getPrice in Order.java
 *   long price = pmstore$handle.getLong(24);
 *   Reference.reachabilityFence(this);
 *   return price;
 * }
 *
 * public void setSymbol(String symbol) {
 *   pmstore$handle.putObject(8, 3, symbol);        // offset and property are constants
 *   Reference.reachabilityFence(this);
 * }
 *
 * public void raise(long by) {
 *   Order$PersistentCode.raise(this, by);
 * }
 * }</pre>
 *
 * <p>The class has no constructor: objects are made without one, so that no constructor of the
 * user's runs.
 */
final class SubclassEmitter {
  /** The field that holds the handle. */
  static final String HANDLE = "pmstore$handle";

  private static final String HANDLE_TYPE = Type.getDescriptor(ObjectHandle.class);
  private static final int PUBLIC = Opcodes.ACC_PUBLIC;
  private static final int SYNTHETIC = Opcodes.ACC_SYNTHETIC;
  private static final Type INT = Type.INT_TYPE;
  private static final Type VOID = Type.VOID_TYPE;

  private static final Map<SlotKind, String> METHODS =
      Map.of(
          SlotKind.BOOLEAN, "Boolean",
          SlotKind.BYTE, "Byte",
          SlotKind.SHORT, "Short",
          SlotKind.CHAR, "Char",
          SlotKind.INT, "Int",
          SlotKind.LONG, "Long",
          SlotKind.FLOAT, "Float",
          SlotKind.DOUBLE, "Double");

  private final BeanClass bean;
  private final String name;
  private final @Nullable CopiedCode copied;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final GenericSignatures signatures;
  private final ClassFrame made;

  private SubclassEmitter(BeanClass bean, String name, @Nullable CopiedCode copied) {
    this.bean = bean;
    this.name = name.replace('.', '/');
    this.copied = copied;
    this.signatures = new GenericSignatures(bean);
    List<String> interfaces = new ArrayList<>();
    Class<?> type = bean.type();
    if (type.isInterface()) {
      interfaces.add(Type.getInternalName(type));
    }
    interfaces.add(CodeCopier.PERSISTENT);
    for (CopiedCode of = copied; of != null; of = of.superclass()) {
      if (of.code().hasCopy()) {
        interfaces.add(of.internalName());
      }
    }
    this.made =
        new ClassFrame(
            (type.getModifiers() & PUBLIC) | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER,
            this.name,
            signatures.ofSubclass(interfaces),
            type.isInterface() ? Object.class : type,
            interfaces,
            bean.code());
    for (int i = 0; i < bean.properties().size(); i++) {
      indexes.put(bean.properties().get(i).name(), i);
    }
  }

  /**
   * Returns the class file. {@code copied} is the copied code of the user's class, which is defined
   * already; null for an interface.
   */
  static byte[] emit(BeanClass bean, String name, @Nullable CopiedCode copied) {
    return new SubclassEmitter(bean, name, copied).emit();
  }

  private byte[] emit() {
    made.field(Opcodes.ACC_PRIVATE | SYNTHETIC, HANDLE, HANDLE_TYPE);
    made.method(PUBLIC | SYNTHETIC, "pmstoreHandle", "()" + HANDLE_TYPE, this::returnHandle);
    for (BeanProperty property : bean.properties()) {
      if (property.field() == null) {
        accessorsOfInterface(property);
      } else {
        accessorsForCopies(property, property.field().getDeclaringClass());
      }
    }
    ofObject(bean.type());
    OverrideEmitter overrides = new OverrideEmitter(this, signatures);
    bean.overrides().forEach(override -> overrides.emit(made, override));
    return made.bytes();
  }

  private void returnHandle(MethodVisitor code) {
    handle(code);
    code.visitInsn(Opcodes.ARETURN);
  }

  /** Returns the methods that every class inherits from {@code Object}. */
  private void ofObject(Class<?> type) {
    if (PersistentClass.hasIdentityHash(type)) {
      made.method(
          PUBLIC | SYNTHETIC,
          "hashCode",
          "()I",
          code -> {
            handle(code);
            Code.call(code, ObjectHandle.class, "identityHash", INT);
            code.visitInsn(Opcodes.IRETURN);
          });
    }
    if (bean.code() != null && isClonedByObject(bean.code())) {
      callOfPersistent("clone", "cloneOf");
    }
    if (Serializable.class.isAssignableFrom(type)
        && (bean.code() == null || !has(bean.code(), "writeReplace()Ljava/lang/Object;"))) {
      callOfPersistent("writeReplace", "serialized");
    }
    if (PersistentClass.hasNoText(type)) {
      Type string = Type.getType(String.class);
      made.method(
          PUBLIC | SYNTHETIC,
          "toString",
          "()Ljava/lang/String;",
          code -> {
            handle(code);
            code.visitVarInsn(Opcodes.ALOAD, 0);
            Type of = Type.getType(PersistentObject.class);
            Code.call(code, ObjectHandle.class, "describe", string, of);
            code.visitInsn(Opcodes.ARETURN);
          });
    }
  }

  /** Emits a method that passes the object to a static one of {@link PersistentObject}. */
  private void callOfPersistent(String method, String called) {
    made.method(
        Opcodes.ACC_PROTECTED | SYNTHETIC,
        method,
        "()Ljava/lang/Object;",
        code -> {
          code.visitVarInsn(Opcodes.ALOAD, 0);
          Code.callStatic(code, CodeCopier.PERSISTENT, called, CodeCopier.OF_PERSISTENT);
          code.visitInsn(Opcodes.ARETURN);
        });
  }

  /** Returns true if the class is Cloneable and neither has nor inherits a clone method. */
  private static boolean isClonedByObject(ClassCode code) {
    return Cloneable.class.isAssignableFrom(code.type()) && !has(code, "clone()Ljava/lang/Object;");
  }

  /** Returns true if the class has or inherits a method. */
  private static boolean has(ClassCode code, String method) {
    return code.declarerOfMethod(code.type().getName(), method) != null;
  }

  BeanClass bean() {
    return bean;
  }

  /** Returns the name of the generated class, as class files spell it. */
  String internalName() {
    return name;
  }

  CopiedCode copied() {
    if (copied == null) {
      throw new IllegalStateException("an interface has no code to copy");
    }
    return copied;
  }

  /** Emits the setter, and the getter with those of superinterfaces that return a wider type. */
  private void accessorsOfInterface(BeanProperty property) {
    Method getter = property.getter();
    Method setter = property.setter();
    if (getter == null || setter == null) {
      throw new IllegalStateException("property " + property + " of an interface lacks accessors");
    }
    Set<Class<?>> types = new HashSet<>(); // two superinterfaces may declare the same
    for (Method other : bean.type().getMethods()) {
      if (other.getName().equals(getter.getName())
          && other.getParameterCount() == 0
          && (other.getReturnType() == property.type() || Modifier.isAbstract(other.getModifiers()))
          && types.add(other.getReturnType())) {
        reader(other.getName(), PUBLIC, property, other.getReturnType());
      }
    }
    writer(setter.getName(), PUBLIC, property);
  }

  private void accessorsForCopies(BeanProperty property, Class<?> owner) {
    for (CopiedCode of = copied; of != null; of = of.superclass()) {
      if (of.code().type() == owner && property.field() != null) {
        String field = property.field().getName();
        reader(of.getter(field), PUBLIC | SYNTHETIC, property, property.type());
        writer(of.setter(field), PUBLIC | SYNTHETIC, property);
      }
    }
  }

  private void reader(String method, int flags, BeanProperty property, Class<?> type) {
    Type result = Type.getType(type);
    made.method(flags, method, "()" + result, code -> read(code, property, result));
  }

  private void writer(String method, int flags, BeanProperty property) {
    String descriptor = "(" + Type.getDescriptor(property.type()) + ")V";
    made.method(flags, method, descriptor, code -> write(code, property));
  }

  /** Emits the code of a getter. */
  void read(MethodVisitor code, BeanProperty property, Type result) {
    handle(code);
    code.visitLdcInsn(offset(property));
    String primitive = METHODS.get(property.kind());
    if (primitive != null) {
      Type type = Type.getType(property.type());
      Code.call(code, ObjectHandle.class, "get" + primitive, type, INT);
    } else {
      code.visitLdcInsn(propertyCode(property));
      Code.call(code, ObjectHandle.class, "getObject", Code.OBJECT, INT, INT);
      // A getter may return something wider than a class of collections.
      boolean isShown = CollectionClasses.contains(property.type());
      Type expected = isShown ? Type.getType(property.type()) : result;
      if (!expected.equals(Code.OBJECT)) {
        // A value that is no instance is null, a collection to be shown by a facade, or damage.
        Label fits = new Label();
        code.visitInsn(Opcodes.DUP);
        code.visitTypeInsn(Opcodes.INSTANCEOF, expected.getInternalName());
        code.visitJumpInsn(Opcodes.IFNE, fits);
        fit(code, property);
        Code.targetWith(code, fits, Code.OBJECT.getInternalName());
        code.visitTypeInsn(Opcodes.CHECKCAST, expected.getInternalName());
      }
    }
    keepAlive(code);
    Code.returns(code, result);
  }

  /**
   * Emits the replacement of the value on the stack, which is no instance of the property's type.
   */
  private void fit(MethodVisitor code, BeanProperty property) {
    handle(code);
    code.visitInsn(Opcodes.SWAP);
    code.visitLdcInsn(propertyCode(property));
    if (CollectionClasses.contains(property.type())) {
      code.visitLdcInsn(Type.getType(property.type()));
      Type type = Type.getType(Class.class);
      Code.call(code, ObjectHandle.class, "fitting", Code.OBJECT, Code.OBJECT, INT, type);
    } else {
      Code.call(code, ObjectHandle.class, "requireNull", Code.OBJECT, Code.OBJECT, INT);
    }
  }

  /** Emits the code of a setter. */
  void write(MethodVisitor code, BeanProperty property) {
    handle(code);
    code.visitLdcInsn(offset(property));
    String primitive = METHODS.get(property.kind());
    if (primitive != null) {
      Type type = Type.getType(property.type());
      Code.load(code, type, 1);
      Code.call(code, ObjectHandle.class, "put" + primitive, VOID, INT, type);
    } else {
      code.visitLdcInsn(propertyCode(property));
      code.visitVarInsn(Opcodes.ALOAD, 1);
      Code.call(code, ObjectHandle.class, "putObject", VOID, INT, INT, Code.OBJECT);
    }
    keepAlive(code);
    code.visitInsn(Opcodes.RETURN);
  }

  /**
   * Emits a fence that keeps the object reachable: its place in the heap must stay its own until it
   * has been read or written.
   */
  private static void keepAlive(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        Type.getInternalName(Reference.class),
        "reachabilityFence",
        "(Ljava/lang/Object;)V",
        false);
  }

  /** Loads the handle. */
  void handle(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, name, HANDLE, HANDLE_TYPE);
  }

  private int offset(BeanProperty property) {
    return bean.shape().properties().get(index(property)).offset();
  }

  private int propertyCode(BeanProperty property) {
    return PropertyCode.of(property, index(property));
  }

  private int index(BeanProperty property) {
    Integer index = indexes.get(property.name());
    if (index == null) {
      throw new IllegalArgumentException(property + " is not of " + bean.type());
    }
    return index;
  }
}
