package io.pmstore.proxy.facade;

import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.bean.ImmutableClasses;
import io.pmstore.proxy.collection.PersistentCollection;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The facades of persistent collections. Thread-safe.
 *
 * <p>A property that is declared as {@code ArrayList} refers to a persistent list, as one declared
 * as {@code List} does. Its getter returns a facade: an object of a subclass of {@code ArrayList}
 * that passes each call on to the list. The list and its facades refer to each other, so a property
 * returns the same facade as long as the list or the facade is reachable.
 */
public final class Facades {
  private static final Object LOCK = new Object();
  private static final ScopedValue<Boolean> LOOKED_FOR = ScopedValue.newInstance();

  private Facades() {}

  /**
   * Returns the classes of all facades, for a native image.
   *
   * @throws IllegalStateException if the JDK that runs has other methods than that of the build
   */
  public static List<Class<?>> forImage() {
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> type : CollectionClasses.all()) {
      all.add(FacadeClass.forImage(type, Facade.class));
    }
    for (Class<?> type : FacadeCode.VIEWS) {
      all.add(FacadeClass.forImage(type, View.class));
    }
    return all;
  }

  /** Returns true if {@link #fitting} returns a value. */
  public static boolean canFit(Object stored, Class<?> type) {
    return type.isInstance(stored)
        || (stored instanceof PersistentCollection collection && canShow(collection, type));
  }

  /**
   * Returns true if a facade of the type can show the collection. A sorted collection implements
   * the interfaces of an insertion-ordered one, but refuses some of their methods.
   */
  private static boolean canShow(PersistentCollection collection, Class<?> type) {
    if (!CollectionClasses.contains(type) && !ImmutableClasses.contains(type)) {
      return false;
    }
    Class<?> required = CollectionClasses.storedAs(type);
    boolean needsInsertionOrder = required == SequencedMap.class || required == SequencedSet.class;
    boolean isSorted = collection instanceof SortedMap || collection instanceof SortedSet;
    return required.isInstance(collection) && !(needsInsertionOrder && isSorted);
  }

  /**
   * Returns what a property of the declared type shows for a stored value: the value itself, or a
   * facade of the persistent collection. Returns null if neither is of that type.
   */
  public static @Nullable Object fitting(Object stored, Class<?> type) {
    if (type.isInstance(stored)) {
      return stored;
    }
    if (!(stored instanceof PersistentCollection collection)) {
      return null;
    }
    if (ImmutableClasses.contains(type)) {
      return canShow(collection, type) ? ImmutableClasses.copy(type, collection) : null;
    }
    Facade known = known(collection, type);
    return known != null || !canShow(collection, type) ? known : made(collection, type);
  }

  /**
   * Returns what {@link #fitting} returns, or else the value itself, which the caller's cast then
   * refuses.
   */
  public static Object shown(Object stored, Class<?> type) {
    Object fitting = fitting(stored, type);
    return fitting == null ? stored : fitting;
  }

  /**
   * Returns a new array of stored elements, each replaced by its facade if the declared element
   * type is a JDK collection class.
   *
   * @throws ArrayStoreException if an element is not of the type
   */
  public static @Nullable Object[] toArray(List<?> elements, Class<?> type) {
    @Nullable Object[] empty = (Object[]) Array.newInstance(type, 0);
    if (!CollectionClasses.contains(type)) {
      return elements.toArray(empty);
    }
    List<@Nullable Object> shown = new ArrayList<>();
    elements.forEach(element -> shown.add(element == null ? null : shown(element, type)));
    return shown.toArray(empty);
  }

  private static @Nullable Facade known(PersistentCollection collection, Class<?> type) {
    View facade = (View) collection.contents().facade();
    while (facade != null && !type.isInstance(facade)) {
      facade = facade.pmstoreNext();
    }
    return (Facade) facade;
  }

  private static Facade made(PersistentCollection collection, Class<?> type) {
    FacadeClass generated = FacadeClass.of(type);
    synchronized (LOCK) {
      Facade known = known(collection, type);
      if (known != null) {
        return known;
      }
      Facade made = generated.newFacade(collection, (Facade) collection.contents().facade());
      collection.contents().facade(made);
      return made;
    }
  }

  /** Returns the persistent collection behind a facade; any other value itself. */
  public static @Nullable Object unwrapped(@Nullable Object value) {
    return value instanceof Facade facade ? facade.pmstoreCollection() : value;
  }

  /**
   * Makes an empty plain object of one of the {@link CollectionClasses}, with the comparator of the
   * persistent collection {@code like} if it is sorted.
   */
  public static Object newPlain(Class<?> type, Object like) {
    return Extras.newPlain(type, like);
  }

  /**
   * Runs a body that looks for facades in what is serialized: in it, a facade is serialized itself,
   * and otherwise a plain copy is.
   */
  public static <T extends @Nullable Object, X extends Throwable> T lookingFor(
      ScopedValue.CallableOp<T, X> body) throws X {
    return ScopedValue.where(LOOKED_FOR, true).call(body);
  }

  static boolean isLookedFor() {
    return LOOKED_FOR.isBound();
  }

  /** Returns the JDK class that a facade shows; {@code Object} for any other value. */
  public static Class<?> classOf(Object value) {
    return value instanceof Facade ? value.getClass().getSuperclass() : Object.class;
  }
}
