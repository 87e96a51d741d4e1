package io.pmstore.proxy.layer;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.Upgrade;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.RemovedConstantException;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.tx.View;
import io.pmstore.proxy.bean.ElementClasses;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.bytecode.PropertyCode;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionShapes;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.facade.ShownElements;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.PropertySlots;
import io.pmstore.proxy.slot.Slots;
import io.pmstore.proxy.slot.StoreContext;
import io.pmstore.proxy.upgrade.OldObjects;
import io.pmstore.proxy.upgrade.StoreUpgrade;
import io.pmstore.proxy.value.RegisteredTypes;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.proxy.value.WordValues;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The object layer of one store: shows its objects as objects of generated classes. Thread-safe.
 */
final class ProxyLayer implements ObjectLayer {
  private final Heap heap;
  private final Catalogue catalogue;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final ValueCells values;
  private final Slots slots;
  private final Converter converter;
  private final Texts texts;
  private final OldObjects oldObjects;
  private final StoreUpgrade upgrade;
  private final Roots roots;

  private StoreSchema schema() {
    return schema;
  }

  ProxyLayer(Heap heap, PmStoreOptions options) {
    this.heap = heap;
    catalogue = new Catalogue(heap);
    Migrations migrations = new Migrations(options.migrations());
    RegisteredTypes registered = new RegisteredTypes(catalogue, options.valueTypes(), this::schema);
    schema = new StoreSchema(catalogue, migrations, registered::has);
    texts = new Texts(schema);
    for (Class<?> type : options.classes()) {
      schema.learn(type);
    }
    catalogue.addMissing(NodeShapes.all());
    heap.bodies().forwarder(NodeShapes.forwarder(catalogue, !heap.isReadOnly()));
    objects = new StoreObjects(heap, schema);
    values = new ValueCells(heap, schema, registered);
    StoreContext store = new StoreContext(heap, schema, objects, values, migrations);
    slots = new Slots(store);
    converter = new Converter(store, slots);
    oldObjects = new OldObjects(store, slots, converter);
    roots = new Roots(heap, schema, objects, converter);
    upgrade = new StoreUpgrade(store, slots, converter);
    StoreCells cells = new StoreCells(store, slots, converter);
    CollectionShapes shapes =
        new CollectionShapes(node -> NodeShapes.id(catalogue, node, !heap.isReadOnly()));
    objects.collections(new CollectionSpace(heap, cells, shapes));
  }

  @Override
  public <T> T root(Class<T> type) {
    return roots.root(type);
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    return roots.root(name, type);
  }

  @Override
  public <T> T create(Class<T> type) {
    PersistentClass persistentClass = PersistentClasses.of(type);
    heap.beginWrite();
    return type.cast(heap.transaction(() -> converter.create(persistentClass)));
  }

  @Override
  public <T> T newCollection(Class<T> type, @Nullable Comparator<?> comparator) {
    CollectionKind kind = CollectionKind.of(type);
    if (kind == null) {
      throw new IllegalArgumentException("no persistent collection is made for " + type);
    }
    heap.beginWrite();
    return type.cast(heap.transaction(() -> converter.createCollection(kind, comparator)));
  }

  @Override
  public Object persist(Object plain) {
    Objects.requireNonNull(
        plain, "the object is null; pass one of a class that is annotated with @Persistent");
    Path path = Path.of(plain);
    if (converter.isValue(plain)) {
      throw new NotPersistableException(
          "%s is of class %s, a value, which is stored as part of an object; assign it to a property, or put it into a collection"
              .formatted(path, plain.getClass().getTypeName()));
    }
    if (converter.isHere(plain, path)) { // refuses one of another store
      return plain;
    }
    heap.beginWrite();
    return heap.transaction(() -> Objects.requireNonNull(converter.admit(plain, path)));
  }

