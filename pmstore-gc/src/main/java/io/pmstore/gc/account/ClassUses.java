package io.pmstore.gc.account;

import io.pmstore.VerificationReport.ClassUse;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.trace.TracedShape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The number and size of objects by class. Not thread-safe. */
public final class ClassUses {
  // Two numbers each, objects and bytes: first the store's own kinds, then shapes by id.
  private long[] counts = new long[2 * 64];
  private String[] names = new String[64];
  private long objects;
  private long bytes;

  /**
   * Counts an object.
   *
   * @param header its header word
   * @param room the bytes of its slot or run
   * @param shape its shape; null for one of the heap's own
   */
  public void add(long header, int room, @Nullable TracedShape shape) {
    int row =
        shape == null
            ? ObjectLayout.kind(header)
            : ObjectLayout.KINDS + ObjectLayout.shapeId(header);
    if (row >= names.length) {
      int longer = Math.max(row + 1, names.length * 2);
      names = Arrays.copyOf(names, longer);
      counts = Arrays.copyOf(counts, 2 * longer);
    }
    if (counts[2 * row] == 0) {
      names[row] = shape == null ? coreName(row) : shape.shape().className();
    }
    counts[2 * row]++;
    counts[2 * row + 1] += room;
    objects++;
    bytes += room;
  }

  private static String coreName(int kind) {
    return switch (kind) {
      case CoreLayout.FLAGS_CATALOGUE_ENTRY -> "pmstore.catalogue.entry";
      case CoreLayout.FLAGS_ROOT_ENTRY -> "pmstore.root.entry";
      case CoreLayout.FLAGS_BLOB -> "pmstore.blob";
      case CoreLayout.FLAGS_LONG_BLOB -> "pmstore.blob.long";
      default -> throw new IllegalArgumentException("no object is of kind " + kind);
    };
  }

  /** Returns the number of counted objects. */
  public long objects() {
    return objects;
  }

  /** Returns the bytes of the counted objects. */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns the classes, the one with the most bytes first. All shapes of a class count together.
   */
  public List<ClassUse> sorted() {
    Map<String, ClassUse> byName = new HashMap<>();
    for (int row = 0; row < names.length; row++) {
      if (counts[2 * row] != 0) {
        byName.merge(
            names[row],
            new ClassUse(names[row], counts[2 * row], counts[2 * row + 1]),
            (a, b) ->
                new ClassUse(a.className(), a.objects() + b.objects(), a.bytes() + b.bytes()));
      }
    }
    return byName.values().stream()
        .sorted(
            Comparator.comparingLong(ClassUse::bytes).reversed().thenComparing(ClassUse::className))
        .toList();
  }
}
