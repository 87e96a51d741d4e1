package io.pmstore.spi;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets copied code use what its class could use: the private and inherited members that the class
 * it was copied from sees, and the class that it was copied into does not. Safe for use by any
 * number of threads.
 */
public final class PrivateMembers {
  /** Reads an instance field. */
  public static final String GET = "get";

  /** Writes an instance field. */
  public static final String PUT = "put";

  /** Reads a static field. */
  public static final String GET_STATIC = "getStatic";

  /** Writes a static field. */
  public static final String PUT_STATIC = "putStatic";

  /** Calls an instance method of an object. */
  public static final String CALL = "call";

  /** Calls the superclass's or superinterface's method of {@code this}. */
  public static final String CALL_SUPER = "callSuper";

  /** Calls a static method. */
  public static final String CALL_STATIC = "callStatic";

  /** Makes an object; the member's name does not matter. */
  public static final String NEW = "new";

  // The classes themselves hold the lookups, so a class loader that nobody needs any more can go.
  private static final ClassValue<AtomicReference<MethodHandles.@Nullable Lookup>> GRANTED =
      new ClassValue<>() {
        @Override
        protected AtomicReference<MethodHandles.@Nullable Lookup> computeValue(Class<?> type) {
          return new AtomicReference<>();
        }
      };

  private PrivateMembers() {}

  /**
   * Lets the code of one class use what another class sees.
   *
   * @param copy the class that holds copied code; with full privileges
   * @param original the class that it was copied from; with full privileges
   * @throws IllegalArgumentException if a lookup lacks private access
   */
  public static void grant(MethodHandles.Lookup copy, MethodHandles.Lookup original) {
    if (!copy.hasFullPrivilegeAccess() || !original.hasFullPrivilegeAccess()) {
      throw new IllegalArgumentException(
          "private access to %s and %s is needed; make the lookups with privateLookupIn"
              .formatted(copy, original));
    }
    GRANTED.get(copy.lookupClass()).set(original);
  }

  /**
   * Links one place of copied code to a member; called by the JVM.
   *
   * @param copy the class that holds the code
   * @param member the member's name
   * @param type what the code passes, the receiver first, and what it expects
   * @param use one of the constants of this class
   * @param owner the class that the original code names
   * @return the call site
   * @throws ReflectiveOperationException if the member is not there
   */
  public static CallSite link(
      MethodHandles.Lookup copy, String member, MethodType type, String use, Class<?> owner)
      throws ReflectiveOperationException {
    MethodHandles.Lookup original = GRANTED.get(copy.lookupClass()).get();
    if (original == null || !copy.hasFullPrivilegeAccess()) {
      throw new IllegalAccessException(copy.lookupClass() + " holds no copied code");
    }
    Class<?> result = type.returnType();
    MethodHandle handle =
        switch (use) {
          case GET -> original.findGetter(owner, member, result);
          case PUT -> original.findSetter(owner, member, type.lastParameterType());
          case GET_STATIC -> original.findStaticGetter(owner, member, result);
          case PUT_STATIC -> original.findStaticSetter(owner, member, type.lastParameterType());
          case CALL -> original.findVirtual(owner, member, type.dropParameterTypes(0, 1));
          case CALL_SUPER ->
              original.findSpecial(
                  owner, member, type.dropParameterTypes(0, 1), original.lookupClass());
          case CALL_STATIC -> original.findStatic(owner, member, type);
          case NEW -> original.findConstructor(owner, type.changeReturnType(void.class));
          default -> throw new IllegalArgumentException("no use of a member: " + use);
        };
    return new ConstantCallSite(handle.asType(type));
  }
}