  @Override
  public Object cloned(HeapObject from, Object original) {
    PersistentClass type = PersistentClasses.of(original.getClass());
    Binding binding = schema.bind(type.type());
    heap.beginWrite();
    return heap.transaction(
        () -> {
          Object made = converter.createEmpty(binding);
          type.copyTransients(original, made);
          HeapObject to = (HeapObject) ((PersistentObject) made).pmstoreHandle();
          List<Property> properties = binding.shape().properties();
          for (int i = 0; i < properties.size(); i++) {
            PropertySlots.copy(from, to, properties.get(i), i);
          }
          return made;
        });
  }

  @Override
  public @Nullable Object read(HeapObject object, int offset, int property) {
    try {
      Object value = readNow(object, offset, property);
      if (PropertyCode.showsElements(property)
          && value instanceof PersistentCollection collection) {
        ShownElements.in(collection, heap.read(() -> elementClasses(object, property)));
      }
      return value;
    } catch (StoreDamagedException e) {
      throw new StoreDamagedException(describe(object, property) + ": " + e.getMessage(), e);
    } catch (RemovedConstantException e) {
      Shape shape = shapeOf(object);
      throw e.at(
          describe(object, property),
          "\"pm show DIR @%d\" shows the object, and \"pm find DIR %s --where %s=%s\" finds all of its class that have the constant in this property"
              .formatted(
                  object.identity(), shape.className(), nameIn(shape, property), e.constant()));
    }
  }

  @Override
  public Object fitting(HeapObject object, int property, Object value, Class<?> type) {
    Object fitting = Facades.fitting(value, type);
    if (fitting != null) {
      return fitting;
    }
    if (value instanceof PersistentCollection) {
      throw new ClassRefusedException(
          "%s is declared as %s, but the store holds a %s, which is no such collection; declare it with an interface of java.util, or assign a new %s"
              .formatted(
                  describe(object, property),
                  type.getName(),
                  value.getClass().getSimpleName(),
                  type.getSimpleName()));
    }
    throw otherType(object, property, value);
  }

  @Override
  public StoreDamagedException otherType(HeapObject object, int property, Object value) {
    Class<?> ofProgram = programClass(value);
    String advice =
        ofProgram == null
            ? "restore the store from a backup"
            : "if that class has lost a superclass or an interface since, give it back, or give the"
                + " property a type that fits; else restore the store from a backup";
    return new StoreDamagedException(
        "%s: found a value of class %s, expected one of the property's type; %s"
            .formatted(
                describe(object, property),
                (ofProgram == null ? value.getClass() : ofProgram).getName(),
                advice));
  }

  /** Returns the program's class of a value, not the generated one; null if it is of the JDK. */
  private static @Nullable Class<?> programClass(Object value) {
    return switch (value) {
      case PersistentCollection _ -> null;
      case PersistentObject object -> PersistentClasses.of(object.getClass()).type();
      case Enum<?> constant -> constant.getDeclaringClass();
      case Record parts -> parts.getClass();
      default -> null;
    };
  }

  private ElementClasses elementClasses(HeapObject object, int property) {
    Binding binding = schema.bindingOf(heap.shapeId(object.address()));
    return Objects.requireNonNull(
        binding.type().properties().get(PropertyCode.index(property)).elements());
  }

  /** Returns the name of a property, as far as its object can still be read. */
  private String describe(HeapObject object, int property) {
    long home = object.identity();
    try {
      Shape shape = shapeOf(object);
      return "property %s of the %s at heap address %d"
          .formatted(nameIn(shape, property), shape.className(), home);
    } catch (PmStoreException e) {
      return "property %d of the object at heap address %d, whose header is damaged too"
          .formatted(PropertyCode.index(property), home);
    }
  }

  private Shape shapeOf(HeapObject object) {
    return schema.bindingOf(heap.shapeId(heap.bodies().body(object.identity()))).shape();
  }

  private static String nameIn(Shape shape, int property) {
    return shape.properties().get(PropertyCode.index(property)).name();
  }

