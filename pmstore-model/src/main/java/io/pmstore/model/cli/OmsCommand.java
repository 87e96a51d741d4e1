package io.pmstore.model.cli;

import io.pmstore.model.memory.MachineFacts;
import io.pmstore.model.oms.OmsModel;
import io.pmstore.model.oms.OmsRates;
import io.pmstore.model.oms.OmsRates.Rate;
import io.pmstore.model.oms.OmsRates.Setting;
import io.pmstore.model.page.OmsPage;
import io.pmstore.model.page.RowsFile;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./model oms}. */
@Command(
    name = "oms",
    description =
        "Measures the order management system over threads and media, and predicts the durable runs"
            + " from the relaxed ones and the profiles.",
    mixinStandardHelpOptions = true)
final class OmsCommand implements Callable<Integer> {
  private static final List<Integer> THREADS = List.of(1, 2, 4, 16);

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "PMEM-DIR", description = "on persistent memory")
  private Path pmem;

  @Parameters(index = "1", paramLabel = "FILE-DIR", description = "on a disk")
  private Path file;

  @Option(names = "--out", description = "a directory for the page (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("oms");

  @Option(names = "--millis", description = "of a run (default: ${DEFAULT-VALUE})")
  private int millis = 3_000;

  @Option(names = "--rounds", description = "of all settings (default: ${DEFAULT-VALUE})")
  private int rounds = 5;

  @Override
  public Integer call() throws Exception {
    PrintWriter output = spec.commandLine().getOut();
    List<Setting> settings = new ArrayList<>();
    for (int threads : THREADS) {
      settings.add(new Setting(true, true, threads));
      settings.add(new Setting(true, false, threads));
      settings.add(new Setting(false, false, threads));
    }
    String before = MachineFacts.of(file).getOrDefault("load average at the start", "unknown");
    OmsRates measuring =
        new OmsRates(
            pmem,
            file,
            Duration.ofMillis(millis),
            rounds,
            line -> spec.commandLine().getErr().println(line));
    List<Rate> rates = measuring.run(settings);
    String after = MachineFacts.of(file).getOrDefault("load average at the start", "unknown");
    OmsModel model = new OmsModel(rates, Runtime.getRuntime().availableProcessors());
    Files.createDirectories(out);
    RowsFile.write(rates, out.resolve("oms.json"));
    OmsPage.write(
        model,
        rates,
        "Load averages of the machine before and after: %s; %s.".formatted(before, after),
        out);
    for (OmsModel.Prediction one : model.compare()) {
      output.printf(
          "%-36s measured %,9.0f predicted %,9.0f error %5.1f %%%n",
          one.setting().label(), one.measured(), one.predicted(), 100 * one.error());
    }
    output.printf(
        "mean error %.1f %%, on the file %.1f %%; written: %s%n",
        100 * OmsPage.meanError(model.compare()),
        100
            * OmsPage.meanError(
                model.compare().stream().filter(p -> !p.setting().isPmem()).toList()),
        out.resolve("oms.html"));
    output.flush();
    return 0;
  }
}
