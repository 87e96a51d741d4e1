package io.pmstore;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options with which a program opens a store. Immutable and safe for use by any number of
 * threads: each method that sets an option returns a changed copy. No parameter and no result is
 * null.
 *
 * <pre>{@code
 * PmStore.open(path, PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofMillis(100))));
 * }</pre>
 */
public final class PmStoreOptions {
  /** The smallest {@link #llplPoolSize(long)}, in bytes: 32 MiB. */
  public static final long LLPL_POOL_SIZE_MIN = 32L << 20;

  /** The smallest {@link #tieredPoolSize(long)}, in bytes: 1 MiB. */
  public static final long TIERED_POOL_SIZE_MIN = 1L << 20;

  private static final PmStoreOptions DEFAULTS = new PmStoreOptions(new Values());

  private final Values values;

  /** The values. They do not change once a {@code PmStoreOptions} holds them. */
  private static final class Values implements Cloneable {
    Storage storage = Storage.AUTO;
    Optional<String> engine = Optional.empty();
    Map<String, String> engineSettings = Map.of();
    Durability durability = Durability.SYNC;
    long llplPoolSize = 64L << 30;
    long logSegmentSize = 32L << 20;
    long tieredPoolSize = 64L << 20;
    Optional<Path> tieredPoolDirectory = Optional.empty();
    Storage tieredPoolStorage = Storage.AUTO;
    Optional<Path> tieredSpillDirectory = Optional.empty();
    boolean readOnly;
    boolean writesOutsideTransactions = true;
    boolean gcInBackground = true;
    boolean gcBeforeOpening;
    GroupAccess groupAccess = GroupAccess.NONE;
    List<Class<?>> classes = List.of();
    List<Migration> migrations = List.of();
    Map<Class<?>, ValueCodec<?>> valueTypes = Map.of();

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private PmStoreOptions(Values values) {
    this.values = values;
  }

  private PmStoreOptions with(Consumer<Values> change) {
    Values changed = values.copy();
    change.accept(changed);
    return new PmStoreOptions(changed);
  }

