package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.WordLayout;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.identity.Twins;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.InitialState;
import io.pmstore.proxy.schema.InitialState.EmptyCollection;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.Admission;
import io.pmstore.proxy.slot.EmbeddedValues;
import io.pmstore.proxy.slot.Slots;
import io.pmstore.proxy.slot.StoreContext;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.spi.EnhancedCollections;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts plain objects to persistent ones, for one store. Thread-safe.
 *
 * <p>Only the transaction that converts an object knows its twin until its body has ended; then all
 * know it, as long as the program holds the plain object. The commit stores what the plain object
 * holds then. A roll-back forgets the twin. Of two transactions that convert one plain object at
 * the same time, the second to end runs again, and uses the twin of the first.
 */
public final class Converter implements Admission {
  /** How long a transaction waits for another one that commits a twin, before it runs again. */
  private static final long COMMIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(10);

  private final StoreContext store;
  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final ValueCells values;
  private final Slots slots;
  private final Snapshots snapshots;
  private final ReturnedValues returnedValues;
  private final WorkingValues workingValues;
  private final LateChanges lateChanges;
  private final LostChanges lostChanges;
  private final Savepoints savepoints;
  private final Twins published = new Twins();
  private final TakenOver takenOver = new TakenOver();

  /**
   * What enhanced code asks about plain collections. Enhanced code finds it after the first twin.
   */
  private final class TakenOver implements EnhancedCollections.Store {
    private volatile boolean isKnown;
    private boolean isClosed; // guarded by this

    void begin() {
      if (!isKnown) {
        add();
      }
    }

    private synchronized void add() {
      if (!isKnown && !isClosed) {
        EnhancedCollections.add(this);
        isKnown = true;
      }
    }

    synchronized void close() {
      isClosed = true;
      EnhancedCollections.remove(this);
    }

    @Override
    public boolean hasTakenOver(Object plain) {
      Object behind = JdkWrappers.behind(plain);
      return findUncommitted(behind) == null && published.find(behind) != null;
    }

    @Override
    public void changed(Object plain) {
      storeChange(plain);
    }

    @Override
    public @Nullable Object takenOverNow(Object plain) {
      Uncommitted mine = uncommitted.get();
      Twin twin = mine == null ? null : mine.twins.get(plain); // a wrapper keeps its own methods
      return twin == null ? null : twin.persistent();
    }
  }

  /** The twins that one transaction has made. */
  private static final class Uncommitted {
    private final IdentityHashMap<Object, Twin> twins = new IdentityHashMap<>();
    private boolean storesLateChanges;
  }

  @SuppressWarnings("ThreadLocalUsage") // one for each store, and emptied with each transaction
  private final ThreadLocal<@Nullable Uncommitted> uncommitted = new ThreadLocal<>();

  public Converter(StoreContext store, Slots slots) {
    this.store = store;
    this.heap = store.heap();
    this.schema = store.schema();
    this.objects = store.objects();
    this.values = store.values();
    this.slots = slots;
    this.savepoints = new Savepoints(heap);
    this.snapshots = new Snapshots(this);
    this.lostChanges = new LostChanges(new ChangeCheck(this));
    this.returnedValues = new ReturnedValues(store, this, lostChanges);
    this.workingValues = new WorkingValues(store, slots, this, returnedValues);
    this.lateChanges = new LateChanges(this);
    objects.constants(new ConstantTwins(this));
  }

  public ReturnedValues returnedValues() {
    return returnedValues;
  }

  public WorkingValues workingValues() {
    return workingValues;
  }

  /**
   * Returns what the store keeps for a value: the value itself, the persistent twin of a plain
   * object, or null. Converts the object, with all that it reaches, if it has no twin yet. Runs
   * inside a transaction.
   *
   * @throws NotPersistableException if the value, or one that it reaches, cannot be stored; nothing
   *     that was written is reachable then
   */
  @Override
  @SuppressWarnings("ReferenceEquality")
  public @Nullable Object admit(@Nullable Object value, Path path) {
    if (value == null) {
      return null;
    }
    if (isHere(value, path)) {
      return Facades.unwrapped(value);
    }
    if (isValue(value)) {
      return value;
    }
    Object behind = JdkWrappers.behind(value);
    return behind == value ? new Conversion(this).convert(value, path) : admit(behind, path);
  }

  /**
   * Writes into a reference, a word or a cell what the store keeps for a value. Runs inside a
   * transaction.
   *
   * @throws NotPersistableException if it cannot be stored; then nothing that it reaches is
   *     converted
   */
  public void write(long object, int offset, SlotKind kind, @Nullable Object value, Path path) {
    savepoints.run(
        () -> {
          slots.writeAdmitted(object, offset, kind, admit(value, path), path, this);
          return true;
        });
  }

  /**
   * Runs what stores several values, or parts of one, inside a transaction. If it throws, nothing
   * that it has converted is part of the store.
   */
  public <T extends @Nullable Object> T asOne(Supplier<T> storing) {
    return savepoints.run(storing);
  }

