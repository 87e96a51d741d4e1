package io.pmstore.cli.command;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.VerificationReport;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.transfer.Importer;
import io.pmstore.core.store.HeapAccess;
import io.pmstore.proxy.generic.GenericStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description = {
      "Makes a new store of what pm export has written.",
      "The store appears when it is whole; it is verified first."
    })
final class ImportCommand extends StoreCommand {
  @Parameters(index = "1", paramLabel = "FILE", description = "The export.")
  private Path file;

  @Option(
      names = "--storage",
      defaultValue = "auto",
      paramLabel = "STORAGE",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
  private Storage storage = Storage.AUTO;

  @Override
  public Integer call() throws IOException {
    if (!Files.isReadable(file)) {
      throw new Failure(file + " cannot be read; give a file that pm export has written");
    }
    long objects;
    try (NewStore store = NewStore.in(directory)) {
      objects = fill(store.made());
      VerificationReport report = io.pmstore.PmStore.verify(store.made());
      if (!report.isSound()) {
        throw new Failure(
            "the store that was made has faults, the first one is %s; please report this"
                .formatted(report.faults().getFirst()));
      }
      store.finish();
    }
    if (isJson()) {
      json(Map.of("objects", objects));
    } else {
      line("imported " + Amounts.objects(objects) + " into " + directory);
    }
    return PmCommand.OK;
  }

  private long fill(Path made) throws IOException {
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .storage(storage)
            .durability(Durability.relaxed(Duration.ofSeconds(1)));
    try (HeapAccess access = HeapAccess.create(made, options);
        Progress progress = progress("importing", 0, Amounts::objects)) {
      return new Importer(file, new GenericStore(access.heap(), true), progress).run();
    }
  }
}
