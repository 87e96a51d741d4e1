package io.pmstore;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the value of a property of objects that were stored before their class had the property as
 * it is now. Given when a store is opened, with {@link PmStoreOptions#migrations}.
 *
 * <pre>{@code
 * Migration.of(Trade.class, "price", (old, trade) -> new BigDecimal(old.get("price", String.class)))
 * }</pre>
 *
 * <p>A function is needed for a property whose type changed in a way that cannot be mapped without
 * loss; it can be given for one that is new. It is not asked for objects that were stored with the
 * property as it is.
 *
 * <p>A function runs once for each object, in the transaction that upgrades the object: when the
 * object is next written, when the property is first read, or in {@link PmStore#upgrade}. Like any
 * body of a transaction it may run again if the transaction does, so it should have no effects
 * elsewhere. It may read and change persistent objects, and may return new ones, plain or
 * persistent. In a snapshot, in a store that is open for reading only, and where a collection
 * compares its elements, nothing can be written: there it runs for every read, and its value is not
 * stored; an object that it makes is an error there. A function of a record runs for every read
 * until {@link PmStore#upgrade} has rewritten the record, and should return values only.
 *
 * <p>An object of any older shape is handed to the same function; {@link OldObject} says what the
 * object has. Once {@link PmStore#upgrade} has gone through the store the function is needed no
 * more.
 *
 * <p>Immutable.
 */
public final class Migration {
  private final String className;
  private final String property;
  private final Function<?> function;

  /**
   * What makes the value. Called by any number of threads at once.
   *
   * @param <T> the class of the objects
   */
  @FunctionalInterface
  public interface Function<T extends @Nullable Object> {
    /**
     * Makes the value of the property.
     *
     * @param old the object as it was stored; usable during the call only
     * @param target the same object as it is now: all its properties that need no function have
     *     their values. Null if the class is a record, whose values are not objects
     * @return the value, of the property's type; a number of a narrower type is widened
     * @throws Exception to have the reading or writing that needs the value fail, with it if it is
     *     unchecked, and else with a {@link PmStoreException} that has it as its cause; nothing is
     *     written
     */
    @Nullable Object migrate(OldObject old, T target) throws Exception;
  }

  private Migration(String className, String property, Function<?> function) {
    this.className = Objects.requireNonNull(className, "className");
    this.property = Objects.requireNonNull(property, "property");
    this.function = Objects.requireNonNull(function, "function");
  }

  /**
   * A function for a class and its subclasses.
   *
   * @param <T> the class
   * @param type the class as it is now; it may be a superclass or an interface of those whose
   *     objects are stored, or a record
   * @param property the name of the property as it is now
   * @param function makes its value
   * @return the migration
   */
  public static <T extends @Nullable Object> Migration of(
      Class<T> type, String property, Function<? super T> function) {
    return new Migration(type.getName(), property, function);
  }

  /**
   * A function for a class that is named, by the name that it has or had.
   *
   * @param className the binary name of the class, as it is now or as it was stored; no superclass
   * @param property the name of the property as it is now
   * @param function makes its value
   * @return the migration
   */
  public static Migration of(String className, String property, Function<Object> function) {
    return new Migration(className, property, function);
  }

  /**
   * The class whose objects it is for.
   *
   * @return a binary name
   */
  public String className() {
    return className;
  }

  /**
   * The property that it makes.
   *
   * @return its name
   */
  public String property() {
    return property;
  }

  /**
   * Runs the function.
   *
   * @param old the object as it was stored
   * @param target the object as it is now, of the class or a subclass
   * @return the value
   * @throws Exception what the function threw
   */
  @SuppressWarnings("unchecked") // the store asks for objects of the class only
  public @Nullable Object migrate(OldObject old, @Nullable Object target) throws Exception {
    return ((Function<@Nullable Object>) function).migrate(old, target);
  }

  @Override
  public String toString() {
    return "Migration[" + className + "." + property + "]";
  }
}
