package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bean.ImmutableClasses;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bean.PropertyTypes;
import io.pmstore.proxy.bean.Substitutes;
import io.pmstore.proxy.bytecode.PropertyCode;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.PersistentSortedMap;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.Admission;
import io.pmstore.spi.EnhancedArrays;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of one plain object and all that it reaches, inside a transaction.
 *
 * <p>A plain object gets its persistent twin when it is first met, and waits in a queue for its
 * contents to be written. So cycles end, shared objects stay shared, and a long chain needs no
 * stack. Keys must be complete when they are hashed and compared. So beans and lists are filled
 * first, and hash maps and sets in two steps on a stack: the first step finds the keys, the second
 * puts them in after all that was found since, such as the collections of the keys. Sorted
 * collections are filled last, the last one first, because a comparator may use other collections.
 */
final class Conversion implements Admission {
  /**
   * A plain object that has a twin. The twin is remembered after the commit unless no other code
   * can have the plain object.
   */
  private record Made(Object plain, Twin twin, long address, Path path, boolean remembered) {
    /** Returns true for an object of an enhanced class, which is persistent itself. */
    @SuppressWarnings("ReferenceEquality")
    boolean isAttached() {
      return plain == twin.persistent() && !isConstant();
    }

    boolean isConstant() {
      return twin.handle() != null;
    }
  }

  /** An array that enhanced code may change as part of an object. */
  private record Noted(EnhancedObject owner, Object array) {}

  private final Converter converter;
  private final Heap heap;
  private final StoreObjects objects;
  private final StoreSchema schema;
  private final List<Made> made = new ArrayList<>();
  private final List<InPlaceState> inPlace =
      new ArrayList<>(); // of objects that may be plain again
  private final List<Noted> noted = new ArrayList<>(); // of such objects
  private final ArrayDeque<Made> beans = new ArrayDeque<>();
  private final ArrayDeque<Made> collections = new ArrayDeque<>();
  private final ArrayDeque<Runnable> keyed =
      new ArrayDeque<>(); // steps that fill hash maps and sets
  private final ArrayDeque<Made> sorted = new ArrayDeque<>();

  Conversion(Converter converter) {
    this.converter = converter;
    this.heap = converter.store().heap();
    this.objects = converter.store().objects();
    this.schema = converter.store().schema();
  }

  /** Converts an object that is neither a value nor persistent. */
  Object convert(Object plain, Path path) {
    return run(plain, path, true);
  }

  /** Converts an object that has just been made and that nobody will assign again. */
  Object convertNew(Object plain, Path path) {
    return run(plain, path, false);
  }

  /** Makes an empty collection, and converts its comparator. */
  Object newCollection(CollectionKind kind, @Nullable Comparator<?> comparator) {
    Path path = Path.of(kind.type());
    Object plain = new Object(); // the key of the twin; nobody else has it
    return run(
        () -> {
          Comparator<@Nullable Object> stored =
              comparator == null ? null : storedComparator(comparator, path);
          PersistentObject collection = objects.newCollection(kind, stored);
          Twin twin = new Twin(collection);
          made.add(new Made(plain, twin, objects.address(collection), path, false));
          return collection;
        });
  }

  private Object run(Object plain, Path path, boolean remembered) {
    return run(() -> admitPlain(plain, path, remembered));
  }

  private Object run(Supplier<Object> admission) {
    try {
      return converter.savepoints().run(() -> runAll(admission));
    } catch (Throwable t) {
      undo(); // what was made is in the transaction, but nothing refers to it
      throw t;
    }
  }

  private Object runAll(Supplier<Object> admission) {
    Object result = admission.get();
    fillUnsorted();
    for (Made next = sorted.pollLast(); next != null; next = sorted.pollLast()) {
      next.twin().fill();
      fillUnsorted();
    }
    followTransaction();
    return result;
  }

  /** Makes everything as it was, also if this has ended. */
  private void undo() {
    made.forEach(this::undo);
    made.clear();
    restoreArrays();
    inPlace.clear();
    noted.clear();
  }

  private void restoreArrays() {
    inPlace.forEach(InPlaceState::restore);
    noted.forEach(one -> EnhancedArrays.forget(one.owner(), one.array()));
  }

