package io.pmstore.spring.boot;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.spring.transaction.DurabilityText;
import java.io.FileNotFoundException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ResourceUtils;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code pmstore.*}. A property that is not set leaves the default of {@link
 * PmStoreOptions}.
 *
 * @param enabled whether the application opens a store
 * @param directory the directory of the store; created with a new store
 * @param storage the storage of the store's bytes
 * @param durability when transactions are acknowledged: "sync", or the bound of relaxed durability,
 *     such as "100ms"
 * @param readOnly whether to open an existing store for reading only
 * @param writesOutsideTransactions whether a write outside a transaction is a transaction of its
 *     own, or an error
 * @param logSegmentSize the size to which each log segment of a new store can grow
 * @param llplPoolSize the size to which the pool of a new store with storage "llpl" can grow
 * @param groupAccess the access of the files' group to a new store
 * @param readyTimeout how long the start of the application waits, if a root is injected, until a
 *     node of a replicated store is ready and has the root
 * @param packages the packages to search for persistent classes, besides those of the application
 * @param engine an engine for which "storage" has no value
 * @param gc the garbage collection
 * @param tiered the pools of a store with storage "tiered"
 * @param jackson how persistent objects become JSON
 */
@ConfigurationProperties("pmstore")
public record PmStoreProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String directory,
    @Nullable Storage storage,
    @Nullable String durability,
    @Nullable Boolean readOnly,
    @Nullable Boolean writesOutsideTransactions,
    @Nullable DataSize logSegmentSize,
    @Nullable DataSize llplPoolSize,
    @Nullable GroupAccess groupAccess,
    @DefaultValue("1m") Duration readyTimeout,
    @DefaultValue List<String> packages,
    @DefaultValue Engine engine,
    @DefaultValue Gc gc,
    @DefaultValue Tiered tiered,
    @DefaultValue Jackson jackson) {

  /**
   * An engine that is chosen by its name.
   *
   * @param name the engine's name, such as "raft"
   * @param settings what the engine needs to know beyond the options; its documentation has the
   *     keys
   */
  public record Engine(@Nullable String name, @Nullable Map<String, String> settings) {}

  /**
   * The garbage collection.
   *
   * @param inBackground whether the store collects garbage in the background
   * @param beforeOpening whether the start of the application waits for a collection
   */
  public record Gc(@Nullable Boolean inBackground, @Nullable Boolean beforeOpening) {}

  /**
   * The pools of a store with storage "tiered".
   *
   * @param poolSize the size of each of the two pools of a new store
   * @param poolDirectory the directory of the pools
   * @param poolStorage the storage of the pools: "file", "persistent-memory" or "auto"
   * @param spillDirectory the directory to which the store moves the contents of its pools
   */
  public record Tiered(
      @Nullable DataSize poolSize,
      @Nullable String poolDirectory,
      @Nullable Storage poolStorage,
      @Nullable String spillDirectory) {}

  /**
   * How persistent objects become JSON.
   *
   * @param snapshot whether each value is written in a snapshot of the store, so that the JSON
   *     shows one state
   * @param durable whether the mapper waits, before it writes, until everything that the snapshot
   *     shows is durable; by default if the store has the durability "sync"
   */
  public record Jackson(@DefaultValue("true") boolean snapshot, @Nullable Boolean durable) {}

  /** Returns the directory of the store; null if it is not set. */
  @Nullable Path storeDirectory() {
    return directory == null || directory.isBlank() ? null : path("directory", directory);
  }

  /**
   * Returns the path that a property names. Spring's conversion to a {@code Path} prefers a
   * resource of this name on the class path, where a store would go away with the next build.
   */
  private static Path path(String property, String text) {
    try {
      return ResourceUtils.isUrl(text) ? ResourceUtils.getFile(text).toPath() : Path.of(text);
    } catch (FileNotFoundException | InvalidPathException e) {
      throw new InvalidConfigurationPropertyValueException(
          "pmstore." + property, text, "expected the path of a directory: " + e.getMessage(), e);
    }
  }

  /** Returns the options that the properties stand for. */
  PmStoreOptions options() {
    PmStoreOptions options = PmStoreOptions.defaults();
    options = set(options, "storage", storage, PmStoreOptions::storage);
    options =
        set(
            options,
            "durability",
            durability,
            (o, text) -> o.durability(DurabilityText.parse(text)));
    options = set(options, "read-only", readOnly, PmStoreOptions::readOnly);
    options =
        set(
            options,
            "writes-outside-transactions",
            writesOutsideTransactions,
            PmStoreOptions::writesOutsideTransactions);
    options =
        set(
            options,
            "log-segment-size",
            logSegmentSize,
            (o, size) -> o.logSegmentSize(size.toBytes()));
    options =
        set(options, "llpl-pool-size", llplPoolSize, (o, size) -> o.llplPoolSize(size.toBytes()));
    options = set(options, "group-access", groupAccess, PmStoreOptions::groupAccess);
    options = set(options, "gc.in-background", gc.inBackground, PmStoreOptions::gcInBackground);
    options = set(options, "gc.before-opening", gc.beforeOpening, PmStoreOptions::gcBeforeOpening);
    return withTiered(withEngine(options));
  }

  private PmStoreOptions withEngine(PmStoreOptions options) {
    if (engine.name == null) {
      if (engine.settings != null && !engine.settings.isEmpty()) {
        throw new IllegalArgumentException(
            "pmstore.engine.settings are for the engine that pmstore.engine.name names, which is"
                + " not set");
      }
      return options;
    }
    return options.engine(
        engine.name, engine.settings == null ? Map.of() : new LinkedHashMap<>(engine.settings));
  }

  private PmStoreOptions withTiered(PmStoreOptions options) {
    PmStoreOptions with = options;
    if (tiered.poolDirectory != null) {
      with =
          with.tieredPools(
              path("tiered.pool-directory", tiered.poolDirectory),
              Optional.ofNullable(tiered.poolStorage).orElse(Storage.AUTO));
    } else {
      with = set(with, "tiered.pool-storage", tiered.poolStorage, PmStoreOptions::tieredPools);
    }
    with =
        set(
            with,
            "tiered.pool-size",
            tiered.poolSize,
            (o, size) -> o.tieredPoolSize(size.toBytes()));
    return set(
        with,
        "tiered.spill-directory",
        tiered.spillDirectory,
        (o, text) -> o.tieredSpillDirectory(path("tiered.spill-directory", text)));
  }

  /** Sets an option; Spring Boot explains a value that the options refuse, and where it is from. */
  private static <T> PmStoreOptions set(
      PmStoreOptions options,
      String property,
      @Nullable T value,
      BiFunction<PmStoreOptions, T, PmStoreOptions> setter) {
    if (value == null) {
      return options;
    }
    try {
      return setter.apply(options, value);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          "pmstore." + property, value, e.getMessage(), e);
    }
  }
}
