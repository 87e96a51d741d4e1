package io.pmstore;

import java.util.Objects;

/**
 * How a store is opened. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * PmStore.open(path, PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofMillis(100))));
 * }</pre>
 */
public final class PmStoreOptions {
  /** The smallest LLPL pool, in bytes: 32 MiB. */
  public static final long LLPL_POOL_SIZE_MIN = 32L << 20;

  private static final PmStoreOptions DEFAULTS =
      new PmStoreOptions(Storage.AUTO, Durability.SYNC, 1L << 30, 32L << 20, false, true);

  private final Storage storage;
  private final Durability durability;
  private final long llplPoolSize;
  private final long logSegmentSize;
  private final boolean readOnly;
  private final boolean writesOutsideTransactions;

  private PmStoreOptions(
      Storage storage,
      Durability durability,
      long llplPoolSize,
      long logSegmentSize,
      boolean readOnly,
      boolean writesOutsideTransactions) {
    this.storage = storage;
    this.durability = durability;
    this.llplPoolSize = llplPoolSize;
    this.logSegmentSize = logSegmentSize;
    this.readOnly = readOnly;
    this.writesOutsideTransactions = writesOutsideTransactions;
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
    return new PmStoreOptions(
        Objects.requireNonNull(storage),
        durability,
        llplPoolSize,
        logSegmentSize,
        readOnly,
        writesOutsideTransactions);
  }

  /**
   * Chooses when a transaction is acknowledged.
   *
   * @param durability the durability of transactions that have none of their own
   * @return the changed copy
   */
  public PmStoreOptions durability(Durability durability) {
    return new PmStoreOptions(
        storage,
        Objects.requireNonNull(durability),
        llplPoolSize,
        logSegmentSize,
        readOnly,
        writesOutsideTransactions);
  }

  /**
   * Sets the size of the pool that is created for a new store with {@link Storage#LLPL}; such a
   * pool does not grow. An existing pool keeps its size, and other storages grow as they need.
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
    return new PmStoreOptions(
        storage, durability, bytes, logSegmentSize, readOnly, writesOutsideTransactions);
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
    return new PmStoreOptions(
        storage, durability, llplPoolSize, bytes, readOnly, writesOutsideTransactions);
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
    return new PmStoreOptions(
        storage, durability, llplPoolSize, logSegmentSize, readOnly, writesOutsideTransactions);
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
    return new PmStoreOptions(storage, durability, llplPoolSize, logSegmentSize, readOnly, allowed);
  }

  /**
   * What keeps the bytes.
   *
   * @return the storage
   */
  public Storage storage() {
    return storage;
  }

  /**
   * When a transaction is acknowledged.
   *
   * @return the durability
   */
  public Durability durability() {
    return durability;
  }

  /**
   * The size of a new LLPL pool.
   *
   * @return the size in bytes
   */
  public long llplPoolSize() {
    return llplPoolSize;
  }

  /**
   * The size of each redo log segment of a new store.
   *
   * @return the size in bytes
   */
  public long logSegmentSize() {
    return logSegmentSize;
  }

  /**
   * Whether the store is opened for reading only.
   *
   * @return true if it is
   */
  public boolean readOnly() {
    return readOnly;
  }

  /**
   * Whether writes outside transactions are allowed.
   *
   * @return true if each is a transaction of its own
   */
  public boolean writesOutsideTransactions() {
    return writesOutsideTransactions;
  }

  @Override
  public String toString() {
    return "PmStoreOptions[storage=%s, durability=%s, llplPoolSize=%d, logSegmentSize=%d, readOnly=%s, writesOutsideTransactions=%s]"
        .formatted(
            storage, durability, llplPoolSize, logSegmentSize, readOnly, writesOutsideTransactions);
  }
}
