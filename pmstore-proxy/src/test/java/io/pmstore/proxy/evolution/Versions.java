package io.pmstore.proxy.evolution;

import io.pmstore.EvolutionReport.PropertyChange;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanDiscovery;
import io.pmstore.proxy.bean.RecordClass;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A catalogue, and classes whose versions are nested classes: an older version is stored under the
 * name of the class that continues it.
 */
final class Versions {
  final Catalogue catalogue =
      new Catalogue(
          new Heap(
              new MemoryEngine(), PmStoreOptions.defaults().durability(), h -> new NoObjects()));
  final Map<String, Class<?>> known = new HashMap<>();
  Functions functions = new Migrations(List.of());

  static ProgramClass program(Class<?> type) {
    if (type.isRecord()) {
      return ProgramClass.of(RecordClass.of(type));
    }
    BeanClass bean = BeanDiscovery.discover(type);
    return ProgramClass.of(type, bean.shape(), bean.properties());
  }

  /** Stores a class under a name, as the first one of its chain. */
  Shape store(Class<?> version, String name) {
    Shape shape = program(version).shape();
    return catalogue.define(new Shape(0, name, "", shape.properties(), shape.size()));
  }

  /** Stores a shape of given properties, each a type and a name. */
  Shape store(Class<?> as, Property... properties) {
    return catalogue.define(Shape.layOut(as.getName(), "", List.of(properties)));
  }

  EnumType storeEnum(String name, String... constants) {
    return (EnumType) catalogue.add(new EnumType(0, name, List.of(constants)));
  }

  Plan<Shape> plan(Class<?> today) {
    return ShapePlanner.plan(catalogue, program(today), this::lookUp, functions);
  }

  Plan<EnumType> planEnum(Class<?> today) {
    return EnumPlanner.plan(catalogue, today, this::lookUp);
  }

  /** Plans for a version under the name of a class, and adds what is planned. */
  Shape evolve(Class<?> version, String name) {
    ProgramClass real = program(version);
    Plan<Shape> plan = ShapePlanner.plan(catalogue, real, this::lookUp, functions);
    Shape planned = plan.require();
    return (Shape)
        catalogue.add(
            new Shape(
                0,
                name,
                "",
                planned.properties(),
                planned.size(),
                planned.predecessor(),
                planned.origins()));
  }

  private @Nullable Class<?> lookUp(String name) {
    Class<?> found = known.get(name);
    if (found != null) {
      return found;
    }
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** The changes as words: kind, before, after. */
  static List<String> words(Plan<?> plan) {
    TreeSet<String> words = new TreeSet<>();
    for (PropertyChange change : plan.change().properties()) {
      words.add(change.kind() + " " + shorten(change.before()) + " > " + shorten(change.after()));
    }
    return List.copyOf(words);
  }

  private static String shorten(String property) {
    return String.join(
        " ",
        Arrays.stream(property.split(" ", -1))
            .map(word -> word.substring(word.lastIndexOf('.') + 1))
            .toList());
  }
}
