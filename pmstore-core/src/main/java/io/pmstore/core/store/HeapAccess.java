package io.pmstore.core.store;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.StoreFacts;
import io.pmstore.core.engine.StoredCommits;
import io.pmstore.core.engine.UnreadableStore;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.medium.MediumException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The heap of a store that a tool opens without the program's classes: there is no object layer,
 * and no collector runs. Safe for use by any number of threads.
 */
public final class HeapAccess implements AutoCloseable {
  private final Heap heap;

  private HeapAccess(Heap heap) {
    this.heap = heap;
  }

  /**
   * Opens the heap of an existing store.
   *
   * @param directory of the store
   * @param options how to open it, for reading only for instance
   * @throws StoreFormatException if there is no store
   * @throws PmStoreException if it cannot be opened, as {@link io.pmstore.PmStore#open} says
   */
  public static HeapAccess open(Path directory, PmStoreOptions options) {
    Engines engines = Engines.installed();
    if (!engines.holdsStore(directory, options)) {
      throw none(directory, null);
    }
    return open(directory, options, engines);
  }

  /**
   * Creates a store and opens its heap.
   *
   * @param directory absent or empty
   * @param options how to create it
   * @throws StoreFormatException if there is a store already, or something else
   * @throws PmStoreException if none can be created, as {@link io.pmstore.PmStore#open} says
   */
  public static HeapAccess create(Path directory, PmStoreOptions options) {
    Engines engines = Engines.installed();
    if (engines.holdsStore(directory, options)) {
      throw new StoreFormatException(
          "there is a store in %s already; choose an absent or empty directory"
              .formatted(directory));
    }
    return open(directory, options, engines);
  }

  private static StoreFormatException none(Path directory, @Nullable IOException cause) {
    return new StoreFormatException(
        "there is no store in %s; check the path".formatted(directory), cause);
  }

  private static HeapAccess open(Path directory, PmStoreOptions options, Engines engines) {
    Engine engine = engines.open(directory, options);
    try {
      return orClose(
          engine,
          () -> new HeapAccess(new Heap(engine, options.durability(), h -> new NoObjectLayer())));
    } catch (InternalError e) { // what reading a mapped file gives where the disk cannot be read
      throw UnreadableStore.exception(directory, e);
    }
  }

  /**
   * Returns the name of the engine whose store a directory has, or that of the engine for new
   * stores if there is none.
   */
  public static String engineName(Path directory) {
    return Engines.installed().name(directory);
  }

  /**
   * Returns what the header of a store says, without opening the store.
   *
   * @param directory of the store
   * @return empty if its engine cannot read the header without opening the store
   * @throws StoreFormatException if there is no store, or one of another format version
   * @throws io.pmstore.StoreDamagedException if the header is damaged
   * @throws PmStoreException if it cannot be read
   */
  public static Optional<StoreFacts> facts(Path directory) {
    Engines engines = Engines.installed();
    if (!engines.recognize(directory)) {
      throw none(directory, null);
    }
    try {
      return engines.facts(directory);
    } catch (IOException e) {
      if (e instanceof MediumException medium
          && medium.isMissing()
          && !engines.holdsStore(directory, PmStoreOptions.defaults())) { // or it says what is lost
        throw none(directory, e);
      }
      throw new PmStoreException(
          "the header of the store in %s cannot be read: %s; its files must be readable"
              .formatted(directory, e),
          e);
    }
  }

  /**
   * Opens what the files of a store have of its commits, without opening the store. Changes
   * nothing.
   *
   * @param directory of the store
   * @return empty if its engine keeps no record of commits; the caller closes what is there
   * @throws io.pmstore.StoreLockedException if a process has the store open for writing
   * @throws PmStoreException if it cannot be read, is damaged, or there is no store
   */
  public static Optional<StoredCommits> storedCommits(Path directory) {
    Engines engines = Engines.installed();
    if (!engines.recognize(directory)) {
      throw none(directory, null);
    }
    return engines.storedCommits(directory);
  }

  public Heap heap() {
    return heap;
  }

  /** Makes every commit durable, and closes the store. */
  @Override
  public void close() {
    heap.close();
  }
}
