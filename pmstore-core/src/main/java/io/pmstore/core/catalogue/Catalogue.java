package io.pmstore.core.catalogue;

import io.pmstore.ClassRefusedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.Heap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The type catalogue of a store: the shapes of its objects and the numbers of its enum constants.
 *
 * <p>An entry is durable when the method that adds it returns, and stays even if the caller's
 * transaction rolls back. Entries never change. The shapes of one class form a chain from the first
 * to the newest, and so do the entries of an enum; if the class is renamed, the chain continues
 * under the new name. If several entries have the same predecessor, or several first entries the
 * same name, the first one counts. The others were added by threads at the same moment and mean
 * nothing.
 *
 * <p>Thread-safe.
 */
public final class Catalogue {
  private final Heap heap;
  // The fields are written only under this monitor. No code uses the heap while it holds the
  // monitor, because a transaction that runs alone may need the monitor. The array is replaced,
  // never changed.
  private volatile CatalogueEntry[] entries = {};
  private volatile BitSet ownHashes = new BitSet(); // replaced, never changed
  private final Lineage lineage = new Lineage();

  /**
   * Reads the catalogue of a heap.
   *
   * @throws StoreDamagedException if an entry is damaged
   * @throws io.pmstore.StoreFormatException if an entry has a later version
   */
  public Catalogue(Heap heap) {
    this.heap = heap;
    refresh();
  }

  /** Returns true if the store is open for reading only. */
  public boolean isReadOnly() {
    return heap.isReadOnly();
  }

  /** Returns the number of entries. */
  public int size() {
    return entries.length;
  }

  /** Returns the entries in the order of their ids; the first id is 1. */
  public List<CatalogueEntry> entries() {
    return List.of(entries);
  }

  /**
   * Returns the shape with the id that an object's header has.
   *
   * @throws StoreDamagedException if the catalogue has no such shape
   */
  public Shape shape(int id) {
    if (entry(id) instanceof Shape shape) {
      return shape;
    }
    throw unknown("shape", id);
  }

  /**
   * Returns the enum type with the id that a cell has.
   *
   * @throws StoreDamagedException if the catalogue has no such enum type
   */
  public EnumType enumType(int id) {
    if (entry(id) instanceof EnumType type) {
      return type;
    }
    throw unknown("enum type", id);
  }

  /**
   * Returns the enum type of a property. Its constants keep their numbers for ever.
   *
   * @throws StoreDamagedException if the catalogue has no such enum type
   */
  public EnumType enumType(Property property) {
    if (find(property.typeName()) instanceof EnumType type) {
      return type;
    }
    throw new StoreDamagedException(
        "the catalogue has a property %s of an enum, but no such enum; restore the store from a backup"
            .formatted(property));
  }

  /**
   * Returns the value type with the id that a cell has.
   *
   * @throws StoreDamagedException if the catalogue has no such value type
   */
  public ValueType valueType(int id) {
    if (entry(id) instanceof ValueType type) {
      return type;
    }
    throw unknown("value type", id);
  }

  /**
   * Returns the entry with a value type's name and version, and adds it if there is none.
   *
   * @param type a value type with any id
   * @throws io.pmstore.StoreReadOnlyException if it is missing and the store is open for reading
   *     only
   */
  public ValueType define(ValueType type) {
    ValueType known;
    synchronized (this) {
      known = lineage.find(type);
    }
    return known != null ? known : (ValueType) add(type);
  }

  /**
   * Returns the newest shape or enum type with a class name, or null. If the class was renamed
   * since, a newer entry exists under the new name.
   */
  public synchronized @Nullable CatalogueEntry find(String className) {
    return lineage.find(className);
  }

  /** Returns the newest shape in the chain of a shape, whatever its class is called now. */
  public synchronized Shape newest(Shape shape) {
    return (Shape) lineage.newest(shape);
  }

  /** Returns the newest entry in the chain of an enum type, whatever its class is called now. */
  public synchronized EnumType newest(EnumType type) {
    return (EnumType) lineage.newest(type);
  }

  /**
   * Returns the shapes that objects of a class may have, newest first: the newest shape of the
   * class and its predecessors, back to the first one or to the one that all objects have been
   * upgraded to.
   */
  public synchronized List<Shape> lineage(Shape newest) {
    return lineage.of(newest);
  }

  /**
   * Returns the name of a property in the first shape that had it. This name never changes.
   *
   * @param shape a shape of this catalogue, or a successor of one
   * @param property the property's index
   */
  public String firstName(Shape shape, int property) {
    Shape of = shape;
    int index = property;
    while (of.predecessor() != 0 && of.origins().get(index).kind() == Origin.Kind.STORED) {
      index = of.origins().get(index).index();
      of = shape(of.predecessor());
    }
    return of.properties().get(index).name();
  }

