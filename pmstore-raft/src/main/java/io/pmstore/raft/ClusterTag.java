package io.pmstore.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of its cluster in each message to another node.
 *
 * @param isFounded true if {@code id} is the id of a cluster; false if the node belongs to none yet
 *     and {@code id} identifies the members with which it was opened
 * @param id the cluster, or the first members
 */
record ClusterTag(boolean isFounded, UUID id) {
  private static final String CLUSTER = "cluster ";
  private static final String FOUNDERS = "founders ";
  private static final Pattern TEXT =
      Pattern.compile(
          "(" + CLUSTER + "|" + FOUNDERS + ")([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

  static ClusterTag ofCluster(UUID id) {
    return new ClusterTag(true, id);
  }

  /** Returns the tag of nodes that are opened with the same members. */
  static ClusterTag ofFounders(Map<String, String> members) {
    return new ClusterTag(
        false, UUID.nameUUIDFromBytes(new TreeMap<>(members).toString().getBytes(UTF_8)));
  }

  /** Returns the tag of a text that {@link #toString} has made, or null for any other text. */
  static @Nullable ClusterTag parse(String text) {
    Matcher tag = TEXT.matcher(text);
    return tag.matches()
        ? new ClusterTag(tag.group(1).equals(CLUSTER), UUID.fromString(tag.group(2)))
        : null;
  }

  @Override
  public String toString() {
    return (isFounded ? CLUSTER : FOUNDERS) + id;
  }
}
