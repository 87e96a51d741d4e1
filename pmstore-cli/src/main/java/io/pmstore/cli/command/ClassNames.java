package io.pmstore.cli.command;

import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.generic.GenericStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds the shapes of a class by its name. */
final class ClassNames {
  private ClassNames() {}

  /** Returns the names of the program's classes that a store has. */
  static Set<String> all(OpenedStore store) {
    Catalogue catalogue = store.catalogue();
    Set<String> names = new TreeSet<>();
    for (CatalogueEntry entry : catalogue.entries()) {
      if (entry instanceof Shape shape && !GenericStore.isOwn(shape)) {
        names.add(catalogue.newest(shape).className());
      }
    }
    return names;
  }

  /**
   * Returns the ids of the shapes of a class.
   *
   * @param name with or without its package
   */
  static Set<Integer> shapes(OpenedStore store, String name) {
    Catalogue catalogue = store.catalogue();
    Set<Integer> ids = new HashSet<>();
    Set<String> meant = new TreeSet<>();
    for (CatalogueEntry entry : catalogue.entries()) {
      if (entry instanceof Shape shape && !GenericStore.isOwn(shape)) {
        String full = catalogue.newest(shape).className();
        if (full.equals(name) || isShort(full, name)) {
          meant.add(full);
          ids.add(shape.id());
        }
      }
    }
    if (meant.isEmpty()) {
      throw new Failure(
          "the store has no class %s; its classes are %s".formatted(name, all(store)));
    }
    if (meant.size() > 1 && !meant.contains(name)) {
      throw new Failure("%s can be any of %s; give the whole name".formatted(name, meant));
    }
    if (meant.contains(name)) {
      ids.removeIf(id -> !catalogue.newest(catalogue.shape(id)).className().equals(name));
    }
    return ids;
  }

  /** Returns all shapes of the class of a shape, whatever it was called when it had them. */
  static List<Shape> ofClass(OpenedStore store, Shape shape) {
    Catalogue catalogue = store.catalogue();
    Shape newest = catalogue.newest(shape);
    List<Shape> shapes = new ArrayList<>();
    for (CatalogueEntry entry : catalogue.entries()) {
      if (entry instanceof Shape other && catalogue.newest(other).id() == newest.id()) {
        shapes.add(other);
      }
    }
    return shapes;
  }

  private static boolean isShort(String full, String name) {
    String simple = ValueText.simpleName(full);
    return simple.equals(name) || simple.endsWith("$" + name);
  }
}
