package io.pmstore.cli.command;

import io.pmstore.PmStore;
import io.pmstore.RepairReport;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.text.Progress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
    name = "repair",
    description = {
      "Makes lost files of a closed store anew, where that loses no data: sums and log-0 to log-3.",
      "It refuses, and changes nothing, where that could lose some. It keeps what it replaces."
    })
final class RepairCommand extends StoreCommand {
  @Override
  public Integer call() throws Exception {
    requireAccess();
    RepairReport report;
    try (Progress progress = progress("repairing", 0, n -> n + " s")) {
      report = Background.run(() -> PmStore.repair(directory), seconds -> progress.step(seconds));
    }
    if (isJson()) {
      json(document(report));
    } else {
      report.toString().lines().forEach(this::line);
    }
    return PmCommand.OK;
  }

  private static Map<String, @Nullable Object> document(RepairReport report) {
    return Json.object(
        "replaced", report.replaced().stream().map(RepairCommand::document).toList(),
        "checksumsKept", report.checksumsKept(),
        "checksumsMade", report.checksumsMade());
  }

  private static Map<String, @Nullable Object> document(RepairReport.Replaced file) {
    Map<String, @Nullable Object> document =
        Json.object("file", file.file(), "found", file.found());
    file.copy().ifPresent(copy -> document.put("copy", copy));
    return document;
  }
}
