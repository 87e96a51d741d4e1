package io.pmstore.oms.cluster;

import io.pmstore.oms.run.FreePorts;
import io.pmstore.oms.run.JvmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Three nodes on this machine: their addresses, directories and processes. Used by one thread. */
final class LocalCluster implements AutoCloseable {
  static final List<String> IDS = List.of("n1", "n2", "n3");
  private static final String HOST = "127.0.0.1";

  private final Path directory;
  private final int threads;
  private final Journal journal;
  private final Map<String, Integer> ports;
  private final Map<String, NodeProcess> nodes = new TreeMap<>();

  /**
   * Prepares the cluster.
   *
   * @param directory has one directory for each node
   * @param threads that drive on the leader
   * @param journal is told what the nodes tell
   */
  LocalCluster(Path directory, int threads, Journal journal) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.threads = threads;
    this.journal = journal;
    this.ports = FreePorts.draw(IDS);
  }

  Path directory(String id) {
    return directory.resolve(id);
  }

  private Path log(String id) {
    return directory.resolve(id + ".log");
  }

  int port(String id) {
    return ports.getOrDefault(id, 0);
  }

  /** Starts the process of a node, which opens it. */
  NodeProcess start(String id) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of(directory(id).toString(), id, Integer.toString(threads)));
    ports.forEach((each, port) -> arguments.add(each + "=" + HOST + ":" + port));
    NodeProcess started =
        new NodeProcess(id, JvmCommand.of(ClusterNode.class, arguments), log(id), journal);
    nodes.put(id, started);
    return started;
  }

  NodeProcess node(String id) {
    NodeProcess node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("the node " + id + " was not started");
    }
    return node;
  }

  /**
   * Requires that all nodes but one run.
   *
   * @throws IOException if another one has ended by itself
   */
  void requireAlive(String exceptFor) throws IOException {
    for (Map.Entry<String, NodeProcess> each : nodes.entrySet()) {
      if (!each.getKey().equals(exceptFor) && !each.getValue().isAlive()) {
        throw new IOException(
            "the node %s has ended by itself; its messages are in %s"
                .formatted(each.getKey(), log(each.getKey())));
      }
    }
  }

  /** Ends the processes that still run. */
  @Override
  public void close() {
    nodes.values().forEach(NodeProcess::close);
  }
}
