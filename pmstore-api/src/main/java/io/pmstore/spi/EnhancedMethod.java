package io.pmstore.spi;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * One method of an enhanced class that may write. On a persistent object, outside transactions, the
 * method runs as one transaction, unless it has its own, as in a generated class. Safe for use by
 * any number of threads.
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
  /** What a method may do. */
  public enum Effect {
    /** It writes, so it runs as one transaction. */
    WRITES,

    /** It also changes values of properties in place, such as elements of arrays. */
    CHANGES_IN_PLACE,

    /** It changes values of properties in place, and has transactions of its own. */
    CHANGES_IN_OWN_TRANSACTIONS
  }

  /** What the method may do to an object of one class. */
  private record OnClass(Class<?> type, boolean isTransaction, boolean changesInPlace) {
    static OnClass of(Class<?> type, @Nullable Effect effect) {
      return new OnClass(
          type,
          effect == Effect.WRITES || effect == Effect.CHANGES_IN_PLACE,
          effect == Effect.CHANGES_IN_PLACE || effect == Effect.CHANGES_IN_OWN_TRANSACTIONS);
    }
  }

  private final String key;
  private final MethodHandle code; // takes the object and the array of its arguments
  private final Class<?> result;
  private volatile @Nullable OnClass last; // most methods are called on objects of one class

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
    OnClass on = onClassOf(object);
    return (on.isTransaction() && handle.isOutsideTransactions())
        || (on.changesInPlace() && !handle.isChangingInPlace());
  }

  private OnClass onClassOf(EnhancedObject object) {
    Class<?> type = object.getClass();
    OnClass known = last;
    if (known == null || known.type() != type) {
      known = OnClass.of(type, EnhancedClasses.layout(type).effects().get(key));
      last = known;
    }
    return known;
  }

  /**
   * Runs the method; outside transactions, as one transaction, unless it has its own. If the method
   * returns a plain collection that the store has taken over meanwhile, this method returns the
   * store's collection. It throws what the method throws, checked exceptions included.
   *
   * @param object the object on which the method is called, a persistent one
   * @param arguments the arguments; primitive ones are boxed
   * @return what the method returned, boxed; null for {@code void}
   */
  public @Nullable Object run(EnhancedObject object, @Nullable Object[] arguments) {
    try {
      ObjectHandle handle = object.pmstoreHandle();
      OnClass on = onClassOf(object);
      return on.isTransaction()
          ? handle.run(() -> callInTransaction(object, arguments), on.changesInPlace())
          : handle.runWithOwnTransactions(() -> call(object, arguments));
    } catch (Exception e) {
      throw EnhancedMethod.<RuntimeException>unchecked(e); // declared by the method, if checked
    }
  }

  /** What the method changes in arrays that it receives is part of the transaction. */
  private @Nullable Object callInTransaction(EnhancedObject object, @Nullable Object[] arguments)
      throws Exception {
    Object before = EnhancedArrays.before(arguments);
    Object returned = call(object, arguments);
    EnhancedArrays.after(arguments, before);
    return returned;
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
