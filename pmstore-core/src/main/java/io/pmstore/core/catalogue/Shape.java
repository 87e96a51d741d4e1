package io.pmstore.core.catalogue;

import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The layout of the objects of one class.
 *
 * @param id the id by which object headers name the shape; 0 while it is in no catalogue
 * @param className the binary name of the class; for objects without a class, a name that no class
 *     can have
 * @param superclassName the binary name of the superclass: {@link #RECORD} for a record, {@link
 *     #OBJECT} also for a persistent interface; empty for an array, and in stores that do not
 *     record these two
 * @param properties the properties in the order of their offsets; a property's index is its place
 *     in this list
 * @param size of an object in bytes, header included, a multiple of 8
 * @param predecessor the id of the class's preceding shape, possibly with another class name; 0 for
 *     the first one
 * @param origins for each property the source of its value in an object of the predecessor; empty
 *     without a predecessor
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
  /** The superclass of classes that extend no other class of a program. */
  public static final String OBJECT = "java.lang.Object";

  /** The superclass of records. */
  public static final String RECORD = "java.lang.Record";

  private static final Comparator<Property> ORDER =
      Comparator.comparingInt((Property p) -> -p.kind().width()).thenComparing(Property::name);

  /** Copies the lists. */
  public Shape {
    properties = List.copyOf(properties);
    origins = List.copyOf(origins);
  }

  /** Creates the first shape of a class. */
  public Shape(
      int id, String className, String superclassName, List<Property> properties, int size) {
    this(id, className, superclassName, properties, size, 0, List.of());
  }

  /**
   * Lays out properties: the widest first, those of equal width by name. The layout is aligned, has
   * no gaps, and is the same in every store.
   *
   * @param properties in any order, with distinct names
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
   * Returns the same shape as the successor of a class's newest shape.
   *
   * @param newPredecessor the id of that shape
   * @param newOrigins for each property the source of its value
   */
  public Shape after(int newPredecessor, List<Origin> newOrigins) {
    return new Shape(id, className, superclassName, properties, size, newPredecessor, newOrigins);
  }

  /**
   * Returns true if objects of another shape can be read as objects of this one: the properties and
   * their offsets are equal, and so are the type arguments that both have.
   */
  public boolean hasLayoutOf(Shape other) {
    boolean isLike = size == other.size && properties.size() == other.properties.size();
    for (int i = 0; isLike && i < properties.size(); i++) {
      isLike = properties.get(i).hasLayoutOf(other.properties.get(i));
    }
    return isLike;
  }

  /** Returns true if the superclass is a class of the program. */
  public boolean hasProgramSuperclass() {
    return !superclassName.isEmpty()
        && !superclassName.equals(OBJECT)
        && !superclassName.equals(RECORD);
  }

  /** Returns the offsets of references, words and cells, in the order of the properties. */
  public ReferenceMap references() {
    return new ReferenceMap(
        offsets(SlotKind.REFERENCE::equals),
        offsets(SlotKind::isWord),
        offsets(SlotKind.CELL::equals),
        plainWords());
  }

  /** Returns the offsets of the words of which no property has a part: a node's own data. */
  private int[] plainWords() {
    BitSet plain = new BitSet();
    plain.set(ObjectLayout.HEADER >>> 3, size >>> 3);
    for (Property property : properties) {
      int end = property.offset() + property.kind().width();
      plain.clear(property.offset() >>> 3, (end + 7) >>> 3);
    }
    return plain.stream().map(word -> word << 3).toArray();
  }

  private int[] offsets(Predicate<SlotKind> kind) {
    return properties.stream()
        .filter(property -> kind.test(property.kind()))
        .mapToInt(Property::offset)
        .toArray();
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
