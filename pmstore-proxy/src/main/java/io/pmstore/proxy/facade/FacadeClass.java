package io.pmstore.proxy.facade;

import io.pmstore.PmStoreException;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.bytecode.Instantiator;
import io.pmstore.proxy.collection.PersistentCollection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.ByteBuddy;
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
import org.jspecify.annotations.Nullable;

/**
 * A generated subclass of a JDK collection class. It overrides each method that it could inherit,
 * in one of these ways:
 *
 * <ul>
 *   <li>it calls the static method that {@link Extras} has for it
 *   <li>it calls the method of the interface, such as {@code List}, on the persistent collection
 *   <li>it throws {@link UnsupportedOperationException}: a later JDK has added the method
 * </ul>
 *
 * <p>So no method of the JDK's class runs: it would read fields that hold nothing. The objects are
 * made without a constructor, which leaves these fields null.
 */
final class FacadeClass {
  private static final String TARGET = "pmstore$target";
  private static final String COLLECTION = "pmstore$collection";
  private static final String NEXT = "pmstore$next";

  private static final Map<Class<?>, FacadeClass> BY_TYPE = new ConcurrentHashMap<>();
  private static final Map<Class<?>, FacadeClass> REVERSED = new ConcurrentHashMap<>();

  private final Class<?> generated;
  private final Constructor<?> constructor;
  private final VarHandle target;
  private final VarHandle collection;
  private final VarHandle next;

  private FacadeClass(Class<?> type, Class<? extends View> role, String name) {
    try {
      generated = generate(type, role, name);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      constructor = Instantiator.blank(generated);
      target = lookup.findVarHandle(generated, TARGET, CollectionClasses.storedAs(type));
      collection = lookup.findVarHandle(generated, COLLECTION, PersistentCollection.class);
      next = lookup.findVarHandle(generated, NEXT, Facade.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the generated subclass of " + type.getName() + " cannot be used", e);
    }
  }

  /** Returns the generated facade class of a JDK class. */
  static FacadeClass of(Class<?> type) {
    FacadeClass known = BY_TYPE.get(type);
    return known != null
        ? known
        : BY_TYPE.computeIfAbsent(
            type, t -> new FacadeClass(t, Facade.class, "Persistent" + t.getSimpleName()));
  }

  /**
   * Returns a {@code LinkedList} that shows another one in reverse. It is no {@link Facade}:
   * assigning it makes a new list.
   */
  static View newReversed(View other) {
    FacadeClass type =
        REVERSED.computeIfAbsent(
            LinkedList.class, t -> new FacadeClass(t, View.class, "Reversed" + t.getSimpleName()));
    return (View)
        type.make(other.pmstoreCollection(), ((List<?>) other.pmstoreTarget()).reversed(), null);
  }

  Class<?> generated() {
    return generated;
  }

  /** Makes a facade of a collection. */
  Facade newFacade(PersistentCollection of, @Nullable Facade before) {
    return (Facade) make(of, of, before);
  }

  private Object make(PersistentCollection of, Object shown, @Nullable Facade before) {
    try {
      Object made = constructor.newInstance();
      collection.set(made, of);
      target.set(made, shown);
      next.set(made, before);
      VarHandle.storeStoreFence(); // publishes the fields as if they were final
      return made;
    } catch (ReflectiveOperationException e) {
      throw new PmStoreException(
          "an object of %s cannot be made: %s; please report this".formatted(constructor, e), e);
    }
  }

  // -- generation

  private static Class<?> generate(Class<?> type, Class<? extends View> role, String name)
      throws IllegalAccessException {
    DynamicType.Builder<?> builder =
        new ByteBuddy()
            .subclass(type, ConstructorStrategy.Default.NO_CONSTRUCTORS)
            .modifiers(Visibility.PUBLIC, TypeManifestation.FINAL)
            .name(FacadeClass.class.getPackageName() + "." + name)
            .implement(role)
            .defineField(TARGET, CollectionClasses.storedAs(type), Visibility.PACKAGE_PRIVATE)
            .defineField(COLLECTION, PersistentCollection.class, Visibility.PACKAGE_PRIVATE)
            .defineField(NEXT, Facade.class, Visibility.PACKAGE_PRIVATE);
    builder = reader(builder, "pmstoreCollection", PersistentCollection.class, COLLECTION);
    builder = reader(builder, "pmstoreTarget", Object.class, TARGET);
    if (role == Facade.class) {
      builder = reader(builder, "pmstoreNext", Facade.class, NEXT);
    }
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
    byte[] bytes =
        builder
            .defineMethod(
                "writeReplace", Object.class, Visibility.PRIVATE, MethodManifestation.FINAL)
            .intercept(MethodCall.invoke(Extras.PLAIN_COPY).withThis())
            .make()
            .getBytes();
    return MethodHandles.lookup().defineClass(bytes);
  }

  private static DynamicType.Builder<?> reader(
      DynamicType.Builder<?> builder, String method, Class<?> result, String field) {
    return builder
        .defineMethod(method, result, Visibility.PUBLIC)
        .intercept(
            FieldAccessor.ofField(field).withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC));
  }

  private static Implementation implementation(Class<?> type, Method method) {
    Method extra = Methods.extra(type, method);
    if (extra != null) {
      MethodCall call = MethodCall.invoke(extra);
      return (extra.getParameterTypes()[0] == View.class ? call.withThis() : call.withField(TARGET))
          .withAllArguments()
          .withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC);
    }
    Method ofInterface = Methods.ofInterface(type, method);
    if (ofInterface != null) {
      return MethodCall.invoke(ofInterface)
          .onField(TARGET)
          .withAllArguments()
          .withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC);
    }
    return ExceptionMethod.throwing(
        UnsupportedOperationException.class,
        "pmstore does not know %s of %s; declare the property as %s, and call a method of that"
            .formatted(
                method.getName(), type.getName(), CollectionClasses.storedAs(type).getName()));
  }
}
