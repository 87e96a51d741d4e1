package io.pmstore.cli.command;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.VerificationReport;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.transfer.Importer;
import io.pmstore.core.store.HeapAccess;
import io.pmstore.proxy.generic.GenericStore;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
  private Path file = Path.of("");

  @Option(
      names = "--storage",
      defaultValue = "auto",
      paramLabel = "STORAGE",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
  private Storage storage = Storage.AUTO;

  @Override
  public Integer call() throws IOException {
    Path target = directory().toAbsolutePath().normalize();
    if (!Files.isReadable(file)) {
      throw new Failure(file + " cannot be read; give a file that pm export has written");
    }
    if (Files.exists(target)) {
      try (var paths = Files.list(target)) {
        if (paths.findAny().isPresent()) {
          throw new Failure(target + " is not empty; choose an absent or empty directory");
        }
      }
    }
    Path parent = target.getParent();
    Files.createDirectories(parent);
    Path made = Files.createTempDirectory(parent, target.getFileName() + ".import-");
    boolean done = false;
    try {
      long objects = fill(made);
      VerificationReport report = io.pmstore.PmStore.verify(made);
      if (!report.isSound()) {
        throw new Failure(
            "the store that was made has faults, the first one is %s; please report this"
                .formatted(report.faults().getFirst()));
      }
      if (Files.exists(target)) {
        Files.delete(target);
      }
      Files.move(made, target);
      done = true;
      if (isJson()) {
        Json.print(screen().out(), Map.of("objects", objects));
      } else {
        line("imported " + Amounts.of(objects, "object", "objects") + " into " + directory());
      }
    } finally {
      if (!done) {
        delete(made);
      }
    }
    return PmCommand.OK;
  }

  private long fill(Path made) throws IOException {
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .storage(storage)
            .durability(Durability.relaxed(Duration.ofSeconds(1)));
    try (HeapAccess access = HeapAccess.create(made, options);
        Progress progress = progress("importing", 0, n -> Amounts.of(n, "object", "objects"))) {
      return new Importer(file, new GenericStore(access.heap(), true), progress).run();
    }
  }

  private static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(path);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path path, java.io.IOException e)
              throws IOException {
            Files.delete(path);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
