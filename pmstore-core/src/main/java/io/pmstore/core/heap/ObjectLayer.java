package io.pmstore.core.heap;

import io.pmstore.ClassReport;
import io.pmstore.EvolutionReport;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.Upgrade;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns the heap's objects into Java objects. The core knows bytes and shapes only. Found by {@link
 * ServiceLoader}, as a {@link Provider}. Safe for use by any number of threads.
 */
public interface ObjectLayer {
  /** Makes the layer of one store. */
  interface Provider {
    /**
     * Starts work that takes time before the first object of this process, so that it runs while
     * the engine opens. {@link #open} waits for it.
     */
    void prepare();

    /**
     * Makes the layer of a heap that has just been opened.
     *
     * @param options the classes and migrations that the store is opened with
     */
    ObjectLayer open(Heap heap, PmStoreOptions options);

    /**
     * Returns what would become of classes in a heap, as {@link io.pmstore.PmStore#dryRun} says.
     *
     * @param heap the heap, which is open for reading only
     * @param options the classes and migrations that the store would be opened with
     * @param classes the classes of the program
     * @return what would become of them and those that they refer to
     */
    EvolutionReport dryRun(Heap heap, PmStoreOptions options, List<Class<?>> classes);

    /**
     * Examines classes without a heap, as {@link io.pmstore.PmStore#check} says.
     *
     * @param options the classes and value types that a store would be opened with
     * @param classes more classes of the program
     * @return what is refused
     */
    ClassReport check(PmStoreOptions options, List<Class<?>> classes);
  }

  /**
   * Returns the root object that a class names; creates it if there is none.
   *
   * @param <T> the class of the root
   */
  <T> T root(Class<T> type);

  /**
   * Returns the root object of a name; creates it if there is none.
   *
   * @param <T> the class of the root
   * @param name the root's name
   */
  <T> T root(String name, Class<T> type);

  /**
   * Makes a persistent object.
   *
   * @param <T> its class
   */
  <T> T create(Class<T> type);

  /**
   * Makes an empty persistent collection.
   *
   * @param <T> the interface
   * @param type the interface of {@code java.util} that it is to implement
   * @param comparator the order of a sorted one; null for the natural order, and for others
   */
  <T> T newCollection(Class<T> type, @Nullable Comparator<?> comparator);

  /**
   * Returns the persistent twin of a plain object; converts the plain object if it has none.
   *
   * @param plain a plain object, or a persistent one of this store
   * @return its twin, or itself
   */
  Object persist(Object plain);

  /**
   * Makes a persistent object with the values of another one, in the current transaction or one of
   * its own.
   *
   * @param object the handle of the other one
   * @param original its Java object
   */
  Object cloned(HeapObject object, Object original);

  /**
   * Makes a plain copy of a persistent object, as {@link io.pmstore.PmStore#copy(Object,
   * Predicate)} says.
   *
   * @param included says which other objects are copied
   */
  Object copy(Object object, Predicate<Object> included);

  /**
   * Reads a property that is not primitive. Called inside a transaction, or outside with the
   * object's version checked afterwards: so it has no side effects, and may meet bytes that do not
   * belong together.
   *
   * @param offset of the property in the object, in bytes
   * @param property what the layer put into the generated code about the property
   * @return its value, or null
   */
  @Nullable Object read(HeapObject object, int offset, int property);

  /**
   * Returns the exception for a property with a value that it cannot have.
   *
   * @param object that has the property
   * @param property as for {@link #read}
   * @param value what was read
   */
  StoreDamagedException otherType(HeapObject object, int property, Object value);

  /**
   * Returns an instance of the property's type, a collection class, that shows a collection.
   *
   * @param object that has the property
   * @param property as for {@link #read}
   * @param value the collection that was read
   * @param type the property's type
   * @return an instance of the type, the same one for the same collection as long as it is in use
   * @throws io.pmstore.ClassRefusedException if the type cannot show a collection of this kind
   * @throws StoreDamagedException if the property cannot have the value
   */
  Object fitting(HeapObject object, int property, Object value, Class<?> type);

  /**
   * Writes a property that is not primitive. Always called inside a transaction.
   *
   * @param offset of the property in the object, in bytes
   * @param property what the layer put into the generated code about the property
   * @param value its new value, or null
   * @param alone true if the transaction ends with this write, so that no code can change a value
   *     in place before
   */
  void write(HeapObject object, int offset, int property, @Nullable Object value, boolean alone);