  /**
   * Makes a persistent object from what the no-argument constructor of its class makes. Runs inside
   * a transaction.
   */
  public Object create(PersistentClass type) {
    if (type.isInterface()) {
      return createEmpty(schema.bind(type.type())); // it has no initial values
    }
    Binding binding = schema.bind(type.type());
    InitialState known = binding.initial().get();
    if (known != null) {
      return createLike(known, binding);
    }
    Object plain = type.newPlain();
    Object object = createOf(binding, plain);
    if (type.makesAlike()) {
      rememberInitial(binding, plain, objects.address(object));
    }
    return object;
  }

  private Object createLike(InitialState state, Binding binding) {
    Object object = objects.newObject(binding, state.fields());
    long address = objects.address(object);
    List<EmptyCollection> collections = state.collections();
    for (int i = 0; i < collections.size(); i++) { // an iterator would be garbage
      EmptyCollection each = collections.get(i);
      Property property = each.property();
      PersistentObject collection = objects.newCollection(each.kind(), null);
      slots.writeDirect(address, property.offset(), property.kind(), collection);
    }
    binding.type().copyTransients(state.plain(), object);
    return object;
  }

  private Object createOf(Binding binding, Object plain) {
    @Nullable Object[] initial = new Object[binding.shape().properties().size()];
    for (int i = 0; i < initial.length; i++) {
      initial[i] = binding.type().readPlain(plain, i);
      if (!isDirect(binding.shape().properties().get(i), initial[i])) {
        return new Conversion(this).convertNew(plain, Path.of(plain));
      }
    }
    return createOf(binding, plain, initial);
  }

  /** Returns true if a property's value is stored in its slot, without an object of its own. */
  private boolean isDirect(Property property, @Nullable Object value) {
    return switch (property.kind()) {
      case REFERENCE -> value == null;
      case CELL -> value == null || values.isValue(value);
      default -> true;
    };
  }

  /** Makes an object whose properties are all stored in their slots. */
  private Object createOf(Binding binding, Object plain, @Nullable Object[] initial) {
    Object object = createEmpty(binding);
    binding.type().copyTransients(plain, object);
    long address = objects.address(object);
    for (int i = 0; i < initial.length; i++) {
      if (initial[i] != null) {
        Property slot = binding.shape().properties().get(i);
        slots.write(address, slot, binding.enums().get(i), initial[i], Path.of(plain), this);
      }
    }
    return object;
  }

  /** Remembers what a new object has, unless a value, but for a collection, is outside its slot. */
  private void rememberInitial(Binding binding, Object plain, long address) {
    byte[] fields = heap.fields(address);
    List<EmptyCollection> collections = new ArrayList<>();
    for (Property property : binding.shape().properties()) {
      int offset = property.offset();
      long target =
          switch (property.kind()) {
            case REFERENCE -> heap.getLong(address, offset);
            case CELL ->
                ReferenceMap.address(
                    heap.getLong(address, offset), heap.getLong(address, offset + Long.BYTES));
            default -> {
              long word = property.kind().isWord() ? heap.getLong(address, offset) : 0;
              yield WordLayout.isInline(word) ? 0 : word;
            }
          };
      if (target == 0) {
        continue;
      }
      CollectionKind kind = CollectionKind.of(objects.known(target));
      if (kind == null) {
        return;
      }
      collections.add(new EmptyCollection(property, kind));
      int at = offset - ObjectLayout.HEADER;
      Arrays.fill(fields, at, at + property.kind().width(), (byte) 0);
    }
    binding.initial().set(new InitialState(fields, List.copyOf(collections), plain));
  }

  /** Makes an object of zeros. Runs inside a transaction. */
  public Object createEmpty(Binding binding) {
    return objects.newObject(binding);
  }

  /**
   * Makes an empty collection. Runs inside a transaction.
   *
   * @param comparator the order of a sorted collection; null for the natural order and for other
   *     kinds
   * @throws NotPersistableException if the comparator cannot be stored
   */
  public Object createCollection(CollectionKind kind, @Nullable Comparator<?> comparator) {
    return new Conversion(this).newCollection(kind, comparator);
  }

  /** Returns the persistent twin of a plain object, or null if it has none. */
  public @Nullable Object twinOf(Object plain) {
    Twin twin = find(plain);
    return twin == null ? null : twin.persistent();
  }

  /** Forgets all twins for good. */
  public void clear() {
    lostChanges.lookAtAll();
    published.close();
    takenOver.close();
  }

  /**
   * Returns true for a value, with or without parts, which is stored in a slot and has no identity.
   */
  public boolean isValue(Object object) {
    return values.isValue(object) || EmbeddedValues.isEmbedded(object);
  }

  /**
   * Returns true if a value is a persistent object of this store. Returns false if it is none, or
   * is plain again because another thread has rolled back the transaction that made it persistent.
   *
   * @throws NotPersistableException if it is one of another store
   * @throws io.pmstore.RolledBackException if its transaction was rolled back, and it has never
   *     been plain
   */
  public boolean isHere(Object value, Path path) {
    ObjectHandle handle = PersistentObject.handleOf(value);
    if (handle == null) {
      return false;
    }
    if (!(handle instanceof HeapObject here) || here.heap() != heap) {
      throw new NotPersistableException(
          "%s would refer to an object of another store, or of this one before it was closed; read the object from this store, or copy it with PmStore.copy of its own store and assign the copy"
              .formatted(path));
    }
    return objects.addressIfHere((PersistentObject) value) != 0;
  }

