package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.OwnHash;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.Upgraded;
import io.pmstore.core.catalogue.ValueType;
import io.pmstore.proxy.bean.AbstractTypes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the catalogue of a store has of a class of the program, under the name of the class or a
 * former one.
 *
 * @param newest the newest entry of the class, whose name is the one that the store has for it;
 *     null if the store does not have the class
 * @param refusal why the class may not be the one of that entry, and what to do; empty if it is
 */
record StoredName(@Nullable CatalogueEntry newest, String refusal) {

  /**
   * Finds the entries of a class by its name and its former names.
   *
   * @throws io.pmstore.ClassRefusedException if two classes of the program claim the store's name
   */
  static StoredName of(
      Catalogue catalogue, Class<?> type, Set<String> formerNames, KnownClasses classes) {
    String name = type.getName();
    Set<String> names = new LinkedHashSet<>(Set.of(name));
    names.addAll(formerNames);
    Map<Integer, CatalogueEntry> newest = new LinkedHashMap<>();
    for (String candidate : names) {
      CatalogueEntry entry = catalogue.find(candidate);
      if (entry != null) {
        CatalogueEntry last = newest(catalogue, entry);
        newest.put(last.id(), last);
      }
    }
    if (newest.isEmpty()) {
      return new StoredName(null, "");
    }
    CatalogueEntry found = newest.values().iterator().next();
    String storedName = found.className();
    if (newest.size() > 1) {
      return new StoredName(
          found,
          "the store has objects of %s, which its @FormerNames makes one class; leave the former name only if no other of them is in the store"
              .formatted(
                  String.join(
                      " and of ",
                      newest.values().stream().map(CatalogueEntry::className).toList())));
    }
    Class<?> old = storedName.equals(name) ? null : named(storedName, classes);
    if (!names.contains(storedName)) {
      return new StoredName(
          found,
          old != null && catalogue.find(name) == null
              ? "its @FormerNames says that it was %s, but the objects of that are of class %s since a program before this one, and the program still has that class; remove the name from @FormerNames"
                  .formatted(String.join(" or ", formerNames), storedName)
              : "a program before this one has renamed it to %s; call the class so, or, to go back to the name, annotate it with @FormerNames(\"%s\")"
                  .formatted(storedName, storedName));
    }
    if (old != null && !AbstractTypes.isAbstract(old)) {
      return new StoredName(
          found,
          "the rename is ambiguous: its @FormerNames says that it was %s, but there still is a class of that name; remove one of the two"
              .formatted(storedName));
    }
    return new StoredName(found, "");
  }

  /** Returns the class of the program that has a name today, or null. */
  private static @Nullable Class<?> named(String name, KnownClasses classes) {
    Class<?> found = classes.lookUp(name);
    return found != null && found.getName().equals(name) ? found : null;
  }

  private static CatalogueEntry newest(Catalogue catalogue, CatalogueEntry entry) {
    return switch (entry) {
      case Shape shape -> catalogue.newest(shape);
      case EnumType type -> catalogue.newest(type);
      case Upgraded _, ValueType _, OwnHash _ -> entry;
    };
  }
}
