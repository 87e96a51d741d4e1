package io.pmstore.cli.graph;

import io.pmstore.StoreDamagedException;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Progress;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what is allocated in a heap, by shape. */
public final class Census {
  private final Catalogue catalogue;
  private final long[] counts; // two numbers each: objects and bytes; the heap's own kinds first
  private long freeBytes;
  private long objects;
  private long bytes;
  private long unlinkedObjects;
  private long unlinkedBytes;
  private long damaged;
  private long firstDamaged = Long.MAX_VALUE;

  /**
   * The objects of one shape of a class.
   *
   * @param shape its id; 0 for one of the heap's own kinds
   * @param age how many shapes of the class are newer
   */
  public record ShapeCount(int shape, int age, long objects, long bytes) {}

  /**
   * The objects of a class.
   *
   * @param className its name today; one that begins with {@code pmstore.} stands for parts of
   *     collections and for what the heap needs itself
   * @param shapes its shapes that have objects, the newest first
   */
  public record ClassCount(String className, long objects, long bytes, List<ShapeCount> shapes) {
    /** Copies the list. */
    public ClassCount {
      shapes = List.copyOf(shapes);
    }

    /** Returns true if the program knows the class. */
    public boolean isUsers() {
      return !className.startsWith("pmstore.");
    }
  }

  private Census(Catalogue catalogue) {
    this.catalogue = catalogue;
    this.counts = new long[2 * (ObjectLayout.KINDS + catalogue.entries().size() + 1)];
  }

  /** Counts the objects of a store. */
  public static Census of(OpenedStore store, Progress progress) {
    Census census = new Census(store.catalogue());
    Heap heap = store.heap();
    long end = heap.memory().writableBytes();
    for (long chunk = 0; chunk < end; chunk += ExtentLayout.CHUNK_SIZE) {
      census.freeBytes += heap.reclamation().forEachAllocated(chunk, census::count);
      progress.at(chunk);
    }
    return census;
  }

  private void count(long object, long header, int room) {
    int shape = ObjectLayout.shapeId(header);
    int row =
        shape == ObjectLayout.SHAPE_CORE ? ObjectLayout.kind(header) : ObjectLayout.KINDS + shape;
    if (row < 0 || 2 * row >= counts.length) {
      damaged++;
      firstDamaged = Math.min(firstDamaged, object);
      return;
    }
    counts[2 * row]++;
    counts[2 * row + 1] += room;
    objects++;
    bytes += room;
    if (ObjectLayout.links(header) == ObjectLayout.FLAG_UNLINKED) {
      unlinkedObjects++;
      unlinkedBytes += room;
    }
  }

  /** Returns the classes that have objects, the one with the most bytes first. */
  public List<ClassCount> classes() {
    Map<String, List<ShapeCount>> byName = new LinkedHashMap<>();
    for (int kind = 0; kind < ObjectLayout.KINDS; kind++) {
      add(byName, coreName(kind), 0, 0, kind);
    }
    for (CatalogueEntry entry : catalogue.entries()) {
      if (entry instanceof Shape shape) {
        int row = ObjectLayout.KINDS + shape.id();
        add(byName, catalogue.newest(shape).className(), shape.id(), age(shape), row);
      }
    }
    List<ClassCount> classes = new ArrayList<>();
    byName.forEach(
        (name, shapes) -> {
          shapes.sort(Comparator.comparingInt(ShapeCount::age));
          classes.add(
              new ClassCount(
                  name,
                  shapes.stream().mapToLong(ShapeCount::objects).sum(),
                  shapes.stream().mapToLong(ShapeCount::bytes).sum(),
                  shapes));
        });
    classes.sort(
        Comparator.comparingLong(ClassCount::bytes)
            .reversed()
            .thenComparing(ClassCount::className));
    return classes;
  }

  private void add(Map<String, List<ShapeCount>> byName, String name, int shape, int age, int row) {
    if (counts[2 * row] > 0) {
      byName
          .computeIfAbsent(name, n -> new ArrayList<>())
          .add(new ShapeCount(shape, age, counts[2 * row], counts[2 * row + 1]));
    }
  }

  private int age(Shape shape) {
    int age = 0;
    for (Shape s = catalogue.newest(shape); s.id() != shape.id() && s.predecessor() != 0; age++) {
      s = catalogue.shape(s.predecessor());
    }
    return age;
  }

  private static String coreName(int kind) {
    return switch (kind) {
      case CoreLayout.FLAGS_SUPERBLOCK -> "pmstore.superblock";
      case CoreLayout.FLAGS_CATALOGUE_ENTRY -> "pmstore.catalogue.entry";
      case CoreLayout.FLAGS_ROOT_ENTRY -> "pmstore.root.entry";
      case CoreLayout.FLAGS_BLOB -> "pmstore.blob";
      case CoreLayout.FLAGS_LONG_BLOB -> "pmstore.blob.long";
      default -> "pmstore.unknown";
    };
  }

  /** Returns the number of all objects, the heap's own included. */
  public long objects() {
    return objects;
  }

  /** Returns the bytes that they take. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of objects that nothing refers to, as far as the store knows. */
  public long unlinkedObjects() {
    return unlinkedObjects;
  }

  /** Returns the bytes that those take. */
  public long unlinkedBytes() {
    return unlinkedBytes;
  }

  /**
   * Requires that every object could be counted.
   *
   * @throws StoreDamagedException if an object has a shape that the catalogue lacks
   */
  public void requireWhole() {
    if (damaged > 0) {
      throw new StoreDamagedException(
          "%d objects were not counted: the one at heap address %d is the first whose shape is not among the %d entries of the type catalogue; pm verify says more, restore the store from a backup"
              .formatted(damaged, firstDamaged, catalogue.entries().size()));
    }
  }

  /** Returns the bytes that are free for new objects. */
  public long freeBytes() {
    return freeBytes;
  }
}
