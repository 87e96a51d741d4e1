package io.pmstore.model.cli;

import io.pmstore.jmh.report.Numbers;
import io.pmstore.model.memory.FileMemory;
import io.pmstore.model.page.ProfilePage;
import io.pmstore.model.probe.Probe;
import io.pmstore.model.probe.Sampling;
import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileFile;
import io.pmstore.model.profile.Quantity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./model probe}. */
@Command(
    name = "probe",
    description = "Measures the memory or disk below a directory. Takes about a minute.",
    mixinStandardHelpOptions = true)
final class ProbeCommand implements Callable<Integer> {
  private static final int SAMPLES_MIN = 32;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "an existing directory with some room")
  private Path directory;

  @Option(names = "--out", description = "the profile to write (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("profile.json");

  @Option(names = "--name", description = "of the profile (default: the name of its file)")
  private @Nullable String name;

  @Option(names = "--size", description = "MiB to measure (default: ${DEFAULT-VALUE})")
  private int size = 512;

  @Option(
      names = "--interval",
      description =
          "how uncertain a figure may be, in percent on each side (default: ${DEFAULT-VALUE})")
  private double interval = 10;

  @Option(
      names = "--samples",
      description = "how often a figure is measured at most (default: ${DEFAULT-VALUE})")
  private int samples = 200;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter output = spec.commandLine().getOut();
    String file = String.valueOf(out.getFileName());
    String base = file.replaceAll("\\.json$", "");
    Sampling sampling = new Sampling(SAMPLES_MIN, Math.max(SAMPLES_MIN, samples), interval / 100);
    Profile profile;
    try (FileMemory memory = FileMemory.create(directory, (long) size << 20)) {
      profile =
          new Probe(memory, sampling, what -> spec.commandLine().getErr().println(what))
              .run(name == null ? base : name);
    }
    ProfileFile.write(profile, out);
    Path parent = out.toAbsolutePath().getParent();
    ProfilePage.write(profile, parent == null ? Path.of("") : parent, base);
    for (Quantity quantity : Quantity.values()) {
      Figure figure = profile.figure(quantity).orElse(null);
      if (figure != null) {
        output.printf("%-22s %10s %s%n", quantity.key(), Numbers.of(figure.value()), figure.unit());
      }
    }
    for (Level level : profile.levels()) {
      output.printf(
          "%-22s %10s ns up to %,.0f KiB%n",
          level.name(), Numbers.of(level.nanos()), level.bytes() / 1024);
    }
    output.printf("written: %s, %s.html, %s.md%n", out, base, base);
    output.flush();
    return 0;
  }
}
