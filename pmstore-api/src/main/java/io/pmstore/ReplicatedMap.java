package io.pmstore;

import java.util.Map;
import java.util.Optional;

/**
 * A map of strings in a replicated store, for programs on any node. {@link Replication#map} returns
 * it. Each call is linearizable: the calls of all nodes appear to run one after the other, each at
 * one moment between its begin and its return. The leader executes the call; any other node sends
 * it to the leader.
 *
 * <p>The first call creates the map in the store, as the root object of the name that the program
 * gave to {@link Replication#map}. Transactions and snapshots can use that object too: its class is
 * {@code io.pmstore.raft.MapRoot}.
 *
 * <p>Neither keys nor values are null. Safe for use by any number of threads. Call the methods
 * outside transactions and snapshots of the store: a call inside one could not be a part of it and
 * also durable when it returns. Use the root object there.
 *
 * <p>Every call throws
 *
 * <ul>
 *   <li>{@link NotLeaderException} if no leader executed it within the outcome timeout of this node
 *       ({@code RaftSettings.outcomeTimeout}); it had no effect then,
 *   <li>{@link OutcomeUnknownException} if it changes the store and the leader was lost before it
 *       answered. A read changes the store only if it is the first call and creates the map,
 *   <li>{@link StoreClosedException} if this node is closed,
 *   <li>{@link IllegalStateException} inside a transaction or a snapshot of this store,
 *   <li>{@link PmStoreException} if it was refused for another reason, such as a full disk, a value
 *       that is too large, or an interrupt of the thread, which stays pending; it had no effect
 *       then.
 * </ul>
 */
public interface ReplicatedMap {
  /**
   * Returns the value of a key.
   *
   * @param key the key
   * @return its value; empty if it has none
   */
  Optional<String> get(String key);

  /**
   * Sets the value of a key. When the method returns, a majority of the nodes has it durably.
   *
   * @param key the key
   * @param value its new value
   * @return its value before; empty if it had none
   * @throws OutcomeUnknownException if the leader was lost before it answered
   */
  Optional<String> set(String key, String value);

  /**
   * Sets the value of a key if its value is the expected one, in one step. When the method returns,
   * a majority of the nodes has the result durably.
   *
   * @param key the key
   * @param expected the value that the key must have; empty if it must have none
   * @param value its new value
   * @return true if the key had the expected value, and has the new one
   * @throws OutcomeUnknownException if the leader was lost before it answered
   */
  boolean compareAndSet(String key, Optional<String> expected, String value);

  /**
   * Removes a key. When the method returns, a majority of the nodes has removed it durably.
   *
   * @param key the key
   * @return its value before; empty if it had none
   * @throws OutcomeUnknownException if the leader was lost before it answered
   */
  Optional<String> remove(String key);

  /**
   * Returns the number of keys.
   *
   * @return the number of keys in the newest state
   */
  int size();

  /**
   * Returns all entries, from one snapshot of this node that has everything acknowledged before the
   * call.
   *
   * @return a copy, unmodifiable, in no particular order
   */
  Map<String, String> entries();
}
