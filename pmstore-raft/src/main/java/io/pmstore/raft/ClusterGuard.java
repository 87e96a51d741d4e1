package io.pmstore.raft;

import io.pmstore.StoreFormatException;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows the cluster of this node, and refuses messages of other clusters. Thread-safe.
 *
 * <p>The leader that founds a cluster draws its id at random, and writes it into the first entry of
 * the log. A node belongs to a cluster as soon as it has applied that entry, or has accepted a
 * message of a node that belongs to it. It then notes the id durably, before it answers, and takes
 * no message of anyone else. Nobody can so confirm an entry of one cluster and vote in another.
 *
 * <p>Nodes that belong to no cluster yet talk to those that were opened with the same members. All
 * that their logs have is the first entry: a transaction runs when that entry is applied.
 *
 * <pre>
 *                    a message of
 *   this node of     | its cluster   another one   no cluster yet
 *   -----------------+---------------------------------------------
 *   a cluster        | accepted      refused       refused
 *   no cluster yet   |       joins that one        accepted if opened with the same members
 * </pre>
 */
final class ClusterGuard {
  private static final System.Logger LOG = System.getLogger(ClusterGuard.class.getName());

  private final String id;
  private final NodeFiles files;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private volatile ClusterTag mine; // written under this
  private volatile @Nullable String lastRefusal;

  ClusterGuard(RaftSettings settings, NodeFiles files) {
    this.id = settings.id();
    this.files = files;
    UUID cluster = files.cluster();
    this.mine =
        cluster == null ? ClusterTag.ofFounders(settings.members()) : ClusterTag.ofCluster(cluster);
  }

  /** Notes in the node's files that its server has started; messages may arrive already. */
  synchronized void hasStarted() {
    files.hasStarted();
  }

  /** Returns what this node says of its cluster. */
  ClusterTag tag() {
    return mine;
  }

  /** Returns the id of this node's cluster, or null if it belongs to none yet. */
  @Nullable UUID cluster() {
    ClusterTag tag = mine;
    return tag.isFounded() ? tag.id() : null;
  }

  /** Returns the id for the first entry of a log. */
  UUID forFirstEntry() {
    UUID known = cluster();
    return known == null ? UUID.randomUUID() : known;
  }

  /**
   * Adds this node to a cluster, durably, if it belongs to none yet.
   *
   * @return false if it belongs to another one
   */
  boolean join(UUID cluster) {
    if (!mine.isFounded()) {
      joinFirst(cluster);
    }
    return mine.id().equals(cluster);
  }

  private synchronized void joinFirst(UUID cluster) {
    if (!mine.isFounded()) {
      files.writeCluster(cluster);
      mine = ClusterTag.ofCluster(cluster);
    }
  }

  /**
   * Adds this node to the cluster of its heap or its log, if it belongs to none yet.
   *
   * @param what is of that cluster
   * @throws StoreFormatException if the node belongs to another one
   */
  void joinOf(String what, UUID cluster) {
    if (!join(cluster)) {
      throw new StoreFormatException(
          "%s of the node %s in %s is of the cluster %s, and the node belongs to the cluster %s; put back what belongs there, or replace the node by a new one with an empty directory"
              .formatted(what, id, files.directory(), cluster, mine.id()));
    }
  }

  /**
   * Checks a message of Raft, and joins the sender's cluster if this node has none.
   *
   * @param from the id of the sender
   * @param tag what it says of its cluster
   * @throws IOException if the message must be left alone
   */
  void checkMessage(String from, String tag) throws IOException {
    if (tag.equals(mine.toString())) {
      return;
    }
    ClusterTag theirs = ClusterTag.parse(tag);
    if (theirs != null && theirs.isFounded() && join(theirs.id())) {
      return;
    }
    throw new IOException(refusal("the node " + from, theirs));
  }

  /**
   * Returns why a question of another node is not answered, or null if it is. A question does not
   * make this node join a cluster.
   */
  @Nullable String findFaultOfQuestion(@Nullable ClusterTag theirs) {
    return mine.equals(theirs) ? null : refusal("a node that asks this one", theirs);
  }

  /** Returns the last message about a refused message, or null if there is none. */
  @Nullable String lastRefusal() {
    return lastRefusal;
  }

  private String refusal(String from, @Nullable ClusterTag theirs) {
    ClusterTag here = mine;
    String message =
        "the node %s of %s refuses what %s says, which is of %s: %s"
            .formatted(id, text(here), from, text(theirs), advice(here, theirs));
    if (isLasting(here, theirs)) {
      lastRefusal = message;
      if (logged.add(from + theirs)) {
        LOG.log(System.Logger.Level.WARNING, message);
      }
    }
    return message;
  }

  private static String text(@Nullable ClusterTag tag) {
    return tag == null
        ? "an unknown cluster"
        : tag.isFounded() ? "the cluster " + tag.id() : "no cluster yet";
  }

  /** Returns false if the sender joins this node's cluster, or this node the sender's, in time. */
  private static boolean isLasting(ClusterTag here, @Nullable ClusterTag theirs) {
    return theirs == null || here.isFounded() == theirs.isFounded();
  }

  private static String advice(ClusterTag here, @Nullable ClusterTag theirs) {
    if (theirs == null) {
      return "open all nodes with the same version of pmstore";
    }
    if (!isLasting(here, theirs)) {
      return "it ends when the leader has reached both";
    }
    return here.isFounded()
        ? "the address of one of them is wrong, or its directory was moved; correct the members, or"
            + " open the node on the directory that belongs there"
        : "open the first nodes with the same members, and a node that is added later with"
            + " RaftSettings.join";
  }
}
