package io.pmstore.proxy.identity;

import io.pmstore.RolledBackException;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.identity.FreedObjects.Freed;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The persistent objects of one store, as Java objects: at most one for each object of the heap.
 * Thread-safe.
 */
public final class StoreObjects {
  private final Heap heap;
  private final StoreSchema schema;
  private final IdentityMap identities = new IdentityMap();
  private final Loading loading;
  private final FreedObjects freed;
  private volatile @Nullable CollectionSpace collections;
  private volatile @Nullable ProgramConstants constants;

  public StoreObjects(Heap heap, StoreSchema schema) {
    this.heap = heap;
    this.schema = schema;
    this.freed = new FreedObjects(heap);
    this.loading = new Loading(heap, identities, this::isShared);
  }

  /**
   * Sets what the collections of the store share. The owner calls it once, before any other method.
   * It is no constructor parameter, because the cells of {@code space} need these objects.
   */
  public void collections(CollectionSpace space) {
    collections = space;
  }

  /** Sets the constants of the program; as for {@link #collections(CollectionSpace)}. */
  public void constants(ProgramConstants ofProgram) {
    constants = ofProgram;
  }

  private ProgramConstants constants() {
    return Objects.requireNonNull(constants, "the constants have not been set");
  }

  private CollectionSpace collections() {
    return Objects.requireNonNull(collections, "the collections have not been set");
  }

  /**
   * Returns the Java object of an address, or null if there is none. Outside a transaction, the
   * object stood for the address at some moment of the call.
   */
  public @Nullable Object known(long address) {
    return identities.get(address);
  }

  /** Implements {@link io.pmstore.core.heap.ObjectLayer#pinning}. */
  public @Nullable Object pinning(long address) {
    return identities.pinning(address);
  }

  /**
   * Implements {@link io.pmstore.core.heap.ObjectLayer#forEachPinned}. New objects are included
   * before they are committed.
   */
  public void forEachPinned(LongConsumer visitor) {
    identities.forEach(visitor);
  }

  /** Implements {@link io.pmstore.core.heap.ObjectLayer#javaObjects}. */
  public long count() {
    return identities.size();
  }

  /**
   * Returns the Java object of an address, and makes it if there is none. The caller must be inside
   * a transaction or a consistent read: this keeps an address that was read from torn bytes from
   * getting an object.
   *
   * @param address an address that the current view has read
   * @return the same object as long as it is reachable
   * @throws io.pmstore.StoreDamagedException if the catalogue knows no object there
   * @throws io.pmstore.ClassRefusedException if its class is missing or no longer fits it
   */
  public Object at(long address) {
    heap.fetch(address); // the caller will read the object; its Java object is three loads away
    while (true) {
      Object known = identities.get(address);
      Freed gone = freed.find(address); // afterwards: what is known may be a later object
      if (gone != null) {
        Object separate = gone.object();
        return separate != null ? separate : Objects.requireNonNull(make(address, gone));
      }
      // The object may have been freed since the reference was read, and the address reused.
      if (known != null && heap.mayBePinned(address)) {
        return known;
      }
      Object made = known == null ? make(address, null) : null;
      if (made != null) {
        return made;
      }
      heap.shapeId(address); // reads what is there now, or finds that the reference is gone
    }
  }

  /**
   * Does as {@link #at(long)} for several addresses, and returns null for 0. It first reads what
   * all of them need from memory, so the processor loads that at the same time, and not for one
   * object after the other.
   */
  public @Nullable Object[] at(long[] addresses) {
    @Nullable Object[] objects = new @Nullable Object[addresses.length];
    for (int i = 0; i < addresses.length; i++) {
      heap.fetch(addresses[i]);
      objects[i] = identities.get(addresses[i]);
    }
    boolean areSeparate = !freed.isEmpty();
    for (int i = 0; i < addresses.length; i++) {
      long address = addresses[i];
      boolean isKnown = objects[i] != null && !areSeparate && heap.mayBePinned(address);
      if (address != 0 && !isKnown) {
        objects[i] = at(address);
      }
    }
    return objects;
  }