  /**
   * Runs a method that may change values of properties in place.
   *
   * @param body the method
   * @throws Exception what it threw
   * @throws IllegalStateException if it changed a value where nothing can be written, so that the
   *     change is lost
   */
  @Nullable Object changingInPlace(TransactionFunction<@Nullable Object, Exception> body)
      throws Exception;

  /**
   * Returns the persistent twin of a plain object that a committed body or method returned, so that
   * later changes by its caller are stored.
   *
   * @param result what was returned
   * @return the twin, of the same class; the result itself if it is no plain object that was stored
   */
  <T extends @Nullable Object> T stored(T result);

  /**
   * Tells the current transaction, which can write, to write what a value holds when its body has
   * ended.
   *
   * @param object the object that has the value
   * @param offset the offset of the property in the object, in bytes
   * @param property the code of the property
   * @param value the value of the property, which the program has
   * @return false if the transaction does so for another value of the property
   */
  boolean follow(HeapObject object, int offset, int property, Object value);

  /** Returns true if {@link #changingInPlace} is under way in the calling thread. */
  boolean isChangingInPlace();

  /**
   * Returns the text of an object whose class has no {@code toString} of its own, as {@link
   * io.pmstore.spi.ObjectHandle#describe} says.
   *
   * @param handle the object's handle
   */
  String describe(HeapObject handle, PersistentObject object);

  /**
   * Reads a primitive property of an object that has an older shape than its class has today.
   * Called inside a transaction or a snapshot, or outside with the object's version checked
   * afterwards: so it has no side effects, and may meet bytes that do not belong together.
   *
   * @param body where its fields are
   * @param shapeId the older shape, in which they are laid out
   * @param offset of the property in the shape of today, in bytes
   * @return its value as it would be stored today: {@code byte}, {@code short} and {@code int}
   *     sign-extended, {@code char} zero-extended, {@code float} and {@code double} as raw bits,
   *     {@code boolean} 0 or 1
   */
  long readBits(HeapObject object, long body, int shapeId, int offset);

  /**
   * Gives an object of an older shape the shape that its class has today, in the current
   * transaction: in place by {@link Bodies#reshape}, or by {@link Bodies#move}.
   *
   * @param object an object whose shape in the current transaction is not {@linkplain
   *     HeapObject#isCurrent the current one}
   * @return where its fields are now
   */
  long upgrade(HeapObject object);

  /** Starts to upgrade all objects of older shapes, as {@link io.pmstore.PmStore#upgrade} says. */
  Upgrade upgradeAll();

  /**
   * Returns the Java object that pins an object of the heap. A commit may call this while it holds
   * the object's lock; then no Java object can be made for it meanwhile.
   *
   * @param address of the object
   * @return the Java object; null if the program has none, so that it can get the object only by
   *     reading a reference to it
   */
  @Nullable Object pinning(long address);

  /**
   * Shows the pinned objects of the heap: all that Java objects pin while this runs, and perhaps
   * others.
   *
   * @param visitor gets their addresses; called without any lock of the layer
   */
  void forEachPinned(LongConsumer visitor);

  /**
   * Returns the name of the class that a shape is of, for events.
   *
   * @param shapeId any number
   * @return the name, or an empty text if there is no such shape
   */
  default String className(int shapeId) {
    return "";
  }

  /** Returns about how many Java objects there are for objects of the heap. */
  default long javaObjects() {
    return 0;
  }

  /**
   * Forgets the Java object of an object whose transaction was rolled back. Called before the space
   * of the object can be used again.
   *
   * @param object the handle of the Java object; it is dead
   * @param address where the object was
   * @return the object's class for messages; null if it is not known any more
   */
  @Nullable Class<?> rolledBack(HeapObject object, long address);

  /**
   * Forgets the Java object of an address, if there is one: a record from outside has freed the
   * object, and another one may stand there soon. Snapshots that still show the object can go on
   * with the Java objects that they have.
   *
   * @param address of the object
   */
  void forget(long address);

  /** Reads what a record from outside may have added to the type catalogue. */
  void catalogueChanged();

  /** Releases what the layer owns. The heap is still open. */
  void close();
}
