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
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "a directory on the memory of the profile")
  private Path directory;

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
      names = "--rounds",
      description = "how often each size is measured, at least 1 (default: ${DEFAULT-VALUE})")
  private int rounds = 3;

  @Option(
      names = "--append",
      description =
          "Adds to the sizes that an earlier run with the same profile has left in --out.")
  private boolean append;

  @Override
  public Integer call() throws Exception {
    Profile profile = ProfileFile.read(profileName);
    if (profile.levels().isEmpty()) {
      throw new ProfileException(
          "the profile '%s' has no levels: look-ups need the sizes of the caches"
              .formatted(profile.name()));
    }
    if (rounds < 1) {
      throw new ParameterException(
          spec.commandLine(), "--rounds is %d: it is at least 1".formatted(rounds));
    }
    PrintWriter output = spec.commandLine().getOut();
    Path store = Files.createTempDirectory(directory, "pmstore-lookups-");
    List<LookupExperiment.Row> rows;
    String before = MachineFacts.of(store).getOrDefault("load average at the start", "unknown");
    try {
      String storage = profile.kind() == Profile.Kind.MEMORY ? "PERSISTENT_MEMORY" : "FILE";
      List<Long> all = new ArrayList<>(append ? List.of() : LookupModels.SMALL);
      all.addAll(sizes);
      rows = append ? earlier() : new ArrayList<>();
      rows.addAll(
          new LookupExperiment(
                  profile,
                  store,
                  storage,
                  line -> {
                    output.println(line);
                    output.flush();
                  })
              .run(all, rounds));
    } finally {
      TemporaryDirectory.delete(store);
    }
    int smallCount = LookupModels.SMALL.size();
    LookupModels models =
        new LookupModels(
            profile, rows.subList(0, smallCount), rows.subList(smallCount, rows.size()));
    String after = MachineFacts.of(directory).getOrDefault("load average at the start", "unknown");
    Files.createDirectories(out);
    RowsFile.write(rows, out.resolve("lookups.json"));
    LookupPage.write(
        profile,
        models,
        rows,
        "Load averages of the machine before and after: %s; %s.".formatted(before, after),
        out);
    List<LookupModels.Prediction> predictions = models.predict();
    output.printf(
        "mean error from counters %.1f %%, from the code %.1f %%; written: %s%n",
        100 * LookupPage.mean(predictions, LookupModels.Prediction::counterError),
        100 * LookupPage.mean(predictions, LookupModels.Prediction::codeError),
        out.resolve("lookups.html"));
    output.flush();
    return 0;
  }

  private List<LookupExperiment.Row> earlier() throws IOException {
    Path file = out.resolve("lookups.json");
    List<LookupExperiment.Row> rows =
        new ArrayList<>(RowsFile.read(file, LookupExperiment.Row.class));
    List<Long> small =
        rows.stream().limit(LookupModels.SMALL.size()).map(LookupExperiment.Row::size).toList();
    if (!small.equals(LookupModels.SMALL)) {
      throw new ProfileException(
          "%s begins with maps of %s keys instead of %s: another version of this program has written it. Run without --append"
              .formatted(file, small, LookupModels.SMALL));
    }
    return rows;
  }
}
