package io.pmstore.core.catalogue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of a catalogue count, and in which order: the entries of one class form a chain,
 * which may continue under another name. Not thread-safe.
 */
final class Lineage {
  private final Map<Integer, CatalogueEntry> canonical = new HashMap<>();
  private final Map<Integer, CatalogueEntry> successors = new HashMap<>();
  private final Map<String, CatalogueEntry> newestOfName = new HashMap<>();
  private final Set<Integer> oldest = new HashSet<>();
  private final List<ValueType> valueTypes = new ArrayList<>(); // a few
  private final BitSet ownHashes = new BitSet(); // by shape id

  /** Adds an entry; called in the order of the ids. */
  void add(CatalogueEntry entry) {
    int predecessor = predecessor(entry);
    if (entry instanceof Upgraded mark) {
      oldest.add(mark.shapeId());
    } else if (entry instanceof ValueType type) {
      valueTypes.add(type);
    } else if (entry instanceof OwnHash mark) {
      for (CatalogueEntry of = newest(mark.shapeId()); of != null; of = before(of)) {
        ownHashes.set(of.id());
      }
    } else if (predecessor == 0) {
      if (newestOfName.putIfAbsent(entry.className(), entry) == null) {
        canonical.put(entry.id(), entry);
      }
    } else if (canonical.containsKey(predecessor)
        && successors.putIfAbsent(predecessor, entry) == null) {
      canonical.put(entry.id(), entry);
      newestOfName.put(entry.className(), entry);
      ownHashes.set(entry.id(), ownHashes.get(predecessor));
    }
  }

  /** Returns the entry that counts in the place of another: that one, or one added before it. */
  @Nullable CatalogueEntry canonical(CatalogueEntry entry) {
    if (entry instanceof Upgraded || entry instanceof OwnHash) {
      return entry;
    }
    if (entry instanceof ValueType type) {
      return find(type);
    }
    int predecessor = predecessor(entry);
    if (predecessor != 0) {
      return successors.get(predecessor);
    }
    CatalogueEntry first = newestOfName.get(entry.className());
    while (first != null && predecessor(first) != 0) {
      first = before(first);
    }
    return first;
  }

  @Nullable CatalogueEntry find(String className) {
    return newestOfName.get(className);
  }

  /** Returns the first entry with the same codec name and version. */
  @Nullable ValueType find(ValueType type) {
    for (ValueType known : valueTypes) {
      if (known.isSameAs(type)) {
        return known;
      }
    }
    return null;
  }

  /** Returns the last entry in the chain of an entry. */
  CatalogueEntry newest(CatalogueEntry entry) {
    CatalogueEntry newest = entry;
    for (CatalogueEntry next = entry; next != null; next = successors.get(next.id())) {
      newest = next;
    }
    return newest;
  }

  /**
   * Returns the shapes that objects may have whose class has the newest shape given, newest first.
   */
  List<Shape> of(Shape newest) {
    List<Shape> shapes = new ArrayList<>();
    CatalogueEntry entry = newest;
    while (entry instanceof Shape shape) {
      shapes.add(shape);
      entry = oldest.contains(shape.id()) ? null : canonical.get(shape.predecessor());
    }
    return shapes;
  }

  private static int predecessor(CatalogueEntry entry) {
    return switch (entry) {
      case Shape shape -> shape.predecessor();
      case EnumType type -> type.predecessor();
      case Upgraded _, ValueType _, OwnHash _ -> 0;
    };
  }

  private @Nullable CatalogueEntry before(CatalogueEntry entry) {
    return canonical.get(predecessor(entry));
  }

  private @Nullable CatalogueEntry newest(int id) {
    CatalogueEntry entry = canonical.get(id);
    return entry == null ? null : newest(entry);
  }

  /** Returns the ids of the shapes that have an {@link OwnHash}. */
  BitSet ownHashes() {
    return (BitSet) ownHashes.clone();
  }

  /**
   * Checks that an entry fits the earlier entry that it names.
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
      case OwnHash mark -> shape(mark, mark.shapeId(), earlier);
      case ValueType _ -> {} // it names no entry
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