  private @Nullable Object readNow(HeapObject object, int offset, int property) {
    return object.isEvolving()
        ? readEvolving(object, offset, property)
        : read(object, object.address(), offset, property);
  }

  /**
   * Reads a property of an object that may have an older shape, inside a transaction or a
   * consistent read.
   */
  private @Nullable Object readEvolving(HeapObject object, int offset, int property) {
    int index = PropertyCode.index(property);
    if (!heap.inTransaction()) {
      if (!heap.isReadOnly() && heap.read(() -> isMadeByUpgrade(object, index))) {
        heap.transactionOfRead(object::addressToWrite);
      }
      return heap.read(() -> readNow(object, offset, property));
    }
    if (heap.isWritable() && isMadeByUpgrade(object, index)) {
      object.addressToWrite();
    }
    long body = object.address();
    int shapeId = heap.shapeId(body);
    if (object.isCurrent(shapeId)) {
      return read(object, body, offset, property);
    }
    Object value = oldObjects.read(object, body, shapeId, index);
    return value != null && converter.workingValues().isNeeded(value)
        ? read(object, object.addressToWrite(), offset, property)
        : value;
  }

  /** Returns true if a property exists only after the object is upgraded. */
  private boolean isMadeByUpgrade(HeapObject object, int index) {
    int shapeId = heap.shapeId(object.address());
    return !object.isCurrent(shapeId) && oldObjects.isMadeByUpgrade(shapeId, index);
  }

  private @Nullable Object read(HeapObject object, long at, int offset, int property) {
    View view = heap.view();
    return switch (PropertyCode.kind(property)) {
      case REFERENCE -> {
        long target = heap.getLong(view, at, offset);
        yield target == 0 ? null : target(target, view, object, at + offset, offset, property);
      }
      case CELL -> {
        long first = heap.getLong(view, at, offset);
        if (first == CellLayout.NULL) {
          yield null;
        }
        long second = heap.getLong(view, at, offset + CellLayout.C_OFFSET);
        yield switch (CellLayout.tag(first)) {
          case CellLayout.OBJECT ->
              target(second, view, object, at + offset + CellLayout.C_OFFSET, offset, property);
          case CellLayout.EMBEDDED ->
              view != null
                  ? workingValue(object, offset, property, first, second)
                  : heap.read(() -> readNow(object, offset, property));
          case CellLayout.PRIMITIVE_ARRAY,
              CellLayout.DATE,
              CellLayout.TEXT,
              CellLayout.REGISTERED ->
              workingValue(object, offset, property, first, second);
          default -> values.read(at, first, second);
        };
      }
      case ENUM -> {
        int slot = heap.getInt(view, at, offset);
        yield slot == 0 ? null : enumNumbers(at, property).ofSlot(slot);
      }
      default -> {
        SlotKind kind = PropertyCode.kind(property);
        if (kind.isPrimitive()) {
          throw new IllegalArgumentException("property " + property + " is primitive");
        }
        yield WordValues.read(heap, kind, heap.getLong(view, at, offset));
      }
    };
  }

  private @Nullable Object workingValue(
      HeapObject object, int offset, int property, long first, long second) {
    return converter
        .workingValues()
        .read(object, offset, PropertyCode.index(property), first, second);
  }

  /**
   * Returns the object at an address that was read at a place. Outside a transaction the address
   * may be torn or stale: the object may have been freed since, and another one made there. So a
   * known object counts if the place still has the address, and otherwise the property is read
   * again consistently.
   */
  private @Nullable Object target(
      long address, @Nullable View view, HeapObject object, long place, int offset, int property) {
    if (view != null) {
      return objects.at(address);
    }
    Object known = objects.known(address);
    return known != null && heap.getLong(null, place, 0) == address
        ? known
        : heap.read(() -> readNow(object, offset, property));
  }

  private EnumNumbers enumNumbers(long object, int property) {
    return schema.bindingOf(heap.shapeId(object)).enumNumbers(PropertyCode.index(property));
  }

