package io.pmstore.proxy.facade;

import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.collection.PersistentCollection;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.description.modifier.MethodManifestation;
import net.bytebuddy.description.modifier.SynchronizationState;
import net.bytebuddy.description.modifier.TypeManifestation;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.subclass.ConstructorStrategy;
import net.bytebuddy.implementation.ExceptionMethod;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/**
 * Generates subclasses of JDK collection classes. Such a class overrides each method that it could
 * inherit, in one of these ways:
 *
 * <ul>
 *   <li>it calls the method of the JDK's class or of {@code List} on a copy of the elements
 *   <li>it calls the static method that {@link Extras} has for it
 *   <li>it calls the method of the interface, such as {@code List}, on the persistent collection
 *   <li>it throws {@link UnsupportedOperationException}: a later JDK has added the method
 * </ul>
 *
 * <p>So no method of the JDK's class runs: it would read fields that hold nothing. The objects are
 * made without a constructor, which leaves these fields null.
 */
final class FacadeCode {
  /** The classes whose views, such as the reverse, are of the same class too. */
  static final List<Class<?>> VIEWS = List.of(LinkedList.class, CopyOnWriteArrayList.class);

  private FacadeCode() {}

  /**
   * Writes the classes of all facades: the build does, behind the compiler.
   *
   * @param arguments the directory of the compiled classes
   */
  public static void main(String[] arguments) throws IOException {
    Path classes = Path.of(arguments[0]);
    for (Class<?> type : CollectionClasses.all()) {
      write(type, Facade.class, classes);
    }
    for (Class<?> type : VIEWS) {
      write(type, View.class, classes);
    }
  }

  private static void write(Class<?> type, Class<? extends View> role, Path classes)
      throws IOException {
    String name = name(type, role);
    Files.write(classes.resolve(name.replace('.', '/') + ".class"), of(type, role, name));
  }

  /** Returns the binary name of the class that the build makes. */
  static String name(Class<?> type, Class<? extends View> role) {
    return FacadeCode.class.getPackageName()
        + (role == Facade.class ? ".Persistent" : ".ViewOf")
        + type.getSimpleName();
  }

  /**
   * Returns a class file, for the JDK that runs.
   *
   * @param type the JDK class that it extends
   * @param role {@code Facade}, or {@code View} for one that shows a view of another
   * @param name its binary name, in this package
   */
  static byte[] of(Class<?> type, Class<? extends View> role, String name) {
    DynamicType.Builder<?> builder =
        new ByteBuddy(ClassFileVersion.JAVA_V25)
            .subclass(type, ConstructorStrategy.Default.NO_CONSTRUCTORS)
            .modifiers(Visibility.PUBLIC, TypeManifestation.FINAL)
            .name(name)
            .implement(role)
            .defineField(
                FacadeClass.TARGET, CollectionClasses.storedAs(type), Visibility.PACKAGE_PRIVATE)
            .defineField(
                FacadeClass.COLLECTION, PersistentCollection.class, Visibility.PACKAGE_PRIVATE)
            .defineField(FacadeClass.NEXT, View.class, Visibility.PACKAGE_PRIVATE);
    builder =
        reader(builder, "pmstoreCollection", PersistentCollection.class, FacadeClass.COLLECTION);
    builder = reader(builder, "pmstoreTarget", Object.class, FacadeClass.TARGET);
    builder = reader(builder, "pmstoreNext", View.class, FacadeClass.NEXT);
    for (Method method : Methods.overridable(type)) {
      builder =
          builder
              .defineMethod(
                  method.getName(),
                  method.getReturnType(),
                  Modifier.isPublic(method.getModifiers())
                      ? Visibility.PUBLIC
                      : Visibility.PROTECTED,
                  // Code that holds the monitor of a Vector expects other threads to wait.
                  Modifier.isSynchronized(method.getModifiers())
                      ? SynchronizationState.SYNCHRONIZED
                      : SynchronizationState.PLAIN)
              .withParameters(method.getParameterTypes())
              .intercept(implementation(type, method));
    }
    return builder
        .defineMethod("writeReplace", Object.class, Visibility.PRIVATE, MethodManifestation.FINAL)
        .intercept(MethodCall.invoke(Extras.SERIALIZED).withThis())
        .make()
        .getBytes();
  }

  private static DynamicType.Builder<?> reader(
      DynamicType.Builder<?> builder, String method, Class<?> result, String field) {
    return builder
        .defineMethod(method, result, Visibility.PUBLIC)
        .intercept(
            FieldAccessor.ofField(field).withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC));
  }

  private static Implementation implementation(Class<?> type, Method method) {
    Method copier = Methods.copier(type, method);
    if (copier != null) {
      Method ofList = Methods.ofInterface(CopyOnWriteArrayList.class, method);
      return withArguments(
          MethodCall.invoke(ofList == null ? method : ofList).onMethodCall(call(copier)));
    }
    Method extra = Methods.extra(type, method);
    if (extra != null) {
      return withArguments(call(extra));
    }
    Method ofInterface = Methods.ofInterface(type, method);
    if (ofInterface != null) {
      return withArguments(MethodCall.invoke(ofInterface).onField(FacadeClass.TARGET));
    }
    return ExceptionMethod.throwing(
        UnsupportedOperationException.class,
        "pmstore does not know %s of %s; declare the property as %s, and call a method of that"
            .formatted(
                method.getName(), type.getName(), CollectionClasses.storedAs(type).getName()));
  }

  /** Returns the call of a static method of this package on the facade, or on what it shows. */
  private static MethodCall call(Method extra) {
    MethodCall call = MethodCall.invoke(extra);
    return extra.getParameterTypes()[0] == View.class
        ? call.withThis()
        : call.withField(FacadeClass.TARGET);
  }

  private static Implementation withArguments(MethodCall call) {
    return call.withAllArguments().withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC);
  }
}
