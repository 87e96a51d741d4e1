package io.pmstore.cli.command;

import io.pmstore.GcReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "compact",
    description = {
      "Gives free space at the end of the heap back to the file system.",
      "Objects do not move; pm export and pm import make a dense store."
    })
final class CompactCommand extends StoreCommand {
  @Option(names = "--gc", description = "Free all garbage first.")
  private boolean gc;

  private record Result(long bytes, @Nullable GcReport report) {}

  @Override
  public Integer call() throws Exception {
    requireStore();
    Result result;
    try (PmStore store = PmStore.open(directory, PmStoreOptions.defaults().gcInBackground(false));
        Progress progress = progress("compacting", 0, n -> n + " s")) {
      result =
          Background.run(
              () -> {
                GcReport report = gc ? store.gc() : null;
                return new Result(store.compact(), report);
              },
              seconds -> progress.step(seconds));
    }
    GcReport report = result.report();
    if (isJson()) {
      Map<String, @Nullable Object> document = Json.object("bytes", result.bytes());
      if (report != null) {
        document.put("liveObjects", report.liveObjects());
        document.put("freedObjects", report.freedObjects());
        document.put("freedBytes", report.freedBytes());
      }
      json(document);
      return PmCommand.OK;
    }
    if (report != null) {
      line(
          "freed %s, %s; %s are alive"
              .formatted(
                  Amounts.objects(report.freedObjects()),
                  Amounts.bytes(report.freedBytes()),
                  Amounts.objects(report.liveObjects())));
    }
    line("gave back " + Amounts.bytes(result.bytes()));
    return PmCommand.OK;
  }
}
