package io.pmstore.gc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.pmstore.Durability;
import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.ClassUse;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionShapes;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.collection.NodeShape;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A heap with shapes and without Java objects, whose bytes can be damaged. */
public final class TestHeap {
  public final Engine engine;
  public final Heap heap;
  public final Catalogue catalogue;

  public TestHeap() {
    this(new MemoryEngine());
  }

  public TestHeap(Engine engine) {
    this(engine, new NoObjects());
  }

  public TestHeap(Engine engine, ObjectLayer layer) {
    this.engine = engine;
    this.heap = new Heap(engine, Durability.SYNC, h -> layer);
    this.catalogue = new Catalogue(heap);
  }

  // ---- shapes and objects

  public static Property property(String name, SlotKind kind) {
    return new Property(name, kind, kind == SlotKind.ENUM ? "com.acme.Side" : "");
  }

  public Shape define(String className, Property... properties) {
    return catalogue.define(Shape.layOut(className, "", List.of(properties)));
  }

  /** A shape of so many references r0, r1, ... and so many bytes. */
  public Shape define(String className, int references, int size) {
    List<Property> properties = new ArrayList<>();
    for (int i = 0; i < references; i++) {
      properties.add(new Property("r" + i, SlotKind.REFERENCE, "", 8 + 8 * i));
    }
    return catalogue.define(new Shape(0, className, "", properties, size));
  }

  /** An object that stays without being linked, as if the program had it. */
  public long newObject(Shape shape) {
    return heap.transaction(() -> heap.newObject(shape.id(), shape.size()).identity());
  }

  /** Bytes that anything may refer to: a header that does not count, and a holder. */
  public long newBlob(byte[] content) {
    Shape shape = define("com.acme.Holder", property("bytes", SlotKind.CELL));
    long holder = newObject(shape);
    long blob =
        heap.transaction(
            () -> {
              long made = heap.blobs().create(content);
              putCell(holder, offset(shape, "bytes"), CellLayout.STRING_LATIN1, made);
              return made;
            });
    damage(blob, ObjectLayout.withLinks(engine.memory().getLong(blob), 0));
    return blob;
  }

  public static int offset(Shape shape, String property) {
    return shape.properties().stream()
        .filter(p -> p.name().equals(property))
        .findFirst()
        .orElseThrow()
        .offset();
  }

  public void putCell(long object, int offset, long first, long second) {
    heap.transaction(
        () -> {
          heap.putLong(object, offset, first);
          heap.putLong(object, offset + CellLayout.C_OFFSET, second);
          return null;
        });
  }

  /** Writes a string into a cell, as a blob. */
  public long putString(long object, int offset, String value) {
    return heap.transaction(
        () -> {
          long blob = heap.blobs().create(value.getBytes(ISO_8859_1));
          putCell(object, offset, CellLayout.STRING_LATIN1, blob);
          return blob;
        });
  }

  /** Collections in this heap, registered as the object layer registers them. */
  public CollectionSpace collections() {
    return new CollectionSpace(heap, new TestCells(heap), new CollectionShapes(this::shapeId));
  }

  /** Makes an empty collection, inside a transaction. */
  public static <C extends PersistentObject> C create(CollectionSpace space, CollectionKind kind) {
    return create(space, kind, null);
  }

  /** Makes an empty sorted collection, inside a transaction. */
  @SuppressWarnings("unchecked") // the kind tells the class
  public static <C extends PersistentObject> C create(
      CollectionSpace space, CollectionKind kind, @Nullable Comparator<?> comparator) {
    return (C) kind.create(space, (Comparator<@Nullable Object>) comparator);
  }

  private int shapeId(NodeShape node) {
    List<Property> properties = new ArrayList<>();
    node.references()
        .forEach(o -> properties.add(new Property("r" + o, SlotKind.REFERENCE, "", o)));
    node.cells().forEach(o -> properties.add(new Property("c" + o, SlotKind.CELL, "", o)));
    return catalogue.define(new Shape(0, node.name(), "", properties, node.size())).id();
  }

  // ---- damage and verification

  /** Changes a word behind the back of the heap. */
  public void damage(long address, long word) {
    WriteSet writes = new WriteSet();
    writes.putLong(address, word);
    engine.commit(writes);
  }

  /** Inverts bits of a word behind the back of the heap. */
  public void flip(long address, long bits) {
    damage(address, engine.memory().getLong(address) ^ bits);
  }

  public VerificationReport verify() {
    return new HeapCollector.Provider().open(heap).verify();
  }

  /** What a report says of a class; zeros if it does not name it. */
  public static ClassUse use(VerificationReport report, String className) {
    return report.classes().stream()
        .filter(use -> use.className().equals(className))
        .findFirst()
        .orElse(new ClassUse(className, 0, 0));
  }
}
