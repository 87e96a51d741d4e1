package io.pmstore.model.cli;

import io.pmstore.model.page.ProfilePage;
import io.pmstore.model.profile.ProfileFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./model show}. */
@Command(
    name = "show",
    description = "Draws the page of a profile: a file, or one that comes with the program.",
    mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "PROFILE", arity = "0..1", description = "none lists what there is")
  private String profile = "";

  @Option(names = "--out", description = "a directory for the page (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("profiles");

  @Override
  public Integer call() throws IOException {
    if (profile.isEmpty()) {
      ProfileFile.shipped().forEach(spec.commandLine().getOut()::println);
    } else {
      var read = ProfileFile.read(profile);
      ProfilePage.write(read, out, read.name());
      spec.commandLine().getOut().println("written: " + out.resolve(read.name() + ".html"));
    }
    spec.commandLine().getOut().flush();
    return 0;
  }
}
