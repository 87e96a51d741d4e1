package io.pmstore.proxy.identity;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The persistent objects of one store, as Java objects: one for each object of the heap. Safe for
 * use by any number of threads.
 */
public final class StoreObjects {
  private final Heap heap;
  private final StoreSchema schema;
  private final IdentityMap identities = new IdentityMap();
  private final Loading loading;
  private volatile @Nullable CollectionSpace collections;

  /**
   * Creates the objects of a store.
   *
   * @param heap where they are
   * @param schema knows their classes
   */
  public StoreObjects(Heap heap, StoreSchema schema) {
    this.heap = heap;
    this.schema = schema;
    this.loading = new Loading(heap, identities);
  }

  /**
   * Sets what the collections of the store share. To be called once, before anything else.
   *
   * @param space what they share; its cells use these objects, so neither can be made with the
   *     other
   */
  public void collections(CollectionSpace space) {
    collections = space;
  }

  private CollectionSpace collections() {
    CollectionSpace space = collections;
    if (space == null) {
      throw new IllegalStateException("the collections have not been set");
    }
    return space;
  }

  /**
   * The object that stands for an address, if the program has it. Outside a transaction it is one
   * that stood for the address at some moment of the call.
   *
   * @param address of an object in the heap
   * @return its Java object, or null
   */
  public @Nullable Object known(long address) {
    return identities.get(address);
  }

  /**
   * The object that stands for an address, as {@link io.pmstore.core.heap.ObjectLayer#held} says.
   *
   * @param address of an object in the heap
   * @return its Java object, or null
   */
  public @Nullable Object held(long address) {
    return identities.held(address);
  }

  /**
   * Shows the addresses that have a Java object, as {@link
   * io.pmstore.core.heap.ObjectLayer#forEachHeld} says. New objects are among them before they are
   * committed.
   *
   * @param visitor takes them
   */
  public void forEachHeld(LongConsumer visitor) {
    identities.forEach(visitor);
  }

  /**
   * The object that stands for an address. To be called inside a transaction or a consistent read,
   * so that an address that was read from torn bytes never gets an object.
   *
   * @param address of an object in the heap, which the current view has read
   * @return its Java object, the same one as long as anything holds it
   * @throws io.pmstore.StoreDamagedException if there is no object that the catalogue knows
   * @throws io.pmstore.ClassRefusedException if its class is not there, or no longer fits it
   */
  public Object at(long address) {
    while (true) {
      Object known = identities.get(address);
      // Since the reference was read its object may have been freed, and the address be another's.
      if (known != null && heap.mayBeHeld(address)) {
        return known;
      }
      Object made = known == null ? make(address) : null;
      if (made != null) {
        return made;
      }
      heap.shapeId(address); // reads what is there now, or finds that the reference is gone
    }
  }

  /**
   * The Java object of an address, made if there is none; null if the address has to be read again.
   */
  @SuppressWarnings("ReferenceEquality") // it matters which of two equal ones was added
  private @Nullable Object make(long address) {
    long body = heap.body(address);
    int shapeId = heap.shapeId(body);
    HeapObject handle = heap.object(address);
    Object made = CollectionKind.find(collections(), shapeId, handle);
    if (made == null) {
      Binding binding = schema.bindingOf(shapeId);
      if (binding.hasOlder() || body != address) { // moved objects stay so
        handle = heap.evolving(address, binding.shape().id());
      }
      if (binding.type().hasOnLoad()) {
        return loading.load(address, binding.type(), handle);
      }
      made = binding.type().newPersistent(handle);
    }
    Object added = identities.putIfAbsent(address, made, heap::mayBeHeld);
    if (added == made) {
      // Others may have found it already, but no collection ends while this thread's view runs.
      heap.becameHeld(address);
    }
    return added;
  }

  /**
   * Makes a new object of a persistent class, all its properties zero or null, in the current
   * transaction.
   *
   * @param binding the class
   * @return the object
   */
  public Object newObject(Binding binding) {
    HeapObject handle = heap.newObject(binding.shape().id(), binding.shape().size());
    return added(handle, binding.type().newPersistent(handle));
  }

  /**
   * Makes a new collection in the current transaction.
   *
   * @param kind what it is to be
   * @param comparator the order of a sorted one, as it can be stored; null for the natural order,
   *     and for others
   * @return it, empty
   * @throws io.pmstore.NotPersistableException if the comparator cannot be stored
   */
  public PersistentObject newCollection(
      CollectionKind kind, @Nullable Comparator<@Nullable Object> comparator) {
    PersistentObject collection = kind.create(collections(), comparator);
    added((HeapObject) collection.pmstoreHandle(), collection);
    return collection;
  }

  private Object added(HeapObject handle, Object object) {
    identities.put(handle.identity(), object);
    return object;
  }

  /**
   * Says whether an object lives in this store.
   *
   * @param object a persistent object
   * @return false if it is one of another store, or of this one before it was closed and opened
   *     again
   */
  public boolean isHere(PersistentObject object) {
    return object.pmstoreHandle() instanceof HeapObject handle && handle.heap() == heap;
  }

  /**
   * The address of an object of this store, as references to it hold it. It means that object as
   * long as the Java object is alive.
   *
   * @param object a persistent object
   * @return where it was first put in the heap
   * @throws io.pmstore.RolledBackException if the transaction that made it was rolled back
   */
  public long address(Object object) {
    return ((HeapObject) ((PersistentObject) object).pmstoreHandle()).identity();
  }

  /**
   * The address of an object of this store, for a reference that the current transaction makes to
   * it. Until the transaction has ended the object stays alive, so that nobody frees the address.
   *
   * @param object a persistent object
   * @return where it was first put in the heap
   * @throws io.pmstore.RolledBackException if the transaction that made the object was rolled back
   */
  public long addressToLink(Object object) {
    heap.hold(object);
    return address(object);
  }

  /**
   * Forgets an object whose transaction was rolled back.
   *
   * @param address where it was to be
   * @param object the object
   */
  public void forget(long address, Object object) {
    identities.remove(address, object);
  }

  /** Forgets all objects. */
  public void clear() {
    identities.clear();
  }
}
