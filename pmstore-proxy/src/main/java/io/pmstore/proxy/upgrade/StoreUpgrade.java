package io.pmstore.proxy.upgrade;

import io.pmstore.ClassRefusedException;
import io.pmstore.Upgrade;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.Upgraded;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.HeapWalk;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.bean.AbstractTypes;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.EmbeddedValues;
import io.pmstore.proxy.slot.Slots;
import io.pmstore.proxy.slot.StoreContext;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Upgrades all objects of a store, one run at a time. Thread-safe. */
public final class StoreUpgrade {
  /** The prefix of the names of the store's own shapes. */
  private static final String OWN = "pmstore.";

  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final EmbeddedValues embedded;
  private final Converter converter;
  private @Nullable UpgradeRun current;

  public StoreUpgrade(StoreContext store, Slots slots, Converter converter) {
    this.heap = store.heap();
    this.schema = store.schema();
    this.objects = store.objects();
    this.embedded = slots.embedded();
    this.converter = converter;
  }

  /**
   * Returns the run that is under way, or starts one.
   *
   * @throws ClassRefusedException if a class of the program cannot be mapped
   */
  public synchronized Upgrade start() {
    UpgradeRun running = current;
    if (running == null || running.isDone()) {
      bindAll();
      running = new UpgradeRun(new Walk(), heap.name());
      current = running;
      running.start();
    }
    return running;
  }

  /**
   * Cancels a run that is under way and waits for its end. The heap accepts no transactions any
   * more.
   */
  public synchronized void close() {
    UpgradeRun running = current;
    if (running != null) {
      running.cancel();
      running.join();
    }
  }

  /** Adds today's shapes to the catalogue before the walk starts. */
  private void bindAll() {
    for (CatalogueEntry entry : schema.catalogue().entries()) {
      if (entry instanceof Shape shape && schema.catalogue().newest(shape).id() == shape.id()) {
        Class<?> type = schema.lookUp(shape);
        if (type != null && RecordClass.hasComponents(type)) {
          embedded.bind(type);
        } else if (type != null && !type.isArray() && !AbstractTypes.isAbstract(type)) {
          schema.bind(type);
        }
      }
    }
  }

  /** The steps of a run. */
  final class Walk {
    private final HeapWalk walk = new HeapWalk(heap, 0, this::note);
    private final List<Long> found = new ArrayList<>();
    private final boolean[] older;
    private final boolean[] unknown;
    private final List<Upgraded> marks = new ArrayList<>();
    private volatile double progress;

    Walk() {
      Catalogue catalogue = schema.catalogue();
      List<CatalogueEntry> entries = catalogue.entries();
      older = new boolean[entries.size() + 1];
      unknown = new boolean[older.length];
      for (CatalogueEntry entry : entries) {
        if (entry instanceof Shape shape && isWithoutClass(catalogue.newest(shape))) {
          unknown[shape.id()] = true;
        }
        if (entry instanceof Shape shape && catalogue.newest(shape).id() != shape.id()) {
          older[shape.id()] = true;
        } else if (entry instanceof Shape shape && catalogue.lineage(shape).size() > 1) {
          marks.add(new Upgraded(0, shape.className(), shape.id()));
        }
      }
    }

    private boolean isWithoutClass(Shape newest) {
      String name = newest.className();
      if (name.startsWith(OWN) || name.startsWith("[")) {
        return false;
      }
      Class<?> type = schema.lookUp(newest);
      return type == null || AbstractTypes.isAbstract(type);
    }

    /**
     * Takes one step through the heap. Returns the addresses of the objects of older shapes that it
     * found; null at the end.
     */
    @Nullable List<Long> next() {
      found.clear();
      boolean more = walk.step();
      progress = walk.fraction();
      return more ? List.copyOf(found) : null;
    }

    /** Collects an object that may need an upgrade. It may be freed before it is examined again. */
    private void note(long home, long header) {
      int shapeId = ObjectLayout.shapeId(header);
      if (isOlder(shapeId) || isUnknown(shapeId)) {
        found.add(home);
      }
    }

    private boolean isUnknown(int shapeId) {
      return shapeId < unknown.length && unknown[shapeId];
    }

    /** Returns true if a shape is an older one. Shapes that were added after the start are not. */
    private boolean isOlder(int shapeId) {
      return shapeId < older.length && older[shapeId];
    }

    /** Returns the fraction of the heap that was walked, from 0 to 1. */
    double progress() {
      return progress;
    }

    /** Upgrades objects in one transaction. Returns how many of them still had an older shape. */
    int upgrade(List<Long> homes) {
      // Upgrades an unreachable object too, if it is walkable: then its references are still valid.
      try (Reclamation.Walkable walkable = heap.reclamation().walkable()) {
        return heap.transaction(
            () -> {
              int count = 0;
              for (long home : homes) {
                count += walkable.contains(home) && upgradeOne(home) ? 1 : 0;
              }
              return count;
            });
      }
    }

    private boolean upgradeOne(long home) {
      if (!heap.isAllocated(home)) {
        return false;
      }
      int shapeId = heap.shapeId(heap.bodies().body(home));
      if (isUnknown(shapeId)) {
        schema.bindingOf(shapeId); // throws
      }
      if (!isOlder(shapeId)) {
        return false;
      }
      Class<?> type = schema.classOf(shapeId);
      if (type.isArray()) { // of a renamed class
        Catalogue catalogue = schema.catalogue();
        heap.bodies().reshape(home, catalogue.newest(catalogue.shape(shapeId)).id());
      } else if (RecordClass.hasComponents(type)) {
        embedded.upgrade(home, converter);
      } else {
        Object object = objects.at(home);
        HeapObject handle =
            PersistentObject.handleOf(object) instanceof HeapObject its
                ? its
                : heap.evolving(home, schema.bindingOf(shapeId).shape().id()); // of a constant
        handle.addressToWrite();
      }
      return true;
    }

    /** Notes in the catalogue that no object of an older shape is left. */
    void finish() {
      marks.forEach(schema.catalogue()::add);
    }
  }
}
