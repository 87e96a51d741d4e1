package io.pmstore.proxy.bytecode;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.description.modifier.SyntheticState;
import net.bytebuddy.description.modifier.TypeManifestation;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.dynamic.scaffold.subclass.ConstructorStrategy;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/**
 * Makes the bytes of a generated class: a subclass of the user's class, or an implementation of the
 * interface, whose accessors are one call each.
 *
 * <pre>{@code
 * public long getPrice() {                         // on the line of Order.getPrice in Order.java
 *   return pmstore$handle.getLong(24);
 * }
 *
 * public void setSymbol(String symbol) {
 *   pmstore$handle.putObject(8, 3, symbol);        // offset and property are constants
 * }
 * }</pre>
 *
 * <p>The class has no constructor: objects are made without one, so that no constructor of the
 * user's runs.
 */
final class AccessorEmitter {
  /** The field that holds the handle. */
  static final String HANDLE = "pmstore$handle";

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

  private AccessorEmitter() {}

  /**
   * Makes the bytes.
   *
   * @param bean the user's class
   * @param name the name of the generated class
   * @return a class file
   */
  static byte[] emit(BeanClass bean, String name) {
    Class<?> type = bean.type();
    DynamicType.Builder<?> builder =
        new ByteBuddy(ClassFileVersion.JAVA_V25)
            .with(TypeValidation.DISABLED)
            .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
            .subclass(type, ConstructorStrategy.Default.NO_CONSTRUCTORS)
            .name(name)
            .modifiers(
                Modifier.isPublic(type.getModifiers())
                    ? Visibility.PUBLIC
                    : Visibility.PACKAGE_PRIVATE,
                TypeManifestation.FINAL,
                SyntheticState.SYNTHETIC)
            .implement(PersistentObject.class)
            .defineField(HANDLE, ObjectHandle.class, Visibility.PRIVATE, SyntheticState.SYNTHETIC)
            .defineMethod("pmstoreHandle", ObjectHandle.class, Visibility.PUBLIC)
            .intercept(FieldAccessor.ofField(HANDLE));
    Map<String, Integer> lines = new HashMap<>();
    List<BeanProperty> properties = bean.properties();
    for (int i = 0; i < properties.size(); i++) {
      BeanProperty property = properties.get(i);
      int offset = bean.shape().properties().get(i).offset();
      builder = getters(builder, type, property, offset, i);
      builder =
          builder
              .defineMethod(property.setter().getName(), void.class, visibility(property.setter()))
              .withParameters(property.type())
              .intercept(put(property, offset, i));
      lines.put(property.getter().getName() + "()", property.getterLine());
      lines.put(
          property.setter().getName() + "(" + descriptor(property.type()) + ")",
          property.setterLine());
    }
    if (!bean.sourceFile().isEmpty()) {
      builder = builder.visit(new SourceLines(bean.sourceFile(), lines));
    }
    try (DynamicType.Unloaded<?> made = builder.make()) {
      return made.getBytes();
    }
  }

  /**
   * The getter; for an interface also the ones of its superinterfaces that return something wider.
   */
  private static DynamicType.Builder<?> getters(
      DynamicType.Builder<?> builder, Class<?> type, BeanProperty property, int offset, int index) {
    Method getter = property.getter();
    DynamicType.Builder<?> result =
        builder
            .defineMethod(getter.getName(), getter.getReturnType(), visibility(getter))
            .intercept(get(property, offset, index));
    if (type.isInterface()) {
      for (Method other : type.getMethods()) {
        if (other.getName().equals(getter.getName())
            && other.getParameterCount() == 0
            && other.getReturnType() != getter.getReturnType()
            && Modifier.isAbstract(other.getModifiers())) {
          result =
              result
                  .defineMethod(other.getName(), other.getReturnType(), Visibility.PUBLIC)
                  .intercept(get(property, offset, index));
        }
      }
    }
    return result;
  }

  private static Implementation get(BeanProperty property, int offset, int index) {
    if (METHODS.containsKey(property.kind())) {
      return MethodCall.invoke(handleMethod("get" + METHODS.get(property.kind()), int.class))
          .onField(HANDLE)
          .with(offset);
    }
    return MethodCall.invoke(handleMethod("getObject", int.class, int.class))
        .onField(HANDLE)
        .with(offset)
        .with(PropertyCode.of(property.kind(), index))
        .withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC);
  }

  private static Implementation put(BeanProperty property, int offset, int index) {
    if (METHODS.containsKey(property.kind())) {
      return MethodCall.invoke(
              handleMethod("put" + METHODS.get(property.kind()), int.class, property.type()))
          .onField(HANDLE)
          .with(offset)
          .withArgument(0);
    }
    return MethodCall.invoke(handleMethod("putObject", int.class, int.class, Object.class))
        .onField(HANDLE)
        .with(offset)
        .with(PropertyCode.of(property.kind(), index))
        .withArgument(0);
  }

  private static Method handleMethod(String name, Class<?>... parameters) {
    try {
      return ObjectHandle.class.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new LinkageError("this pmstore-proxy needs another version of pmstore-api", e);
    }
  }

  private static Visibility visibility(Method accessor) {
    int modifiers = accessor.getModifiers();
    if (Modifier.isPublic(modifiers)) {
      return Visibility.PUBLIC;
    }
    return Modifier.isProtected(modifiers) ? Visibility.PROTECTED : Visibility.PACKAGE_PRIVATE;
  }

  private static String descriptor(Class<?> type) {
    return TypeDescription.ForLoadedType.of(type).getDescriptor();
  }
}
