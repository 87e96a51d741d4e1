package io.pmstore.oms.cli;

import static io.pmstore.oms.cli.OmsCommand.require;

import io.pmstore.PmStoreOptions;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.NativeLibraries;
import io.pmstore.oms.targets.TargetKind;
import io.pmstore.oms.targets.TargetSettings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which stores are used, and how. */
final class StoreOptions {
  private static final int THREADS = 1;
  private static final int CLUSTER_THREADS = 8;
  private static final int THREADS_MAX = 1_024;
  private static final int WARM_UP_SECONDS_MAX = 3_600;
  private static final long MIB = 1L << 20;

  @Option(
      names = "--targets",
      paramLabel = "NAME",
      split = ",",
      description =
          "Which of pmstore, pmstore-llpl, pmstore-tiered, llpl-raw, sqlite and postgres, in which"
              + " order. Default: all but pmstore-tiered, llpl-raw only with --medium pmem")
  private @Nullable List<String> targets;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description =
          "How many threads apply the flow; all reports of an order go to the same one. Default: "
              + THREADS
              + ", with --cluster "
              + CLUSTER_THREADS)
  private @Nullable Integer threads;

  @Option(
      names = "--durability",
      paramLabel = "sync|relaxed",
      defaultValue = "sync",
      description =
          "sync: a report is durable when its call returns. relaxed: pmstore makes it durable"
              + " within "
              + TargetSettings.RELAXED_BOUND_MILLIS
              + " ms, SQLite runs with synchronous=NORMAL, PostgreSQL with synchronous_commit=off."
              + " Default: ${DEFAULT-VALUE}")
  private String durability = "sync";

  @Option(
      names = "--medium",
      paramLabel = "file|pmem",
      defaultValue = "file",
      description =
          "file: an ordinary file system. pmem: take the directory for persistent memory; SQLite"
              + " and PostgreSQL just run there. Default: ${DEFAULT-VALUE}")
  private String medium = "file";

  @Option(
      names = {"--dir", "--directory"},
      paramLabel = "DIR",
      description =
          "Each target gets a subdirectory of its name in it, which must be absent or empty, and"
              + " the cluster one of the name cluster."
              + " Default: a new directory under oms-data in the current one, for pmem under"
              + " /dev/shm")
  private @Nullable Path dir;

  @Option(
      names = "--keep",
      description = "Leave the data behind; otherwise it is removed after the comparison.")
  private boolean keep;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description =
          "Before it is measured, each target applies the flow's beginning to a store that is"
              + " thrown away. Default: ${DEFAULT-VALUE}")
  private int warmUp;

  @Option(
      names = "--postgres-url",
      paramLabel = "URL",
      description =
          "Use this server (jdbc:postgresql://...), in a schema that is dropped afterwards."
              + " Default: start one")
  private @Nullable String postgresUrl;

  @Option(
      names = "--llpl-pool",
      paramLabel = "MIB",
      description =
          "The size of the pool of llpl-raw, and the most that that of pmstore-llpl grows to, in"
              + " MiB. Default: estimated from the flow")
  private @Nullable Long llplPool;

  void check() {
    require(
        threads() >= 1 && threads() <= THREADS_MAX,
        "--threads must be from 1 to " + THREADS_MAX + ", not " + threads());
    require(
        durability.equals("sync") || durability.equals("relaxed"),
        "--durability must be sync or relaxed, not '" + durability + "'");
    require(
        medium.equals("file") || medium.equals("pmem"),
        "--medium must be file or pmem, not '" + medium + "'");
    require(
        warmUp >= 0 && warmUp <= WARM_UP_SECONDS_MAX,
        "--warm-up must be from 0 to " + WARM_UP_SECONDS_MAX + " seconds, not " + warmUp);
    require(
        postgresUrl == null || postgresUrl.startsWith("jdbc:postgresql:"),
        "--postgres-url must begin with jdbc:postgresql:, not '" + postgresUrl + "'");
    long poolMin = PmStoreOptions.LLPL_POOL_SIZE_MIN / MIB;
    require(
        llplPool == null || (llplPool >= poolMin && llplPool <= Long.MAX_VALUE / MIB),
        "--llpl-pool must be at least " + poolMin + " MiB, not " + llplPool);
  }

  /** The targets asked for; by default those of the mode that can run here. */
  List<TargetKind> targets(boolean kill, PrintStream log) {
    if (targets == null) {
      List<TargetKind> all =
          new ArrayList<>(
              kill
                  ? List.of(TargetKind.PMSTORE, TargetKind.PMSTORE_LLPL)
                  : Arrays.asList(TargetKind.values()));
      all.remove(TargetKind.PMSTORE_TIERED);
      if (medium() == Medium.FILE) {
        all.remove(TargetKind.LLPL_RAW);
      }
      String missing = NativeLibraries.missingForLlpl();
      if (missing != null) {
        all.stream()
            .filter(TargetKind::usesLlpl)
            .forEach(kind -> log.println("NOT RUN: " + kind.label() + ", because " + missing));
        all.removeIf(TargetKind::usesLlpl);
      }
      return all;
    }
    List<TargetKind> chosen =
        targets.stream().map(name -> TargetKind.ofLabel(name.strip())).toList();
    require(
        Set.copyOf(chosen).size() == chosen.size(), "--targets names a target twice: " + targets);
    require(
        !kill || !chosen.contains(TargetKind.POSTGRES),
        "--kill does not kill postgres: its server is a process of its own, which the kill would"
            + " not reach");
    return chosen;
  }

  TargetSettings settings(Path directory, OrderFlow flow) {
    long pool =
        llplPool != null
            ? llplPool * MIB
            : TargetSettings.llplPoolBytes(flow.orders(), flow.events().size());
    return new TargetSettings(
        directory, medium(), durability.equals("relaxed"), threads(), pool, postgresUrl);
  }

  Medium medium() {
    return Medium.valueOf(medium.toUpperCase(Locale.ROOT));
  }

  int threads() {
    return threads != null ? threads : THREADS;
  }

  int clusterThreads() {
    return threads != null ? threads : CLUSTER_THREADS;
  }

  Duration warmUp() {
    return Duration.ofSeconds(warmUp);
  }

  @Nullable Path dir() {
    return dir;
  }

  boolean keep() {
    return keep;
  }

  String describe() {
    return "durability %s, medium %s, %d %s"
        .formatted(durability, medium, threads(), threads() == 1 ? "thread" : "threads");
  }
}
