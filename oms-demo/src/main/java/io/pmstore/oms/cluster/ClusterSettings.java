package io.pmstore.oms.cluster;

import java.nio.file.Path;

/**
 * A run of the cluster.
 *
 * @param directory where the nodes get directories of their own, {@code n1} to {@code n3}
 * @param threads that drive on the leader, at least 1
 * @param seconds how long they drive, at least {@link #SECONDS_MIN}
 * @param kill whether the leader is killed after a third of that time
 */
public record ClusterSettings(Path directory, int threads, int seconds, boolean kill) {
  /** An election and the catching up of a node take a while. */
  public static final int SECONDS_MIN = 3;

  /** Everything that was acknowledged is compared in memory. */
  public static final int SECONDS_MAX = 600;
}