  /**
   * Returns the name of a constant in the first entry that had its number. This name never changes.
   */
  public String firstName(EnumType type, int number) {
    EnumType of = type;
    while (of.predecessor() != 0 && enumType(of.predecessor()).constants().size() > number) {
      of = enumType(of.predecessor());
    }
    return of.constants().get(number);
  }

  /**
   * Returns true if keys of a class may stand under hash codes that a method of the class, perhaps
   * of an earlier version, has computed: if the chain of its shape has an {@link OwnHash}.
   *
   * @param shape a shape of this catalogue, or a successor of one that has id 0
   */
  public boolean hasOwnHash(Shape shape) {
    return ownHashes.get(shape.id() != 0 ? shape.id() : shape.predecessor());
  }

  /** Adds the {@link OwnHash} of a shape's chain, durably, unless it is there. */
  public void markOwnHash(Shape shape) {
    if (!hasOwnHash(shape)) {
      addAll(List.of(new OwnHash(0, shape.className(), shape.id())));
    }
  }

  /**
   * Returns the shape of a class whose shape never changes, and adds it if there is none.
   *
   * @param shape the shape, without a predecessor
   * @throws ClassRefusedException if the store holds objects of the class with another shape
   */
  public Shape define(Shape shape) {
    while (true) {
      CatalogueEntry known = find(shape.className());
      if (known == null) {
        add(shape);
      } else if (known instanceof Shape stored && stored.hasLayoutOf(shape)) {
        return stored;
      } else {
        throw new ClassRefusedException(
            "class "
                + shape.className()
                + " no longer fits its objects in this store. The store has: "
                + known
                + ". The class has: "
                + shape
                + ". Give the class the properties back that it had, or use a new store.");
      }
    }
  }

  /**
   * Adds an entry, durably.
   *
   * @param entry the entry, with any id and with its predecessor
   * @return the entry that counts at this place: this one with its id, or the one that another
   *     thread added first; an {@link Upgraded} or {@link OwnHash} unchanged
   * @throws io.pmstore.StoreReadOnlyException if the store is open for reading only
   */
  public CatalogueEntry add(CatalogueEntry entry) {
    addAll(List.of(entry));
    synchronized (this) {
      CatalogueEntry canonical = lineage.canonical(entry);
      return canonical == null ? entry : canonical;
    }
  }

  private void addAll(List<? extends CatalogueEntry> added) {
    List<byte[]> encoded = new ArrayList<>();
    for (CatalogueEntry entry : added) {
      encoded.add(CatalogueLayout.encode(entry));
    }
    heap.directory().addCatalogueEntries(encoded);
    refresh();
  }

  /**
   * Adds the shapes whose classes have no entry, durably and in one transaction. Does nothing if
   * the store is open for reading only.
   *
   * @param shapes of classes whose shapes never change
   */
  public void addMissing(List<Shape> shapes) {
    List<Shape> missing = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Shape shape : shapes) {
      if (find(shape.className()) == null && names.add(shape.className())) {
        missing.add(shape);
      }
    }
    if (!missing.isEmpty() && !heap.isReadOnly()) {
      addAll(missing);
    }
  }

  private @Nullable CatalogueEntry entry(int id) {
    if (id > entries.length) {
      refresh();
    }
    CatalogueEntry[] current = entries;
    return id >= 1 && id <= current.length ? current[id - 1] : null;
  }

  /** Reads the entries that the heap's catalogue has gained. */
  public void refresh() {
    List<byte[]> stored = heap.directory().catalogueEntries();
    synchronized (this) {
      List<CatalogueEntry> longer = new ArrayList<>(List.of(entries));
      for (int i = longer.size(); i < stored.size(); i++) {
        CatalogueEntry entry =
            CatalogueEntry.decode(i + 1, stored.get(i), id -> longer.get(id - 1));
        longer.add(entry);
        lineage.add(entry);
        if (entry instanceof Shape shape) {
          heap.referenceMaps().add(shape.id(), shape.references());
        }
      }
      ownHashes = lineage.ownHashes();
      entries = longer.toArray(CatalogueEntry[]::new);
    }
  }

  private StoreDamagedException unknown(String what, int id) {
    return new StoreDamagedException(
        "found "
            + what
            + " "
            + id
            + " in the heap, but the type catalogue of "
            + entries.length
            + " entries has no such "
            + what
            + "; restore the store from a backup");
  }
}