  /**
   * Makes the Java object of an address, unless another thread has. Returns null if the address has
   * to be read again.
   *
   * @param gone what was freed there since the current snapshot was opened, and gets the object
   */
  @SuppressWarnings("ReferenceEquality") // identity tells which of two equal objects was added
  private @Nullable Object make(long address, @Nullable Freed gone) {
    long body = heap.bodies().body(address);
    int shapeId = heap.shapeId(body);
    HeapObject handle = heap.object(address);
    Object made = CollectionKind.find(collections(), shapeId, handle);
    PersistentClass type = null;
    if (made == null) {
      Binding binding = schema.bindingOf(shapeId);
      boolean isCurrent = shapeId == binding.shape().id(); // a replica's snapshot may be older
      if (!isCurrent || binding.hasOlder() || body != address) { // a moved one keeps its forwarder
        handle = heap.evolving(address, binding.shape().id());
      }
      Object constant = constants().equalTo(binding, handle);
      if (constant != null) {
        return constant;
      }
      type = binding.type();
      if (type.hasOnLoad() && gone == null) {
        return loading.load(address, type, handle);
      }
      made = type.newPersistent(handle);
    }
    if (gone != null) {
      handle.freedElsewhere(gone.position);
      return loaded(type, (PersistentObject) made, gone);
    }
    Object added = identities.putIfAbsent(address, made, this::isShared);
    if (added == made) {
      // Other threads may have found it already, but no cycle of the collector ends while this
      // thread's view runs.
      heap.becamePinned(address);
    }
    return added;
  }

  /**
   * Registers the Java object of a freed object, and loads it.
   *
   * @param type null for a collection
   */
  @SuppressWarnings("ReferenceEquality") // identity tells which of two equal objects was added
  private static PersistentObject loaded(
      @Nullable PersistentClass type, PersistentObject made, Freed gone) {
    PersistentObject added = gone.putIfAbsent(made);
    if (added == made && type != null) {
      boolean isLoaded = false;
      try {
        type.onLoad(made);
        isLoaded = true;
      } finally {
        if (!isLoaded) {
          gone.remove(made);
        }
      }
    }
    return added;
  }

  /** Returns true if what the current view shows at an address may have the shared Java object. */
  private boolean isShared(long address) {
    return heap.mayBePinned(address) && freed.find(address) == null;
  }

  /**
   * Makes a new object of a persistent class in the current transaction, with all its properties
   * zero or null.
   */
  public Object newObject(Binding binding) {
    HeapObject handle = heap.newObject(binding.shape().id(), binding.shape().size());
    return added(handle, binding.type().newPersistent(handle));
  }

  /**
   * Makes a new object of a persistent class in the current transaction.
   *
   * @param fields what it has behind its header; without addresses
   */
  public Object newObject(Binding binding, byte[] fields) {
    HeapObject handle = heap.newObject(binding.shape().id(), fields);
    return added(handle, binding.type().newPersistent(handle));
  }

  /**
   * Makes a plain object of an enhanced class persistent, in the current transaction, with all its
   * properties zero or null.
   *
   * @return false if another thread has made it persistent meanwhile
   */
  public boolean attach(Binding binding, Object plain) {
    HeapObject handle = heap.newObject(binding.shape().id(), binding.shape().size());
    if (!binding.type().attach(plain, handle)) {
      return false;
    }
    added(handle, plain);
    return true;
  }

  /**
   * Makes the object that a constant of the program stands for, in the current transaction, with
   * all its properties zero or null. Who reads a reference to it gets the constant.
   */
  public HeapObject newConstant(Binding binding, Object constant) {
    HeapObject handle = heap.newObject(binding.shape().id(), binding.shape().size());
    added(handle, constant);
    return handle;
  }