  @Override
  public @Nullable Object changingInPlace(TransactionFunction<@Nullable Object, Exception> body)
      throws Exception {
    return converter.workingValues().changing(body);
  }

  @Override
  @SuppressWarnings("unchecked") // the twin is of the plain object's class
  public <T extends @Nullable Object> T stored(T result) {
    if (result == null || result instanceof PersistentObject || converter.isValue(result)) {
      return result;
    }
    Object twin = converter.twinOf(result);
    return result.getClass().isInstance(twin) ? (T) twin : result; // the caller expects that class
  }

  @Override
  public String describe(HeapObject handle, PersistentObject object) {
    return texts.of(handle, object);
  }

  @Override
  public Object copy(Object object, Predicate<Object> included) {
    if (object instanceof PersistentObject persistent && objects.isHere(persistent)) {
      if (!PersistentObject.isPersistent(object)) {
        return object; // a constant, which is plain
      }
      return heap.read(() -> new PlainCopy(schema, slots.embedded(), included).of(persistent));
    }
    Objects.requireNonNull(
        object, "the object is null; pass what a getter of a persistent object returns");
    throw new IllegalArgumentException(
        PersistentObject.isPersistent(object)
            ? "an object of another store, or of this one before it was closed, cannot be copied"
                + " from this one; have its own store copy it, or read it from this one"
            : "an object of "
                + object.getClass()
                + " is a plain object, and only persistent ones are copied; pass what a getter of"
                + " a persistent object returns");
  }

  @Override
  public boolean follow(HeapObject object, int offset, int property, Object value) {
    return converter.workingValues().follow(object, offset, PropertyCode.index(property), value);
  }

  @Override
  public boolean isChangingInPlace() {
    return converter.workingValues().isChanging();
  }

  @Override
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    return oldObjects.readBits(object, body, shapeId, offset);
  }

  @Override
  public long upgrade(HeapObject object) {
    // A function that throws leaves half an object, which a body that catches must not commit.
    return heap.transaction(() -> oldObjects.upgrade(object));
  }

  @Override
  public void write(
      HeapObject object, int offset, int property, @Nullable Object value, boolean alone) {
    long at = object.addressToWrite();
    SlotKind kind = PropertyCode.kind(property);
    if (kind == SlotKind.ENUM) {
      heap.putInt(at, offset, enumNumbers(at, property).inSlot((Enum<?>) value));
      return;
    }
    if (!slots.overwriteDirect(at, offset, kind, value)) {
      Path path = Path.ofProperty(schema, object, PropertyCode.index(property));
      converter.write(at, offset, kind, value, path);
    }
    if (kind == SlotKind.CELL) {
      converter.workingValues().set(object, offset);
      if (!alone && value != null && InPlace.changes(value)) {
        converter.workingValues().written(object, at, offset, PropertyCode.index(property), value);
      }
    }
  }

  @Override
  public Upgrade upgradeAll() {
    return upgrade.start();
  }

  @Override
  public @Nullable Object pinning(long address) {
    return objects.pinning(address);
  }

  @Override
  public void forEachPinned(LongConsumer visitor) {
    objects.forEachPinned(visitor);
  }

  @Override
  public @Nullable Class<?> rolledBack(HeapObject object, long address) {
    return objects.rolledBack(object, address);
  }

  @Override
  public String className(int shapeId) {
    List<CatalogueEntry> entries = catalogue.entries();
    return shapeId > 0
            && shapeId <= entries.size()
            && entries.get(shapeId - 1) instanceof Shape shape
        ? shape.className()
        : "";
  }

  @Override
  public long javaObjects() {
    return objects.count();
  }

  @Override
  public void forget(long address) {
    objects.forget(address);
  }

  @Override
  public void catalogueChanged() {
    catalogue.refresh();
  }

  @Override
  public void close() {
    upgrade.close();
    objects.clear();
    converter.clear();
  }
}
