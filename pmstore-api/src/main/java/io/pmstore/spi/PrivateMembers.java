package io.pmstore.spi;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Links copied code to the members that the original class may use and the class of the copy may
 * not: private members, and protected ones of superclasses. Safe for use by any number of threads.
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

  /** Creates an object; the name of the member is not used. */
  public static final String NEW = "new";

  private PrivateMembers() {}

  /**
   * Links one instruction of copied code to a member. The JVM calls this method to resolve an
   * {@code invokedynamic} instruction.
   *
   * @param copy the lookup of the class that has the copied code
   * @param member the name of the member
   * @param type the types that the code passes, the receiver first, and the type that it expects
   * @param use one of the constants of this class
   * @param owner the class that the original code names
   * @param original the class from which the code was copied; in the same module as the copy
   * @return the call site
   * @throws ReflectiveOperationException if there is no such member
   * @throws IllegalArgumentException if {@code use} is not a constant of this class
   */
  public static CallSite link(
      MethodHandles.Lookup copy,
      String member,
      MethodType type,
      String use,
      Class<?> owner,
      Class<?> original)
      throws ReflectiveOperationException {
    // What a class of the same module could get for itself: no access is given away.
    MethodHandles.Lookup seen = MethodHandles.privateLookupIn(original, copy);
    Class<?> result = type.returnType();
    MethodHandle handle =
        switch (use) {
          case GET -> seen.findGetter(owner, member, result);
          case PUT -> seen.findSetter(owner, member, type.lastParameterType());
          case GET_STATIC -> seen.findStaticGetter(owner, member, result);
          case PUT_STATIC -> seen.findStaticSetter(owner, member, type.lastParameterType());
          case CALL -> seen.findVirtual(owner, member, type.dropParameterTypes(0, 1));
          case CALL_SUPER ->
              seen.findSpecial(owner, member, type.dropParameterTypes(0, 1), original);
          case CALL_STATIC -> seen.findStatic(owner, member, type);
          case NEW -> seen.findConstructor(owner, type.changeReturnType(void.class));
          default -> throw new IllegalArgumentException("no use of a member: " + use);
        };
    return new ConstantCallSite(handle.asType(type));
  }
}
