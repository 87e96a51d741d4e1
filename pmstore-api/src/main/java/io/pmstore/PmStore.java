package io.pmstore;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A store of persistent Java objects.
 *
 * <p>The store keeps every object that a named root reaches. A program writes with the setters and
 * methods of persistent objects and reads with their getters. There are no calls to save or load.
 *
 * <p>A getter outside a transaction returns the last committed value. That value may be so new that
 * a power cut can still lose it. Under {@link Durability#SYNC} a transaction or a snapshot that
 * only reads returns when everything it has read is durable.
 *
 * <p>Any number of threads may use a store at once. Either one process has a store open for reading
 * and writing, or any number of processes have it open for {@linkplain PmStoreOptions#readOnly
 * reading only}.
 *
 * <p>No parameter and no result is null unless it is marked {@code @Nullable}.
 *
 * <p>Unless it says otherwise, a method throws
 *
 * <ul>
 *   <li>{@link StoreClosedException} if the store is closed,
 *   <li>{@link StoreFailedException} if the store has failed,
 *   <li>{@link StoreDamagedException} if it reads data that pmstore cannot have written,
 *   <li>{@link IllegalStateException} if the calling thread is in a transaction or a snapshot of
 *       another store. Only {@link #metrics} and {@link #replication} work there.
 * </ul>
 *
 * <p>A method that writes, a setter of a persistent object included, also throws
 *
 * <ul>
 *   <li>{@link StoreReadOnlyException} if the store is open for reading only,
 *   <li>{@link IllegalStateException} inside a {@linkplain #snapshot(TransactionBody) snapshot};
 *       and outside a transaction if {@link PmStoreOptions#writesOutsideTransactions} is off,
 *   <li>{@link StoreFullException} if the disk or the pool is full,
 *   <li>{@link TransactionTooLargeException} if the store's log or the Java heap has no room for
 *       the transaction,
 *   <li>{@link StoreDamagedException} if a page that it would change is damaged, or if the store
 *       has found a damaged page before,
 *   <li>{@link NotLeaderException} if the store is a node of a replicated store and does not lead,
 *   <li>{@link OutcomeUnknownException} if the store is a node of a replicated store and stopped
 *       leading, or was closed, before it learned the outcome of the transaction.
 * </ul>
 */
public interface PmStore extends AutoCloseable {

  /**
   * Opens the store in a directory with the default options. Creates the store, durably, if the
   * directory is absent or empty. Everything that {@link #open(Path, PmStoreOptions)} says holds.
   *
   * @param directory where the store lives
   * @return the open store
   * @throws StoreLockedException if this or another process has the store open
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged; the
   *     message says whether {@link #repair} can help
   * @throws StoreFormatException if the directory holds something else, or a store of another
   *     format version
   * @throws StoreFullException if there is no room for a new store
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static PmStore open(Path directory) {
    return open(directory, PmStoreOptions.defaults());
  }

  /**
   * Opens the store in a directory. Creates the store, durably, if the directory is absent or
   * empty. If the store was not closed, because its process was killed for instance, this method
   * recovers it first: the store then holds every acknowledged transaction that {@link Durability}
   * promises.
   *
   * <p>With {@link PmStoreOptions#readOnly} the store must exist, and this method changes no file
   * in the directory.
   *
   * <p>If this method throws, no file and no lock stays open.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @return the open store
   * @throws StoreLockedException if this or another process has the store open; with {@link
   *     PmStoreOptions#readOnly} only if one has it open for writing
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged; the
   *     message says whether {@link #repair} can help
   * @throws StoreFormatException if the directory holds something else, a store of another format
   *     version, or a store of another storage or engine than the options name; with {@link
   *     PmStoreOptions#readOnly} also if it holds no store
   * @throws StoreFullException if there is no room for a new store
   * @throws IllegalArgumentException if the options contradict each other, have settings that the
   *     engine does not know, or register a value type that pmstore stores without a codec
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static PmStore open(Path directory, PmStoreOptions options) {
    Objects.requireNonNull(directory, "the directory is null; name the one of the store");
    return StoreProvider.installed().open(directory, options);
  }

  /**
   * Verifies the store in a directory with the default options. Everything that {@link
   * #verify(Path, PmStoreOptions)} says holds.
   *
   * @param directory where the store lives
   * @return what was found
   * @throws StoreLockedException if this or another process has the store open
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged
   * @throws StoreFormatException if the directory holds no store, or one of another format version
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static VerificationReport verify(Path directory) {
    return verify(directory, PmStoreOptions.defaults());
  }

  /**
   * Walks every object that a named root reaches and checks it: headers, references, values, the
   * links between the nodes of collections, the sizes of collections, and the use of space. The
   * program does not need the classes of the stored objects.
   *
   * <p>This method opens the store as {@link #open(Path, PmStoreOptions)} does, locks it, recovers
   * it if it was not closed, and closes it. It never changes an object and never creates a store.
   * With {@link PmStoreOptions#readOnly} other processes may read the store meanwhile, this method
   * changes no file, and it does not check the checksums of pages that the log replaces.
   *
   * <p>If one copy of the header is damaged, this method reports a fault, although the store opens
   * with the other copy and the next opening for writing repairs the damaged one. A copy that a
   * crash of the machine may have left half written is no fault.
   *
   * <p>In the directory of a node of a replicated store, this method verifies the heap of that
   * node.
   *
   * <p>This method first opens a store of {@link Storage#LLPL} on trial in another process, because
   * PMDK can crash on a damaged pool.
   *
   * <p>The walk takes one bit of memory for every 16 bytes of the heap (about 8 MB for each
   * gigabyte), two bits more where paths are longer than a million objects, and at most about 50 MB
   * for everything else.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @return what was found: damage to objects is reported, not thrown
   * @throws StoreLockedException if this or another process has the store open; with {@link
   *     PmStoreOptions#readOnly} only if one has it open for writing
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged
   * @throws StoreFormatException if the directory holds no store, a store of another format
   *     version, or a store of another storage or engine than the options name
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static VerificationReport verify(Path directory, PmStoreOptions options) {
    return verify(directory, options, VerificationProgress.NONE);
  }

  /**
   * Verifies the store in a directory and reports its progress. Everything that {@link
   * #verify(Path, PmStoreOptions)} says holds.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @param progress called by the calling thread; what it throws ends the verification and leaves
   *     this method
   * @return what was found
   * @throws StoreLockedException if this or another process has the store open; with {@link
   *     PmStoreOptions#readOnly} only if one has it open for writing
   * @throws StoreDamagedException if a part of the store that is needed to open it is damaged
   * @throws StoreFormatException if the directory holds no store, a store of another format
   *     version, or a store of another storage or engine than the options name
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static VerificationReport verify(
      Path directory, PmStoreOptions options, VerificationProgress progress) {
    return StoreProvider.installed().verify(directory, options, progress);
  }

  /**
   * Rebuilds lost files of a store that was closed, where that loses no data: {@code sums}, which
   * holds the checksums of the heap's pages, and the segments of the log, {@code log-0} to {@code
   * log-3}. A file is lost if it is missing, too short, or has no valid header.
   *
   * <p>Only a store of {@link Storage#FILE} or {@link Storage#PERSISTENT_MEMORY} can be repaired.
   * The files of a store of {@link Storage#TIERED} cannot be rebuilt from each other; restore it
   * from a backup. Only PMDK can repair the pool of a store of {@link Storage#LLPL}. In the
   * directory of a node of a replicated store, this method repairs the heap of that node.
   *
   * <p>The repair guesses nothing. It refuses a store, and changes none of its files, if
   *
   * <ul>
   *   <li>the store was not closed (the log may hold transactions that are nowhere else),
   *   <li>{@code heap} is missing or damaged,
   *   <li>the files belong to several stores, or to several states of one store,
   *   <li>one of the checks below fails.
   * </ul>
   *
   * <p>Rebuilding a segment of the log loses nothing. Rebuilding {@code sums} loses the checksums
   * that the file no longer has: the repair compares each page with its checksum as far as the file
   * still has one, and computes the other checksums from the current contents of the pages. As
   * {@link #verify(Path, PmStoreOptions)} does, it checks the structure of the heap, every object
   * that a named root reaches, its references and the use of space. But <b>no later check can
   * detect that a plain value, such as a number or a text, was damaged before the repair</b>:
   * {@link VerificationReport#checksumsMade} says so for the rest of the store's life. Restore a
   * backup instead if you have a recent one.
   *
   * <p>This method locks the store while it runs. When it returns, everything that it wrote is
   * durable. It keeps each file that it replaces beside the new one, as {@code sums.replaced-1} for
   * example; the store does not need that file. If a power cut or a kill interrupts a repair, run
   * it again.
   *
   * <p>If {@code sums} is lost, the checks take the time and the memory of a verification. If
   * {@code sums} is intact, this method does not walk the objects.
   *
   * @param directory where the store is
   * @return what was found and replaced; empty if no file is lost
   * @throws StoreLockedException if this or another process has the store open
   * @throws StoreDamagedException if something is lost or damaged that cannot be rebuilt
   * @throws StoreFormatException if the directory holds no store, one of another format version, or
   *     one of {@link Storage#TIERED} or {@link Storage#LLPL}
   * @throws StoreFullException if there is no room for the new files
   * @throws PmStoreException if the store was not closed and no file is lost: opening recovers it;
   *     or if a file cannot be read or written
   */
  static RepairReport repair(Path directory) {
    return StoreProvider.installed().repair(directory);
  }

  /**
   * Reports how the store in a directory fits the program's classes, with the default options.
   * Everything that {@link #dryRun(Path, PmStoreOptions, Class...)} says holds.
   *
   * @param directory where the store lives
   * @param classes the classes of the program; the report includes the classes that they refer to
   * @return what would become of each class
   * @throws StoreLockedException if this or another process has the store open for writing
   * @throws StoreDamagedException if a part of the store that is needed is damaged
   * @throws StoreFormatException if the directory holds no store, or one of another format version
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static EvolutionReport dryRun(Path directory, Class<?>... classes) {
    return dryRun(directory, PmStoreOptions.defaults(), classes);
  }

  /**
   * Reports how the store in a directory fits the program's classes: which properties it would
   * keep, add, remove, rename or convert, which ones need a migration function, and which classes
   * it would refuse. A test that calls {@link EvolutionReport#assertCompatible} fails on a change
   * that has no mapping.
   *
   * <p>This method opens the store for reading only, whatever the options say: it changes no file,
   * and other processes may read the store meanwhile. It cannot open a store of {@link
   * Storage#LLPL} or a node of a replicated store; give it a backup instead.
   *
   * <p>It refuses a class that has become abstract, or an interface without {@link Persistent}, if
   * the store has objects of it that no concrete class takes. Objects that are garbage count until
   * {@link #gc} has freed them.
   *
   * @param directory where the store lives
   * @param options how to open it; their {@linkplain PmStoreOptions#classes classes} are included,
   *     and their {@linkplain PmStoreOptions#migrations migrations} and {@linkplain
   *     PmStoreOptions#valueType value types} apply
   * @param classes the classes of the program. The report includes the classes that they refer to:
   *     the types of their properties, the type arguments of such types, and what sealed ones of
   *     these types permit. Give other subclasses too
   * @return what would become of each class; a class that would be refused is reported, not thrown
   * @throws StoreLockedException if this or another process has the store open for writing
   * @throws StoreDamagedException if a part of the store that is needed is damaged
   * @throws StoreFormatException if the directory holds no store, a store of another format
   *     version, or a store of another storage or engine than the options name
   * @throws PmStoreException if the store cannot be opened for another reason
   */
  static EvolutionReport dryRun(Path directory, PmStoreOptions options, Class<?>... classes) {
    return StoreProvider.installed().dryRun(directory, options, List.of(classes));
  }

  /**
   * Checks whether a store with the default options accepts classes. Needs no store. Everything
   * that {@link #check(PmStoreOptions, Class...)} says holds.
   *
   * @param classes the classes of the program
   * @return the refusals and warnings
   */
  static ClassReport check(Class<?>... classes) {
    return check(PmStoreOptions.defaults(), classes);
  }

  /**
   * Checks whether a store accepts classes. Needs no store, so a test or a step of a build can call
   * it. A store refuses a class at the first use of the class, and names its first fault; this
   * method reports all faults of all classes. It generates the same code as a first use, and
   * touches no file.
   *
   * @param options has the {@linkplain PmStoreOptions#valueType value types} and more {@linkplain
   *     PmStoreOptions#classes classes}
   * @param classes the classes of the program. The report includes the classes that they refer to:
   *     the types of their properties, the type arguments of such types, and what sealed ones of
   *     these types permit. Give other subclasses too
   * @return the refusals, and warnings about code that may not do what its author wants
   */
  static ClassReport check(PmStoreOptions options, Class<?>... classes) {
    return StoreProvider.installed().check(options, List.of(classes));
  }

  /**
   * Returns the root object of a class, which {@link Persistent#root()} names. The first call in a
   * store's life creates the object with the class's no-argument constructor; the store then keeps
   * it until {@link #removeRoot}. That creation belongs to the current transaction. Outside a
   * transaction it is a transaction of its own, durable when this method returns as the store's
   * {@link Durability} says.
   *
   * @param <T> the class of the root
   * @param type a class annotated with {@code @Persistent(root = "...")}
   * @return the root object, the same Java object at every call
   * @throws ClassRefusedException if the class names no root or cannot be kept in a store, or if
   *     another class names the same root
   * @throws StoreReadOnlyException if there is no such root and the store is open for reading only
   * @throws NotLeaderException if there is no such root and the store is a node of a replicated
   *     store that does not lead
   * @throws PmStoreException if the root exists and is of a class that is not a {@code type}, or if
   *     the constructor threw a checked exception; an unchecked one leaves this method as it is
   */
  <T> T root(Class<T> type);

  /**
   * Returns the root object of a name. The first call in a store's life creates the object with the
   * class's no-argument constructor. That creation belongs to the current transaction. Outside a
   * transaction it is a transaction of its own, durable when this method returns as the store's
   * {@link Durability} says.
   *
   * @param <T> the class of the root
   * @param name the root's name, at least one character
   * @param type a class annotated with {@link Persistent}
   * @return the root object, the same Java object at every call
   * @throws IllegalArgumentException if the name is empty
   * @throws ClassRefusedException if the class cannot be kept in a store
   * @throws StoreReadOnlyException if there is no such root and the store is open for reading only
   * @throws NotLeaderException if there is no such root and the store is a node of a replicated
   *     store that does not lead
   * @throws PmStoreException if the root exists and is of a class that is not a {@code type}, or if
   *     the constructor threw a checked exception; an unchecked one leaves this method as it is
   */
  <T> T root(String name, Class<T> type);

  /**
   * Returns the roots of the store, as the current transaction or snapshot sees them. Needs none of
   * the program's classes and creates no object.
   *
   * @return the name of each root, in ascending order, with the name of the class under which the
   *     store has its object; for an object that was stored before its class was renamed, that is
   *     the former name until the object is {@linkplain #upgrade upgraded}. The map is the caller's
   */
  SortedMap<String, String> roots();

  /**
   * Removes a root: the store no longer has its name, and no longer keeps its object for the sake
   * of that name. Needs no class, so a program can remove a root whose class it no longer has.
   *
   * <p>The object, and each object that it alone reaches, becomes garbage; what another root
   * reaches stays. A Java object that the program holds stays usable, as one of {@link #create}
   * does that no root reaches. A snapshot that was opened before still has the root. The next call
   * of {@link #root(String, Class)} with this name creates a new object, of any class.
   *
   * <p>The removal belongs to the current transaction and is undone if that rolls back. Outside a
   * transaction this call is a transaction of its own, durable when this method returns as the
   * store's {@link Durability} says.
   *
   * @param name the root's name; for a class with {@link Persistent#root()}, that name
   * @return true if the root was removed; false if there is no root of that name, and nothing was
   *     written
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws NotLeaderException if the store is a node of a replicated store that does not lead
   */
  boolean removeRoot(String name);

  /**
   * Creates a persistent object. The class's no-argument constructor gives it its first values; an
   * object of an annotated interface starts with {@code 0}, {@code false} and {@code null}.
   *
   * <p>Inside a transaction the object belongs to the transaction: if the transaction rolls back,
   * using the object throws {@link RolledBackException}. Outside a transaction this call is a
   * transaction of its own, durable when this method returns as the store's {@link Durability}
   * says. The store keeps the object as long as a root reaches it or the program holds it.
   *
   * @param <T> the class of the object
   * @param type a class annotated with {@link Persistent}
   * @return a new persistent object
   * @throws ClassRefusedException if the class cannot be kept in a store, is abstract, or has no
   *     no-argument constructor
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws PmStoreException if the constructor threw a checked exception; an unchecked one leaves
   *     this method as it is
   */
  <T> T create(Class<T> type);

  /**
   * Creates an empty persistent map. Null is allowed as key and as value; the order of iteration is
   * undefined.
   *
   * <p>As with {@link #create}, the map belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the map as long as a root reaches it or the program
   * holds it.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return an empty map, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <K extends @Nullable Object, V extends @Nullable Object> Map<K, V> newMap();

  /**
   * Creates an empty persistent map that keeps the order in which its keys were inserted, as a
   * {@code LinkedHashMap} does. Null is allowed as key and as value.
   *
   * <p>As with {@link #create}, the map belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the map as long as a root reaches it or the program
   * holds it.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return an empty map, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <K extends @Nullable Object, V extends @Nullable Object> SequencedMap<K, V> newSequencedMap();

  /**
   * Creates an empty persistent concurrent map. Null is refused as key and as value. Its iterators
   * never throw {@link java.util.ConcurrentModificationException}.
   *
   * <p>As with {@link #create}, the map belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the map as long as a root reaches it or the program
   * holds it.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return an empty concurrent map, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <K, V> ConcurrentMap<K, V> newConcurrentMap();

  /**
   * Creates an empty persistent list. Null elements are allowed.
   *
   * <p>As with {@link #create}, the list belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the list as long as a root reaches it or the program
   * holds it.
   *
   * @param <E> the type of the elements
   * @return an empty list, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <E extends @Nullable Object> List<E> newList();

  /**
   * Creates an empty persistent set. A null element is allowed; the order of iteration is
   * undefined.
   *
   * <p>As with {@link #create}, the set belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the set as long as a root reaches it or the program
   * holds it.
   *
   * @param <E> the type of the elements
   * @return an empty set, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <E extends @Nullable Object> Set<E> newSet();

  /**
   * Creates an empty persistent set that keeps the order in which its elements were inserted, as a
   * {@code LinkedHashSet} does. A null element is allowed.
   *
   * <p>As with {@link #create}, the set belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the set as long as a root reaches it or the program
   * holds it.
   *
   * @param <E> the type of the elements
   * @return an empty set, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <E extends @Nullable Object> SequencedSet<E> newSequencedSet();

  /**
   * Creates an empty persistent deque, which is also a queue. Null elements are refused.
   *
   * <p>As with {@link #create}, the deque belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the deque as long as a root reaches it or the program
   * holds it.
   *
   * @param <E> the type of the elements
   * @return an empty deque, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <E> Deque<E> newDeque();

  /**
   * Creates an empty persistent sorted map in the natural order of its keys. Everything that {@link
   * #newSortedMap(Comparator)} says holds.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return an empty sorted map, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  default <K extends @Nullable Object, V extends @Nullable Object>
      NavigableMap<K, V> newSortedMap() {
    return newSortedMap(null);
  }

  /**
   * Creates an empty persistent sorted map.
   *
   * <p>As with {@link #create}, the map belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the map as long as a root reaches it or the program
   * holds it.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param comparator the order, which the store keeps with the map: null for the natural order,
   *     {@code Comparator.reverseOrder()}, {@code String.CASE_INSENSITIVE_ORDER}, a constant of an
   *     enum that implements {@code Comparator}, an object of a class annotated with {@link
   *     Persistent}, or the value of a {@code static final} field of a class that the store knows
   * @return an empty sorted map, safe for use by any number of threads
   * @throws NotPersistableException if the comparator cannot be stored
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <K extends @Nullable Object, V extends @Nullable Object> NavigableMap<K, V> newSortedMap(
      @Nullable Comparator<? super K> comparator);

  /**
   * Creates an empty persistent sorted set in the natural order of its elements. Everything that
   * {@link #newSortedSet(Comparator)} says holds.
   *
   * @param <E> the type of the elements
   * @return an empty sorted set, safe for use by any number of threads
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  default <E extends @Nullable Object> NavigableSet<E> newSortedSet() {
    return newSortedSet(null);
  }

  /**
   * Creates an empty persistent sorted set.
   *
   * <p>As with {@link #create}, the set belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the set as long as a root reaches it or the program
   * holds it.
   *
   * @param <E> the type of the elements
   * @param comparator the order, which the store keeps with the set: null for the natural order, or
   *     a comparator that {@link #newSortedMap(Comparator)} accepts
   * @return an empty sorted set, safe for use by any number of threads
   * @throws NotPersistableException if the comparator cannot be stored
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <E extends @Nullable Object> NavigableSet<E> newSortedSet(
      @Nullable Comparator<? super E> comparator);

  /**
   * Creates a persistent twin of a plain object and of everything that it reaches, in one
   * transaction. Shared objects stay shared. An object of an enhanced class is its own twin: it
   * becomes persistent itself.
   *
   * <p>The store remembers the original as long as the program holds it: this method, and every
   * assignment of the original, gives the same twin. Changes of the original after the transaction
   * do not reach the twin.
   *
   * <p>As with {@link #create}, the twin belongs to the current transaction, or this call is a
   * transaction of its own. The store keeps the twin as long as a root reaches it or the program
   * holds it.
   *
   * @param <T> the type of the object; for a collection an interface, such as {@code List}
   * @param plain an object of a class annotated with {@link Persistent}, or a collection. A
   *     persistent object of this store is returned as it is
   * @return the persistent twin
   * @throws NotPersistableException if the object, or one that it reaches, cannot be stored,
   *     belongs to another store, or was changed since it was converted; nothing is stored then
   * @throws ClassRefusedException if a class cannot be kept in a store
   * @throws StoreReadOnlyException if the store is open for reading only
   */
  <T> T persist(T plain);

  /**
   * Creates a plain copy of a persistent object and of everything that it reaches, as one
   * consistent state: for forms, JSON and tests. Changes of the copy change nothing in the store.
   * Shared objects stay shared, cycles stay cycles. The copied objects have the program's own
   * classes, and none of their constructors runs. The copied collections are those of the JDK:
   * {@code ArrayList}, {@code HashMap}, {@code LinkedHashMap}, {@code TreeMap}, {@code
   * ConcurrentHashMap}, the matching sets, and {@code ArrayDeque}; or the class with which the
   * property is declared.
   *
   * @param <T> the type of the object; for a collection an interface, such as {@code List}
   * @param object a persistent object or collection of this store
   * @return the copy
   * @throws IllegalArgumentException if the object is not persistent, or belongs to another store;
   *     or if two properties that refer to one collection are declared with different JDK classes
   * @throws ClassRefusedException if the copy would include an object of an annotated interface,
   *     which has no plain objects
   */
  <T> T copy(T object);

  /**
   * Creates a plain copy of a persistent object and of a chosen part of what it reaches. Everything
   * else that {@link #copy(Object)} says holds.
   *
   * @param <T> the type of the object
   * @param object a persistent object or collection of this store; always copied
   * @param included called once for each other persistent object that is not a collection. Returns
   *     false for an object that must not be copied: the copy then refers to that persistent object
   *     itself. If the copy starts again because of a conflict, this predicate runs again. It must
   *     not write
   * @return the copy
   * @throws IllegalArgumentException if the object is not persistent, or belongs to another store;
   *     or if two properties that refer to one collection are declared with different JDK classes
   * @throws ClassRefusedException if the copy would include an object of an annotated interface,
   *     which has no plain objects
   */
  <T> T copy(T object, Predicate<Object> included);

  /**
   * Runs a body as one transaction. <b>The body may run more than once</b>: if another thread's
   * commit changes what the body has read, the store rolls the body back and runs it again. So the
   * body should have no effect outside the store. After several such runs the body runs alone:
   * other threads begin no transaction until it has ended, or waits or runs for too long.
   *
   * <p>Transactions are atomic and serializable: all writes of the body take effect or none does,
   * and no other transaction sees a part of them.
   *
   * <p><b>Only what the calling thread writes is part of the transaction.</b> Other threads that
   * work on its behalf, such as those of a parallel stream or of a pool, commit their writes by
   * themselves: those writes stay when this transaction is rolled back, and happen again when the
   * body runs again. The store refuses a parallel stream in which this thread and another one
   * write, with {@link IllegalStateException}, unless pool threads commit so often that the store
   * cannot check each time. If another thread seems to write for this one in another way, the store
   * only logs a warning. A body must not wait for other threads that use the store.
   *
   * <p>If the body throws, the store rolls the transaction back and this method throws what the
   * body threw. A transaction inside a transaction joins the outer one; if an exception leaves the
   * inner one, the outer one rolls back. Inside a {@linkplain #snapshot(TransactionBody) snapshot}
   * the body is a part of the snapshot: it runs once, reads the state of the snapshot and cannot
   * write.
   *
   * <p>When this method returns, the writes survive a crash as far as the store's {@link
   * Durability} says: under {@link Durability#SYNC}, the default, any crash of the process or the
   * machine. {@link #transaction(Durability, TransactionBody)} chooses the durability of one
   * transaction.
   *
   * <p>Use {@link #snapshot(TransactionBody)} for a long body that only reads.
   *
   * @param <X> what the body may throw
   * @param body the reads and writes
   * @throws X what the body threw; nothing was written
   * @throws RolledBackException if the body caught an exception that had left a transaction inside
   *     this one, or a method that writes; nothing was written
   * @throws IllegalStateException if the body waited for another thread in each of several runs,
   *     and conflicted with another thread each time; if it wrote in a task of a fork-join pool,
   *     whose other tasks run on other threads; or if it used an object of another store. Nothing
   *     was written by this transaction
   * @throws TransactionTooLargeException if the transaction wrote more than the store's log can
   *     hold, or than the Java heap has room for; in a replicated store, more than 16 MiB. Nothing
   *     was written
   * @throws StoreFullException if the disk or the pool is full; nothing was written
   * @throws StoreDamagedException if a page that the transaction would change is damaged; nothing
   *     was written, and the store refuses every further write
   * @throws StoreReadOnlyException if the body wrote and the store is open for reading only;
   *     nothing was written
   * @throws NotLeaderException if the store is a node of a replicated store that does not lead, or
   *     stopped leading before the commit; nothing was written on any node. Also if the body only
   *     read, and this node cannot confirm that it still leads
   * @throws OutcomeUnknownException if the store is a node of a replicated store that stopped
   *     leading, or was closed, before it learned the outcome of the commit. The writes take effect
   *     as a whole on all nodes, perhaps later, or never. The store does not run the body again
   * @throws StoreFailedException if the disk failed; the store refuses everything further. After
   *     reopening, the store has all writes of the transaction or none
   */
  <X extends Exception> void transaction(TransactionBody<X> body) throws X;

  /**
   * Runs a body as one transaction and returns its result. The body may run more than once.
   * Everything that {@link #transaction(TransactionBody)} says holds; this method throws the same
   * exceptions.
   *
   * <p>If the result is a plain object that the transaction has stored, the caller gets the
   * persistent one, so later changes are stored. Inside another transaction it gets the result
   * itself.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads and writes
   * @return what the body returned in the run that was committed, or its persistent twin
   * @throws X what the body threw; nothing was written
   */
  <T extends @Nullable Object, X extends Exception> T transaction(TransactionFunction<T, X> body)
      throws X;

  /**
   * Runs a body as one transaction with a durability of its own. The body may run more than once.
   * Everything else that {@link #transaction(TransactionBody)} says holds; this method throws the
   * same exceptions.
   *
   * <p>Inside another transaction the store acknowledges the outer one with the stronger of the two
   * durabilities: the one with the shorter bound. A transaction without a durability of its own
   * leaves that of the outer one as it is. Only the end of the outermost transaction makes anything
   * durable.
   *
   * @param <X> what the body may throw
   * @param durability when the transaction is acknowledged, whatever the store's own durability is
   * @param body the reads and writes
   * @throws X what the body threw; nothing was written
   */
  <X extends Exception> void transaction(Durability durability, TransactionBody<X> body) throws X;

  /**
   * Runs a body as one transaction with a durability of its own and returns its result. The body
   * may run more than once. Everything that {@link #transaction(Durability, TransactionBody)} says
   * holds, and what {@link #transaction(TransactionFunction)} says of the result; this method
   * throws the same exceptions as {@link #transaction(TransactionBody)}.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param durability when the transaction is acknowledged, whatever the store's own durability is
   * @param body the reads and writes
   * @return what the body returned in the run that was committed, or its persistent twin
   * @throws X what the body threw; nothing was written
   */
  <T extends @Nullable Object, X extends Exception> T transaction(
      Durability durability, TransactionFunction<T, X> body) throws X;

  /**
   * Makes every transaction durable that was committed before this call, by any thread. Call it
   * before you act on {@linkplain Durability#relaxed relaxed} transactions outside the store, for
   * instance before you send an answer. Under {@link Durability#SYNC} there is rarely anything left
   * to do.
   *
   * <p>Inside a snapshot, too, everything that was committed before this call becomes durable, even
   * if the snapshot does not show it. On a replicated store this method returns at once: each
   * acknowledged transaction is durable on a majority of the nodes.
   *
   * @throws IllegalStateException inside a transaction, whose writes are committed only when it
   *     ends
   * @throws StoreFailedException if the disk failed; the store refuses everything further
   */
  void sync();

  /**
   * Returns when the store acknowledges a transaction that has no durability of its own, as {@link
   * PmStoreOptions#durability} said when the store was opened. Never throws.
   *
   * @return the durability
   */
  Durability durability();

  /**
   * Runs a body that reads the store as it is now, however long that takes: a report, an export.
   * The body runs once; no commit makes it fail or wait, and it makes no commit wait. In the body
   * the calling thread reads everything, collections too, as it was when it called this method.
   * Other threads that the body uses read the newest values.
   *
   * <p>A write in the body, or in a {@link #transaction(TransactionBody) transaction} inside it,
   * throws {@link IllegalStateException}. A snapshot inside a snapshot shows the same state. If the
   * body gets an object that was created after the snapshot began, it sees that object's first
   * values.
   *
   * <p>While a snapshot is open, commits keep before-images in memory: one for each changed object,
   * plus about 150 bytes. The store frees this memory when the snapshot ends. If the Java heap has
   * too little room for them, the transactions that need it throw {@link
   * TransactionTooLargeException} until then. A follower of a replicated store cannot refuse the
   * transactions of its leader. It ends its oldest snapshots instead: their reads of what has
   * changed since throw {@link SnapshotEndedException}.
   *
   * <p>In a store of {@link Durability#SYNC} this method returns when everything that the body has
   * seen is durable. After a long body it rarely has to wait for that. If the body sends what it
   * reads out of the program, call {@link #sync} first in the body: then everything that the
   * snapshot shows is already durable.
   *
   * <p>On a replicated store this method reads with {@link ReadConsistency#LINEARIZABLE}.
   *
   * @param <X> what the body may throw
   * @param body the reads
   * @throws X what the body threw
   * @throws IllegalStateException inside a transaction, whose own writes a snapshot would not show;
   *     or if the body wrote, or used an object of another store
   * @throws NotLeaderException if the store is a node of a replicated store, and no leader told it
   *     which state is the newest; the body did not run
   * @throws SnapshotEndedException on a follower of a replicated store, if the Java heap has no
   *     room for what the body still reads
   * @throws StoreFailedException if the disk failed; the store refuses everything further
   */
  <X extends Exception> void snapshot(TransactionBody<X> body) throws X;

  /**
   * Runs a body that reads the store as it is now and returns its result. Everything that {@link
   * #snapshot(TransactionBody)} says holds; this method throws the same exceptions.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads
   * @return what the body returned
   * @throws X what the body threw
   */
  <T extends @Nullable Object, X extends Exception> T snapshot(TransactionFunction<T, X> body)
      throws X;

  /**
   * Runs a body that reads one state of a replicated store, as new as the caller asks for, and
   * returns its result. Everything that {@link #snapshot(TransactionBody)} says holds. A store that
   * is not replicated shows the same state for every consistency.
   *
   * <p>On a node that does not lead, use an object only in the body that has read it: the leader
   * frees objects and does not know that this node still has them.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param consistency how new the state has to be; without effect inside another snapshot
   * @param body the reads
   * @return what the body returned
   * @throws X what the body threw
   * @throws NotLeaderException with {@link ReadConsistency#LINEARIZABLE}, if no leader told this
   *     node which state is the newest, or the node did not receive that state in time; the body
   *     did not run
   * @throws IllegalStateException inside a transaction, whose own writes a snapshot would not show;
   *     or if the body wrote, or used an object of another store
   * @throws StoreFailedException if the disk failed; the store refuses everything further
   */
  <T extends @Nullable Object, X extends Exception> T snapshot(
      ReadConsistency consistency, TransactionFunction<T, X> body) throws X;

  /**
   * Returns true if the calling thread runs the body of a transaction or of a snapshot of this
   * store. A transaction that begins then joins it.
   *
   * @return false outside transactions and snapshots
   */
  boolean inTransaction();

  /**
   * Returns the interface with which a program observes and operates the nodes of a replicated
   * store. This method also works on a closed store.
   *
   * @return empty if the store is not replicated
   */
  Optional<Replication> replication();

  /**
   * Writes a copy of this store to another directory, while other threads read and write this
   * store. The copy shows one moment during the call: it holds everything that was committed before
   * the call, and nothing that was committed after that moment. This store makes what the copy
   * holds durable first.
   *
   * <p>The copy is a store of its own, with an identity of its own: each of the two refuses log
   * files of the other. Whatever the storage of this store is, the copy is of {@link Storage#FILE}
   * (or {@link Storage#PERSISTENT_MEMORY}, on a file system mounted with DAX). Either of these
   * storages opens it; {@link Storage#LLPL} and {@link Storage#TIERED} do not. The copy of a node
   * of a replicated store is an ordinary store, not a node.
   *
   * <p>When this method returns, the copy is complete, closed and durable, its directory included:
   * {@link #open(Path)} opens it as fast as any closed store, and {@link #verify(Path)} can check
   * it. The backup renames its last file into place at the very end. So a crash or an exception
   * leaves no store there, and another backup to the same directory can follow. After a crash that
   * left a part of the copy, {@code open} and {@code verify} refuse the directory as an unfinished
   * backup; delete it, or make the backup again. A crash before the first file of the copy leaves
   * an empty directory or none, where {@code open} creates a new store as everywhere. A crash or an
   * exception does not harm this store.
   *
   * <p>While the backup runs, commits keep before-images in memory, as {@link
   * #snapshot(TransactionBody)} says; the backup itself takes 16 MiB outside the Java heap. The
   * copy takes as much disk space as this store's heap, and a log of its own. Any number of threads
   * may call this method at once. An interrupt does not end a backup and stays pending; a {@link
   * #close} from another thread ends it with an exception.
   *
   * @param directory where the copy goes: absent or empty, and outside this store's own directory;
   *     this method creates missing parents
   * @throws IllegalArgumentException if the directory is inside this store's own
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreFormatException if the directory is no directory, or holds anything but an
   *     unfinished backup or store
   * @throws StoreLockedException if another backup, or an {@code open}, is at work in the directory
   * @throws StoreFullException if there is no room for the copy; the backup deletes what it has
   *     written
   * @throws StoreClosedException if this store is closed, before or meanwhile
   * @throws StoreFailedException if this store has failed, before or meanwhile
   * @throws StoreDamagedException if a part of this store cannot be read or is damaged, and then
   *     this store refuses every further write; or if the directory holds parts of another store
   * @throws SnapshotEndedException as from {@link #snapshot(TransactionBody)}
   * @throws PmStoreException if the copy cannot be written for another reason
   */
  void backup(Path directory);

  /**
   * Starts a background run that rewrites every object whose class has another shape now than when
   * the object was stored. Other threads read and write the store meanwhile. A store does not need
   * this: it reads an object of an older shape as it is, and rewrites it when the program next
   * writes it. After an upgrade, reads of such objects are as fast as of others, and the program
   * can drop what only those objects needed: see {@link Upgrade#await()}.
   *
   * <p>The run rewrites at most 256 objects in one transaction. Its transactions conflict with the
   * program's like any others. It also rewrites objects that nothing refers to any more, unless
   * they wait to be freed. It waits for no snapshot. If a run is under way this method returns that
   * run. {@link #close} ends it.
   *
   * @return the run, under way
   * @throws ClassRefusedException if a class of stored objects cannot be mapped; nothing was
   *     rewritten. If a class is missing, the run ends when it meets an object of that class
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws NotLeaderException if the store is a node of a replicated store that does not lead
   */
  Upgrade upgrade();

  /**
   * Frees every object that neither a named root nor a Java object of the program reaches, cycles
   * included, and returns when they are freed. Transactions continue meanwhile, but this method
   * waits for those transactions and snapshots that were running when it was called. An interrupt
   * does not end the wait and stays pending. An object stays as long as the program holds it.
   *
   * <p>After a {@link StoreFullException} this method also runs Java's collector, and makes all
   * free space usable for objects of any size.
   *
   * <p>A program need not call this method unless {@link PmStoreOptions#gcInBackground} is off: the
   * transaction that unlinks an object frees it, or the collector finds it in the background.
   *
   * @return what was found and freed
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws NotLeaderException if the store is a node of a replicated store that does not lead
   * @throws StoreDamagedException if the collection meets damage; it has freed nothing that can be
   *     reached
   * @throws StoreClosedException if the store is closed, before or meanwhile
   * @throws StoreFailedException if the store has failed, before or meanwhile
   * @throws PmStoreException if the collection ended early for another reason; it has freed nothing
   *     that can be reached
   */
  GcReport gc();

  /**
   * Counts objects and bytes of the store by class. It visits every object, so it takes time in
   * proportion to their number. Transactions continue meanwhile; the counts may or may not include
   * what they change.
   *
   * @return the counts
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreDamagedException if the space tables of the heap are damaged
   * @throws StoreClosedException if the store is closed, before or meanwhile
   * @throws StoreFailedException if the store has failed, before or meanwhile
   */
  StoreStatistics statistics();

  /**
   * Returns what the store has done since it was opened, and its present sizes. This method reads
   * counters, waits for no transaction and takes some microseconds, so a program may call it often,
   * in transactions too.
   *
   * @return the numbers
   * @throws StoreClosedException if the store is closed
   * @throws StoreFailedException if the store has failed
   */
  StoreMetrics metrics();

  /**
   * Gives free space at the end of the heap back to the file system, in whole extents of 16 MiB.
   * Objects do not move, so one object at the end keeps everything before it. The new size is
   * durable when this method returns; a crash during the call loses nothing. This method waits for
   * the transactions and snapshots that are running.
   *
   * <p>A store of {@link Storage#LLPL} gives the space back to its pool, whose files keep their
   * size. A store of {@link Storage#TIERED} gives main memory back to the operating system.
   *
   * <p>This method waits for a running {@link #backup}; one that begins meanwhile waits for it.
   *
   * <p>The heap of a replicated store does not shrink, because the heaps of all nodes have the same
   * bytes. A backup of it has no free space at its end.
   *
   * @return the number of bytes given back, 0 or more
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws PmStoreException if the store is replicated; {@link NotLeaderException} if this node
   *     does not lead
   * @throws StoreReadOnlyException if the store is open for reading only
   * @throws StoreClosedException if the store is closed
   * @throws StoreFailedException if the store has failed, before or meanwhile
   */
  long compact();

  /**
   * Closes the store: waits for running transactions and snapshots, makes every committed
   * transaction durable and releases the lock. Afterwards the store's objects throw {@link
   * StoreClosedException} when used. Closing a closed store has no effect. A store that has failed
   * is closed without a further write.
   *
   * <p>A node of a replicated store stops taking part. Its transactions that still wait for other
   * nodes throw {@link NotLeaderException} or {@link OutcomeUnknownException}.
   *
   * @throws IllegalStateException if called inside one of the store's transactions or snapshots;
   *     the store stays open
   * @throws StoreFailedException if making the last commits durable failed; the store is closed
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
     * Reads and writes persistent objects. A transaction may run this method more than once.
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
     * Reads and writes persistent objects. A transaction may run this method more than once.
     *
     * @return the result
     * @throws X to roll the transaction back
     */
    T run() throws X;
  }
}
