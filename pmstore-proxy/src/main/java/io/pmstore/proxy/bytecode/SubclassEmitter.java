package io.pmstore.proxy.bytecode;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.MethodOverride;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.ref.Reference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private static final ClassDesc HANDLE_TYPE = desc(ObjectHandle.class);
  private static final ClassDesc INT = ConstantDescs.CD_int;
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  private static final ClassDesc VOID = ConstantDescs.CD_void;
  private static final ClassDesc REFERENCE = desc(Reference.class);
  private static final MethodTypeDesc FENCE = MethodTypeDesc.of(VOID, OBJECT);
  private static final MethodTypeDesc GET_OBJECT = MethodTypeDesc.of(OBJECT, INT, INT);
  private static final MethodTypeDesc PUT_OBJECT = MethodTypeDesc.of(VOID, INT, INT, OBJECT);

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
  private final ClassDesc name;
  private final @Nullable CopiedCode copied;
  private final Map<String, Integer> indexes = new HashMap<>();

  private SubclassEmitter(BeanClass bean, String name, @Nullable CopiedCode copied) {
    this.bean = bean;
    this.name = ClassDesc.of(name);
    this.copied = copied;
    for (int i = 0; i < bean.properties().size(); i++) {
      indexes.put(bean.properties().get(i).name(), i);
    }
  }

  /**
   * Makes the bytes.
   *
   * @param bean the user's class
   * @param name the name of the generated class
   * @param copied the copied code of the user's class; null for an interface
   * @return a class file
   */
  static byte[] emit(BeanClass bean, String name, @Nullable CopiedCode copied) {
    SubclassEmitter emitter = new SubclassEmitter(bean, name, copied);
    return ClassFile.of().build(emitter.name, emitter::members);
  }

  private void members(ClassBuilder builder) {
    Class<?> type = bean.type();
    int access = Modifier.isPublic(type.getModifiers()) ? ClassFile.ACC_PUBLIC : 0;
    builder
        .withVersion(ClassFile.JAVA_25_VERSION, 0)
        .withFlags(access | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
        .withField(HANDLE, HANDLE_TYPE, ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC)
        .withMethodBody(
            "pmstoreHandle",
            MethodTypeDesc.of(HANDLE_TYPE),
            ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNTHETIC,
            code -> handle(code).areturn());
    List<ClassDesc> interfaces = new ArrayList<>();
    if (type.isInterface()) {
      interfaces.add(desc(type));
    } else {
      builder.withSuperclass(desc(type));
    }
    interfaces.add(desc(PersistentObject.class));
    for (CopiedCode of = copied; of != null; of = of.superclass()) {
      if (of.code().hasCopy()) {
        interfaces.add(of.desc());
      }
    }
    builder.withInterfaceSymbols(interfaces);
    GenericSignatures signatures = new GenericSignatures(bean);
    signatures.ofSubclass(interfaces).ifPresent(builder::with);
    ClassCode code = bean.code();
    if (code != null) {
      code.model()
          .findAttribute(Attributes.sourceFile())
          .ifPresent(a -> builder.with(SourceFileAttribute.of(a.sourceFile().stringValue())));
    }
    for (BeanProperty property : bean.properties()) {
      if (property.field() == null) {
        accessorsOfInterface(builder, property);
      } else {
        accessorsForCopies(builder, property, property.field().getDeclaringClass());
      }
    }
    for (MethodOverride override : bean.overrides()) {
      new OverrideEmitter(this, signatures).emit(builder, override);
    }
  }

  BeanClass bean() {
    return bean;
  }

  CopiedCode copied() {
    if (copied == null) {
      throw new IllegalStateException("an interface has no code to copy");
    }
    return copied;
  }

  /** The getter, also the ones of superinterfaces that return something wider; and the setter. */
  private void accessorsOfInterface(ClassBuilder builder, BeanProperty property) {
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
        reader(builder, other.getName(), property, desc(other.getReturnType()));
      }
    }
    writer(builder, setter.getName(), property);
  }

  private void accessorsForCopies(ClassBuilder builder, BeanProperty property, Class<?> owner) {
    for (CopiedCode of = copied; of != null; of = of.superclass()) {
      if (of.code().type() == owner && property.field() != null) {
        reader(builder, of.getter(property.field().getName()), property, desc(property.type()));
        writer(builder, of.setter(property.field().getName()), property);
      }
    }
  }

  private void reader(ClassBuilder builder, String method, BeanProperty property, ClassDesc type) {
    builder.withMethodBody(
        method,
        MethodTypeDesc.of(type),
        accessorFlags(property),
        code -> read(code, property, type));
  }

  private void writer(ClassBuilder builder, String method, BeanProperty property) {
    builder.withMethodBody(
        method,
        MethodTypeDesc.of(VOID, desc(property.type())),
        accessorFlags(property),
        code -> write(code, property, desc(property.type())));
  }

  private static int accessorFlags(BeanProperty property) {
    return ClassFile.ACC_PUBLIC | (property.field() == null ? 0 : ClassFile.ACC_SYNTHETIC);
  }

  /** The code of a getter. */
  void read(CodeBuilder code, BeanProperty property, ClassDesc type) {
    int offset = offset(property);
    handle(code).loadConstant(offset);
    String primitive = METHODS.get(property.kind());
    if (primitive != null) {
      MethodTypeDesc get = MethodTypeDesc.of(desc(property.type()), INT);
      code.invokevirtual(HANDLE_TYPE, "get" + primitive, get);
    } else {
      code.loadConstant(propertyCode(property)).invokevirtual(HANDLE_TYPE, "getObject", GET_OBJECT);
      if (!type.equals(OBJECT)) {
        code.checkcast(type);
      }
    }
    keepAlive(code).return_(TypeKind.from(type));
  }

  /** The code of a setter. */
  void write(CodeBuilder code, BeanProperty property, ClassDesc parameter) {
    int offset = offset(property);
    handle(code).loadConstant(offset);
    String primitive = METHODS.get(property.kind());
    if (primitive != null) {
      code.loadLocal(TypeKind.from(parameter), 1)
          .invokevirtual(
              HANDLE_TYPE, "put" + primitive, MethodTypeDesc.of(VOID, INT, desc(property.type())));
    } else {
      code.loadConstant(propertyCode(property))
          .aload(1)
          .invokevirtual(HANDLE_TYPE, "putObject", PUT_OBJECT);
    }
    keepAlive(code).return_();
  }

  /**
   * What an object protects is its place in the heap, so it must not die before that has been read
   * or written.
   */
  private static CodeBuilder keepAlive(CodeBuilder code) {
    return code.aload(0).invokestatic(REFERENCE, "reachabilityFence", FENCE);
  }

  private CodeBuilder handle(CodeBuilder code) {
    return code.aload(0).getfield(name, HANDLE, HANDLE_TYPE);
  }

  private int offset(BeanProperty property) {
    return bean.shape().properties().get(index(property)).offset();
  }

  private int propertyCode(BeanProperty property) {
    return PropertyCode.of(property.kind(), index(property));
  }

  private int index(BeanProperty property) {
    Integer index = indexes.get(property.name());
    if (index == null) {
      throw new IllegalArgumentException(property + " is not of " + bean.type());
    }
    return index;
  }

  static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }
}
