package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Contender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the program is that calls the maps. In both the servers talk to each other by gRPC. */
enum Place {
  /** In the leader's process, with the other members: a call does not leave it. */
  LOCAL("local"),
  /** In the process of one that follows; each member has its own, and a call goes to the leader. */
  NETWORK("network");

  private final String label;

  Place(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** Opens groups, each with a leader. */
  Caller open(List<Contender> groups, Path root, String medium, long regionBytes)
      throws IOException, InterruptedException {
    return this == LOCAL
        ? new LocalCaller(groups, root, medium, regionBytes)
        : new NetworkCaller(groups, root, medium, regionBytes);
  }
}
