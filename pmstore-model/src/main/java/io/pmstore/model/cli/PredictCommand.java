package io.pmstore.model.cli;

import io.pmstore.model.page.PredictionPage;
import io.pmstore.model.predict.Prediction;
import io.pmstore.model.predict.Predictor;
import io.pmstore.model.predict.Workload;
import io.pmstore.model.predict.WorkloadFile;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileException;
import io.pmstore.model.profile.ProfileFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./model predict}. */
@Command(
    name = "predict",
    description = "Predicts throughput and latency of a workload on one or more profiles.",
    mixinStandardHelpOptions = true)
final class PredictCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--workload",
      required = true,
      description = "a file of ./model observe, or oms, ycsb-a, ycsb-b, ycsb-c, ycsb-d, ycsb-f")
  private String workload = "";

  @Option(
      names = "--profile",
      required = true,
      description = "a file of ./model probe, or one that comes with the program (./model show)")
  private String profile = "";

  @Option(names = "--against", description = "more profiles, to compare with")
  private List<String> against = List.of();

  @Option(names = "--threads", split = ",", description = "(default: ${DEFAULT-VALUE})")
  private List<Integer> threads = List.of(1, 2, 4, 16);

  @Option(names = "--out", description = "a directory for the page (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("prediction");

  @Override
  public Integer call() throws IOException {
    PrintWriter output = spec.commandLine().getOut();
    Workload read = WorkloadFile.read(workload);
    List<String> names = new ArrayList<>(List.of(profile));
    names.addAll(against);
    Map<String, List<Prediction>> predictions = new LinkedHashMap<>();
    output.printf(
        "%-22s %7s %12s %25s %10s  %s%n",
        "profile", "threads", read.unit() + "/s", "from .. to", "us", "bound by");
    for (String name : names) {
      Profile on = ProfileFile.read(name);
      List<Prediction> all = new ArrayList<>();
      for (int count : threads) {
        if (count < 1) {
          throw new ProfileException("%d threads: at least one is needed".formatted(count));
        }
        Prediction one = new Predictor(read, on).predict(count);
        all.add(one);
        output.printf(
            "%-22s %7d %,12.0f %25s %10.2f  %s%n",
            one.profile(),
            count,
            one.perSecond(),
            "%,.0f .. %,.0f".formatted(one.low(), one.high()),
            one.latencyNanos() / 1e3,
            one.limit().name().toLowerCase(Locale.ROOT));
      }
      predictions.put(on.name(), all);
    }
    PredictionPage.write(read, predictions, out);
    output.println("written: " + out.resolve("prediction.html"));
    output.flush();
    return 0;
  }
}