  private void undo(Made one) {
    objects.forget(one.address(), one.twin().persistent());
    if (!one.isAttached()) {
      converter.remove(one.plain());
    } else if (one.remembered()) { // the program has it, and goes on with a plain object
      bindingOf(one).type().detach(one.plain());
    }
  }

  private void rolledBack() {
    for (Made one : made) {
      if (one.isAttached()) {
        undo(one);
      } else {
        if (one.isConstant()) { // the layer forgets persistent objects only
          objects.forget(one.address(), one.plain());
        }
        converter.rollback(one.plain(), one.twin());
      }
    }
    restoreArrays();
  }

  private Binding bindingOf(Made bean) {
    return schema.bind(bean.plain().getClass());
  }

  /** Tells other transactions what was made, since they must not make it again. */
  private void publish() {
    for (Made one : made) {
      if (one.remembered() && !one.isAttached()) {
        converter.publish(one.plain(), one.twin());
      }
    }
  }

  /** Remembers what was made when the transaction has committed. */
  private void followTransaction() {
    if (made.isEmpty()) {
      return;
    }
    converter.savepoints().done(Steps.Kind.CONVERSION, this::undo);
    heap.beforeCommit(this::publish);
    heap.onRollback(this::rolledBack);
    heap.onCommit(
        () -> {
          for (Made one : made) {
            if (one.isAttached()) {
              bindingOf(one).type().clearPlain(one.plain());
            } else if (one.remembered()) {
              converter.commit(one.plain(), one.twin());
            } else { // until now, others may have referred to it
              converter.remove(one.plain());
            }
          }
        });
  }

  /**
   * Returns the value or persistent object that is stored for a value. A plain object gets its twin
   * now, and its contents later.
   */
  @Override
  public @Nullable Object admit(@Nullable Object value, Path path) {
    if (value == null || converter.isValue(value)) {
      return value;
    }
    Object behind = JdkWrappers.behind(value);
    if (converter.isHere(behind, path)) {
      return Facades.unwrapped(behind);
    }
    return admitPlain(behind, path, true);
  }

  /** Does the same, and adds to {@code snapshot} what to keep when it is written. */
  private @Nullable Object admit(
      @Nullable Object value, Path path, List<@Nullable Object> snapshot) {
    Object stored = admit(value, path);
    snapshot.add(Snapshots.toKeep(value, stored));
    return stored;
  }

  private Object admitPlain(Object plain, Path path, boolean remembered) {
    // Another use of the collection may change its own.
    boolean isCopied = ImmutableClasses.contains(path.declaredType());
    Twin known = isCopied ? null : converter.find(plain);
    if (known != null) {
      if (converter.findUncommitted(plain) == known) {
        converter.storeLateChanges(plain);
      } else {
        new ChangeCheck(converter).check(plain, known, path);
      }
      return fitting(known.persistent(), plain, path);
    }
    if (plain.getClass().isAnnotationPresent(Persistent.class)) {
      return admitBean(plain, path, remembered);
    }
    CollectionKind kind = PlainCollections.kind(plain, path);
    if (kind == null) {
      throw new NotPersistableException(
          "%s is of class %s, %s; %s"
              .formatted(
                  path,
                  plain.getClass().getName(),
                  plain.getClass() != Object.class && PropertyTypes.isValue(plain.getClass())
                      ? "which is a value type, but no store could give this value back equal"
                      : "which is neither a value type nor annotated with @Persistent",
                  (path.isOfProperty()
                      ? Substitutes.of(plain.getClass())
                      : Substitutes.ofElement(plain.getClass()))));
    }
    Object persistent =
        objects.newCollection(kind, kind.isSorted() ? comparator(plain, path) : null);
    boolean shared = isCopied || PlainCollections.isSharedEmpty(plain);
    boolean hasTwin = remembered && !shared;
    Made one = new Made(plain, new Twin(persistent), objects.address(persistent), path, hasTwin);
    if (!shared) {
      converter.add(plain, one.twin());
    }
    made.add(one);
    if (isSorted(persistent)) {
      one.twin()
          .fillLater(
              () -> {
                fillUnsorted();
                fillCollection(one);
              });
      sorted.add(one);
    } else if (persistent instanceof Map || persistent instanceof Set) {
      one.twin()
          .fillLater(
              () -> {
                int below = keyed.size();
                beginKeyed(one);
                fillAbove(below);
              });
      keyed.add(
          () -> {
            if (one.twin().beginFilling()) {
              beginKeyed(one);
            }
          });
    } else {
      one.twin().fillLater(() -> fillCollection(one));
      collections.add(one);
    }
    return fitting(persistent, plain, path);
  }

