package io.pmstore.core.store;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.ClassReport;
import io.pmstore.Durability;
import io.pmstore.EvolutionReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.RepairReport;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreProvider;
import io.pmstore.VerificationProgress;
import io.pmstore.VerificationReport;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.UnreadableStore;
import io.pmstore.core.events.OpeningEvent;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ObjectLayer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores: the engine first, then the heap on it, then the object layer and the collector on
 * the heap.
 */
public final class CoreStoreProvider implements StoreProvider {
  @Override
  public PmStore open(Path directory, PmStoreOptions options) {
    ObjectLayer.Provider layer = layerProvider(); // before anything is touched
    layer.prepare();
    @Nullable OpeningEvent event = Recorder.opening();
    Engines engines = Engines.installed();
    Engine engine = engines.open(directory, options);
    HeapStore store = null;
    try {
      store =
          new HeapStore(
              engines,
              new OpenHeap.Parts(layer, findCollector().orElse(null), options, directory),
              engine);
      engine.start(store);
      if (event != null) {
        event.ended(directory, options.readOnly(), engine.memory().writableBytes());
      }
      return store;
    } catch (Throwable t) {
      closeAfter(t, store == null ? engine : store);
      throw t;
    }
  }

  @Override
  public VerificationReport verify(
      Path directory, PmStoreOptions options, VerificationProgress progress) {
    Collector.Provider collector = // before anything is touched
        findCollector().orElseThrow(() -> missing("collector"));
    Engines engines = Engines.installed();
    if (!engines.holdsStore(directory, options)) {
      throw new StoreFormatException(
          "there is no store in %s to be verified; check the path".formatted(directory));
    }
    try (Engine engine = engines.openToVerify(directory, options)) {
      Heap heap = new Heap(engine, Durability.SYNC, h -> new NoObjectLayer());
      return collector.open(heap).verify(progress);
    } catch (InternalError e) { // what reading a mapped file gives where the disk cannot be read
      throw UnreadableStore.exception(directory, e);
    }
  }

  @Override
  public RepairReport repair(Path directory) {
    Collector.Provider collector = // before anything is touched
        findCollector().orElseThrow(() -> missing("collector"));
    try (EngineRepair repair = Engines.installed().repair(directory)) {
      Engine repaired = repair.prepare();
      if (repair.mustVerify()) {
        Heap heap = new Heap(repaired, Durability.SYNC, h -> new NoObjectLayer());
        VerificationReport found = collector.open(heap).verify();
        if (!found.isSound()) {
          throw repair.unsound(found);
        }
      }
      return repair.finish();
    } catch (InternalError e) { // what reading a mapped file gives where the disk cannot be read
      throw UnreadableStore.exception(directory, e);
    }
  }

  @Override
  public EvolutionReport dryRun(Path directory, PmStoreOptions options, List<Class<?>> classes) {
    ObjectLayer.Provider layer = layerProvider(); // before anything is touched
    Engines engines = Engines.installed();
    if (!engines.holdsStore(directory, options)) {
      throw new StoreFormatException(
          "there is no store in %s to try classes on; check the path".formatted(directory));
    }
    try (Engine engine = engines.open(directory, options.readOnly(true))) {
      Heap heap = new Heap(engine, Durability.SYNC, h -> new NoObjectLayer());
      return layer.dryRun(heap, options, classes);
    } catch (InternalError e) { // what reading a mapped file gives where the disk cannot be read
      throw UnreadableStore.exception(directory, e);
    }
  }

  @Override
  public ClassReport check(PmStoreOptions options, List<Class<?>> classes) {
    return layerProvider().check(options, classes);
  }

  private static ObjectLayer.Provider layerProvider() {
    return ServiceLoader.load(
            ObjectLayer.Provider.class, ObjectLayer.Provider.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> missing("object layer"));
  }

  private static Optional<Collector.Provider> findCollector() {
    return ServiceLoader.load(Collector.Provider.class, Collector.Provider.class.getClassLoader())
        .findFirst();
  }

  /** What to throw where a part of pmstore is needed that is not there. */
  static PmStoreException missing(String part) {
    return new PmStoreException(
        "pmstore's "
            + part
            + " was not found beside its core; depend on io.pmstore:pmstore, which brings both");
  }
}
