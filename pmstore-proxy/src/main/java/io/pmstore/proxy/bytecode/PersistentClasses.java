package io.pmstore.proxy.bytecode;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanDiscovery;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The persistent classes of the program, each generated at its first use. Safe for use by any
 * number of threads: one of them generates a class, the others wait for it.
 */
public final class PersistentClasses {
  private static final String SUFFIX = "$Persistent";

  private static final class Slot {
    private volatile @Nullable PersistentClass made;
  }

  // The classes hold the slots, so that unused class loaders can be collected.
  private static final ClassValue<Slot> SLOTS =
      new ClassValue<>() {
        @Override
        protected Slot computeValue(Class<?> type) {
          return new Slot();
        }
      };

  private PersistentClasses() {}

  /**
   * Returns the persistent class of a user's class, or of a generated one; generates it at the
   * first call. Later calls return the same.
   *
   * @throws ClassRefusedException if objects of the class cannot be kept in a store
   */
  public static PersistentClass of(Class<?> type) {
    Objects.requireNonNull(type, "the class is null; name one that is annotated with @Persistent");
    if (PersistentObject.class.isAssignableFrom(type) && type.isSynthetic()) {
      Class<?> superclass = type.getSuperclass();
      return of(superclass == Object.class ? type.getInterfaces()[0] : superclass);
    }
    Slot slot = SLOTS.get(type);
    PersistentClass made = slot.made;
    if (made != null) {
      return made;
    }
    synchronized (slot) {
      made = slot.made;
      if (made == null) {
        checkCanBeDefined(type);
        BeanClass bean = BeanDiscovery.discover(type);
        if (hasSubclassesOnly(type)) {
          throw PersistentClass.isAbstract(type);
        }
        made = make(bean);
        slot.made = made;
      }
      return made;
    }
  }

  /**
   * Examines a class, and generates what stands for its objects, if there can be any.
   *
   * @throws ClassRefusedException if no store can keep it
   */
  public static BeanClass examined(Class<?> type) {
    return hasSubclassesOnly(type) ? BeanDiscovery.discover(type) : of(type).bean();
  }

  /**
   * Returns true for a sealed class of which no subclass is generated: a store keeps abstract ones.
   */
  private static boolean hasSubclassesOnly(Class<?> type) {
    return type.isSealed() && !EnhancedObject.class.isAssignableFrom(type);
  }

  private static void checkCanBeDefined(Class<?> type) {
    if (NativeImage.isRunning()
        && type.isAnnotationPresent(Persistent.class)
        && !EnhancedObject.class.isAssignableFrom(type)) {
      throw new ClassRefusedException(
          "%s cannot be kept in a store: a native image can define no class beside it; use a class that pmstore-enhance has enhanced when it was built"
              .formatted(type.getName()));
    }
  }

  private static PersistentClass make(BeanClass bean) {
    Class<?> type = bean.type();
    try {
      if (bean.isEnhanced()) {
        return enhanced(bean);
      }
      MethodHandles.Lookup lookup = PrivateLookups.in(type, type);
      ClassCode code = bean.code();
      CopiedCode copied =
          code == null ? null : CopiedCodes.of(code, owner -> PrivateLookups.in(owner, type));
      Class<?> generated = define(bean, copied, lookup);
      Instantiator instantiator =
          new Instantiator(
              generated,
              generated,
              MethodHandles.privateLookupIn(generated, MethodHandles.lookup()));
      MethodHandle[] readers = {};
      MethodHandle constructor = null;
      if (!type.isInterface()) {
        readers = readers(bean);
        constructor = constructor(type, lookup);
      }
      return new PersistentClass(
          bean, generated, instantiator, readers, new OnLoadCalls(bean, copied), constructor);
    } catch (ReflectiveOperationException e) {
      throw new ClassRefusedException(
          "class %s cannot be kept in a store: its generated subclass cannot be used: %s; please report this, with the class file"
              .formatted(type.getName(), e),
          e);
    }
  }

  /** An enhanced class needs no other beside it. */
  private static PersistentClass enhanced(BeanClass bean) throws ReflectiveOperationException {
    Class<?> type = bean.type();
    EnhancedLayouts.publish(bean);
    Class<?> owner = EnhancedLayouts.ownerOfHandle(type);
    return new PersistentClass(
        bean,
        type,
        new Instantiator(type, owner, PrivateLookups.in(owner, type)),
        readers(bean),
        new OnLoadCalls(bean, null),
        constructor(type, PrivateLookups.in(type, type)));
  }

  private static MethodHandle[] readers(BeanClass bean) throws IllegalAccessException {
    MethodHandle[] readers = new MethodHandle[bean.properties().size()];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = reader(bean.type(), bean.properties().get(i));
    }
    return readers;
  }

  private static MethodHandle reader(Class<?> type, BeanProperty property)
      throws IllegalAccessException {
    Field field = property.requiredField();
    return Elements.isIn(field)
        ? Elements.READER
        : PrivateLookups.in(field.getDeclaringClass(), type).unreflectGetter(field);
  }

  /** Returns the constructor without parameters; null if the class has none. */
  private static @Nullable MethodHandle constructor(Class<?> type, MethodHandles.Lookup lookup) {
    if (Modifier.isAbstract(type.getModifiers())) {
      return null;
    }
    try {
      return lookup.findConstructor(type, MethodType.methodType(void.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null; // all of the class's own are accessible: the JVM found a superclass's
    }
  }

  private static Class<?> define(
      BeanClass bean, @Nullable CopiedCode copied, MethodHandles.Lookup lookup)
      throws IllegalAccessException {
    String name = bean.type().getName() + SUFFIX;
    // The user's class may have a nested class of that name, which must not be shadowed.
    for (int i = 2; CopiedCodes.isDefined(lookup, name); i++) {
      name = bean.type().getName() + SUFFIX + i;
    }
    try {
      return lookup.defineClass(SubclassEmitter.emit(bean, name, copied));
    } catch (LinkageError e) {
      throw new ClassRefusedException(
          "class %s cannot be kept in a store: the JVM refuses its generated subclass %s: %s; please report this, with the class file"
              .formatted(bean.type().getName(), name, e.getMessage()),
          e);
    }
  }
}
