package io.pmstore.oms.cli;

import io.pmstore.oms.cluster.ClusterRun;
import io.pmstore.oms.cluster.ClusterSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** Runs the service on three nodes, and removes what they leave. */
final class ClusterMode {
  private final Workspace workspace;
  private final ClusterSettings settings;
  private final PrintStream log;

  ClusterMode(Workspace workspace, int threads, int seconds, boolean kill, PrintStream log)
      throws IOException {
    this.workspace = workspace;
    this.settings = new ClusterSettings(workspace.directory("cluster"), threads, seconds, kill);
    this.log = log;
  }

  /** Returns whether nothing was lost. */
  boolean run() throws IOException, InterruptedException {
    Path directory = settings.directory();
    System.out.printf(
        "three nodes, %d threads on the leader, %d s; in %s%n",
        settings.threads(), settings.seconds(), directory);
    boolean kept = false;
    try {
      kept = new ClusterRun(settings, System.out, log).run();
    } finally {
      if (kept) {
        workspace.remove(directory);
      } else {
        workspace.retain();
        System.out.println("FAILED: the nodes and their messages are left in " + directory);
      }
    }
    return kept;
  }
}
