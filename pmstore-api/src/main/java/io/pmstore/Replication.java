package io.pmstore;

import java.time.Duration;

/**
 * The operation of a replicated store: what a node knows, who leads, which nodes there are. {@link
 * PmStore#replication} returns it. Safe for use by any number of threads; works until the store is
 * closed.
 */
public interface Replication {
  /**
   * Returns what this node knows now. Asks no other node.
   *
   * @return the status
   */
  ReplicationStatus status();

  /**
   * Waits until this node is ready, as {@link ReplicationStatus#ready} says.
   *
   * @param atMost how long to wait
   * @return the status in which it is ready
   * @throws NotLeaderException if it is not ready after that time; the message has the status
   */
  ReplicationStatus awaitReady(Duration atMost);

  /**
   * Makes another node the leader. Call it on the leader. When this method returns, the nodes have
   * elected that node, and this one follows. Transactions that are under way may end with {@link
   * NotLeaderException}.
   *
   * @param id of the node to lead
   * @throws NotLeaderException if this node is not the leader
   * @throws IllegalArgumentException if there is no node of this id
   * @throws PmStoreException if the node has not become the leader within 10 seconds, because it
   *     lags or cannot be reached; this node still leads then, or another one
   */
  void transferLeadership(String id);

  /**
   * Adds a node. It has to run already, opened as one that joins. When this method returns, the
   * node has the contents of the store and is one of those of which a majority decides. Called on
   * any node.
   *
   * @param id of the node, which no other one has
   * @param address {@code host:port} at which the others reach it
   * @throws IllegalArgumentException if there is a node of this id, or the address is none
   * @throws NotLeaderException if there is no leader
   * @throws PmStoreException if the node cannot be reached, or does not catch up
   */
  void addMember(String id, String address);

  /**
   * Removes a node, which may be lost. When this method returns, a majority of the others decides
   * without it. The removed node, if it runs, no longer changes; close it. If it leads, another one
   * is made the leader first, and its transactions end as with {@link #transferLeadership}. Called
   * on any node. To replace a lost node, add its successor first, under an id of its own, and then
   * remove it.
   *
   * @param id of the node
   * @throws IllegalArgumentException if there is no node of this id, or it is the only one
   * @throws NotLeaderException if there is no leader
   * @throws PmStoreException if the nodes cannot agree on it
   */
  void removeMember(String id);

  /**
   * Computes a digest of this node's contents. Two nodes whose digests are of the same index have
   * equal digests, unless a disk or memory has failed. It reads the whole store.
   *
   * @return the digest, and what it is of
   */
  Digest digest();

  /**
   * Returns a map that programs on any node use. The first change creates it.
   *
   * @param name of the root under which the store has the map
   * @return the map; the same one for the same name
   */
  ReplicatedMap map(String name);

  /**
   * A digest of the contents of one node.
   *
   * @param index of the last entry that has changed these contents; -1 if none has
   * @param sha256 of the contents, in hexadecimal digits
   */
  record Digest(long index, String sha256) {}
}
