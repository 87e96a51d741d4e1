package io.pmstore.cli.graph;

import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.value.Elements;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ReferenceReader;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.trace.MarkBits;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why an object is alive: the shortest path from a root to it, and what it alone keeps.
 *
 * <p>The search is breadth-first over committed references. A step into or inside a collection, and
 * one to the new place of a moved object, count nothing. Memory: 12 bytes for each object with
 * references, and a bit for every 16 bytes of the heap.
 */
public final class WhyAlive {
  /** How many objects of a path are named at its begin, and at its end. */
  private static final int NAMED = 500;

  private final GenericStore generic;
  private final Heap heap;
  private final ReferenceReader references;
  private final Progress progress;

  /**
   * One step of a path.
   *
   * @param path to the object
   * @param object what is there
   */
  public record Link(String path, PersistentObject object) {}

  /**
   * The objects from a root to an object. Each has its path from the root; so in a path of a
   * million objects only those at the ends are named, and those at the second end by their path
   * from the first of them.
   *
   * @param first the objects from the root on; none if no root reaches the object
   * @param omitted how many follow that are not named
   * @param last the rest
   */
  public record Path(List<Link> first, long omitted, List<Link> last) {
    static final Path NONE = new Path(List.of(), 0, List.of());
  }

  /** An object, and the step to it from the one before. */
  private record Step(String text, PersistentObject to) {}

  /**
   * What an object alone keeps alive, itself included.
   *
   * @param objects how many
   * @param bytes what they take
   */
  public record Retained(long objects, long bytes) {}

  /**
   * Prepares a search.
   *
   * @param progress gets the number of visited objects
   */
  public WhyAlive(OpenedStore store, Progress progress) {
    this.generic = store.generic();
    this.heap = store.heap();
    this.references = heap.reclamation().references();
    this.progress = progress;
  }

  // ---- the shortest path

