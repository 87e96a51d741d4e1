package io.pmstore.proxy.evolution;

import io.pmstore.Migration;
import io.pmstore.OldObject;
import io.pmstore.PmStoreException;
import io.pmstore.core.catalogue.Property;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The migration functions that a store was opened with. Immutable. */
public final class Migrations implements Functions {
  private final Map<String, Map<String, Migration>> byClass = new HashMap<>();

  /** Takes the functions, at most one for each property of a class. */
  public Migrations(List<Migration> migrations) {
    for (Migration migration : migrations) {
      byClass
          .computeIfAbsent(migration.className(), name -> new HashMap<>())
          .put(migration.property(), migration);
    }
  }

  /**
   * Returns the function of a property: that of the class, by its name or a former one, or else of
   * the nearest superclass, or else of an interface. Returns null if there is none.
   *
   * @param type the class as it is now
   * @param property the property as it is now
   */
  public @Nullable Migration find(Class<?> type, Collection<String> formerNames, String property) {
    if (byClass.isEmpty()) {
      return null;
    }
    Migration found = find(type.getName(), property);
    for (String name : new TreeSet<>(formerNames)) {
      found = found != null ? found : find(name, property);
    }
    return found != null ? found : inherited(type, property);
  }

  /**
   * Returns the function of a property that needs one.
   *
   * @param type the class as it is now
   * @param property the property as it is now
   */
  public Migration of(Class<?> type, ShapeMapping mapping, Property property) {
    Set<String> names = new HashSet<>(Annotated.formerNames(type));
    names.addAll(mapping.classNames());
    Migration found = find(type, names, property.name());
    if (found == null) {
      throw new IllegalStateException(
          "a mapping of %s needs a function for %s that was not given".formatted(type, property));
    }
    return found;
  }

  @Override
  public boolean has(Class<?> type, Set<String> classNames, String property) {
    return find(type, classNames, property) != null;
  }

  private @Nullable Migration inherited(Class<?> type, String property) {
    for (Class<?> of = type; of != null; of = of.getSuperclass()) {
      Migration found = find(of.getName(), property);
      if (found != null) {
        return found;
      }
    }
    for (Class<?> of = type; of != null; of = of.getSuperclass()) {
      for (Class<?> each : of.getInterfaces()) {
        Migration found = inherited(each, property);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private @Nullable Migration find(String className, String property) {
    Map<String, Migration> ofClass = byClass.get(className);
    return ofClass == null ? null : ofClass.get(property);
  }

  /**
   * Runs a function.
   *
   * @param old the object as it was stored
   * @param target the object as it is now; null for a record
   * @throws PmStoreException if it failed with a checked exception
   */
  public static @Nullable Object run(Migration migration, OldObject old, @Nullable Object target) {
    try {
      return migration.migrate(old, target);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new PmStoreException(
          "the migration of %s.%s threw %s; nothing was written. Correct the migration function"
              .formatted(migration.className(), migration.property(), e),
          e);
    }
  }
}
