package io.pmstore.core.catalogue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of a catalogue count, and how they follow each other: those about one class form a
 * chain, which may go on under another name. Not safe for several threads.
 */
final class Lineage {
  private final Map<Integer, CatalogueEntry> counting = new HashMap<>();
  private final Map<Integer, CatalogueEntry> successors = new HashMap<>();
  private final Map<String, CatalogueEntry> newestOfName = new HashMap<>();
  private final Set<Integer> oldest = new HashSet<>();

  /** Takes an entry in, in the order of the ids. */
  void add(CatalogueEntry entry) {
    int predecessor = predecessor(entry);
    if (entry instanceof Upgraded mark) {
      oldest.add(mark.shapeId());
    } else if (predecessor == 0) {
      if (newestOfName.putIfAbsent(entry.className(), entry) == null) {
        counting.put(entry.id(), entry);
      }
    } else if (counting.containsKey(predecessor)
        && successors.putIfAbsent(predecessor, entry) == null) {
      counting.put(entry.id(), entry);
      newestOfName.put(entry.className(), entry);
    }
  }

  /** The entry that counts at the place of another one: itself, or one that was added before. */
  @Nullable CatalogueEntry counting(CatalogueEntry entry) {
    if (entry instanceof Upgraded) {
      return entry;
    }
    int predecessor = predecessor(entry);
    if (predecessor != 0) {
      return successors.get(predecessor);
    }
    CatalogueEntry first = newestOfName.get(entry.className());
    while (first != null && predecessor(first) != 0) {
      first = counting.get(predecessor(first));
    }
    return first;
  }

  /** The newest entry of a name. */
  @Nullable CatalogueEntry find(String className) {
    return newestOfName.get(className);
  }

  /** The last entry of the chain that an entry belongs to. */
  CatalogueEntry newest(CatalogueEntry entry) {
    CatalogueEntry newest = entry;
    for (CatalogueEntry next = entry; next != null; next = successors.get(next.id())) {
      newest = next;
    }
    return newest;
  }

  /** The shapes that objects may have whose class has a given one, newest first. */
  List<Shape> of(Shape newest) {
    List<Shape> shapes = new ArrayList<>();
    CatalogueEntry entry = newest;
    while (entry instanceof Shape shape) {
      shapes.add(shape);
      entry = oldest.contains(shape.id()) ? null : counting.get(shape.predecessor());
    }
    return shapes;
  }

  private static int predecessor(CatalogueEntry entry) {
    return switch (entry) {
      case Shape shape -> shape.predecessor();
      case EnumType type -> type.predecessor();
      case Upgraded upgraded -> 0;
    };
  }

  /**
   * Checks that an entry fits the one that it names.
   *
   * @throws io.pmstore.StoreDamagedException if it does not
   */
  static void check(CatalogueEntry entry, IntFunction<@Nullable CatalogueEntry> earlier) {
    switch (entry) {
      case Shape shape -> {
        if (shape.predecessor() != 0) {
          Shape before = shape(shape, shape.predecessor(), earlier);
          int count = before.properties().size();
          for (Origin origin : shape.origins()) {
            if (origin.kind() == Origin.Kind.STORED && origin.index() >= count) {
              throw CatalogueLayout.damaged(
                  shape.id(),
                  "it takes property %d of entry %d, which has %d properties"
                      .formatted(origin.index(), before.id(), count),
                  null);
            }
          }
        }
      }
      case EnumType type -> {
        if (type.predecessor() != 0
            && !(earlier.apply(type.predecessor()) instanceof EnumType before
                && before.constants().size() <= type.constants().size())) {
          throw CatalogueLayout.damaged(
              type.id(),
              "the entry that it follows, %d, is no enum type with as many constants or fewer"
                  .formatted(type.predecessor()),
              null);
        }
      }
      case Upgraded upgraded -> shape(upgraded, upgraded.shapeId(), earlier);
    }
  }

  private static Shape shape(
      CatalogueEntry entry, int id, IntFunction<@Nullable CatalogueEntry> earlier) {
    if (earlier.apply(id) instanceof Shape shape) {
      return shape;
    }
    throw CatalogueLayout.damaged(
        entry.id(), "the entry that it names, " + id + ", is no shape", null);
  }
}
