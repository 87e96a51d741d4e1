package io.pmstore.oms.cli;

import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.ContentVerifier;
import io.pmstore.oms.run.CsvFile;
import io.pmstore.oms.run.ExpectedOrders;
import io.pmstore.oms.run.ResultTable;
import io.pmstore.oms.run.RunObserver;
import io.pmstore.oms.run.RunResult;
import io.pmstore.oms.run.TargetRun;
import io.pmstore.oms.targets.TargetKind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the same flow on each target and prints the table. */
final class CompareMode {
  private final StoreOptions options;
  private final Workspace workspace;
  private final OrderFlow flow;
  private final ExpectedOrders expected;
  private final String origin;
  private final @Nullable Path csv;
  private final PrintStream log;

  CompareMode(
      StoreOptions options,
      Workspace workspace,
      OrderFlow flow,
      String origin,
      @Nullable Path csv,
      PrintStream log) {
    this.options = options;
    this.workspace = workspace;
    this.flow = flow;
    this.expected = new ExpectedOrders(flow);
    this.origin = origin;
    this.csv = csv;
    this.log = log;
  }

  /** Returns whether every target ran and contained what it should. */
  boolean run(List<TargetKind> targets) throws IOException, InterruptedException {
    CsvFile results = csv == null ? null : CsvFile.open(csv);
    System.out.printf(
        "%,d orders, %,d execution reports, %s; %s; in %s%n",
        flow.orders(), flow.events().size(), origin, options.describe(), workspace.base());
    if (!flow.problems().isEmpty()) {
      System.out.printf("%,d lines of the flow were skipped%n", flow.problems().size());
    }
    List<RunResult> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (TargetKind kind : targets) {
      Path directory = workspace.directory(kind);
      try {
        TargetRun.Outcome outcome = run(kind, directory);
        if (outcome.verification().matches()) {
          rows.add(outcome.result());
          if (results != null) {
            results.append(outcome.result());
          }
          workspace.remove(directory);
        } else {
          failures.add(describe(kind, outcome.verification()) + leave(directory));
        }
      } catch (RuntimeException | LinkageError e) {
        e.printStackTrace(log);
        failures.add(kind.label() + " failed: " + e.getMessage() + leave(directory));
      }
    }
    print(rows, failures);
    return failures.isEmpty();
  }

  private String leave(Path directory) {
    if (!Files.exists(directory)) {
      return "";
    }
    workspace.retain();
    return "%n  What it stored is left in %s".formatted(directory);
  }

  private TargetRun.Outcome run(TargetKind kind, Path directory)
      throws IOException, InterruptedException {
    TargetRun run = new TargetRun(kind, options.settings(directory, flow), flow, expected, log);
    if (options.warmUp().isPositive()) {
      log.println(kind.label() + ": warming up");
      run.warmUp(options.warmUp(), RunObserver.NONE);
    }
    log.println(kind.label() + ": running");
    return run.run(RunObserver.NONE);
  }

  private void print(List<RunResult> rows, List<String> failures) {
    log.flush();
    if (!rows.isEmpty()) {
      System.out.println();
      ResultTable.format(rows).forEach(System.out::println);
      System.out.println();
      System.out.printf(
          "Each store in the table was closed, reopened and compared: all %,d orders and %,d"
              + " reports are as the flow says.%n",
          flow.orders(), flow.events().size());
    }
    failures.forEach(failure -> System.out.println("FAILED: " + failure));
    System.out.flush();
  }

  private static String describe(TargetKind kind, ContentVerifier.Outcome verification) {
    return "%s differs from the flow in %,d places (%,d orders and %,d reports were found). The first:%n  %s"
        .formatted(
            kind.label(),
            verification.differences(),
            verification.orders(),
            verification.reports(),
            String.join("\n  ", verification.shown()));
  }
}
