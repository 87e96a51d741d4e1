package io.pmstore.proxy.bytecode;

import io.pmstore.ClassRefusedException;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.spi.PrivateMembers;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The copied code of the program's classes. It is defined once beside each class, by the first
 * persistent class that needs it. Safe for use by any number of threads.
 */
final class CopiedCodes {
  private static final class Slot {
    private @Nullable CopiedCode made;
  }

  // The classes hold the slots, so that unused class loaders can be collected.
  private static final ClassValue<Slot> SLOTS =
      new ClassValue<>() {
        @Override
        protected Slot computeValue(Class<?> type) {
          return new Slot();
        }
      };

  private CopiedCodes() {}

  /**
   * Returns the names in the copied code of a class, which is defined then, with that of its
   * superclasses. {@code lookups} return lookups with full access to a class.
   *
   * @throws ClassRefusedException if the JVM refuses the code
   */
  static CopiedCode of(ClassCode code, Function<Class<?>, MethodHandles.Lookup> lookups)
      throws IllegalAccessException {
    CopiedCode superclass = code.superclass() == null ? null : of(code.superclass(), lookups);
    Slot slot = SLOTS.get(code.type());
    synchronized (slot) {
      CopiedCode made = slot.made;
      if (made == null) {
        made = make(code, superclass, lookups);
        slot.made = made;
      }
      return made;
    }
  }

  private static CopiedCode make(
      ClassCode code,
      @Nullable CopiedCode superclass,
      Function<Class<?>, MethodHandles.Lookup> lookups)
      throws IllegalAccessException {
    CopiedCode copied = new CopiedCode(code, superclass, "");
    if (!code.hasCopy()) {
      return copied;
    }
    if (code.hasMoreThanAccessors()) {
      requireApi(code.type());
    }
    MethodHandles.Lookup lookup = lookups.apply(code.type());
    // The user's class may have a nested class of that name, which must not be shadowed.
    for (int i = 2; isDefined(lookup, copied.name()); i++) {
      copied = new CopiedCode(code, superclass, String.valueOf(i));
    }
    try {
      for (Map.Entry<String, byte[]> one : CopiedCodeEmitter.emit(copied).entrySet()) {
        define(lookup, one.getKey(), one.getValue());
      }
      lookup.ensureInitialized(lookup.findClass(copied.name())); // verifies it now, not later
      return copied;
    } catch (LinkageError | ClassNotFoundException | IllegalArgumentException e) {
      throw new ClassRefusedException(
          "class %s cannot be kept in a store: its methods that use fields directly cannot be copied: %s; let them call accessors, and please report this"
              .formatted(code.type().getName(), e.getMessage()),
          e);
    }
  }

  /**
   * Defines a class. The JVM links it at once, unless it needs one that is defined next, as an enum
   * needs the classes of its constants; then the JVM links it at its first use.
   */
  private static void define(MethodHandles.Lookup lookup, String name, byte[] classFile)
      throws IllegalAccessException {
    try {
      lookup.defineClass(classFile);
    } catch (NoClassDefFoundError e) {
      if (!isDefined(lookup, name)) {
        throw e;
      }
    }
  }

  /**
   * Throws if pmstore's API is not visible to a class, as may happen to one that is not annotated
   * itself.
   */
  private static void requireApi(Class<?> type) {
    String api = PrivateMembers.class.getModule().getName();
    String remedy;
    if (!type.getModule().canRead(PrivateMembers.class.getModule())) {
      remedy = "add \"requires %s;\" to the module-info.java of its module".formatted(api);
    } else {
      try {
        if (Class.forName(PrivateMembers.class.getName(), false, type.getClassLoader())
            == PrivateMembers.class) {
          return;
        }
        remedy = "load pmstore once, with a class loader above both";
      } catch (ClassNotFoundException e) {
        remedy = "make pmstore visible to its class loader, " + type.getClassLoader();
      }
    }
    throw new ClassRefusedException(
        "class %s cannot be kept in a store: its methods use fields directly, and the copies of these methods need classes of pmstore, which this class does not see; %s"
            .formatted(type.getName(), remedy));
  }

  static boolean isDefined(MethodHandles.Lookup lookup, String name) throws IllegalAccessException {
    try {
      lookup.findClass(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
