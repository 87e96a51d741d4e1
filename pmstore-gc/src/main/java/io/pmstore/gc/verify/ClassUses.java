package io.pmstore.gc.verify;

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

/** What the walk reached, by class. */
final class ClassUses {
  private static final int CORE_KINDS = 8;

  // Two numbers each, objects and bytes: first the store's own kinds, by flags, then shapes by id.
  private long[] counts = new long[2 * 64];
  private String[] names = new String[64];
  private long objects;
  private long bytes;

  void add(long header, int room, @Nullable TracedShape shape) {
    int row =
        shape == null ? ObjectLayout.flags(header) : CORE_KINDS + ObjectLayout.shapeId(header);
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

  private static String coreName(int flags) {
    return switch (flags) {
      case CoreLayout.FLAGS_CATALOGUE_ENTRY -> "pmstore.catalogue.entry";
      case CoreLayout.FLAGS_ROOT_ENTRY -> "pmstore.root.entry";
      case CoreLayout.FLAGS_BLOB -> "pmstore.blob";
      case CoreLayout.FLAGS_LONG_BLOB -> "pmstore.blob.long";
      default -> throw new IllegalArgumentException("no object was reached with flags " + flags);
    };
  }

  long objects() {
    return objects;
  }

  long bytes() {
    return bytes;
  }

  /** The classes, the one that takes most bytes first. Shapes of one class count together. */
  List<ClassUse> sorted() {
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
