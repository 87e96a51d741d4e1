package io.pmstore.cli.command;

import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.transfer.Exporter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "export",
    description = {
      "Writes everything that roots reach as JSON, with shared references and cycles.",
      "pm import makes an equal store of it."
    })
final class ExportCommand extends StoreCommand {
  /** The forms of an export. */
  enum Form {
    JSON,
    JSONL
  }

  @Option(
      names = "--root",
      paramLabel = "ROOT",
      description = "Only what this root reaches. Can be repeated.")
  private List<String> roots = new ArrayList<>();

  @Option(
      names = "--format",
      defaultValue = "json",
      paramLabel = "FORM",
      description =
          "json: one document, objects nested; jsonl: a line for each object."
              + " ${DEFAULT-VALUE} if not given.")
  private Form form = Form.JSON;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write; a new file. Standard output if not given.")
  private @Nullable Path output;

  @Override
  int run(OpenedStore store) throws IOException {
    Collection<String> all = store.generic().roots().keySet();
    for (String root : roots) {
      if (!all.contains(root)) {
        throw new Failure("the store has no root \"%s\"; its roots are %s".formatted(root, all));
      }
    }
    Collection<String> wanted = roots.isEmpty() ? all : roots;
    Path file = output;
    if (file == null) {
      long _ = write(store, screen().out(), wanted);
      return PmCommand.OK;
    }
    long written;
    try (PrintWriter out =
        new PrintWriter(
            Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW))) {
      written = write(store, out, wanted);
      if (out.checkError()) {
        throw new Failure(file + " could not be written completely; check the space on its disk");
      }
    } catch (java.nio.file.FileAlreadyExistsException e) {
      throw new Failure(file + " exists already; choose another file, or delete this one");
    }
    screen().err().println("exported " + Amounts.of(written, "object", "objects"));
    return PmCommand.OK;
  }

  private long write(OpenedStore store, PrintWriter out, Collection<String> wanted) {
    try (Progress progress = progress("exporting", 0, n -> Amounts.of(n, "object", "objects"))) {
      return new Exporter(store, out, form == Form.JSONL, progress).export(wanted);
    }
  }
}
