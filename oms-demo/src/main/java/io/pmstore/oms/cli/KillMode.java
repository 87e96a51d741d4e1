package io.pmstore.oms.cli;

import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.kill.KillRounds;
import io.pmstore.oms.kill.KillSettings;
import io.pmstore.oms.targets.TargetKind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Kills each target's service and audits what it left. */
final class KillMode {
  private final StoreOptions options;
  private final Workspace workspace;
  private final OrderFlow flow;
  private final int rounds;
  private final long seed;
  private final PrintStream log;

  KillMode(
      StoreOptions options,
      Workspace workspace,
      OrderFlow flow,
      int rounds,
      long seed,
      PrintStream log) {
    this.options = options;
    this.workspace = workspace;
    this.flow = flow;
    this.rounds = rounds;
    this.seed = seed;
    this.log = log;
  }

  /** Returns whether nothing was lost or half there. */
  boolean run(List<TargetKind> targets, Path flowFile) throws IOException, InterruptedException {
    System.out.printf(
        "%d rounds for each target over %,d execution reports; %s; in %s; --kill-seed %d%n",
        rounds, flow.events().size(), options.describe(), workspace.base(), seed);
    boolean kept = true;
    for (TargetKind kind : targets) {
      Path directory = workspace.directory(kind);
      KillSettings settings =
          new KillSettings(
              kind, options.settings(directory, flow), flowFile.toAbsolutePath(), rounds, seed);
      try {
        if (new KillRounds(settings, flow, System.out).run()) {
          workspace.remove(directory);
        } else {
          kept = false;
          workspace.retain();
        }
      } catch (IOException | RuntimeException | LinkageError e) {
        e.printStackTrace(log);
        System.out.printf(
            "FAILED: %s: %s; its store is left in %s%n", kind.label(), e.getMessage(), directory);
        kept = false;
        workspace.retain();
      }
    }
    return kept;
  }
}