  /**
   * Returns the default options. Each method that sets an option states its default.
   *
   * @return the default options
   */
  public static PmStoreOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Chooses the storage of the store's bytes.
   *
   * @param storage the storage; the default is {@link Storage#AUTO}
   * @return the changed copy
   */
  public PmStoreOptions storage(Storage storage) {
    return with(v -> v.storage = Objects.requireNonNull(storage));
  }

  /**
   * Names the engine of the store, without settings. Everything that {@link #engine(String, Map)}
   * says holds.
   *
   * @param name the engine's name
   * @return the changed copy
   */
  public PmStoreOptions engine(String name) {
    return engine(name, Map.of());
  }

  /**
   * Names the engine of the store. Use this method for an engine for which {@link Storage} has no
   * value. The class path or the module path must have the artifact of the engine, whose
   * documentation has the name.
   *
   * <p>{@code open} creates a new store with this engine, and refuses an existing store of another
   * engine with {@link StoreFormatException}. It throws {@link PmStoreException} if there is no
   * engine of that name, and {@link IllegalArgumentException} if the engine does not serve the
   * {@link #storage(Storage)} of these options. {@code open} finds the engine of an existing store
   * without this option.
   *
   * @param name the engine's name
   * @param settings what the engine needs to know beyond these options, such as directories and
   *     sizes; its documentation has the keys. {@code open} throws {@link IllegalArgumentException}
   *     for a key that the engine does not know
   * @return the changed copy
   */
  public PmStoreOptions engine(String name, Map<String, String> settings) {
    Optional<String> named = Optional.of(name);
    Map<String, String> copy = Map.copyOf(settings);
    return with(
        v -> {
          v.engine = named;
          v.engineSettings = copy;
        });
  }

  /**
   * Chooses when the store acknowledges a transaction, and so which acknowledged transactions a
   * power cut can lose.
   *
   * @param durability the durability of transactions that have none of their own; the default is
   *     {@link Durability#SYNC}
   * @return the changed copy
   */
  public PmStoreOptions durability(Durability durability) {
    return with(v -> v.durability = Objects.requireNonNull(durability));
  }

  /**
   * Sets the size to which the pool of a new store with {@link Storage#LLPL} can grow; the default
   * is 64 GiB. An open store takes that much address space. A new pool takes 32 MiB of disk. When
   * objects or the undo log of a large transaction need room, it grows by a quarter of its size, by
   * at least 32 MiB and at most 1 GiB. New objects reuse the space of freed ones, but the files
   * never shrink. An existing pool keeps the size with which it was created. This option has no
   * effect on other storages.
   *
   * <p>A pool of more than 95 GiB does not grow: {@code open} allocates all of it when it creates
   * the store.
   *
   * @param bytes the size in bytes, at least {@link #LLPL_POOL_SIZE_MIN}
   * @return the changed copy
   * @throws IllegalArgumentException if the size is too small
   */
  public PmStoreOptions llplPoolSize(long bytes) {
    if (bytes < LLPL_POOL_SIZE_MIN) {
      throw new IllegalArgumentException(
          "an LLPL pool needs at least " + LLPL_POOL_SIZE_MIN + " bytes, not " + bytes);
    }
    return with(v -> v.llplPoolSize = bytes);
  }

  /**
   * Sets the size to which each of the four redo log segments of a new store can grow; the default
   * is 32 MiB. A segment starts with 64 KiB and grows while commits fill it quickly; with the
   * smallest size, 1 MiB, it has that size from the start. A larger log means fewer checkpoints and
   * a longer recovery. An existing store keeps the size with which it was created.
   *
   * <p>A transaction that is larger than the log enlarges the log until it has ended. The store
   * refuses a transaction that writes more than 3 GB, or more than the Java heap has room for, with
   * {@link TransactionTooLargeException}. With the smallest size the log never grows: one
   * transaction can then write at most 2.7 MB.
   *
   * @param bytes the size in bytes, a multiple of 4096 from 1 MiB to 1 GiB
   * @return the changed copy
   * @throws IllegalArgumentException if the size is out of its range
   */
  public PmStoreOptions logSegmentSize(long bytes) {
    if (bytes < 1L << 20 || bytes > 1L << 30 || bytes % 4096 != 0) {
      throw new IllegalArgumentException(
          "a log segment is a multiple of 4096 bytes from 1 MiB to 1 GiB, not " + bytes + " bytes");
    }
    return with(v -> v.logSegmentSize = bytes);
  }

  /**
   * Sets the size of each of the two pools of a new store with {@link Storage#TIERED}; the default
   * is 64 MiB. With larger pools the store writes less to files: a block that changes several times
   * while a pool fills is written to a file once. Larger pools also have room for larger
   * transactions: one transaction can change one block of 64 bytes for each 128 bytes of a pool. An
   * existing store keeps the size with which it was created.
   *
   * @param bytes the size in bytes, a multiple of 4096 from {@link #TIERED_POOL_SIZE_MIN} to 256
   *     GiB
   * @return the changed copy
   * @throws IllegalArgumentException if the size is out of its range
   */
  public PmStoreOptions tieredPoolSize(long bytes) {
    if (bytes < TIERED_POOL_SIZE_MIN || bytes > 256L << 30 || bytes % 4096 != 0) {
      throw new IllegalArgumentException(
          "a pool is a multiple of 4096 bytes from %d bytes to 256 GiB, not %d bytes"
              .formatted(TIERED_POOL_SIZE_MIN, bytes));
    }
    return with(v -> v.tieredPoolSize = bytes);
  }

  /**
   * Sets the directory and the storage of the pools of a store with {@link Storage#TIERED}. By
   * default the pools are in the store's directory. A store records the directory of its pools.
   * Name the directory again if its path has changed.
   *
   * @param directory a directory for the pools of this store only; {@code open} creates it with a
   *     new store
   * @param storage the storage of the pools: {@link Storage#FILE}, {@link
   *     Storage#PERSISTENT_MEMORY}, or {@link Storage#AUTO}. With {@code AUTO} an existing store
   *     keeps the storage of its pools, unless they were copied to an ordinary disk, and the pools
   *     of a new store are persistent memory on a file system mounted with DAX and files elsewhere
   * @return the changed copy
   * @throws IllegalArgumentException if the storage is {@link Storage#LLPL} or {@link
   *     Storage#TIERED}
   */
  public PmStoreOptions tieredPools(Path directory, Storage storage) {
    Objects.requireNonNull(directory, "directory");
    return tieredPools(storage).with(v -> v.tieredPoolDirectory = Optional.of(directory));
  }

  /**
   * Chooses the storage of the pools of a store with {@link Storage#TIERED}, without naming their
   * directory.
   *
   * @param storage {@link Storage#FILE}, {@link Storage#PERSISTENT_MEMORY} or, the default, {@link
   *     Storage#AUTO}; see {@link #tieredPools(Path, Storage)}
   * @return the changed copy
   * @throws IllegalArgumentException if the storage is {@link Storage#LLPL} or {@link
   *     Storage#TIERED}
   */
  public PmStoreOptions tieredPools(Storage storage) {
    if (storage != Storage.AUTO
        && storage != Storage.FILE
        && storage != Storage.PERSISTENT_MEMORY) {
      throw new IllegalArgumentException(
          "pools are of Storage.FILE or Storage.PERSISTENT_MEMORY, or Storage.AUTO chooses; not "
              + storage);
    }
    return with(v -> v.tieredPoolStorage = storage);
  }

  /**
   * Sets the directory, on an ordinary disk, to which a store with {@link Storage#TIERED} moves the
   * contents of its pools. By default it is the store's directory. A store records this directory.
   * Name the directory again if its path has changed.
   *
   * @param directory a directory for this store only; {@code open} creates it with a new store
   * @return the changed copy
   */
  public PmStoreOptions tieredSpillDirectory(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return with(v -> v.tieredSpillDirectory = Optional.of(directory));
  }

  /**
   * Chooses whether to open an existing store for reading only. Any number of processes may read a
   * store at the same time. While one of them reads it, no process can open it for writing; while a
   * process has it open for writing, no process can open it for reading only. The store changes no
   * file in the directory; neither the directory nor its file system need be writable.
   *
   * <p>Every call that would change the store throws {@link StoreReadOnlyException}: a setter, a
   * change of a collection, the creation of an object, a request for a root that does not exist,
   * the use of an object of a class that is new to the store. Transactions and snapshots that only
   * read work as usual.
   *
   * <p>If the store was not closed, because its process was killed, the program reads the state
   * that opening for writing would recover. Each opening then takes the time of a recovery, and
   * memory outside the Java heap for the pages that the log changes.
   *
   * <p>A store of {@link Storage#LLPL} cannot be opened for reading only, because PMDK writes to a
   * pool when it opens it. Nor can a node of a replicated store. For both {@code open} throws
   * {@link PmStoreException}. The options for writing have no effect on a store that is open for
   * reading only.
   *
   * @param readOnly true to read only; the default is false
   * @return the changed copy
   */
  public PmStoreOptions readOnly(boolean readOnly) {
    return with(v -> v.readOnly = readOnly);
  }

  /**
   * Chooses whether a write outside a transaction is a transaction of its own, or an error. Many
   * such writes in a row take the time of as many transactions: the store then logs a warning, once
   * for each place in the program.
   *
   * @param allowed if false, a setter, a change of a collection and {@link PmStore#create} throw
   *     {@link IllegalStateException} outside a transaction and change nothing; the creation of a
   *     root is still allowed. The default is true
   * @return the changed copy
   */
  public PmStoreOptions writesOutsideTransactions(boolean allowed) {
    return with(v -> v.writesOutsideTransactions = allowed);
  }

  /**
   * Chooses whether the store collects garbage in the background. With either value, the
   * transaction that removes the only reference to an object frees that object. One thread of the
   * store finds all other garbage, cycles included, by tracing: once after opening, and then
   * whenever transactions have removed enough references.
   *
   * @param collect if false, the store traces only when the program calls {@link PmStore#gc()}. The
   *     default is true
   * @return the changed copy
   */
  public PmStoreOptions gcInBackground(boolean collect) {
    return with(v -> v.gcInBackground = collect);
  }

  /**
   * Chooses whether {@code open} waits for the collection of garbage that a crash, or an earlier
   * run of the program, has left behind. That collection takes time in proportion to the number of
   * objects in the store.
   *
   * @param collect if true, the store collects before {@code open} returns. The default is false:
   *     the collection runs afterwards, unless {@link #gcInBackground} is false
   * @return the changed copy
   */
  public PmStoreOptions gcBeforeOpening(boolean collect) {
    return with(v -> v.gcBeforeOpening = collect);
  }

  /**
   * Sets the access of the files' group to a new store; the group is the one that the operating
   * system gives to new files. By default only the owner has access to the directory and the files,
   * whatever the umask of the process is.
   *
   * <p>An existing directory keeps its permissions, and so does an existing store: its later files
   * and its backups get the permissions of its present files. Change them with {@code chmod} while
   * the store is closed. The store never gives access to users other than the owner and the group,
   * even if its present files do.
   *
   * @param access what the group may do; the default is {@link GroupAccess#NONE}
   * @return the changed copy
   */
  public PmStoreOptions groupAccess(GroupAccess access) {
    return with(v -> v.groupAccess = Objects.requireNonNull(access));
  }

  /**
   * Names classes whose objects the store may hold. The store finds a class by its present name
   * without this option. Name here a class with {@link FormerNames}, unless the property types of a
   * root's class lead to it.
   *
   * @param more classes, records or enums, in addition to those named before
   * @return the changed copy
   */
  public PmStoreOptions classes(Class<?>... more) {
    return with(v -> v.classes = longer(values.classes, more));
  }

  /**
   * Registers functions that compute the values of properties that the store cannot map.
   *
   * @param more the migrations, in addition to those registered before
   * @return the changed copy
   * @throws IllegalArgumentException if there are two migrations for one property of one class
   */
  public PmStoreOptions migrations(Migration... more) {
    List<Migration> all = longer(values.migrations, more);
    for (Migration one : all) {
      for (Migration other : all) {
        if (one != other
            && one.className().equals(other.className())
            && one.property().equals(other.property())) {
          throw new IllegalArgumentException(
              "there are two migrations of %s.%s; give one, which can look at what the old object has"
                  .formatted(one.className(), one.property()));
        }
      }
    }
    return with(v -> v.migrations = all);
  }

  /**
   * Registers a value type: a class that pmstore does not know, whose values a codec turns into
   * bytes. Such values may be properties, components of records, elements of collections, and keys
   * and values of maps. pmstore then accepts a property whose declared type is the class or a
   * subclass. The codec also serves subclasses that have no codec of their own.
   *
   * <p>The store records the codec's name and version. A program can use the store without the
   * codec, but reading such a value, or using a class with such a property, throws {@link
   * ClassRefusedException}. Verification and garbage collection need no codec.
   *
   * @param <T> the class
   * @param type the class; not one that pmstore stores without a codec: a built-in value type, a
   *     record, an enum, an array, a collection or map, a class annotated with {@link Persistent}.
   *     For a built-in value type, not this method but {@code open} throws {@link
   *     IllegalArgumentException}
   * @param codec its codec
   * @return the changed copy
   * @throws IllegalArgumentException if the class cannot have a codec or has one already, if the
   *     codec's name is empty or taken, or if its version is less than 1
   */
  public <T> PmStoreOptions valueType(Class<T> type, ValueCodec<T> codec) {
    boolean isKeptByItself =
        type.isPrimitive()
            || type.isArray()
            || type.isEnum()
            || type.isRecord()
            || type == Object.class
            || type.isAnnotationPresent(Persistent.class)
            || Collection.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type);
    if (isKeptByItself) {
      throw new IllegalArgumentException(
          "%s cannot be registered as a value type: pmstore keeps records, enums, arrays, collections and persistent classes by itself"
              .formatted(type.getTypeName()));
    }
    if (codec.name().isEmpty() || codec.version() < 1) {
      throw new IllegalArgumentException(
          "the codec of %s has the name \"%s\" and the version %d; give it a name that is not empty, and a version from 1 on"
              .formatted(type.getTypeName(), codec.name(), codec.version()));
    }
    Map<Class<?>, ValueCodec<?>> all = new LinkedHashMap<>(values.valueTypes);
    all.forEach(
        (known, other) -> {
          if (known == type || other.name().equals(codec.name())) {
            throw new IllegalArgumentException(
                "there are two codecs named \"%s\" or for %s; register one"
                    .formatted(codec.name(), type.getTypeName()));
          }
        });
    all.put(type, codec);
    return with(v -> v.valueTypes = Collections.unmodifiableMap(all));
  }

