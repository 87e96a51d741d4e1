package io.pmstore.proxy.generic;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionShapes;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.layer.NodeShapes;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.value.RegisteredTypes;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.spi.PersistentObject;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A store whose objects are shown without their classes.
 *
 * <p>A value is null, a {@link GenericObject}, a {@link
 * io.pmstore.proxy.collection.PersistentCollection} (which implements the interface of {@code
 * java.util} that its kind says, with values in this sense), a {@link GenericEnum}, {@link
 * GenericRecord}, {@link GenericArray}, {@link GenericClass} or {@link GenericValue}, or a {@link
 * GenericDamage} in the place of an object that cannot be read; any other value is of the class
 * that the program stored: a box, {@code String}, {@code BigDecimal}, one of {@code java.time} and
 * so on.
 *
 * <p>Thread-safe for reading.
 */
public final class GenericStore {
  private final Heap heap;
  private final Catalogue catalogue;
  private final GenericCells cells;
  private final CollectionSpace space;
  private final CollectionShapes shapes;

  /**
   * Shows the objects of a heap.
   *
   * @param heap the heap, without an object layer
   * @param writable false to add nothing to the catalogue
   */
  public GenericStore(Heap heap, boolean writable) {
    this.heap = heap;
    catalogue = new Catalogue(heap);
    if (writable) {
      catalogue.addMissing(NodeShapes.all());
    }
    heap.bodies().forwarder(NodeShapes.forwarder(catalogue, writable));
    StoreSchema schema = new StoreSchema(catalogue, new Migrations(List.of()));
    RegisteredTypes registered = new RegisteredTypes(catalogue, Map.of(), () -> schema);
    cells = new GenericCells(this, new ValueCells(heap, schema, registered));
    shapes = new CollectionShapes(node -> NodeShapes.id(catalogue, node, writable));
    space = new CollectionSpace(heap, cells, shapes);
  }

  public Heap heap() {
    return heap;
  }

  public Catalogue catalogue() {
    return catalogue;
  }

  /** Returns the named roots, in the order of their names. */
  public SortedMap<String, Long> roots() {
    return heap.directory().roots();
  }

  /**
   * Returns the object or collection at an address.
   *
   * @param home the address that references to it hold
   * @throws StoreDamagedException if there is none
   */
  public PersistentObject at(long home) {
    Shape shape = shapeAt(home);
    PersistentObject collection = CollectionKind.find(space, shape.id(), heap.object(home));
    return collection != null ? collection : new GenericObject(this, home, shape);
  }

  /** Returns the shape of an object: that of its fields if it has moved. */
  public Shape shapeAt(long home) {
    if (home <= 0 || (home & 7) != 0 || home >= heap.memory().size()) {
      throw new StoreDamagedException(
          "there can be no object at heap address %d: expected a multiple of 8 below %d"
              .formatted(home, heap.memory().size()));
    }
    int id = heap.shapeId(heap.bodies().body(home));
    if (id == ObjectLayout.SHAPE_CORE) {
      throw new StoreDamagedException(
          "no object of a class is at heap address %d, but one of the heap's own, or nothing"
              .formatted(home));
    }
    return catalogue.shape(id);
  }

  /** Returns the address that references to an object or collection hold. */
  public static long address(PersistentObject object) {
    return object instanceof GenericObject generic
        ? generic.address()
        : ((HeapObject) object.pmstoreHandle()).identity();
  }

  /**
   * Returns true if objects of a shape are collections, nodes of them, or other parts of pmstore.
   */
  public static boolean isOwn(Shape shape) {
    return shape.className().startsWith("pmstore.");
  }

  /** Returns the kind of the collections of a shape, or null if it is that of other objects. */
  public @Nullable CollectionKind collectionKind(int shapeId) {
    return shapes.kind(shapeId);
  }

  /** Returns the value of a property of an object, or what a reference in a node leads to. */
  @Nullable Object read(long home, Shape shape, Property property) {
    long body = heap.bodies().body(home);
    if (isOwn(shape) && property.kind() == SlotKind.REFERENCE) {
      // In a node the lowest bits of a reference say what it leads to.
      return cells.readReference(heap.getLong(body, property.offset()) & -8);
    }
    return cells.read(body, property);
  }

  /** Returns the hashes of keys, and more that only a writer needs. */
  public GenericWriter writer() {
    return new GenericWriter(heap, cells, space);
  }

  @SuppressWarnings("unchecked") // it is new and empty
  List<@Nullable Object> newList() {
    return (List<@Nullable Object>) CollectionKind.LIST.create(space, null);
  }
}
