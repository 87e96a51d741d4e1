package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.evolution.EnumPlanner;
import io.pmstore.proxy.evolution.Functions;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.evolution.ShapeMapping;
import io.pmstore.proxy.evolution.ShapePlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the plans for the program's classes: adds their shapes and the numbers of constants
 * to the catalogue, as successors of those in the store. Thread-safe.
 */
final class ShapeDefinitions {
  private final Catalogue catalogue;
  private final ClassFinder classes;
  private final Functions functions;
  private final Map<String, ProgramClass> byName = new ConcurrentHashMap<>();
  // By the id of the newest shape in the catalogue.
  private final Map<Integer, Shape> current = new ConcurrentHashMap<>();

  ShapeDefinitions(Catalogue catalogue, ClassFinder classes, Functions functions) {
    this.catalogue = catalogue;
    this.classes = classes;
    this.functions = functions;
  }

  /**
   * Returns the shape that a class has in this store from now on, and adds it to the catalogue if
   * it is missing. A read-only store adds nothing: a missing shape has id 0 then.
   *
   * @throws ClassRefusedException if the class, or an enum of its properties, does not fit what the
   *     store has of it; nothing was added
   * @throws io.pmstore.StoreReadOnlyException if the store is read-only and does not have the class
   */
  Shape define(ProgramClass today) {
    ProgramClass other = byName.get(today.type().getName());
    if (other != null && !other.shape().hasLayoutOf(today.shape())) {
      throw new ClassRefusedException(
          "this program uses two classes of the name %s with this store: %s, and %s from another class loader; use one of them"
              .formatted(today.type().getName(), other.shape(), today.shape()));
    }
    for (Class<?> type : today.types()) {
      if (type.isEnum()) { // before anything is written
        EnumPlanner.plan(catalogue, type, classes).require();
      }
    }
    while (true) {
      Shape planned = plan(today);
      Shape defined = planned;
      if (planned.id() == 0 && !(catalogue.isReadOnly() && planned.predecessor() != 0)) {
        if (!(catalogue.add(planned) instanceof Shape added && isSame(added, planned))) {
          continue; // another thread has added a different one
        }
        defined = added;
      }
      byName.putIfAbsent(today.type().getName(), today);
      current.put(defined.id() != 0 ? defined.id() : defined.predecessor(), defined);
      return defined;
    }
  }

  private static boolean isSame(Shape added, Shape planned) {
    return added.withId(0).equals(planned);
  }

  /**
   * Returns the shape that a class would have in this store from now on; it has id 0 if it is not
   * in the catalogue. Adds nothing.
   *
   * @throws ClassRefusedException if the class does not fit what the store has of it
   */
  Shape plan(ProgramClass today) {
    return ShapePlanner.plan(catalogue, today, classes, functions).require();
  }

  /**
   * Returns the numbers that an enum's constants have in this store from now on, and adds missing
   * ones. In a read-only store, new constants have no number.
   *
   * @throws ClassRefusedException if the enum does not fit what the store has of it
   */
  EnumType define(Class<?> enumClass) {
    while (true) {
      EnumType planned = plan(enumClass);
      if (planned.id() != 0) {
        return planned;
      }
      if (catalogue.isReadOnly()) {
        return known(planned);
      }
      if (catalogue.add(planned) instanceof EnumType added && added.withId(0).equals(planned)) {
        return added;
      }
    }
  }

  /**
   * Returns the numbers that an enum's constants would have in this store from now on; they have id
   * 0 if the catalogue lacks one. Adds nothing.
   *
   * @throws ClassRefusedException if the enum does not fit what the store has of it
   */
  EnumType plan(Class<?> enumClass) {
    return EnumPlanner.plan(catalogue, enumClass, classes).require();
  }

  /** Returns what the catalogue has of the numbers that {@link #plan(Class)} returns. */
  EnumType known(EnumType planned) {
    int known =
        planned.predecessor() == 0
            ? 0
            : catalogue.enumType(planned.predecessor()).constants().size();
    return new EnumType(
        planned.predecessor(), planned.className(), planned.constants().subList(0, known));
  }

  /** Returns true if the store may have objects of the class with another shape. */
  boolean hasOlder(Shape shape) {
    return catalogue.lineage(shape).size() > 1;
  }

  /** Returns today's class of objects of a shape. */
  Class<?> classOf(int shapeId) {
    Shape newest = catalogue.newest(catalogue.shape(shapeId));
    String name = newest.className();
    Class<?> type = classes.lookUpOfObjects(name);
    if (type != null) {
      return type;
    }
    for (Shape older : catalogue.lineage(newest)) {
      if (classes.lookUp(older.className()) != null) {
        throw new ClassRefusedException(
            "the store holds objects of class %s, which was not found: a later program has renamed %s to that; use that program or a newer one, or, to go back to the name, annotate the class with @FormerNames(\"%s\")"
                .formatted(name, older.className(), name));
      }
    }
    throw ClassFinder.notFound(name);
  }

  /**
   * Returns the shape that objects of a shape are read as, or null if the class was not used yet.
   */
  @Nullable Shape current(int shapeId) {
    Shape newest = catalogue.newest(catalogue.shape(shapeId));
    Shape known = current.get(newest.id());
    if (known != null) {
      return known;
    }
    // A replica, whose catalogue has gained the shape that the class was planned to have.
    ProgramClass today = byName.get(newest.className());
    return today != null && today.shape().hasLayoutOf(newest) ? newest : null;
  }

  ShapeMapping mapping(int olderId, Shape newest) {
    List<Shape> shapes = new ArrayList<>();
    shapes.add(newest);
    while (shapes.getFirst().id() != olderId) {
      shapes.addFirst(catalogue.shape(shapes.getFirst().predecessor()));
    }
    return ShapeMapping.of(shapes);
  }
}
