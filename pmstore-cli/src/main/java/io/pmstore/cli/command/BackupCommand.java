package io.pmstore.cli.command;

import io.pmstore.PmStore;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.core.store.HeapAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "backup",
    description = "Writes a copy of a store, which is a store of its own, durable at the end.")
final class BackupCommand extends StoreCommand {
  @Parameters(index = "1", paramLabel = "TO", description = "An absent or empty directory.")
  private Path to;

  @Override
  public Integer call() throws Exception {
    requireAccess();
    long size = HeapAccess.facts(directory).map(facts -> facts.heapBytes()).orElse(0L);
    try (PmStore store = PmStore.open(directory, OpenedStore.options(directory));
        Progress progress = progress("copying", size, Amounts::bytes)) {
      boolean _ =
          Background.run(
              () -> {
                store.backup(to);
                return true;
              },
              seconds -> progress.step(written(to)));
    }
    if (isJson()) {
      json(Json.object("backup", to.toAbsolutePath().normalize(), "bytes", written(to)));
    } else {
      line("%s is a copy of %s, %s".formatted(to, directory, Amounts.bytes(written(to))));
    }
    return PmCommand.OK;
  }

  private static long written(Path directory) {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> size(file)).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0; // renamed meanwhile
    }
  }
}
