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
 * What turns the heap's objects into Java objects. The core knows bytes and shapes only; the layer
 * is found by {@link ServiceLoader}, as a {@link Provider}. Safe for use by any number of threads.
 */
public interface ObjectLayer {
  /** Makes the layer of one store. */
  interface Provider {
    /**
     * Begins what takes time before the first object of this process, so that it is done while the
     * engine opens. {@link #open} waits for it.
     */
    void prepare();

    /**
     * Makes the layer of a heap that has just been opened.
     *
     * @param heap the heap
     * @param options the classes and migrations that the store is opened with
     * @return its layer
     */
    ObjectLayer open(Heap heap, PmStoreOptions options);

    /**
     * Says what would become of classes in a heap, as {@link io.pmstore.PmStore#dryRun} says.
     *
     * @param heap the heap, which is open for reading only
     * @param options the classes and migrations that the store would be opened with
     * @param classes the classes of the program
     * @return what would become of them and those that they refer to
     */
    EvolutionReport dryRun(Heap heap, PmStoreOptions options, List<Class<?>> classes);

    /**
     * Looks at classes without a heap, as {@link io.pmstore.PmStore#check} says.
     *
     * @param options the classes and value types that a store would be opened with
     * @param classes more classes of the program
     * @return what is refused
     */
    ClassReport check(PmStoreOptions options, List<Class<?>> classes);
  }

  /**
   * The root object that a class names, created if there is none.
   *
   * @param <T> the class of the root
   * @param type the class
   * @return the root object
   */
  <T> T root(Class<T> type);

  /**
   * The root object of a name, created if there is none.
   *
   * @param <T> the class of the root
   * @param name the root's name
   * @param type the class
   * @return the root object
   */
  <T> T root(String name, Class<T> type);

  /**
   * Makes a persistent object.
   *
   * @param <T> its class
   * @param type its class
   * @return the object
   */
  <T> T create(Class<T> type);

  /**
   * Makes an empty persistent collection.
   *
   * @param <T> the interface
   * @param type the interface of {@code java.util} that it is to implement
   * @param comparator the order of a sorted one; null for the natural order, and for others
   * @return the collection
   */
  <T> T newCollection(Class<T> type, @Nullable Comparator<?> comparator);

  /**
   * The persistent twin of a plain object, which is converted if it has none.
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
   * @return the new object
   */
  Object cloned(HeapObject object, Object original);

  /**
   * Makes a plain copy of a persistent object, as {@link io.pmstore.PmStore#copy(Object,
   * Predicate)} says.
   *
   * @param object the object
   * @param included says which other objects are copied
   * @return the copy
   */
  Object copy(Object object, Predicate<Object> included);

  /**
   * Reads a property that is not primitive. Called inside a transaction, or outside with the
   * object's version checked afterwards: so it has no side effects, and may meet bytes that do not
   * belong together.
   *
   * @param object the object
   * @param offset of the property in the object, in bytes
   * @param property what the layer put into the generated code about the property
   * @return its value, or null
   */
  @Nullable Object read(HeapObject object, int offset, int property);

  /**
   * Makes the exception for a property whose value it cannot have.
   *
   * @param object that has the property
   * @param property as for {@link #read}
   * @param value what was read
   * @return what to throw
   */
  StoreDamagedException otherType(HeapObject object, int property, Object value);

  /**
   * Shows a collection that was read as an object of the property's type, a class of collections.
   *
   * @param object that has the property
   * @param property as for {@link #read}
   * @param value what was read
   * @param type the property's type
   * @return an instance of the type, the same one for the same collection as long as it is in use
   * @throws io.pmstore.ClassRefusedException if the type cannot show a collection of this kind
   * @throws StoreDamagedException if the property cannot have the value
   */
  Object fitting(HeapObject object, int property, Object value, Class<?> type);

  /**
   * Writes a property that is not primitive. Always called inside a transaction.
   *
   * @param object the object
   * @param offset of the property in the object, in bytes
   * @param property what the layer put into the generated code about the property
   * @param value its new value, or null
   * @param alone true if the transaction ends with this write, so that nobody can change a value in
   *     place before
   */
  void write(HeapObject object, int offset, int property, @Nullable Object value, boolean alone);

  /**
   * Runs a method that may change values of properties in place.
   *
   * @param body the method
   * @return what it returned
   * @throws Exception what it threw
   */
  @Nullable Object changingInPlace(TransactionFunction<@Nullable Object, Exception> body)
      throws Exception;

  /**
   * Returns the persistent twin of a plain object that a committed method returned, so that what
   * its caller goes on to change is stored.
   *
   * @param result of the method
   * @return the twin; the result itself if it is no plain object that was stored
   */
  @Nullable Object stored(@Nullable Object result);

  /**
   * Returns true if {@link #changingInPlace} is under way in the calling thread.
   *
   * @return true inside of it
   */
  boolean isChangingInPlace();

  /**
   * The text of an object whose class has none of its own, as {@link
   * io.pmstore.spi.ObjectHandle#describe} says.
   *
   * @param handle the object's handle
   * @param object the object
   * @return the text
   */
  String describe(HeapObject handle, PersistentObject object);

  /**
   * Reads a primitive property of an object that has an older shape than its class has today.
   * Called inside a transaction or a snapshot, or outside with the object's version checked
   * afterwards: so it has no side effects, and may meet bytes that do not belong together.
   *
   * @param object the object
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
   * transaction: in place by {@link Heap#reshape}, or by {@link Heap#move}.
   *
   * @param object an object whose shape in the current transaction is not {@linkplain
   *     HeapObject#isCurrent the current one}
   * @return where its fields are now
   */
  long upgrade(HeapObject object);

  /**
   * Begins to upgrade all objects of older shapes, as {@link io.pmstore.PmStore#upgrade} says.
   *
   * @return the run
   */
  Upgrade upgradeAll();

  /**
   * The Java object that stands for an object of the heap. May be called while a commit holds the
   * object's lock; then no Java object can come to stand for it meanwhile.
   *
   * @param address of the object
   * @return the Java object, or null if the program has none (any more) and so cannot get it
   *     without reading a reference to it
   */
  @Nullable Object pinning(long address);

  /**
   * Shows the objects of the heap for which a Java object stands: all that have one while this
   * runs, and perhaps others.
   *
   * @param visitor takes their addresses; holds no lock of the layer meanwhile
   */
  void forEachPinned(LongConsumer visitor);

  /** Gives up what the layer holds. The heap is still open. */
  void close();
}
