package io.pmstore.oms.cli;

import static io.pmstore.oms.cli.OmsCommand.require;

import io.pmstore.oms.cluster.ClusterSettings;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of the cluster. */
final class ClusterOptions {
  private static final int SECONDS = 15;
  private static final Set<String> USED =
      Set.of("--cluster", "--seconds", "--threads", "--dir", "--keep", "--kill");

  @Option(
      names = "--cluster",
      description = {
        "Instead of measuring: run the service on three replicated nodes, three processes on"
            + " 127.0.0.1. The leader makes orders and reports as fast as a majority confirms them;"
            + " it is killed with SIGKILL after a third of the time and opened again after two. The"
            + " demo shows how long no report was acknowledged, and proves that none is lost and"
            + " that all nodes have the same.",
        "Takes --seconds, --threads, --dir, --keep and --no-kill."
      })
  private boolean cluster;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long the cluster works. Default: " + SECONDS)
  private @Nullable Integer seconds;

  boolean cluster() {
    return cluster;
  }

  int seconds() {
    return seconds != null ? seconds : SECONDS;
  }

  void check(ParseResult given) {
    if (!cluster) {
      require(seconds == null, "--seconds is for --cluster; give that too");
      return;
    }
    require(
        seconds() >= ClusterSettings.SECONDS_MIN && seconds() <= ClusterSettings.SECONDS_MAX,
        "--seconds must be from %d to %d, not %d"
            .formatted(ClusterSettings.SECONDS_MIN, ClusterSettings.SECONDS_MAX, seconds()));
    for (OptionSpec option : given.matchedOptions()) {
      require(
          Arrays.stream(option.names()).anyMatch(USED::contains),
          "--cluster does not take %s; it takes --seconds, --threads, --dir, --keep and --no-kill"
              .formatted(option.longestName()));
    }
  }
}
