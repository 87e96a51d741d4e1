package io.pmstore.core.catalogue;

import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What objects of one class look like.
 *
 * @param id what the headers of objects name the shape by; 0 while it is in no catalogue
 * @param className the binary name of the class; for objects that have none, a name that no class
 *     can have
 * @param superclassName the binary name of the superclass, for information; empty if it is {@code
 *     Object} or there is none
 * @param properties the properties, in the order of their offsets; the place in this list is the
 *     property's index
 * @param size of an object in bytes, header included, a multiple of 8
 * @param predecessor the id of the shape that the class had before, possibly under another name; 0
 *     for the first one
 * @param origins for each property where its value comes from in an object of the predecessor;
 *     empty if there is no predecessor
 */
public record Shape(
    int id,
    String className,
    String superclassName,
    List<Property> properties,
    int size,
    int predecessor,
    List<Origin> origins)
    implements CatalogueEntry {
  private static final Comparator<Property> ORDER =
      Comparator.comparingInt((Property p) -> -p.kind().width()).thenComparing(Property::name);

  /** Copies the lists. */
  public Shape {
    properties = List.copyOf(properties);
    origins = List.copyOf(origins);
  }

  /**
   * The first shape of a class.
   *
   * @param id what the headers of objects name the shape by; 0 while it is in no catalogue
   * @param className the binary name of the class
   * @param superclassName the binary name of the superclass, or the empty string
   * @param properties the properties, in the order of their offsets
   * @param size of an object in bytes
   */
  public Shape(
      int id, String className, String superclassName, List<Property> properties, int size) {
    this(id, className, superclassName, properties, size, 0, List.of());
  }

  /**
   * Gives properties their places: the widest first, among equals in the order of their names. So
   * there are no gaps, all are aligned, and the same properties have the same places in every
   * store.
   *
   * @param className the binary name of the class
   * @param superclassName the binary name of its superclass, or the empty string
   * @param properties the properties, in any order, with different names
   * @return the shape, with id 0
   */
  public static Shape layOut(
      String className, String superclassName, Collection<Property> properties) {
    List<Property> sorted = new ArrayList<>(properties);
    sorted.sort(ORDER);
    int offset = ObjectLayout.HEADER;
    for (int i = 0; i < sorted.size(); i++) {
      Property property = sorted.get(i);
      sorted.set(i, property.at(offset));
      offset += property.kind().width();
    }
    return new Shape(0, className, superclassName, sorted, (offset + 7) & -8);
  }

  @Override
  public Shape withId(int newId) {
    return new Shape(newId, className, superclassName, properties, size, predecessor, origins);
  }

  /**
   * The same shape as the next one of a class that has shapes already.
   *
   * @param newPredecessor the id of the class's newest shape
   * @param newOrigins for each property where its value comes from
   * @return the shape
   */
  public Shape after(int newPredecessor, List<Origin> newOrigins) {
    return new Shape(id, className, superclassName, properties, size, newPredecessor, newOrigins);
  }

  /**
   * Says whether objects of another shape can be read as objects of this one.
   *
   * @param other the other shape
   * @return true if the properties are the same, in the same places
   */
  public boolean hasLayoutOf(Shape other) {
    return size == other.size && properties.equals(other.properties);
  }

  /**
   * Where objects of the shape have references.
   *
   * @return the offsets of references and of cells, in the order of the properties
   */
  public ReferenceMap references() {
    return new ReferenceMap(offsets(SlotKind.REFERENCE), offsets(SlotKind.CELL));
  }

  private int[] offsets(SlotKind kind) {
    return properties.stream().filter(p -> p.kind() == kind).mapToInt(Property::offset).toArray();
  }

  @Override
  public String toString() {
    return className
        + properties.stream()
            .sorted(Comparator.comparing(Property::name))
            .map(Property::toString)
            .collect(Collectors.joining(", ", " {", "}"));
  }
}