  private static <T> List<T> longer(List<T> list, T[] more) {
    List<T> longer = new ArrayList<>(list);
    for (T one : more) {
      longer.add(Objects.requireNonNull(one));
    }
    return List.copyOf(longer);
  }

  /**
   * Returns the storage of the store's bytes.
   *
   * @return the storage
   */
  public Storage storage() {
    return values.storage;
  }

  /**
   * Returns the name of the store's engine.
   *
   * @return the name; empty if none was given
   */
  public Optional<String> engine() {
    return values.engine;
  }

  /**
   * Returns the settings of the engine.
   *
   * @return the settings, unmodifiable; empty if none were given
   */
  public Map<String, String> engineSettings() {
    return values.engineSettings;
  }

  /**
   * Returns when the store acknowledges a transaction.
   *
   * @return the durability
   */
  public Durability durability() {
    return values.durability;
  }

  /**
   * Returns the size to which a new LLPL pool can grow.
   *
   * @return the size in bytes
   */
  public long llplPoolSize() {
    return values.llplPoolSize;
  }

  /**
   * Returns the size to which each redo log segment of a new store can grow.
   *
   * @return the size in bytes
   */
  public long logSegmentSize() {
    return values.logSegmentSize;
  }

  /**
   * Returns true if the store is opened for reading only.
   *
   * @return true for reading only
   */
  public boolean readOnly() {
    return values.readOnly;
  }

