package io.pmstore.model.cli;

import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.model.lookup.LookupExperiment;
import io.pmstore.model.lookup.LookupModels;
import io.pmstore.model.memory.MachineFacts;
import io.pmstore.model.page.LookupPage;
import io.pmstore.model.page.RowsFile;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileException;
import io.pmstore.model.profile.ProfileFile;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./model lookups}. */
@Command(
    name = "lookups",
    description =
        "Measures look-ups in maps of growing size, and predicts them from counters and from the"
            + " code.",
    mixinStandardHelpOptions = true)
final class LookupsCommand implements Callable<Integer> {
  private static final long SMALL = 1_000;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "a directory on the memory of the profile")
  private Path directory = Path.of("");

  @Option(
      names = "--profile",
      required = true,
      description = "of the memory below DIR, from ./model probe")
  private String profileName = "";

  @Option(names = "--out", description = "a directory for the page (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("lookups");

  @Option(
      names = "--sizes",
      split = ",",
      description = "of the maps, ascending (default: ${DEFAULT-VALUE})")
  private List<Long> sizes =
      List.of(
          50_000L,
          100_000L,
          250_000L,
          500_000L,
          1_000_000L,
          2_000_000L,
          3_000_000L,
          4_000_000L,
          5_000_000L,
          6_000_000L,
          7_000_000L);

  @Option(
      names = "--append",
      description =
          "Adds to the sizes that an earlier run with the same profile has left in --out.")
  private boolean append;

  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  LookupsCommand() {}

  @Override
  public Integer call() throws Exception {
    Profile profile = ProfileFile.read(profileName);
    if (profile.levels().isEmpty()) {
      throw new ProfileException(
          "the profile '%s' has no levels: look-ups need the sizes of the caches"
              .formatted(profile.name()));
    }
    PrintWriter output = spec.commandLine().getOut();
    Path store = Files.createTempDirectory(directory, "pmstore-lookups-");
    List<LookupExperiment.Row> rows;
    String before = MachineFacts.of(store).getOrDefault("load average at the start", "unknown");
    try {
      String storage = profile.kind() == Profile.Kind.MEMORY ? "PERSISTENT_MEMORY" : "FILE";
      List<Long> all = new ArrayList<>(append ? List.of() : List.of(SMALL));
      all.addAll(sizes);
      rows =
          append
              ? new ArrayList<>(
                  RowsFile.read(out.resolve("lookups.json"), LookupExperiment.Row.class))
              : new ArrayList<>();
      rows.addAll(
          new LookupExperiment(
                  profile,
                  store,
                  storage,
                  line -> {
                    output.println(line);
                    output.flush();
                  })
              .run(all));
    } finally {
      TemporaryDirectory.delete(store);
    }
    LookupExperiment.Row small = rows.getFirst();
    List<LookupExperiment.Row> others = rows.subList(1, rows.size());
    String after = MachineFacts.of(directory).getOrDefault("load average at the start", "unknown");
    Files.createDirectories(out);
    RowsFile.write(rows, out.resolve("lookups.json"));
    LookupPage.write(
        profile,
        small,
        others,
        "Load averages of the machine before and after: %s; %s.".formatted(before, after),
        out);
    List<LookupModels.Prediction> predictions = new LookupModels(profile, small, others).predict();
    output.printf(
        "mean error from counters %.1f %%, from the code %.1f %%; written: %s%n",
        100 * LookupPage.mean(predictions, LookupModels.Prediction::counterError),
        100 * LookupPage.mean(predictions, LookupModels.Prediction::codeError),
        out.resolve("lookups.html"));
    output.flush();
    return 0;
  }
}
