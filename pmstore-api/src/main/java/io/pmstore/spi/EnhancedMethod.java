package io.pmstore.spi;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One method of an enhanced class that may write. On a persistent object, outside transactions, the
 * method runs as one transaction, as in a generated class. Safe for use by any number of threads.
 *
 * <pre>{@code
 * void fill(int by) {
 *   if (METHOD.startsTransaction(this)) {          // METHOD is a constant
 *     METHOD.run(this, new Object[] {by});         // calls fill again, inside a transaction
 *     return;
 *   }
 *   ...                                            // the code as it was written
 * }
 * }</pre>
 */
public final class EnhancedMethod {
  /** What the method may do to an object of one class. */
  private record Effect(Class<?> type, boolean writes, boolean changesInPlace) {}

  private final String key;
  private final MethodHandle code; // takes the object and the array of its arguments
  private final Class<?> result;
  private volatile @Nullable Effect last; // most methods are called on objects of one class

  EnhancedMethod(String key, MethodHandle code) {
    this.key = key;
    this.result = code.type().returnType();
    int parameters = code.type().parameterCount() - 1;
    this.code =
        code.asFixedArity()
            .asSpreader(Object[].class, parameters)
            .asType(MethodType.methodType(Object.class, Object.class, Object[].class));
  }

  /**
   * Returns true if the caller must call {@link #run} in place of the method's own code: the call
   * is a transaction of its own, or it may change values in place.
   *
   * @param object the object on which the method is called
   * @return false for a plain object, for a method that cannot write, and for a call inside one
   *     that {@link #run} runs
   */
  public boolean startsTransaction(EnhancedObject object) {
    ObjectHandle handle = object.pmstoreHandleOrNull();
    if (handle == null) {
      return false;
    }
    Effect effect = effect(object);
    return effect.writes()
        && (handle.isOutsideTransactions()
            || (effect.changesInPlace() && !handle.isChangingInPlace()));
  }

  private Effect effect(EnhancedObject object) {
    Class<?> type = object.getClass();
    Effect effect = last;
    if (effect == null || effect.type() != type) {
      Map<String, Boolean> effects = EnhancedClasses.layout(type).effects();
      effect = new Effect(type, effects.containsKey(key), effects.getOrDefault(key, false));
      last = effect;
    }
    return effect;
  }

  /**
   * Runs the method; outside transactions, as one transaction. If the method returns a plain
   * collection that the store has taken over meanwhile, this method returns the store's collection.
   * It throws what the method throws, checked exceptions included.
   *
   * @param object the object on which the method is called, a persistent one
   * @param arguments the arguments; primitive ones are boxed
   * @return what the method returned, boxed; null for {@code void}
   */
  public @Nullable Object run(EnhancedObject object, @Nullable Object[] arguments) {
    try {
      return object
          .pmstoreHandle()
          .run(() -> call(object, arguments), effect(object).changesInPlace());
    } catch (Exception e) {
      throw EnhancedMethod.<RuntimeException>unchecked(e); // declared by the method, if checked
    }
  }

  private @Nullable Object call(EnhancedObject object, @Nullable Object[] arguments)
      throws Exception {
    try {
      Object returned = (Object) code.invokeExact((Object) object, arguments);
      return EnhancedCollections.returned(returned, result);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable t) {
      throw EnhancedMethod.<RuntimeException>unchecked(t);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // erased
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
