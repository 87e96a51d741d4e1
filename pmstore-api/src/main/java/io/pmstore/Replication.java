package io.pmstore;

import java.time.Duration;

/**
 * Observes and operates the nodes of a replicated store, through one of them. {@link
 * PmStore#replication} returns it. Safe for use by any number of threads. After the store was
 * closed every method but {@link #map} throws {@link StoreClosedException}.
 */
public interface Replication {
  /**
   * Returns what this node knows now. This method asks no other node.
   *
   * @return the status of this node
   */
  ReplicationStatus status();

  /**
   * Waits until this node is ready, as {@link ReplicationStatus#ready} says.
   *
   * @param atMost the longest time to wait; with zero or less this method looks once
   * @return the status in which the node is ready
   * @throws NotLeaderException if the node is not ready after that time; the message has the status
   * @throws PmStoreException if the thread is interrupted, whose interrupt stays pending
   */
  ReplicationStatus awaitReady(Duration atMost);

  /**
   * Makes another node the leader. Call this method on the leader. When it returns, the nodes have
   * elected that node, and this one follows. Transactions that are under way may throw {@link
   * NotLeaderException}, or {@link OutcomeUnknownException} if they had been sent already.
   *
   * @param id the id of the node that is to lead
   * @throws NotLeaderException if this node does not lead
   * @throws IllegalArgumentException if no node has this id
   * @throws PmStoreException if the node has not become the leader within 10 seconds, because it
   *     lags or cannot be reached; this node or another one leads then
   */
  void transferLeadership(String id);

  /**
   * Adds a node. The new node must run already, opened with {@code RaftSettings.join}. When this
   * method returns, the new node has the contents of the store, and majorities are counted with it.
   * Call this method on any node.
   *
   * @param id the id of the new node, which no other node has or had
   * @param address {@code host:port} at which the other nodes reach it
   * @throws IllegalArgumentException if a node has this id or this address, or one of them is
   *     malformed
   * @throws NotLeaderException if no leader is found that adds the node; the members are as before
   * @throws OutcomeUnknownException if the leader was lost before it answered. If the node is no
   *     member then, call again
   * @throws PmStoreException if another change of the members is under way or came first, the new
   *     node cannot be reached, or it does not catch up; the members are as before
   */
  void addMember(String id, String address);

  /**
   * Removes a node, which may be lost. When this method returns, majorities are counted without it.
   * The removed node, if it runs, receives no further changes; close it. If it leads, this method
   * first makes another node the leader, and transactions end as with {@link #transferLeadership}.
   * Call this method on any node. To replace a lost node, first add its successor, under an id that
   * was never used, and then remove the lost node.
   *
   * @param id the id of the node to remove
   * @throws IllegalArgumentException if no node has this id, or it is the only node
   * @throws NotLeaderException if no leader is found that removes the node; the members are as
   *     before
   * @throws OutcomeUnknownException if the leader was lost before it answered. If the node still is
   *     a member then, call again
   * @throws PmStoreException if another change of the members is under way or came first; the
   *     members are as before
   */
  void removeMember(String id);

  /**
   * Computes a digest of this node's contents. Two nodes whose digests have the same index have
   * equal digests, unless a disk or memory has failed. This method reads the whole store, while
   * transactions continue.
   *
   * @return the digest, with the index of the last entry that it includes
   * @throws IllegalStateException inside a transaction or a snapshot
   * @throws StoreDamagedException if a part of the heap is damaged
   */
  Digest digest();

  /**
   * Returns a map that programs on any node use. The first call of a method of the map creates it
   * in the store.
   *
   * @param name the name of the map's root object, at least one character
   * @return the map; the same one for the same name
   * @throws IllegalArgumentException if the name is empty
   */
  ReplicatedMap map(String name);

  /**
   * A digest of the contents of one node. Immutable.
   *
   * @param index the index of the last entry that has changed these contents; -1 if none has
   * @param sha256 the SHA-256 hash of the contents, in hexadecimal digits
   */
  record Digest(long index, String sha256) {}
}
