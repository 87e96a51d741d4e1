package io.pmstore.core.catalogue;

import io.pmstore.ClassRefusedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.Heap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types of a store: the shapes of its objects and the numbers of its enum constants.
 *
 * <p>An entry is durable when the method that adds it returns, and stays whatever becomes of the
 * caller's transaction. Entries are never changed. The shapes of one class form a chain, from the
 * first to the newest, and so do the entries of an enum; a chain goes on under another name if the
 * class is renamed. Of the entries that follow the same one, and of the first ones of one name, the
 * first counts; any other is what two threads added at the same moment, and means nothing.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Catalogue {
  private final Heap heap;
  // Both are written under this object's monitor only, and the heap is never used under it: a
  // transaction that runs alone
  // may want the monitor. The array is replaced, never changed.
  private volatile CatalogueEntry[] entries = {};
  private final Lineage lineage = new Lineage();

  /**
   * Reads the catalogue of a heap.
   *
   * @param heap the heap
   * @throws StoreDamagedException if an entry is damaged
   * @throws io.pmstore.StoreFormatException if an entry is of a later version
   */
  public Catalogue(Heap heap) {
    this.heap = heap;
    refresh();
  }

  /**
   * Says whether nothing can be added.
   *
   * @return true if the store is open for reading only
   */
  public boolean isReadOnly() {
    return heap.isReadOnly();
  }

  /**
   * All entries.
   *
   * @return the entries in the order of their ids, the first one being 1
   */
  public List<CatalogueEntry> entries() {
    return List.of(entries);
  }

  /**
   * The shape of an id.
   *
   * @param id what the header of an object says
   * @return the shape
   * @throws StoreDamagedException if the catalogue has no shape of this id
   */
  public Shape shape(int id) {
    if (entry(id) instanceof Shape shape) {
      return shape;
    }
    throw unknown("shape", id);
  }

  /**
   * The enum type of an id.
   *
   * @param id what a cell says
   * @return the enum type
   * @throws StoreDamagedException if the catalogue has no enum type of this id
   */
  public EnumType enumType(int id) {
    if (entry(id) instanceof EnumType type) {
      return type;
    }
    throw unknown("enum type", id);
  }

  /**
   * The newest entry that has the name of a class. The class may have been renamed since, and have
   * a newer one.
   *
   * @param className its binary name
   * @return a shape or an enum type, or null if there is none
   */
  public synchronized @Nullable CatalogueEntry find(String className) {
    return lineage.find(className);
  }

  /**
   * The newest shape of the class that a shape is of, whatever the class is called by now.
   *
   * @param shape a shape of this catalogue
   * @return the last one of its chain
   */
  public synchronized Shape newest(Shape shape) {
    return (Shape) lineage.newest(shape);
  }

  /**
   * The newest entry of the enum that an entry is of, whatever the enum is called by now.
   *
   * @param type an enum type of this catalogue
   * @return the last one of its chain
   */
  public synchronized EnumType newest(EnumType type) {
    return (EnumType) lineage.newest(type);
  }

  /**
   * The shapes that objects of a class may have.
   *
   * @param newest the class's newest shape
   * @return that one and those before, the newest first, back to the first one or to the one that
   *     all objects have been upgraded to
   */
  public synchronized List<Shape> lineage(Shape newest) {
    return lineage.of(newest);
  }

  /**
   * The name that a property had when it was new: the same for ever, whatever it is called by now.
   *
   * @param shape a shape, in this catalogue or following one that is
   * @param property the property's index
   * @return the name in the first shape that had the property
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
   * The name that a constant had when it was new: the same for ever, whatever it is called by now.
   *
   * @param type an enum type of this catalogue
   * @param number the constant's number
   * @return the name in the first entry that had the number
   */
  public String firstName(EnumType type, int number) {
    EnumType of = type;
    while (of.predecessor() != 0 && enumType(of.predecessor()).constants().size() > number) {
      of = enumType(of.predecessor());
    }
    return of.constants().get(number);
  }

  /**
   * Finds the shape of a class whose shape never changes, or adds it.
   *
   * @param shape the shape, without a predecessor
   * @return the shape with its id
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
   * @param entry the entry, of any id; {@link Shape#predecessor} and {@link EnumType#predecessor}
   *     say which one it follows
   * @return what counts at its place: the entry with its id, or the one that another thread has
   *     added there before; an {@link Upgraded} as it was given, since it has no place
   * @throws io.pmstore.StoreReadOnlyException if the store is open for reading only
   */
  public CatalogueEntry add(CatalogueEntry entry) {
    heap.addCatalogueEntry(CatalogueLayout.encode(entry));
    refresh();
    synchronized (this) {
      CatalogueEntry counting = lineage.counting(entry);
      return counting == null ? entry : counting;
    }
  }

  private @Nullable CatalogueEntry entry(int id) {
    if (id > entries.length) {
      refresh();
    }
    CatalogueEntry[] current = entries;
    return id >= 1 && id <= current.length ? current[id - 1] : null;
  }

  /** Takes in what was added to the heap's catalogue since. */
  private void refresh() {
    List<byte[]> stored = heap.catalogueEntries();
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
