package io.pmstore.cli.command;

import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.transfer.Exporter;
import io.pmstore.core.engine.Engine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
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

  @Option(
      names = "--damaged",
      description =
          "Export a damaged store too, as far as it can be read: values may be wrong, and what"
              + " cannot be read is null or left out. Exit code 1 if there is damage.")
  private boolean damaged;

  private long lost;

  /** The pages that are not as they were written. */
  private static final class Pages implements Engine.FaultVisitor {
    long count;
    String first = "";

    @Override
    public void fault(long address, String found, String expected) {
      if (address >= Engine.RESERVED && count++ == 0) { // before it are copies of the header
        first =
            "that of the heap addresses from %d has %s, expected %s"
                .formatted(address, found, expected);
      }
    }
  }

  @Override
  int run(OpenedStore store) throws IOException {
    Collection<String> all = store.generic().roots().keySet();
    for (String root : roots) {
      if (!all.contains(root)) {
        throw new Failure("the store has no root \"%s\"; its roots are %s".formatted(root, all));
      }
    }
    Pages pages = new Pages();
    store.heap().verifyBytes(pages);
    if (pages.count > 0 && !damaged) {
      throw new Failure(
          "%s is damaged in %s: %s; restore the store from a backup, or export with --damaged what can be read, of which values may be wrong"
              .formatted(directory, Amounts.of(pages.count, "page", "pages"), pages.first));
    }
    Collection<String> wanted = roots.isEmpty() ? all : roots;
    Path file = output;
    if (file == null) {
      long _ = write(store, screen().out(), wanted);
    } else {
      long written = write(store, file, wanted);
      screen().err().println("exported " + Amounts.objects(written));
    }
    if (pages.count > 0 || lost > 0) {
      screen()
          .err()
          .println(
              "pm: the store is damaged: %s with a wrong checksum, whose values may be wrong; %s could not be read"
                  .formatted(
                      Amounts.of(pages.count, "page", "pages"),
                      Amounts.of(lost, "value", "values")));
      return PmCommand.NO;
    }
    return PmCommand.OK;
  }

  private long write(OpenedStore store, Path file, Collection<String> wanted) throws IOException {
    try (NewFile made = NewFile.create(file)) {
      long written = write(store, made.writer(), wanted);
      made.finish();
      return written;
    }
  }

  private long write(OpenedStore store, PrintWriter out, Collection<String> wanted) {
    try (Progress progress = progress("exporting", 0, Amounts::objects)) {
      Exporter exporter = new Exporter(store, out, form == Form.JSONL, progress);
      if (damaged) {
        exporter.leaveOutDamage();
      }
      long written = exporter.export(wanted);
      lost = exporter.lost();
      return written;
    }
  }
}
