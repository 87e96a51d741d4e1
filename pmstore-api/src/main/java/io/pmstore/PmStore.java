package io.pmstore;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A store of persistent Java objects.
 *
 * <p>Whatever a named root reaches is durable. A setter of a persistent object is the write and its
 * getter is the read; there is no other way to store or load.
 *
 * <p>A store is safe for use by any number of threads. One process at a time can have a store open,
 * or several can {@linkplain PmStoreOptions#readOnly read} it.
 */
public interface PmStore extends AutoCloseable {

  /**
   * Opens the store in a directory with the default options; creates it if the directory is absent
   * or empty.
   *
   * @param directory where the store lives
   * @return the open store
   * @throws StoreLockedException if this or another process has the store open
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged
   * @throws StoreFormatException if the directory holds something else, or a store of a newer
   *     format
   * @throws PmStoreException if the store cannot be opened for another reason; nothing is left open
   *     or changed
   */
  static PmStore open(Path directory) {
    return open(directory, PmStoreOptions.defaults());
  }

  /**
   * Opens the store in a directory; creates it if the directory is absent or empty. One that is to
   * be {@linkplain PmStoreOptions#readOnly read only} has to be there, and nothing in the directory
   * is changed.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @return the open store
   * @throws StoreLockedException if this or another process has the store open; if it is to be read
   *     only, open for writing
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged
   * @throws StoreFormatException if the directory holds something else, or a store of a newer
   *     format; if it is to be read only, also if it holds no store
   * @throws PmStoreException if the store cannot be opened for another reason; nothing is left open
   *     or changed
   */
  static PmStore open(Path directory, PmStoreOptions options) {
    return StoreProvider.installed().open(directory, options);
  }

  /**
   * Verifies the store in a directory with the default options, as {@link #verify(Path,
   * PmStoreOptions)} says.
   *
   * @param directory where the store lives
   * @return what was found
   * @throws StoreLockedException if this or another process has the store open
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged
   * @throws StoreFormatException if the directory holds no store, or one of a newer format
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static VerificationReport verify(Path directory) {
    return verify(directory, PmStoreOptions.defaults());
  }

  /**
   * Walks all objects that the named roots reach and checks them: references, headers, values and
   * the use of space. Needs none of the classes whose objects are in the store.
   *
   * <p>The store is opened as {@link #open(Path, PmStoreOptions)} opens it, for nobody else
   * meanwhile, recovered if it was not closed, and closed. Its objects are not changed, whatever is
   * found. No store is made where there is none. With {@link PmStoreOptions#readOnly} others may
   * read it meanwhile, no file is changed, and pages that the log replaces are not compared with
   * their checksums.
   *
   * <p>The pool of a store of {@link Storage#LLPL} is first tried in a process of its own, as PMDK
   * can crash on a damaged one.
   *
   * <p>The walk takes memory for a bit for every 16 bytes of the heap (about 8 MB a gigabyte), for
   * two more where paths are longer than a million objects, and up to about 50 MB beside.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @return what was found: damage to objects is reported, not thrown
   * @throws StoreLockedException if this or another process has the store open
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged
   * @throws StoreFormatException if the directory holds no store, or one of a newer format
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static VerificationReport verify(Path directory, PmStoreOptions options) {
    return StoreProvider.installed().verify(directory, options);
  }

  /**
   * Says what the store in a directory would make of classes, with the default options, as {@link
   * #dryRun(Path, PmStoreOptions, Class...)} says.
   *
   * @param directory where the store lives
   * @param classes the classes of the program; those that they refer to are looked at too
   * @return what would become of each class
   * @throws StoreLockedException if this or another process has the store open for writing
   * @throws StoreDamagedException if a part of the store that is needed is damaged
   * @throws StoreFormatException if the directory holds no store, or one of a newer format
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static EvolutionReport dryRun(Path directory, Class<?>... classes) {
    return dryRun(directory, PmStoreOptions.defaults(), classes);
  }

  /**
   * Says what the store in a directory would make of today's classes: which properties are kept,
   * added, removed, renamed or converted, which need a migration function, and which classes would
   * be refused. A test can so fail on a change that has no mapping: see {@link
   * EvolutionReport#assertCompatible}.
   *
   * <p>The store is opened for reading only, whatever the options say: no file is changed, and
   * others may read it meanwhile. A store of {@link Storage#LLPL} cannot be opened so.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @param classes the classes of the program; those that they refer to, as types of properties or
   *     the arguments of such types, are looked at too. Subclasses are not referred to: give them
   *     too
   * @return what would become of each class; a class that would be refused is reported, not thrown
   * @throws StoreLockedException if this or another process has the store open for writing
   * @throws StoreDamagedException if a part of the store that is needed is damaged
   * @throws StoreFormatException if the directory holds no store, or one of a newer format
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static EvolutionReport dryRun(Path directory, PmStoreOptions options, Class<?>... classes) {
    return StoreProvider.installed().dryRun(directory, options, List.of(classes));
  }

  /**
   * Returns the root object of a class, named by {@link Persistent#root()}. At the first use in a
   * store's life the object is created with the class's no-argument constructor, in a durable
   * transaction.
   *
   * @param <T> the class of the root
   * @param type a class annotated with {@code @Persistent(root = "...")}
   * @return the root object, the same Java object at every call
   * @throws ClassRefusedException if the class names no root or cannot be kept in a store
   * @throws StoreReadOnlyException if there is no such root and the store is open for reading only
   * @throws PmStoreException if the root exists and is of a class that is not a {@code type}
   */
  <T> T root(Class<T> type);

  /**
   * Returns the root object of a name. At the first use in a store's life the object is created
   * with the class's no-argument constructor, in a durable transaction.
   *
   * @param <T> the class of the root
   * @param name the root's name, not empty
   * @param type a class annotated with {@link Persistent}
   * @return the root object, the same Java object at every call
   * @throws ClassRefusedException if the class cannot be kept in a store
   * @throws StoreReadOnlyException if there is no such root and the store is open for reading only
   * @throws PmStoreException if the root exists and is of a class that is not a {@code type}
   */
  <T> T root(String name, Class<T> type);

  /**
   * Makes a persistent object: the class's no-argument constructor gives its first values. Inside a
   * transaction the object belongs to the transaction and is unusable after its roll-back; outside,
   * the creation is a transaction of its own. An object that no root reaches is not kept.
   *
   * @param <T> the class of the object
   * @param type a class annotated with {@link Persistent}
   * @return a new persistent object
   * @throws ClassRefusedException if the class cannot be kept in a store
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <T> T create(Class<T> type);

  /**
   * Makes a new, empty persistent map. Null is allowed as key and as value; the order of iteration
   * means nothing. Inside a transaction it belongs to the transaction and is unusable after its
   * roll-back; outside, the creation is a transaction of its own. It is kept only if a root reaches
   * it.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return an empty map, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   */
  <K extends @Nullable Object, V extends @Nullable Object> Map<K, V> newMap();

  /**
   * Makes a new, empty persistent concurrent map. Null is refused as key and as value; its
   * iterators never fail. Inside a transaction it belongs to the transaction and is unusable after
   * its roll-back; outside, the creation is a transaction of its own. It is kept only if a root
   * reaches it.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return an empty concurrent map, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   */
  <K, V> ConcurrentMap<K, V> newConcurrentMap();

  /**
   * Makes a new, empty persistent list. Null elements are allowed. Inside a transaction it belongs
   * to the transaction and is unusable after its roll-back; outside, the creation is a transaction
   * of its own. It is kept only if a root reaches it.
   *
   * @param <E> the type of the elements
   * @return an empty list, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   */
  <E extends @Nullable Object> List<E> newList();

  /**
   * Makes a new, empty persistent set. A null element is allowed; the order of iteration means
   * nothing. Inside a transaction it belongs to the transaction and is unusable after its
   * roll-back; outside, the creation is a transaction of its own. It is kept only if a root reaches
   * it.
   *
   * @param <E> the type of the elements
   * @return an empty set, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   */
  <E extends @Nullable Object> Set<E> newSet();

  /**
   * Makes a new, empty persistent deque. Null elements are refused. It is a queue too. Inside a
   * transaction it belongs to the transaction and is unusable after its roll-back; outside, the
   * creation is a transaction of its own. It is kept only if a root reaches it.
   *
   * @param <E> the type of the elements
   * @return an empty deque, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   */
  <E> Deque<E> newDeque();

  /**
   * Makes a new, empty persistent sorted map in the natural order of its keys. All that {@link
   * #newSortedMap(Comparator)} says holds.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return an empty sorted map, safe for use by any number of threads
   */
  default <K extends @Nullable Object, V extends @Nullable Object>
      NavigableMap<K, V> newSortedMap() {
    return newSortedMap(null);
  }

  /**
   * Makes a new, empty persistent sorted map. Inside a transaction it belongs to the transaction
   * and is unusable after its roll-back; outside, the creation is a transaction of its own. It is
   * kept only if a root reaches it.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param comparator the order, which is stored with it: null for the natural order, {@code
   *     Comparator.reverseOrder()}, {@code String.CASE_INSENSITIVE_ORDER}, a constant of an enum
   *     that implements {@code Comparator}, or an object of a class annotated with {@link
   *     Persistent}
   * @return an empty sorted map, safe for use by any number of threads
   * @throws NotPersistableException if the comparator cannot be stored
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   */
  <K extends @Nullable Object, V extends @Nullable Object> NavigableMap<K, V> newSortedMap(
      @Nullable Comparator<? super K> comparator);

  /**
   * Makes a new, empty persistent sorted set in the natural order of its elements. All that {@link
   * #newSortedSet(Comparator)} says holds.
   *
   * @param <E> the type of the elements
   * @return an empty sorted set, safe for use by any number of threads
   */
  default <E extends @Nullable Object> NavigableSet<E> newSortedSet() {
    return newSortedSet(null);
  }

  /**
   * Makes a new, empty persistent sorted set. Inside a transaction it belongs to the transaction
   * and is unusable after its roll-back; outside, the creation is a transaction of its own. It is
   * kept only if a root reaches it.
   *
   * @param <E> the type of the elements
   * @param comparator the order, which is stored with it: null for the natural order, {@code
   *     Comparator.reverseOrder()}, {@code String.CASE_INSENSITIVE_ORDER}, a constant of an enum
   *     that implements {@code Comparator}, or an object of a class annotated with {@link
   *     Persistent}
   * @return an empty sorted set, safe for use by any number of threads
   * @throws NotPersistableException if the comparator cannot be stored
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   */
  <E extends @Nullable Object> NavigableSet<E> newSortedSet(
      @Nullable Comparator<? super E> comparator);

  /**
   * Makes a plain object persistent, with all that it reaches, in one transaction: what is shared
   * stays shared. The original is remembered as long as the program holds it: its twin is the same
   * at every call, and wherever the original is assigned; changes of the original do not reach the
   * twin. Inside a transaction the twin belongs to the transaction. A twin that no root reaches is
   * not kept.
   *
   * @param <T> the type of the object; for a collection an interface, such as {@code List}
   * @param plain an object of a class annotated with {@link Persistent}, or a collection; a
   *     persistent object of this store is returned as it is
   * @return the persistent twin
   * @throws NotPersistableException if the object, or one that it reaches, cannot be stored, or was
   *     changed since it was converted; nothing is stored then
   * @throws ClassRefusedException if a class cannot be kept in a store
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <T> T persist(T plain);

  /**
   * Runs a body as one transaction: its writes are all there or not there, and no other thread sees
   * some of them only.
   *
   * <p><b>The body may run more than once</b>: when what it read was changed by another thread's
   * commit, it is rolled back and run again. So it should have no effect outside the store. When
   * the body throws, the transaction is rolled back and the exception goes to the caller. A
   * transaction inside a transaction joins the outer one; an exception that leaves the inner one
   * makes the outer one roll back.
   *
   * <p>When this method returns, the writes survive a crash as far as the store's {@link
   * Durability} says: under {@link Durability#SYNC}, the default, any crash of the process or the
   * machine. {@link #transaction(Durability, TransactionBody)} chooses it for one transaction.
   *
   * <p>A body that only reads, and takes long, is better run by {@link #snapshot(TransactionBody)}.
   *
   * @param <X> what the body may throw
   * @param body the reads and writes
   * @throws X what the body threw; nothing was written
   * @throws TransactionTooLargeException if the transaction wrote more than the store's log can
   *     hold; nothing was written
   * @throws StoreFullException if the disk is full; nothing was written
   * @throws StoreFailedException if the disk failed; the store refuses everything further
   */
  <X extends Exception> void transaction(TransactionBody<X> body) throws X;

  /**
   * Runs a body as one transaction and returns its result. All that {@link
   * #transaction(TransactionBody)} says holds.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads and writes
   * @return what the body returned in the run that was committed
   * @throws X what the body threw; nothing was written
   */
  <T extends @Nullable Object, X extends Exception> T transaction(TransactionFunction<T, X> body)
      throws X;

  /**
   * Runs a body as one transaction with a durability of its own. All else that {@link
   * #transaction(TransactionBody)} says holds.
   *
   * <p>Inside another transaction the outer one is acknowledged with the stronger of the two
   * durabilities: the one with the shorter bound. A transaction without a durability of its own
   * leaves that of the outer one as it is. Only the end of the outermost one makes anything
   * durable.
   *
   * @param <X> what the body may throw
   * @param durability when the transaction is acknowledged, whatever the store's own durability is
   * @param body the reads and writes
   * @throws X what the body threw; nothing was written
   * @throws TransactionTooLargeException if the transaction wrote more than the store's log can
   *     hold; nothing was written
   * @throws StoreFullException if the disk is full; nothing was written
   * @throws StoreFailedException if the disk failed; the store refuses everything further
   */
  <X extends Exception> void transaction(Durability durability, TransactionBody<X> body) throws X;

  /**
   * Runs a body as one transaction with a durability of its own and returns its result. All that
   * {@link #transaction(Durability, TransactionBody)} says holds.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param durability when the transaction is acknowledged, whatever the store's own durability is
   * @param body the reads and writes
   * @return what the body returned in the run that was committed
   * @throws X what the body threw; nothing was written
   */
  <T extends @Nullable Object, X extends Exception> T transaction(
      Durability durability, TransactionFunction<T, X> body) throws X;

  /**
   * Runs a body that reads the store as it is now, however long that takes: a report, an export.
   * The body runs once; no commit makes it fail or wait, and it makes no commit wait. Everything
   * that the calling thread reads in it, collections too, is as it was when this method was called;
   * what other threads read is not.
   *
   * <p>A write in the body, or in a {@link #transaction(TransactionBody) transaction} inside it,
   * throws {@link IllegalStateException}. A snapshot inside a snapshot shows the same state. An
   * object that was made later, if the body gets hold of it, is shown as it was made.
   *
   * <p>While a snapshot is open, commits keep in memory what they change: each changed object once,
   * as it was, and about 150 bytes beside it. This memory is free again when the snapshot ends.
   *
   * <p>In a store of {@link Durability#SYNC} the method returns when all that the body has seen is
   * durable, which after a long body it is.
   *
   * @param <X> what the body may throw
   * @param body the reads
   * @throws X what the body threw
   * @throws IllegalStateException inside a transaction, whose own writes a snapshot would not show
   * @throws StoreFailedException if the disk failed; the store refuses everything further
   */
  <X extends Exception> void snapshot(TransactionBody<X> body) throws X;

  /**
   * Runs a body that reads the store as it is now and returns its result. All that {@link
   * #snapshot(TransactionBody)} says holds.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads
   * @return what the body returned
   * @throws X what the body threw
   * @throws IllegalStateException inside a transaction, whose own writes a snapshot would not show
   */
  <T extends @Nullable Object, X extends Exception> T snapshot(TransactionFunction<T, X> body)
      throws X;

  /**
   * Writes a copy of this store, as it is at one moment during the call, while the store goes on
   * being read and written. Whatever was committed when the call began is in it; so is nothing that
   * was committed after its moment. What it holds is made durable in this store first.
   *
   * <p>The copy is a store of its own, with an identity of its own: log files of the one are
   * refused by the other. It is always one of {@link Storage#FILE} (or {@link
   * Storage#PERSISTENT_MEMORY}, on a file system mounted with DAX), whatever the storage of this
   * store is; either of these storages opens it. {@link Storage#LLPL} does not.
   *
   * <p>When this method returns, the copy is whole, closed and durable, its directory included:
   * {@link #open(Path)} opens it as fast as any closed store, and {@link #verify(Path)} can check
   * it. It gets the name by which it is known for a store at the very end. So a crash or an
   * exception leaves no store there, and another backup to the same directory can follow. To open
   * what a crash has left makes a new, empty store, as in any empty directory; {@code verify} says
   * that there is none. This store is unharmed whatever happens.
   *
   * <p>While the backup runs, commits keep what they change in memory, as {@link
   * #snapshot(TransactionBody)} says; the backup itself takes 16 MiB outside the Java heap. The
   * copy takes as much room as this store's heap and a log of its own. May be called by any number
   * of threads at once. An interrupt does not end it and stays pending; a {@link #close} from
   * another thread ends it with an exception.
   *
   * @param directory where the copy goes: absent or empty, and outside this store's own directory;
   *     missing parents are made
   * @throws IllegalArgumentException if the directory is inside this store's own
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreFormatException if the directory holds something
   * @throws StoreLockedException if another backup, or an opening, is at work in the directory
   * @throws StoreFullException if there is no room for the copy; what was written of it is deleted
   * @throws StoreClosedException if this store is closed, before or meanwhile
   * @throws StoreFailedException if this store has failed, before or meanwhile
   * @throws StoreDamagedException if a part of this store cannot be read, or the directory holds
   *     parts of another
   * @throws PmStoreException if the copy cannot be written for another reason
   */
  void backup(Path directory);

  /**
   * Begins to rewrite, in the background, every object whose class has another shape now than when
   * it was stored, while the store goes on being read and written. Nothing needs this: an object of
   * an older shape is read as it is and rewritten when it is next written. Afterwards reads of such
   * objects are as fast as of others, and what only those needed can go from the program: see
   * {@link Upgrade#await()}.
   *
   * <p>Objects are rewritten a few hundred at a time, in transactions of their own, which conflict
   * with the program's like any others. What nothing refers to any more is rewritten too, unless it
   * waits to be freed. A run waits for no snapshot. While one is under way this method returns that
   * one. {@link #close} ends it.
   *
   * @return the run, under way
   * @throws ClassRefusedException if a class of stored objects cannot be mapped; nothing was
   *     rewritten. A class that is not there ends the run when an object of it is met
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  Upgrade upgrade();

  /**
   * Collects everything that neither a named root nor a Java object of the program reaches, cycles
   * included, and waits until it is freed. Transactions go on meanwhile; those that run when this
   * is called, and snapshots too, have to end before it can. What the program still holds is kept
   * until it lets go of it.
   *
   * <p>There is no need to call this, unless {@link PmStoreOptions#gcInBackground} is off: what
   * becomes unreachable is freed by the transaction that unlinks it, or found in the background.
   *
   * @return what was found and freed
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed, before or meanwhile
   * @throws StoreFailedException if the store has failed, before or meanwhile
   */
  GcReport gc();

  /**
   * Counts what takes the store's space, by class. Goes through all objects of the store, so it
   * takes time in proportion to their number; transactions go on meanwhile, and what they do may be
   * counted or not.
   *
   * @return the counts
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreClosedException if the store is closed, before or meanwhile
   * @throws StoreFailedException if the store has failed, before or meanwhile
   */
  StoreStatistics statistics();

  /**
   * Gives free space at the end of the heap back to the file system, as far as it is free in whole
   * extents of 16 MiB. Objects do not move, so one object at the end keeps all before it. Durable
   * when it returns; whatever crash interrupts it, nothing is lost. Waits for transactions and
   * snapshots that run.
   *
   * @return the bytes given back, 0 if there were none
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   * @throws StoreFailedException if the store has failed, before or meanwhile
   */
  long compact();

  /**
   * Closes the store: waits for running transactions and snapshots, makes everything committed
   * durable and gives up the lock. Objects of a closed store throw {@link StoreClosedException}
   * when used. Closing twice does nothing more. A store that failed is closed without a further
   * write.
   *
   * @throws IllegalStateException if called inside one of the store's transactions or snapshots
   * @throws StoreFailedException if making the last commits durable failed
   */
  @Override
  void close();

  /**
   * The body of a transaction that returns nothing.
   *
   * @param <X> what it may throw
   */
  @FunctionalInterface
  interface TransactionBody<X extends Exception> {
    /**
     * Reads and writes persistent objects.
     *
     * @throws X to roll the transaction back
     */
    void run() throws X;
  }

  /**
   * The body of a transaction that returns a result.
   *
   * @param <T> the type of the result
   * @param <X> what it may throw
   */
  @FunctionalInterface
  interface TransactionFunction<T extends @Nullable Object, X extends Exception> {
    /**
     * Reads and writes persistent objects.
     *
     * @return the result
     * @throws X to roll the transaction back
     */
    T run() throws X;
  }
}