  /**
   * Makes a new, empty collection in the current transaction.
   *
   * @param comparator the order of a sorted collection in its storable form; null for the natural
   *     order and for other kinds
   * @throws io.pmstore.NotPersistableException if the comparator cannot be stored
   */
  public PersistentObject newCollection(
      CollectionKind kind, @Nullable Comparator<@Nullable Object> comparator) {
    PersistentObject collection = kind.create(collections(), comparator);
    added((HeapObject) collection.pmstoreHandle(), collection);
    return collection;
  }

  private Object added(HeapObject handle, Object object) {
    heap.keepAlive(object); // if it were made again before the commit, a roll-back would not end it
    identities.put(handle.identity(), object);
    return object;
  }

  /** Implements {@link io.pmstore.core.heap.ObjectLayer#rolledBack}. */
  public @Nullable Class<?> rolledBack(HeapObject handle, long address) {
    Object known = identities.pinning(address);
    if (known == null || PersistentObject.handleOf(known) != handle) {
      return null;
    }
    identities.remove(address, known);
    return PersistentObject.classOf(known);
  }

  /**
   * Returns true if the object belongs to this store, and not to another one or to an earlier
   * opening of this one. False for a plain object of an enhanced class, unless it is a constant
   * that this store has.
   */
  public boolean isHere(PersistentObject object) {
    HeapObject handle = handle(object);
    return handle != null && handle.heap() == heap;
  }

  /** Returns the handle of an object; null if it has none, or one that is no object of a heap. */
  public @Nullable HeapObject handle(PersistentObject object) {
    ObjectHandle handle = PersistentObject.handleOf(object);
    if (handle == null) {
      return constants().handle(object);
    }
    return handle instanceof HeapObject here ? here : null;
  }

  /**
   * Returns the {@link #address} of an object of this store, or 0 if it is none, or is plain again
   * because another thread has rolled back the transaction that made it persistent. Waits for the
   * end of that transaction.
   *
   * @throws io.pmstore.RolledBackException if its transaction was rolled back, and it has never
   *     been plain
   */
  @SuppressWarnings("ReferenceEquality") // the same handle is meant, not an equal one
  public long addressIfHere(PersistentObject object) {
    HeapObject handle = handle(object);
    if (handle == null || handle.heap() != heap) {
      return 0;
    }
    try {
      return handle.identity();
    } catch (RolledBackException e) {
      if (handle(object) == handle) {
        throw e;
      }
      return 0;
    }
  }

  /**
   * Returns the address that references to an object of this store hold. It denotes that object as
   * long as the Java object is alive.
   *
   * @return where the object was first placed in the heap
   * @throws io.pmstore.RolledBackException if the transaction that made it was rolled back
   */
  public long address(Object object) {
    HeapObject handle = handle((PersistentObject) object);
    if (handle == null) {
      throw new IllegalArgumentException(object.getClass() + " has no place in this store");
    }
    return handle.identity();
  }

  /**
   * Returns {@link #address} for a reference that the current transaction makes. The transaction
   * keeps the object alive until it ends, so nobody frees the address.
   */
  public long addressToLink(Object object) {
    heap.keepAlive(object);
    return address(object);
  }

  /** Forgets an object that was made in vain. */
  public void forget(long address, Object object) {
    identities.remove(address, object);
  }

  /**
   * Implements {@link io.pmstore.core.heap.ObjectLayer#forget}. From now on the Java object is for
   * the snapshots that show the object.
   */
  public void forget(long address) {
    Freed gone = freed.add(address); // first: no view of an older state adds a Java object then
    Object known = identities.pinning(address);
    if (known != null) {
      identities.remove(address, known);
    }
    // A constant of the program is an object of its own.
    if (PersistentObject.handleOf(known) instanceof HeapObject handle) {
      handle.freedElsewhere(gone.position);
      gone.had((PersistentObject) known);
    } else {
      gone.had(null);
    }
    freed.endUnshown();
  }

  /** Forgets all objects. */
  public void clear() {
    identities.clear();
  }
}