  private Object admitBean(Object plain, Path path, boolean remembered) {
    Binding binding = schema.bind(plain.getClass());
    if (binding.type().isConstant(plain)) {
      admitConstant(plain, binding, path);
      return plain;
    }
    if (binding.type().isEnhanced()) {
      return attach(plain, path, remembered);
    }
    Object persistent = objects.newObject(binding);
    Made one = new Made(plain, new Twin(persistent), objects.address(persistent), path, remembered);
    converter.add(plain, one.twin());
    made.add(one);
    addBean(one);
    return fitting(persistent, plain, path);
  }

  private void addBean(Made bean) {
    bean.twin().fillLater(() -> fill(bean));
    beans.add(bean);
  }

  private void admitConstant(Object constant, Binding binding, Path path) {
    HeapObject handle = objects.newConstant(binding, constant);
    Made one = new Made(constant, new Twin(constant, handle), handle.identity(), path, true);
    converter.add(constant, one.twin());
    made.add(one);
    addBean(one);
  }

  /** Makes a plain object of an enhanced class persistent; its contents are written later. */
  private Object attach(Object plain, Path path, boolean remembered) {
    if (plain instanceof EnhancedCollection collection && !PersistentObject.isPersistent(plain)) {
      PlainCollections.check(collection, path);
    }
    Binding binding = schema.bind(plain.getClass());
    while (!objects.attach(binding, plain)) {
      if (converter.isHere(plain, path)) { // another thread has made it persistent
        return plain;
      }
    }
    Made one = new Made(plain, new Twin(plain), objects.address(plain), path, remembered);
    made.add(one);
    addBean(one);
    return plain;
  }

  /**
   * Throws if the property at the end of the path cannot hold the persistent object, although it
   * could hold the plain one.
   */
  private static Object fitting(Object persistent, Object plain, Path path) {
    if (Facades.canFit(persistent, path.declaredType())) {
      return persistent;
    }
    throw new NotPersistableException(
        "%s is a %s, which is stored as a %s, and that is no %s; declare the property as Object or as an interface of java.util, or assign a collection of another class"
            .formatted(
                path,
                plain.getClass().getName(),
                persistent.getClass().getSimpleName(),
                path.declaredType().getName()));
  }

  private @Nullable Comparator<@Nullable Object> comparator(Object collection, Path path) {
    Comparator<?> plain = PlainCollections.comparator(collection);
    return plain == null ? null : storedComparator(plain, path);
  }

  /**
   * Returns the comparator of a sorted collection in its storable form. A comparator of a
   * persistent class gets its twin like any other object, since it may refer to the collection.
   */
  @SuppressWarnings("unchecked") // the collection has used it for its elements
  private Comparator<@Nullable Object> storedComparator(Comparator<?> plain, Path path) {
    Path its = path.property("comparator", Comparator.class);
    Comparator<?> reversed =
        Collections.reverseOrder(plain); // for a reversed one: the one that it reverses
    Comparator<?> stored = plain;
    if (plain.getClass().isAnnotationPresent(Persistent.class)) {
      stored = admitted(plain, its);
    } else if (reversed.getClass().isAnnotationPresent(Persistent.class)) {
      stored = Collections.reverseOrder(admitted(reversed, its));
    } else {
      PersistentSortedMap.checkComparator(its, plain, schema::comparatorName);
    }
    return (Comparator<@Nullable Object>) stored;
  }

  private Comparator<?> admitted(Comparator<?> comparator, Path path) {
    return (Comparator<?>) Objects.requireNonNull(admit(comparator, path));
  }

  private static boolean isSorted(Object collection) {
    return collection instanceof SortedMap || collection instanceof SortedSet;
  }

  /** Fills everything that waits, except sorted collections. */
  private void fillUnsorted() {
    fillAbove(0);
  }

  /** Fills everything that waits, except sorted collections and the lowest steps of others. */
  private void fillAbove(int below) {
    while (true) {
      fillBeans();
      Made collection = collections.poll();
      if (collection != null) {
        collection.twin().fill();
      } else if (keyed.size() > below) {
        keyed.removeLast().run();
      } else {
        return;
      }
    }
  }

