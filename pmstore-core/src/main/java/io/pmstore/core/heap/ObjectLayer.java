package io.pmstore.core.heap;

import io.pmstore.EvolutionReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.Upgrade;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What turns the heap's objects into Java objects. The core knows bytes and shapes only; the layer
 * is found by {@link ServiceLoader}, as a {@link Provider}. Safe for use by any number of threads.
 */
public interface ObjectLayer {
  /** Makes the layer of one store. */
  interface Provider {
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
   * Writes a property that is not primitive. Always called inside a transaction.
   *
   * @param object the object
   * @param offset of the property in the object, in bytes
   * @param property what the layer put into the generated code about the property
   * @param value its new value, or null
   */
  void write(HeapObject object, int offset, int property, @Nullable Object value);

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
  @Nullable Object held(long address);

  /**
   * Shows the objects of the heap for which a Java object stands: all that have one while this
   * runs, and perhaps others.
   *
   * @param visitor takes their addresses; holds no lock of the layer meanwhile
   */
  void forEachHeld(LongConsumer visitor);

  /** Gives up what the layer holds. The heap is still open. */
  void close();
}