  /** Returns the twin of a plain object, or of the collection behind a wrapper; null if none. */
  @Nullable Twin find(Object plain) {
    Object behind = JdkWrappers.behind(plain);
    Twin twin = findUncommitted(behind);
    if (twin != null) {
      return twin;
    }
    twin = published.find(behind);
    return twin == null || twin.isCommitted() || !heap.inTransaction() ? twin : findSettled(behind);
  }

  /** Waits for another transaction that is about to commit a twin. */
  private @Nullable Twin findSettled(Object plain) {
    long began = System.nanoTime();
    Backoff backoff = new Backoff();
    while (true) {
      Twin twin = published.find(plain);
      if (twin == null || twin.isCommitted()) {
        return twin;
      }
      if (System.nanoTime() - began > COMMIT_NANOS_MAX) {
        heap.conflict(); // the other one may wait for a twin of this one
      }
      backoff.pause();
    }
  }

  /** Returns the twin that the current transaction has made, or null. */
  @Nullable Twin findUncommitted(Object plain) {
    Uncommitted mine = uncommitted.get();
    return mine == null ? null : mine.twins.get(JdkWrappers.behind(plain));
  }

  /**
   * Writes the contents of what a plain object is being converted to, unless that has begun: code
   * of the program is about to read them.
   */
  public void fillNow(Object plain) {
    Twin twin = findUncommitted(plain);
    if (twin != null) {
      twin.fill();
    }
  }

  void add(Object plain, Twin twin) {
    Uncommitted mine = uncommitted.get();
    if (mine == null) {
      mine = new Uncommitted();
      uncommitted.set(mine);
      takenOver.begin();
      heap.beforeCommit(this::storeLateChanges);
    }
    mine.twins.put(plain, twin);
  }

  /**
   * Stores what the program has changed, since their conversion, in the originals of the current
   * transaction.
   */
  private void storeLateChanges() {
    Uncommitted mine = uncommitted.get();
    if (mine != null) {
      workingValues.writeBack(); // what methods of the twins have changed in place
      storing(mine, () -> lateChanges.store(mine.twins.keySet().toArray()));
    }
  }

  /**
   * Does the same for one original that is assigned again, and the collections that it refers to.
   */
  void storeLateChanges(Object plain) {
    Uncommitted mine = uncommitted.get();
    if (mine != null && !mine.storesLateChanges) {
      Object[] originals = lateChanges.withCollections(plain);
      storingPart(mine, () -> lateChanges.store(originals));
    }
  }

  /** Stores late changes after which the transaction may go on, even if one is refused. */
  private void storingPart(Uncommitted mine, Runnable changes) {
    savepoints.run(
        () -> {
          storing(mine, changes);
          return true;
        });
  }

  /** Stores late changes; what refuses one rolls the transaction back, or undoes all. */
  private static void storing(Uncommitted mine, Runnable changes) {
    mine.storesLateChanges = true;
    try {
      changes.run();
    } finally {
      mine.storesLateChanges = false;
    }
  }

  /** Stores what enhanced code has just changed in a plain collection of this transaction. */
  private void storeChange(Object collection) {
    Uncommitted mine = uncommitted.get();
    if (mine != null
        && !mine.storesLateChanges
        && mine.twins.containsKey(JdkWrappers.behind(collection))) {
      storingPart(mine, () -> lateChanges.storeAtOnce(collection));
    }
  }

  /** Tells other transactions of a twin; has the current one run again if another one has one. */
  void publish(Object plain, Twin twin) {
    if (!published.add(plain, twin)) {
      heap.conflict();
    }
  }

  /**
   * Has the current transaction run again if another one has published a twin of an object that
   * this one has converted too: objects that refer to that twin look changed here.
   */
  void checkPublished() {
    Uncommitted mine = uncommitted.get();
    if (mine != null) {
      mine.twins.forEach(
          (plain, twin) -> {
            Twin other = published.find(plain);
            if (other != null && other != twin) {
              heap.conflict();
            }
          });
    }
  }

  /** Forgets the twin of an object that is not remembered, or whose conversion has failed. */
  void remove(Object plain) {
    Uncommitted mine = uncommitted.get();
    if (mine != null) {
      mine.twins.remove(plain);
      if (mine.twins.isEmpty()) {
        uncommitted.remove();
      }
    }
  }

  void commit(Object plain, Twin twin) {
    twin.commit();
    lostChanges.add(plain, twin);
    remove(plain);
  }

  void rollback(Object plain, Twin twin) {
    published.remove(plain, twin);
    remove(plain);
  }

  StoreContext store() {
    return store;
  }

  Slots slots() {
    return slots;
  }

  Snapshots snapshots() {
    return snapshots;
  }

  Savepoints savepoints() {
    return savepoints;
  }
}
