package io.pmstore.proxy.layer;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.Upgrade;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.ForwarderLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.bytecode.PropertyCode;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionShapes;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.collection.NodeShape;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.embedded.EmbeddedValues;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.upgrade.OldObjects;
import io.pmstore.proxy.upgrade.StoreUpgrade;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The object layer of one store: its objects as objects of generated classes. Safe for use by any
 * number of threads.
 */
final class ProxyLayer implements ObjectLayer {
  private static final NodeShape FORWARDER =
      new NodeShape(
          ForwarderLayout.CLASS_NAME,
          ForwarderLayout.SIZE,
          List.of(ForwarderLayout.BODY_OFFSET),
          List.of());

  // No object has it.
  private static final int NO_SHAPE = -1;

  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final ValueCells values;
  private final EmbeddedValues embedded;
  private final Converter converter;
  private final OldObjects oldObjects;
  private final StoreUpgrade upgrade;
  private final Map<String, Class<?>> rootClaims = new ConcurrentHashMap<>();

  ProxyLayer(Heap heap, PmStoreOptions options) {
    this.heap = heap;
    Catalogue catalogue = new Catalogue(heap);
    Migrations migrations = new Migrations(options.migrations());
    schema = new StoreSchema(catalogue, migrations);
    options.classes().forEach(schema::learn);
    heap.forwarder(nodeShapeId(heap, catalogue, FORWARDER));
    objects = new StoreObjects(heap, schema);
    values = new ValueCells(heap, schema);
    embedded = new EmbeddedValues(heap, schema, objects, values, migrations);
    converter = new Converter(heap, schema, objects, values, embedded);
    oldObjects = new OldObjects(heap, schema, objects, embedded, converter, migrations);
    upgrade = new StoreUpgrade(heap, schema, objects, embedded, converter);
    StoreCells cells = new StoreCells(heap, schema, objects, values, embedded, converter);
    CollectionShapes shapes = new CollectionShapes(node -> nodeShapeId(heap, catalogue, node));
    objects.collections(new CollectionSpace(heap, cells, shapes));
  }

  private static int nodeShapeId(Heap heap, Catalogue catalogue, NodeShape node) {
    List<Property> properties = new ArrayList<>();
    node.references()
        .forEach(at -> properties.add(new Property("at" + at, SlotKind.REFERENCE, "", at)));
    node.cells().forEach(at -> properties.add(new Property("at" + at, SlotKind.CELL, "", at)));
    properties.sort(Comparator.comparingInt(Property::offset));
    Shape shape = new Shape(0, node.name(), "", properties, (node.size() + 7) & -8);
    CatalogueEntry known = catalogue.find(node.name());
    if (known != null && !(known instanceof Shape stored && stored.hasLayoutOf(shape))) {
      throw new StoreFormatException(
          "the store's collections have nodes "
              + known
              + ", this program's "
              + shape
              + "; open it with the program that wrote it");
    }
    return known == null && heap.isReadOnly() ? NO_SHAPE : catalogue.define(shape).id();
  }

  @Override
  public <T> T root(Class<T> type) {
    PersistentClass persistentClass = PersistentClasses.of(type);
    Persistent annotation = persistentClass.type().getAnnotation(Persistent.class);
    String name = annotation == null ? "" : annotation.root();
    if (name.isEmpty()) {
      throw new ClassRefusedException(
          "class "
              + type.getName()
              + " names no root; annotate it with @Persistent(root = \"...\"), or call root(name,"
              + " class)");
    }
    Class<?> claimant = rootClaims.putIfAbsent(name, persistentClass.type());
    if (claimant != null && claimant != persistentClass.type()) {
      throw twoClaims(name, claimant, persistentClass.type());
    }
    Object root = rootObject(name, persistentClass);
    Class<?> found = root.getClass();
    if (!type.isInstance(root)) {
      Persistent other = found.getAnnotation(Persistent.class);
      if (other != null && other.root().equals(name)) {
        throw twoClaims(name, PersistentClasses.of(found).type(), persistentClass.type());
      }
    }
    return checked(name, root, type);
  }

