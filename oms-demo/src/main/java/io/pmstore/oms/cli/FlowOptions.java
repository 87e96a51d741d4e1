package io.pmstore.oms.cli;

import static io.pmstore.oms.cli.OmsCommand.require;

import io.pmstore.oms.flow.FlowSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which orders flow. */
final class FlowOptions {
  private static final int ORDERS = 1_000;
  private static final int KILL_ORDERS = 2_500;
  private static final int RATIO = 6;
  private static final long SEED = 42;

  @Option(
      names = "--orders",
      paramLabel = "N",
      description = "How many orders to generate. Default: " + ORDERS)
  private @Nullable Integer orders;

  @Option(
      names = "--ratio",
      paramLabel = "U",
      description = "How often each order is updated. Default: " + RATIO)
  private @Nullable Integer ratio;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "The flow is generated from this number. Default: " + SEED)
  private @Nullable Long seed;

  @Option(
      names = "--flow",
      paramLabel = "FILE",
      description =
          "Read the flow from this file: FIX 4.4, one message a line, fields separated by SOH or"
              + " |.")
  private @Nullable Path flow;

  @Option(
      names = "--write-flow",
      paramLabel = "FILE",
      description = "Also write the generated flow to this file, as --flow reads it.")
  private @Nullable Path writeFlow;

  void check() {
    require(orders == null || orders >= 1, "--orders must be at least 1, not " + orders);
    require(ratio == null || ratio >= 0, "--ratio must be at least 0, not " + ratio);
    if (flow != null) {
      require(
          orders == null && ratio == null && seed == null && writeFlow == null,
          "--flow reads the orders from a file; --orders, --ratio, --seed and --write-flow generate"
              + " them. Give the one or the others");
      require(
          Files.isReadable(flow) && !Files.isDirectory(flow),
          "--flow: cannot read the file " + flow);
    } else {
      settings(false);
    }
  }

  FlowSettings settings(boolean kill) {
    return new FlowSettings(
        orders != null ? orders : kill ? KILL_ORDERS : ORDERS,
        ratio != null ? ratio : RATIO,
        seed != null ? seed : SEED);
  }

  /** Describes the origin of the flow in a few words. */
  String describe() {
    return flow != null ? "from " + flow : "generated from seed " + settings(false).seed();
  }

  @Nullable Path flow() {
    return flow;
  }

  @Nullable Path writeFlow() {
    return writeFlow;
  }
}