  /** Returns the shortest path from a root to an object. */
  public Path path(long target) {
    LongList found = new LongList();
    LongList parents = new LongList(); // an index in found; -1 for a root
    MarkBits seen = MarkBits.marks();
    List<Integer> level = new ArrayList<>();
    for (long root : generic.roots().values()) {
      if (root != 0 && seen.set(root)) {
        level.add(add(found, parents, root, -1));
      }
    }
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i) == target) {
        return named(List.of(target));
      }
    }
    int[] hit = {-1};
    while (!level.isEmpty() && hit[0] < 0) {
      List<Integer> next = new ArrayList<>();
      for (int i = 0; i < level.size() && hit[0] < 0; i++) { // it grows meanwhile
        int from = level.get(i);
        references.forEach(
            found.get(from),
            to -> {
              if (hit[0] < 0 && (to == target || hasReferences(to)) && seen.set(to)) {
                int index = add(found, parents, to, from);
                (isInner(to) ? level : next).add(index);
                if (to == target) {
                  hit[0] = index;
                }
              }
            });
        progress.at(found.size());
      }
      level.clear();
      level.addAll(next);
    }
    return hit[0] < 0 ? Path.NONE : named(addresses(found, parents, hit[0]));
  }

  private static int add(LongList found, LongList parents, long object, int parent) {
    found.add(object);
    parents.add(parent);
    return found.size() - 1;
  }

  private static List<Long> addresses(LongList found, LongList parents, int last) {
    List<Long> addresses = new ArrayList<>();
    for (int at = last; at >= 0; at = (int) parents.get(at)) {
      addresses.add(found.get(at));
    }
    Collections.reverse(addresses);
    return addresses;
  }

  private boolean hasReferences(long object) {
    long header = heap.memory().getLong(object);
    return ObjectLayout.shapeId(header) != ObjectLayout.SHAPE_CORE
        && heap.referenceMaps().find(header) != null
        && java.util.Objects.requireNonNull(heap.referenceMaps().find(header)).count() > 0;
  }

  /** Returns true for a node of a collection and for the new place of a moved object. */
  private boolean isInner(long object) {
    long header = heap.memory().getLong(object);
    int shapeId = ObjectLayout.shapeId(header);
    if (shapeId == ObjectLayout.SHAPE_CORE || ObjectLayout.isBody(header)) {
      return true;
    }
    Shape shape = generic.catalogue().shape(shapeId);
    return GenericStore.isOwn(shape)
        && generic.collectionKind(shapeId) == null
        && generic.shapeAt(object).id() == shapeId; // not a forwarder
  }

  /** Names the steps between the objects of a path, without those inside collections. */
  private Path named(List<Long> addresses) {
    PersistentObject at = generic.at(addresses.getFirst());
    List<Link> first = new ArrayList<>();
    first.add(new Link(root(addresses.getFirst()), at));
    Deque<Step> rest = new ArrayDeque<>();
    long omitted = 0;
    for (long address : addresses.subList(1, addresses.size())) {
      String step = isInner(address) || isValue(address) ? null : step(at, address);
      if (step != null) {
        at = generic.at(address);
        if (first.size() < NAMED) {
          first.add(new Link(first.getLast().path() + step, at));
        } else {
          rest.add(new Step(step, at));
        }
        if (rest.size() > NAMED) {
          rest.remove();
          omitted++;
        }
      }
    }
    List<Link> last = new ArrayList<>();
    String path = first.getLast().path();
    for (Step step : rest) {
      path =
          omitted > 0 && last.isEmpty()
              ? StorePath.ofAddress(GenericStore.address(step.to()))
              : path + step.text();
      last.add(new Link(path, step.to()));
    }
    return new Path(first, omitted, last);
  }

  private String root(long address) {
    for (Map.Entry<String, Long> root : generic.roots().entrySet()) {
      if (root.getValue() == address) {
        return StorePath.ofRoot(root.getKey());
      }
    }
    throw new IllegalStateException("no root is at " + address);
  }

  /**
   * Returns true for a record or an array, and the list of an array: parts of what refers to it.
   */
  private boolean isValue(long address) {
    Shape shape = generic.shapeAt(address);
    return shape.className().startsWith("[");
  }

  /** Returns the step from an object to one that it refers to, or null if it is no direct one. */
  private static @Nullable String step(Object from, long target) {
    return switch (from) {
      case GenericObject object -> {
        for (Property property : object.shape().properties()) {
          if (!property.kind().isPrimitive()) {
            String rest = reaches(object.get(property), target);
            if (rest != null) {
              yield StorePath.property(property.name()) + rest;
            }
          }
        }
        yield null;
      }
      case Map<?, ?> map -> {
        long position = 0;
        Iterator<?> entries = Elements.of(map);
        while (entries.hasNext()) {
          Object entry = entries.next();
          String rest = reaches(Elements.value(entry), target);
          if (rest != null) {
            yield StorePath.key(Elements.key(entry), position) + rest;
          }
          if (reaches(Elements.key(entry), target) != null) {
            yield " (key " + position + ")";
          }
          position++;
        }
        yield null;
      }
      case Collection<?> elements -> {
        boolean isSet = elements instanceof java.util.Set;
        long position = 0;
        Iterator<?> all = Elements.of(elements);
        while (all.hasNext()) {
          Object element = all.next();
          String rest = reaches(element, target);
          if (rest != null) {
            yield (isSet ? StorePath.key(element, position) : StorePath.index(position)) + rest;
          }
          position++;
        }
        yield null;
      }
      default -> null;
    };
  }

  /** Returns the path from a value to an object that it is or has as a part, or null. */
  private static @Nullable String reaches(@Nullable Object value, long target) {
    return switch (value) {
      case PersistentObject object -> GenericStore.address(object) == target ? "" : null;
      case GenericRecord record -> {
        for (Map.Entry<String, @Nullable Object> part : record.values().entrySet()) {
          String rest = reaches(part.getValue(), target);
          if (rest != null) {
            yield StorePath.property(part.getKey()) + rest;
          }
        }
        yield null;
      }
      case GenericArray array -> {
        for (int i = 0; i < array.elements().size(); i++) {
          String rest = reaches(array.elements().get(i), target);
          if (rest != null) {
            yield StorePath.index(i) + rest;
          }
        }
        yield null;
      }
      case null, default -> null;
    };
  }

  // ---- the retained size

  /** Returns what would be garbage if nothing referred to an object that a root reaches. */
  public Retained retained(long object) {
    MarkBits marks = MarkBits.marks();
    marks.set(object); // so that the walk stops there
    for (long root : generic.roots().values()) {
      if (root != 0 && marks.set(root)) {
        walk(root, marks);
      }
    }
    return walk(object, marks);
  }

  private Retained walk(long from, MarkBits marks) {
    long objects = 0;
    long bytes = 0;
    LongList open = new LongList();
    open.add(from);
    while (open.size() > 0) {
      long at = open.removeLast();
      objects++;
      bytes += ObjectLayout.size(heap.memory().getLong(at));
      references.forEach(
          at,
          to -> {
            if (marks.set(to)) {
              open.add(to);
            }
          });
      progress.at(objects);
    }
    return new Retained(objects, bytes);
  }
}