  private static ClassRefusedException twoClaims(String name, Class<?> one, Class<?> other) {
    return new ClassRefusedException(
        "classes %s and %s both name the root \"%s\"; give one of them another root name in its @Persistent"
            .formatted(one.getName(), other.getName(), name));
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "the name of a root is empty; give it at least one character");
    }
    return checked(name, rootObject(name, PersistentClasses.of(type)), type);
  }

  private static <T> T checked(String name, Object root, Class<T> type) {
    if (!type.isInstance(root)) {
      String found =
          root instanceof PersistentObject && root.getClass().isSynthetic()
              ? PersistentClasses.of(root.getClass()).type().getName()
              : root.getClass().getName();
      throw new PmStoreException(
          "root \"%s\" is an object of class %s, not of %s; ask for it with its own class"
              .formatted(name, found, type.getName()));
    }
    return type.cast(root);
  }

  private Object rootObject(String name, PersistentClass type) {
    schema.learn(type.type());
    Object existing =
        heap.read(
            () -> {
              long address = heap.root(name);
              return address == 0 ? null : objects.at(address);
            });
    if (existing != null) {
      return existing;
    }
    requireRootCanBeMade(name);
    return heap.transaction(() -> createRoot(name, type));
  }

  private void requireRootCanBeMade(String name) {
    try {
      heap.checkWritable();
    } catch (StoreReadOnlyException e) {
      throw new StoreReadOnlyException(
          "there is no root \"%s\", and none can be made: %s, or check the name"
              .formatted(name, e.getMessage()),
          e);
    }
  }

  private Object createRoot(String name, PersistentClass type) {
    long address = heap.root(name);
    if (address != 0) {
      return objects.at(address);
    }
    Object root = converter.create(type);
    heap.setRoot(name, objects.addressToLink(root));
    return root;
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
    Path path = Path.of(plain);
    if (Converter.isValue(plain)) {
      throw new NotPersistableException(
          path
              + " is of class "
              + plain.getClass().getTypeName()
              + ", a value, which is stored as part of an object; assign it to a property, or put"
              + " it into a collection");
    }
    Supplier<Object> twin = () -> Objects.requireNonNull(converter.stored(plain, path));
    if (plain instanceof PersistentObject) {
      return twin.get();
    }
    heap.beginWrite();
    return heap.transaction(twin::get);
  }

  @Override
  public @Nullable Object read(HeapObject object, int offset, int property) {
    return object.isEvolving()
        ? readEvolving(object, offset, property)
        : read(object, object.address(), offset, property);
  }

  /** Reads a property of an object that may have an older shape: in a consistent read at least. */
  private @Nullable Object readEvolving(HeapObject object, int offset, int property) {
    int index = PropertyCode.index(property);
    if (!heap.inTransaction()) {
      if (!heap.isReadOnly() && heap.read(() -> isMadeByUpgrade(object, index))) {
        heap.transaction(object::addressToWrite);
      }
      return heap.read(() -> read(object, offset, property));
    }
    if (heap.isWritable() && isMadeByUpgrade(object, index)) {
      object.addressToWrite();
    }
    long body = object.address();
    int shapeId = heap.shapeId(body);
    return object.isCurrent(shapeId)
        ? read(object, body, offset, property)
        : oldObjects.read(object, body, shapeId, index);
  }

  /** Whether a property is there only when the object is upgraded. */
  private boolean isMadeByUpgrade(HeapObject object, int index) {
    int shapeId = heap.shapeId(object.address());
    return !object.isCurrent(shapeId) && oldObjects.isMadeByUpgrade(shapeId, index);
  }

  private @Nullable Object read(HeapObject object, long at, int offset, int property) {
    return switch (PropertyCode.kind(property)) {
      case REFERENCE -> {
        long target = heap.getLong(at, offset);
        yield target == 0 ? null : target(target, object, offset, property);
      }
      case CELL -> {
        long first = heap.getLong(at, offset);
        if (first == CellLayout.NULL) {
          yield null;
        }
        long second = heap.getLong(at, offset + CellLayout.C_OFFSET);
        yield switch (CellLayout.tag(first)) {
          case CellLayout.OBJECT -> target(second, object, offset, property);
          case CellLayout.EMBEDDED ->
              heap.inTransaction()
                  ? embedded.readCell(first, second)
                  : heap.read(() -> read(object, offset, property));
          default -> values.read(first, second);
        };
      }
      case ENUM -> {
        int slot = heap.getInt(at, offset);
        yield slot == 0 ? null : enumNumbers(at, property).ofSlot(slot);
      }
      default -> throw new IllegalArgumentException("property " + property + " is primitive");
    };
  }

  /**
   * The object that an address stands for. Outside a transaction the address may be torn or out of
   * date, so that a new Java object is made for one only that was read again consistently.
   */
  private @Nullable Object target(long address, HeapObject object, int offset, int property) {
    Object known = objects.known(address);
    if (known != null) {
      return known;
    }
    return heap.inTransaction()
        ? objects.at(address)
        : heap.read(() -> read(object, offset, property));
  }

  private EnumNumbers enumNumbers(long object, int property) {
    return schema.bindingOf(heap.shapeId(object)).enumNumbers(PropertyCode.index(property));
  }

  @Override
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    return oldObjects.readBits(object, body, shapeId, offset);
  }

  @Override
  public long upgrade(HeapObject object) {
    return oldObjects.upgrade(object);
  }

  @Override
  public void write(HeapObject object, int offset, int property, @Nullable Object value) {
    long at = object.addressToWrite();
    SlotKind kind = PropertyCode.kind(property);
    if (kind == SlotKind.ENUM) {
      heap.putInt(at, offset, enumNumbers(at, property).inSlot((Enum<?>) value));
      return;
    }
    if (!converter.writeDirect(at, offset, kind, value)) {
      Path path = Path.ofProperty(schema, object, PropertyCode.index(property));
      converter.write(at, offset, kind, converter.stored(value, path), path);
    }
  }

  @Override
  public Upgrade upgradeAll() {
    return upgrade.start();
  }

  @Override
  public @Nullable Object held(long address) {
    return objects.held(address);
  }

  @Override
  public void forEachHeld(LongConsumer visitor) {
    objects.forEachHeld(visitor);
  }

  @Override
  public void close() {
    upgrade.close();
    objects.clear();
    converter.clear();
  }
}