  private void fillBeans() {
    for (Made bean = beans.poll(); bean != null; bean = beans.poll()) {
      bean.twin().fill();
    }
  }

  private void fill(Made bean) {
    Binding binding = schema.bind(bean.plain().getClass());
    List<Property> properties = binding.shape().properties();
    if (!bean.isAttached()) {
      binding.type().copyTransients(bean.plain(), bean.twin().persistent());
    }
    @Nullable Object[] snapshot = new Object[properties.size()];
    for (int i = 0; i < snapshot.length; i++) {
      Property property = properties.get(i);
      Object value = binding.type().readPlain(bean.plain(), i);
      if (value != null) {
        snapshot[i] = write(bean, binding, i, property, value);
      }
    }
    bean.twin().converted(snapshot);
  }

  /** Writes one property of a new object, which is still zero. Returns what was stored. */
  private @Nullable Object write(
      Made bean, Binding binding, int index, Property property, Object value) {
    boolean isPrimitive = property.kind().isPrimitive();
    Path path =
        isPrimitive ? bean.path() : bean.path().property(binding.type().properties().get(index));
    Object stored =
        converter
            .slots()
            .write(bean.address(), property, binding.enums().get(index), value, path, this);
    if (bean.isAttached() && InPlace.changes(value)) { // the program may have the array, say, too
      inPlace.add(InPlaceState.of(value, converter.slots().embedded()));
      HeapObject handle = (HeapObject) ((PersistentObject) bean.plain()).pmstoreHandle();
      converter.workingValues().written(handle, bean.address(), property.offset(), index, value);
      if (value.getClass().isArray()) {
        EnhancedObject owner = (EnhancedObject) bean.plain();
        noted.add(new Noted(owner, value));
        EnhancedArrays.note(
            owner, value, property.offset(), PropertyCode.of(property.kind(), index));
      }
    }
    return isPrimitive ? stored : converter.snapshots().kept(value, stored);
  }

  private void fillCollection(Made collection) {
    Contents contents = new Contents(collection);
    contents.admit();
    if (isSorted(collection.twin().persistent())) {
      fillUnsorted(); // what the comparator may use
    } else {
      fillBeans();
    }
    contents.put();
  }

  /**
   * Converts the contents of a hash map or set. A later step puts them in, when all that this one
   * finds is filled: keys may have collections that they hash and compare.
   */
  private void beginKeyed(Made collection) {
    Contents contents = new Contents(collection);
    keyed.add(contents::put);
    contents.admit();
  }

  /** The contents of a collection. */
  private final class Contents {
    private final Made collection;
    private final List<@Nullable Object> snapshot = new ArrayList<>();
    private final List<@Nullable Object> stored = new ArrayList<>();

    Contents(Made collection) {
      this.collection = collection;
    }

    /** Converts them. */
    void admit() {
      switch (collection.plain()) {
        case Map<?, ?> map -> admit(map);
        case Collection<?> elements -> admit(elements);
        default -> throw new IllegalStateException("no collection: " + collection);
      }
    }

    private void admit(Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        Path path = collection.path().element(entry.getKey());
        stored.add(Conversion.this.admit(entry.getKey(), path, snapshot));
        stored.add(Conversion.this.admit(entry.getValue(), path, snapshot));
      }
    }

    private void admit(Collection<?> elements) {
      int index = 0;
      for (Object element : elements) {
        Path path = collection.path().element(index++);
        if (element == null && collection.twin().persistent() instanceof Deque) {
          throw new NotPersistableException(
              path
                  + " is null, which a persistent deque does not hold; use a list, or leave it"
                  + " out");
        }
        stored.add(Conversion.this.admit(element, path, snapshot));
      }
    }

    /** Puts them into the collection, which is new and empty. */
    void put() {
      named(collection.path(), () -> LateChanges.add(collection.twin().persistent(), stored));
      snapshot.replaceAll(converter.snapshots()::kept); // now that records have been written
      collection.twin().converted(snapshot.toArray());
    }
  }

  /** Fills a collection, and says which one it is if it refuses a key or an element. */
  private static void named(Path path, Runnable filling) {
    try {
      filling.run();
    } catch (NotPersistableException e) {
      throw new NotPersistableException(path + ": " + e.getMessage(), e);
    }
  }
}
