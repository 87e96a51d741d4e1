package io.pmstore;

import java.util.Map;
import java.util.Optional;

/**
 * A map of strings in a replicated store, for programs on any node. {@link Replication#map} returns
 * it. Each call is linearizable: it takes effect on all nodes at one moment between its begin and
 * its return. The leader executes it; another node sends it there.
 *
 * <p>On the leader the map is also an object of the store: a root of type {@code Map<String,
 * String>}, which transactions and snapshots use like any other.
 *
 * <p>Neither keys nor values are null. Safe for use by any number of threads. Every call throws
 * {@link NotLeaderException} if there is no leader; the call had no effect then.
 */
public interface ReplicatedMap {
  /**
   * Returns the value of a key.
   *
   * @param key the key
   * @return its value, or empty
   */
  Optional<String> get(String key);

  /**
   * Sets the value of a key. When the method returns, a majority of the nodes has it durably.
   *
   * @param key the key
   * @param value its new value
   * @return its value before, or empty
   * @throws OutcomeUnknownException if the leader was lost before it answered
   */
  Optional<String> set(String key, String value);

  /**
   * Sets the value of a key if it has a certain value, in one step.
   *
   * @param key the key
   * @param expected the value that it has to have; empty if it must have none
   * @param value its new value
   * @return true if it had that value, and has the new one
   * @throws OutcomeUnknownException if the leader was lost before it answered
   */
  boolean compareAndSet(String key, Optional<String> expected, String value);

  /**
   * Removes a key.
   *
   * @param key the key
   * @return its value before, or empty
   * @throws OutcomeUnknownException if the leader was lost before it answered
   */
  Optional<String> remove(String key);

  /**
   * Returns the number of keys.
   *
   * @return the number, of the newest state
   */
  int size();

  /**
   * Returns all entries, from a snapshot of this node that has everything acknowledged before the
   * call.
   *
   * @return a copy, unmodifiable, in no particular order
   */
  Map<String, String> entries();
}
