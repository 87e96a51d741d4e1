package io.pmstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a store is opened. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * PmStore.open(path, PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofMillis(100))));
 * }</pre>
 */
public final class PmStoreOptions {
  /** The smallest {@link #llplPoolSize(long)}, in bytes: 32 MiB. */
  public static final long LLPL_POOL_SIZE_MIN = 32L << 20;

  private static final PmStoreOptions DEFAULTS = new PmStoreOptions(new Values());

  private final Values values;

  /** The values of options; not changed any more once they are options. */
  private static final class Values implements Cloneable {
    Storage storage = Storage.AUTO;
    Durability durability = Durability.SYNC;
    long llplPoolSize = 64L << 30;
    long logSegmentSize = 32L << 20;
    boolean readOnly;
    boolean writesOutsideTransactions = true;
    boolean gcInBackground = true;
    boolean gcBeforeOpening;
    List<Class<?>> classes = List.of();
    List<Migration> migrations = List.of();

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
   * The defaults: {@link Storage#AUTO}, {@link Durability#SYNC}, log segments of 32 MiB, LLPL pools
   * of 1 GiB.
   *
   * @return the default options
   */
  public static PmStoreOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Chooses what keeps the bytes.
   *
   * @param storage the storage
   * @return the changed copy
   */
  public PmStoreOptions storage(Storage storage) {
    return with(v -> v.storage = Objects.requireNonNull(storage));
  }

  /**
   * Chooses when a transaction is acknowledged.
   *
   * @param durability the durability of transactions that have none of their own
   * @return the changed copy
   */
  public PmStoreOptions durability(Durability durability) {
    return with(v -> v.durability = Objects.requireNonNull(durability));
  }

  /**
   * Sets the size that the pool of a new store with {@link Storage#LLPL} can grow to; 64 GiB unless
   * set. That much address space is taken while the store is open. Of the disk a new pool takes 32
   * MiB; it grows by a quarter of what it has, by 32 MiB at least and 1 GiB at most, when objects
   * or the undo log of a large transaction need room. What objects give back is used again, but the
   * files do not get smaller. An existing pool keeps what it was made with, and other storages grow
   * as they need.
   *
   * <p>A pool for more than 95 GiB does not grow: all of it is allocated when it is made.
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
   * Sets the size of each of the four redo log segments of a new store. A larger log means rarer
   * checkpoints, a longer recovery and larger transactions. An existing store keeps its size.
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
   * Opens a store for reading only: one that is there already, or a copy of one. Any number of
   * processes may read a store together; while one does, none can open it for writing, and the
   * other way round. No file in the directory is changed, and neither it nor its file system has to
   * be writable.
   *
   * <p>Whatever would change the store throws {@link StoreReadOnlyException}: a setter, a change of
   * a collection, making an object, asking for a root that is not there, using an object of a class
   * that is new to the store. Transactions and snapshots that only read do what they always do.
   *
   * <p>A store that was not closed, because its process was killed, is read in the state that
   * opening it for writing would recover. Each opening takes the time of a recovery, and memory
   * outside the Java heap for the pages that the log changes.
   *
   * <p>A store of {@link Storage#LLPL} cannot be opened so, because PMDK writes to a pool in order
   * to open it: {@link PmStoreException}. The other options mean nothing then.
   *
   * @param readOnly true to read only; the default is false
   * @return the changed copy
   */
  public PmStoreOptions readOnly(boolean readOnly) {
    return with(v -> v.readOnly = readOnly);
  }

  /**
   * Says whether a write outside a transaction is a durable transaction of its own, or a mistake.
   * Many of them in a row take the time of as many transactions: where that happens is logged, once
   * for each place in the program.
   *
   * @param allowed false to have a setter, a change of a collection and {@link PmStore#create}
   *     throw {@link IllegalStateException} outside a transaction, and change nothing; making a
   *     root is still possible. The default is true
   * @return the changed copy
   */
  public PmStoreOptions writesOutsideTransactions(boolean allowed) {
    return with(v -> v.writesOutsideTransactions = allowed);
  }

  /**
   * Says whether the store collects what can no longer be reached while the program runs. What only
   * one reference leads to is freed by the transaction that takes it away, whatever is set here;
   * the rest, cycles included, is found by tracing, by one thread of the store: once after opening,
   * and then whenever enough references have been taken away.
   *
   * @param collect false to trace only when {@link PmStore#gc()} is called; the default is true
   * @return the changed copy
   */
  public PmStoreOptions gcInBackground(boolean collect) {
    return with(v -> v.gcInBackground = collect);
  }

  /**
   * Says whether opening waits for the collection that looks for what a crash, or an earlier run of
   * the program, has left behind. It takes time in proportion to what the store holds.
   *
   * @param collect true to collect before opening returns; the default is false: the collection
   *     runs afterwards, unless {@link #gcInBackground} says that there is none
   * @return the changed copy
   */
  public PmStoreOptions gcBeforeOpening(boolean collect) {
    return with(v -> v.gcBeforeOpening = collect);
  }

  /**
   * Names classes whose objects the store may hold. A class is found by its name without this; one
   * that was renamed or moved, and says so with {@link FormerNames}, must be named here unless the
   * program gets to it from the class of a root, through the types of properties.
   *
   * @param more classes, records or enums, beside those named before
   * @return the changed copy
   */
  public PmStoreOptions classes(Class<?>... more) {
    return with(v -> v.classes = longer(values.classes, more));
  }

  /**
   * Gives functions that make the values of properties that cannot be mapped.
   *
   * @param more the migrations, beside those given before
   * @return the changed copy
   * @throws IllegalArgumentException if there are two for one property of one class
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

  private static <T> List<T> longer(List<T> list, T[] more) {
    List<T> longer = new ArrayList<>(list);
    for (T one : more) {
      longer.add(Objects.requireNonNull(one));
    }
    return List.copyOf(longer);
  }

  /**
   * What keeps the bytes.
   *
   * @return the storage
   */
  public Storage storage() {
    return values.storage;
  }

  /**
   * When a transaction is acknowledged.
   *
   * @return the durability
   */
  public Durability durability() {
    return values.durability;
  }

  /**
   * The size of a new LLPL pool.
   *
   * @return the size in bytes
   */
  public long llplPoolSize() {
    return values.llplPoolSize;
  }

  /**
   * The size of each redo log segment of a new store.
   *
   * @return the size in bytes
   */
  public long logSegmentSize() {
    return values.logSegmentSize;
  }

  /**
   * Whether the store is opened for reading only.
   *
   * @return true if it is
   */
  public boolean readOnly() {
    return values.readOnly;
  }

  /**
   * Whether writes outside transactions are allowed.
   *
   * @return true if each is a transaction of its own
   */
  public boolean writesOutsideTransactions() {
    return values.writesOutsideTransactions;
  }

  /**
   * Whether the store traces by itself.
   *
   * @return false if only on request
   */
  public boolean gcInBackground() {
    return values.gcInBackground;
  }

  /**
   * Whether opening waits for a collection.
   *
   * @return true if it does
   */
  public boolean gcBeforeOpening() {
    return values.gcBeforeOpening;
  }

  /**
   * The classes that were named.
   *
   * @return the classes, unmodifiable
   */
  public List<Class<?>> classes() {
    return values.classes;
  }

  /**
   * The migrations that were given.
   *
   * @return the migrations, unmodifiable
   */
  public List<Migration> migrations() {
    return values.migrations;
  }

  @Override
  public String toString() {
    return "PmStoreOptions[storage=%s, durability=%s, llplPoolSize=%d, logSegmentSize=%d, readOnly=%s, writesOutsideTransactions=%s, gcInBackground=%s, gcBeforeOpening=%s, classes=%s, migrations=%s]"
        .formatted(
            values.storage,
            values.durability,
            values.llplPoolSize,
            values.logSegmentSize,
            values.readOnly,
            values.writesOutsideTransactions,
            values.gcInBackground,
            values.gcBeforeOpening,
            values.classes,
            values.migrations);
  }
}
