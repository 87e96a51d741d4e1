package io.pmstore.core.catalogue;

import io.pmstore.ClassRefusedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.Heap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of a store: the shapes of its objects and the numbers of its enum constants.
 *
 * <p>An entry is durable when the method that adds it returns, and stays whatever becomes of the
 * caller's transaction. Entries are never changed. Of the entries about one class, the first shape
 * counts; an enum type replaces the one before if it begins with the same constants; any other is
 * what two threads added at the same moment, and means nothing.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Catalogue {
  private final Heap heap;
  // Both are written under this object's monitor only, and the heap is never used under it: a
  // transaction that runs alone
  // may want the monitor. The array is replaced, never changed.
  private volatile CatalogueEntry[] entries = {};
  private final Map<String, CatalogueEntry> byName = new HashMap<>();

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
   * The entry of a class that counts.
   *
   * @param className its binary name
   * @return the entry, or null if there is none
   */
  public synchronized @Nullable CatalogueEntry find(String className) {
    return byName.get(className);
  }

  /**
   * Finds the shape of a class, or adds it.
   *
   * @param shape the shape that the class has in this program
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
   * Finds the numbers of an enum's constants, or adds them. Constants that are new get the next
   * numbers, in a new entry; in a store that is open for reading only they have none.
   *
   * @param className the binary name of the enum
   * @param constants the names of its constants in this program, in any order
   * @return the enum type with its id
   * @throws ClassRefusedException if the store knows a constant that this program's enum lacks
   */
  public EnumType define(String className, List<String> constants) {
    while (true) {
      CatalogueEntry known = find(className);
      List<String> numbered = new ArrayList<>();
      if (known != null) {
        if (!(known instanceof EnumType type) || !constants.containsAll(type.constants())) {
          throw new ClassRefusedException(
              "enum "
                  + className
                  + " no longer fits this store. The store has: "
                  + known
                  + ". The class has: "
                  + constants
                  + ". Give the enum the constants back that it had, or use a new store.");
        }
        numbered.addAll(type.constants());
        if (numbered.size() == constants.size() || heap.isReadOnly()) {
          return type;
        }
      } else if (heap.isReadOnly()) {
        return new EnumType(0, className, List.of());
      }
      for (String constant : constants) {
        if (!numbered.contains(constant)) {
          numbered.add(constant);
        }
      }
      add(new EnumType(0, className, numbered));
    }
  }

  private void add(CatalogueEntry entry) {
    heap.addCatalogueEntry(CatalogueLayout.encode(entry));
    refresh();
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
        CatalogueEntry entry = CatalogueLayout.decode(i + 1, stored.get(i));
        longer.add(entry);
        byName.merge(
            entry.className(), entry, (old, added) -> extendsOther(added, old) ? added : old);
      }
      entries = longer.toArray(CatalogueEntry[]::new);
    }
  }

  private static boolean extendsOther(CatalogueEntry added, CatalogueEntry old) {
    return added instanceof EnumType longer
        && old instanceof EnumType shorter
        && longer.constants().size() > shorter.constants().size()
        && longer.constants().subList(0, shorter.constants().size()).equals(shorter.constants());
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
