package io.pmstore.cli.command;

import io.pmstore.PmStore;
import io.pmstore.VerificationReport;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
    requireAccess();
    VerificationReport report;
    try (Progress progress = progress("verifying", 0, Amounts::bytes)) {
      report =
          PmStore.verify(
              directory,
              OpenedStore.options(directory),
              (objects, bytes, total) -> progress.step(Amounts.objects(objects), bytes, total));
    }
    if (isJson()) {
      json(document(report));
    } else {
      report.toString().lines().forEach(this::line);
    }
    return report.isSound() ? PmCommand.OK : PmCommand.NO;
  }

  private static Map<String, @Nullable Object> document(VerificationReport report) {
    Map<String, @Nullable Object> document =
        Json.object(
            "sound", report.isSound(),
            "heapBytes", report.heapBytes(),
            "objects", report.objects(),
            "bytes", report.bytes(),
            "garbageObjects", report.garbageObjects(),
            "garbageBytes", report.garbageBytes(),
            "freeBytes", report.freeBytes(),
            "overheadBytes", report.overheadBytes());
    report.checksumsMade().ifPresent(time -> document.put("checksumsMade", time));
    document.put("classes", report.classes().stream().map(VerifyCommand::document).toList());
    document.put("faultCount", report.faultCount());
    document.put("faults", report.faults().stream().map(VerifyCommand::document).toList());
    return document;
  }

  private static Map<String, @Nullable Object> document(VerificationReport.ClassUse use) {
    return Json.object("class", use.className(), "objects", use.objects(), "bytes", use.bytes());
  }

  private static Map<String, @Nullable Object> document(VerificationReport.Fault fault) {
    return Json.object("path", fault.path(), "found", fault.found(), "expected", fault.expected());
  }
}
