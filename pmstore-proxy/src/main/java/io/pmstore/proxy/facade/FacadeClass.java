package io.pmstore.proxy.facade;

import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.bytecode.Blank;
import io.pmstore.proxy.bytecode.NativeImage;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.collection.PersistentDeque;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A generated subclass of a JDK collection class, which {@link FacadeCode} describes. The build of
 * pmstore has generated it for the JDK of the build; a JDK whose class has other methods gets
 * another one at its first use.
 */
final class FacadeClass {
  static final String TARGET = "pmstore$target";
  static final String COLLECTION = "pmstore$collection";
  static final String NEXT = "pmstore$next";

  private static final Map<Class<?>, FacadeClass> BY_TYPE = new ConcurrentHashMap<>();
  private static final Map<Class<?>, FacadeClass> VIEWS = new ConcurrentHashMap<>();

  private final Class<?> generated;
  private final Blank blank;
  private final VarHandle target;
  private final VarHandle collection;
  private final VarHandle next;

  private FacadeClass(Class<?> type, Class<? extends View> role) {
    try {
      generated = generated(type, role);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      blank = Blank.of(generated);
      target = lookup.findVarHandle(generated, TARGET, CollectionClasses.storedAs(type));
      collection = lookup.findVarHandle(generated, COLLECTION, PersistentCollection.class);
      next = lookup.findVarHandle(generated, NEXT, View.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the generated subclass of " + type.getName() + " cannot be used", e);
    }
  }

  /** Returns the generated facade class of a JDK class. */
  static FacadeClass of(Class<?> type) {
    FacadeClass known = BY_TYPE.get(type);
    return known != null
        ? known
        : BY_TYPE.computeIfAbsent(type, t -> new FacadeClass(t, Facade.class));
  }

  /**
   * Returns a list of the same class that shows another one in reverse. It is no {@link Facade}:
   * assigning it makes a new list. Its own reverse is the other one.
   */
  static View reversed(View list) {
    View known = list instanceof Facade ? null : list.pmstoreNext();
    return known != null ? known : newView(list, View.list(list).reversed(), list);
  }

  /** Returns a list of the same class that shows a part of another one. It is no {@link Facade}. */
  static View part(View list, int from, int to) {
    return newView(list, View.list(list).subList(from, to), null);
  }

  private static View newView(View of, List<?> target, @Nullable View reversed) {
    Class<?> type = of.getClass().getSuperclass();
    return (View)
        VIEWS
            .computeIfAbsent(type, t -> new FacadeClass(t, View.class))
            .make(of.pmstoreCollection(), target, reversed);
  }

  Class<?> generated() {
    return generated;
  }

  /**
   * Makes a facade of a collection. Whoever iterates over one of the JDK's concurrent queues and
   * deques may add and remove elements meanwhile.
   */
  Facade newFacade(PersistentCollection of, @Nullable Facade before) {
    Class<?> type = generated.getSuperclass();
    boolean isConcurrent =
        type == ConcurrentLinkedDeque.class || type == ConcurrentLinkedQueue.class;
    Object shown = isConcurrent ? ((PersistentDeque<?>) of).weaklyConsistent() : of;
    return (Facade) make(of, shown, before);
  }

  private Object make(PersistentCollection of, Object shown, @Nullable View before) {
    Object made = blank.make();
    collection.set(made, of);
    target.set(made, shown);
    next.set(made, before);
    VarHandle.storeStoreFence(); // publishes the fields as if they were final
    return made;
  }

  private static Class<?> generated(Class<?> type, Class<? extends View> role)
      throws IllegalAccessException {
    Class<?> built = built(FacadeCode.name(type, role));
    // The builder of an image has looked at the methods, which the image does not know.
    return built != null && (NativeImage.isRunning() || overridesAll(built, type))
        ? built
        : MethodHandles.lookup()
            .defineClass(FacadeCode.of(type, role, FacadeCode.name(type, role) + "OfThisJdk"));
  }

  /**
   * Returns the class that the build has made, for a native image.
   *
   * @throws IllegalStateException if it is not there, or the JDK that runs has other methods
   */
  static Class<?> forImage(Class<?> type, Class<? extends View> role) {
    Class<?> built = built(FacadeCode.name(type, role));
    if (built == null || !overridesAll(built, type)) {
      throw new IllegalStateException(
          "%s has other methods in this JDK than in that of pmstore's build, and no class can be defined in an image; use the version of the JDK that pmstore was built with"
              .formatted(type.getName()));
    }
    return built;
  }

  /** Returns the class that the build has made; null if only a compiler has run. */
  private static @Nullable Class<?> built(String name) {
    try {
      return Class.forName(name, false, FacadeClass.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Returns true if a class overrides all methods that it could inherit on the JDK that runs. */
  static boolean overridesAll(Class<?> built, Class<?> type) {
    for (Method method : Methods.overridable(type)) {
      try {
        Method own = built.getDeclaredMethod(method.getName(), method.getParameterTypes());
        if (own.getReturnType() != method.getReturnType()) {
          return false;
        }
      } catch (NoSuchMethodException e) {
        return false;
      }
    }
    return true;
  }
}