  /**
   * Returns true if a write outside a transaction is a transaction of its own.
   *
   * @return false if such a write throws
   */
  public boolean writesOutsideTransactions() {
    return values.writesOutsideTransactions;
  }

  /**
   * Returns the size of each pool of a new store with {@link Storage#TIERED}.
   *
   * @return the size in bytes
   */
  public long tieredPoolSize() {
    return values.tieredPoolSize;
  }

  /**
   * Returns the directory of the pools of a store with {@link Storage#TIERED}.
   *
   * @return the directory, or empty if none was named
   */
  public Optional<Path> tieredPoolDirectory() {
    return values.tieredPoolDirectory;
  }

  /**
   * Returns the storage of the pools of a store with {@link Storage#TIERED}.
   *
   * @return the storage
   */
  public Storage tieredPoolStorage() {
    return values.tieredPoolStorage;
  }

  /**
   * Returns the directory to which a store with {@link Storage#TIERED} moves the contents of its
   * pools.
   *
   * @return the directory, or empty if none was named
   */
  public Optional<Path> tieredSpillDirectory() {
    return values.tieredSpillDirectory;
  }

  /**
   * Returns true if the store collects garbage in the background.
   *
   * @return false if it traces only when the program calls {@link PmStore#gc()}
   */
  public boolean gcInBackground() {
    return values.gcInBackground;
  }

