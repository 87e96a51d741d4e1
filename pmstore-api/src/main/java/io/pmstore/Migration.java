package io.pmstore;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A function that computes the value of a property for objects that were stored before their class
 * had the property in its present form. Give it to {@link PmStoreOptions#migrations} when you open
 * a store. Immutable.
 *
 * <pre>{@code
 * Migration.of(Trade.class, "price", (old, trade) -> new BigDecimal(old.get("price", String.class)))
 * }</pre>
 *
 * <p>A property needs a function if its type changed in a way that cannot be mapped without loss. A
 * new property may have a function. The store does not call the function for objects that were
 * stored with the property in its present form.
 *
 * <p>A function runs in the transaction that upgrades an object: when the object is next written,
 * when the property is first read, or in {@link PmStore#upgrade}. Each object is upgraded once; but
 * like any body of a transaction the function may run more than once, so it should have no effects
 * outside the store. It may read and change persistent objects, and may return new ones, plain or
 * persistent.
 *
 * <p>In a snapshot, in a store that is open for reading only, and while a collection compares its
 * elements, the store cannot keep the value: there the function runs for every read and must not
 * create objects. A function of a record runs for every read until {@link PmStore#upgrade} has
 * rewritten the record, and should return values only.
 *
 * <p>The store calls the same function for objects of every older shape; {@link
 * OldObject#properties} says which properties the object has. After {@link PmStore#upgrade} has
 * ended the program can drop the function.
 */
public final class Migration {
  private final String className;
  private final String property;
  private final Function<?> function;

  /**
   * Computes the value of a property. Any number of threads may call a function at the same time.
   *
   * @param <T> the class of the objects
   */
  @FunctionalInterface
  public interface Function<T extends @Nullable Object> {
    /**
     * Computes the value of the property.
     *
     * @param old the object as it was stored; usable during the call only
     * @param target the same object as it is now: all its properties that need no function have
     *     their values. Null if the class is a record, whose values are not objects
     * @return the value, of the property's type, or null; a number of a narrower type is widened
     * @throws Exception to make the read or write that needs the value fail. That call throws an
     *     unchecked exception as it is, and a checked one as the cause of a {@link
     *     PmStoreException}; nothing is written
     */
    @Nullable Object migrate(OldObject old, T target) throws Exception;
  }

  private Migration(String className, String property, Function<?> function) {
    this.className = Objects.requireNonNull(className, "className");
    this.property = Objects.requireNonNull(property, "property");
    this.function = Objects.requireNonNull(function, "function");
  }

  /**
   * Returns a migration for a class and its subclasses.
   *
   * @param <T> the class
   * @param type the class as it is now; it may be a superclass or an interface of the classes whose
   *     objects are stored, or a record
   * @param property the present name of the property
   * @param function computes its value
   * @return the migration
   */
  public static <T extends @Nullable Object> Migration of(
      Class<T> type, String property, Function<? super T> function) {
    return new Migration(type.getName(), property, function);
  }

  /**
   * Returns a migration for a class that is given by its present or a former name.
   *
   * @param className the present binary name of the class or of a superclass, or a name under which
   *     objects of the class were stored
   * @param property the present name of the property
   * @param function computes its value
   * @return the migration
   */
  public static Migration of(String className, String property, Function<Object> function) {
    return new Migration(className, property, function);
  }

  /**
   * Returns the name of the class whose objects this migration is for.
   *
   * @return a binary name
   */
  public String className() {
    return className;
  }

  /**
   * Returns the name of the property whose value this migration computes.
   *
   * @return the name
   */
  public String property() {
    return property;
  }

  /**
   * Runs the function.
   *
   * @param old the object as it was stored
   * @param target the object as it is now, of the class or a subclass; null for a record
   * @return the value, or null
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
