package io.pmstore.gc.account;

import io.pmstore.GcReport;
import io.pmstore.StoreStatistics;
import io.pmstore.StoreStatistics.ClassStatistics;
import io.pmstore.VerificationReport.ClassUse;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.trace.ShapeTable;
import io.pmstore.gc.trace.TracedShape;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts everything allocated in a heap, chunk by chunk, while transactions run. For one thread.
 */
public final class SpaceSurvey {
  private final Heap heap;
  private final ShapeTable shapes = new ShapeTable();
  private final ClassUses live = new ClassUses();
  private final ClassUses unlinked = new ClassUses();
  private long next;
  private long freeBytes;

  /** Prepares a survey. */
  public SpaceSurvey(Heap heap) {
    this.heap = heap;
    for (CatalogueEntry entry : new Catalogue(heap).entries()) {
      if (entry instanceof Shape shape) {
        shapes.add(shape);
      }
    }
  }

  /** Counts the objects of the next chunk. Returns false if there is none. */
  public boolean step() {
    if (next >= heap.memory().writableBytes()) {
      return false;
    }
    freeBytes += heap.reclamation().forEachAllocated(next, this::count);
    next += ExtentLayout.CHUNK_SIZE;
    return true;
  }

  /**
   * Skips objects that were just created: their shape is unknown here, or they have no header yet.
   */
  private void count(long object, long header, int bytes) {
    TracedShape shape = shapes.find(ObjectLayout.shapeId(header));
    if (shape != null || isOwn(header)) {
      boolean isUnlinked = ObjectLayout.links(header) == ObjectLayout.FLAG_UNLINKED;
      (isUnlinked ? unlinked : live).add(header, bytes, shape);
    }
  }

  private static boolean isOwn(long header) {
    int kind = ObjectLayout.kind(header);
    return ObjectLayout.shapeId(header) == ObjectLayout.SHAPE_CORE
        && kind >= CoreLayout.FLAGS_CATALOGUE_ENTRY
        && kind <= CoreLayout.FLAGS_LONG_BLOB;
  }

  /**
   * Returns the result.
   *
   * @param collections the number of completed collections
   * @param lastCollection the report of the last of them
   */
  public StoreStatistics statistics(long collections, Optional<GcReport> lastCollection) {
    Map<String, ClassStatistics> byName = new TreeMap<>();
    for (ClassUse use : live.sorted()) {
      byName.put(
          use.className(), new ClassStatistics(use.className(), use.objects(), use.bytes(), 0, 0));
    }
    for (ClassUse use : unlinked.sorted()) {
      byName.merge(
          use.className(),
          new ClassStatistics(use.className(), 0, 0, use.objects(), use.bytes()),
          (a, b) ->
              new ClassStatistics(
                  a.className(),
                  a.liveObjects(),
                  a.liveBytes(),
                  b.unlinkedObjects(),
                  b.unlinkedBytes()));
    }
    List<ClassStatistics> classes =
        byName.values().stream()
            .sorted(
                Comparator.comparingLong((ClassStatistics c) -> c.liveBytes() + c.unlinkedBytes())
                    .reversed()
                    .thenComparing(ClassStatistics::className))
            .toList();
    Reclamation.Freed freed = heap.reclamation().freed();
    return new StoreStatistics(
        heap.memory().writableBytes(),
        live.objects(),
        live.bytes(),
        unlinked.objects(),
        unlinked.bytes(),
        freeBytes,
        classes,
        freed.objects(),
        freed.bytes(),
        collections,
        lastCollection,
        heap.commitWaits());
  }
}