  /**
   * Returns true if {@code open} waits for a collection.
   *
   * @return false if the collection runs after {@code open}
   */
  public boolean gcBeforeOpening() {
    return values.gcBeforeOpening;
  }

  /**
   * Returns the access of the files' group to a new store.
   *
   * @return the access
   */
  public GroupAccess groupAccess() {
    return values.groupAccess;
  }

  /**
   * Returns the classes that were named.
   *
   * @return the classes, unmodifiable
   */
  public List<Class<?>> classes() {
    return values.classes;
  }

  /**
   * Returns the migrations that were registered.
   *
   * @return the migrations, unmodifiable
   */
  public List<Migration> migrations() {
    return values.migrations;
  }

  /**
   * Returns the value types that were registered.
   *
   * @return the codec of each class, unmodifiable
   */
  public Map<Class<?>, ValueCodec<?>> valueTypes() {
    return values.valueTypes;
  }

  @Override
  public String toString() {
    return "PmStoreOptions[storage=%s, engine=%s, engineSettings=%s, durability=%s, llplPoolSize=%d, logSegmentSize=%d, tieredPoolSize=%d, tieredPoolDirectory=%s, tieredPoolStorage=%s, tieredSpillDirectory=%s, readOnly=%s, writesOutsideTransactions=%s, gcInBackground=%s, gcBeforeOpening=%s, groupAccess=%s, classes=%s, migrations=%s, valueTypes=%s]"
        .formatted(
            values.storage,
            values.engine.orElse("none named"),
            values.engineSettings,
            values.durability,
            values.llplPoolSize,
            values.logSegmentSize,
            values.tieredPoolSize,
            values.tieredPoolDirectory,
            values.tieredPoolStorage,
            values.tieredSpillDirectory,
            values.readOnly,
            values.writesOutsideTransactions,
            values.gcInBackground,
            values.gcBeforeOpening,
            values.groupAccess,
            values.classes,
            values.migrations,
            values.valueTypes.keySet());
  }
}
