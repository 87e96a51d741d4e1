package io.pmstore.cli.command;

import io.pmstore.PmStore;
import io.pmstore.RepairReport;
import io.pmstore.cli.text.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private static Map<String, Object> document(RepairReport report) {
    List<Object> replaced = new ArrayList<>();
    for (RepairReport.Replaced file : report.replaced()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("file", file.file());
      row.put("found", file.found());
      file.copy().map(Path::toString).ifPresent(copy -> row.put("copy", copy));
      replaced.add(row);
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("replaced", replaced);
    document.put("checksumsKept", report.checksumsKept());
    document.put("checksumsMade", report.checksumsMade());
    return document;
  }
}
