package io.pmstore.cli.command;

import io.pmstore.PmStore;
import io.pmstore.VerificationReport;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "verify",
    description = {
      "Checks every byte and every object of a store; changes nothing.",
      "Exit code 0 if the store is sound, 1 if it has faults, 3 if it cannot be opened."
    })
final class VerifyCommand extends StoreCommand {
  @Override
  public Integer call() throws Exception {
    VerificationReport report;
    try (Progress progress = progress("verifying", 0, Amounts::bytes)) {
      report =
          PmStore.verify(
              directory,
              OpenedStore.options(directory),
              (objects, bytes, total) ->
                  progress.step(Amounts.of(objects, "object", "objects"), bytes, total));
    }
    if (isJson()) {
      json(document(report));
    } else {
      report.toString().lines().forEach(this::line);
    }
    return report.isSound() ? PmCommand.OK : PmCommand.NO;
  }

  private static Map<String, Object> document(VerificationReport report) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("sound", report.isSound());
    document.put("heapBytes", report.heapBytes());
    document.put("objects", report.objects());
    document.put("bytes", report.bytes());
    document.put("garbageObjects", report.garbageObjects());
    document.put("garbageBytes", report.garbageBytes());
    document.put("freeBytes", report.freeBytes());
    document.put("overheadBytes", report.overheadBytes());
    report.checksumsMade().ifPresent(time -> document.put("checksumsMade", time));
    List<Object> classes = new ArrayList<>();
    report
        .classes()
        .forEach(
            use -> {
              Map<String, Object> row = new LinkedHashMap<>();
              row.put("class", use.className());
              row.put("objects", use.objects());
              row.put("bytes", use.bytes());
              classes.add(row);
            });
    document.put("classes", classes);
    document.put("faultCount", report.faultCount());
    List<Object> faults = new ArrayList<>();
    report
        .faults()
        .forEach(
            fault -> {
              Map<String, Object> row = new LinkedHashMap<>();
              row.put("path", fault.path());
              row.put("found", fault.found());
              row.put("expected", fault.expected());
              faults.add(row);
            });
    document.put("faults", faults);
    return document;
  }
}
