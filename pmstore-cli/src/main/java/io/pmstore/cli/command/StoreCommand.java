package io.pmstore.cli.command;

import io.pmstore.cli.graph.Census;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.PathSyntaxException;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.text.Screen;
import io.pmstore.core.store.HeapAccess;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A command on a store. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class StoreCommand implements Callable<Integer> {
  @ParentCommand PmCommand pm;
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the store.")
  Path directory;

  final Screen screen() {
    return pm.screen();
  }

  final boolean isJson() {
    return pm.isJson();
  }

  final void line(String text) {
    screen().out().println(text);
  }

  final void json(Object value) {
    Json.print(screen().out(), value);
  }

  final Progress progress(String what, long total, LongFunction<String> amount) {
    return new Progress(screen(), what, total, amount);
  }

  /** Counts the objects of the store. */
  final Census census(OpenedStore store) {
    long size = store.heap().memory().writableBytes();
    try (Progress progress = progress("counting", size, Amounts::bytes)) {
      return Census.of(store, progress);
    }
  }

  /**
   * Throws if the directory is there, but this user may not read it: what looks for a store finds
   * none then.
   *
   * @throws AccessDeniedException which names the directory
   */
  final void requireAccess() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Object _ = Files.readAttributes(file, BasicFileAttributes.class);
        return;
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return; // there is no store
    }
  }

  /** Throws if there is no store: a command that opens one for writing would create it. */
  final void requireStore() throws IOException {
    requireAccess();
    Object _ = HeapAccess.facts(directory);
  }

  /**
   * Returns the exception of a wrong command line.
   *
   * @param message what was found, and what was expected
   */
  final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Requires that a number is not too small. */
  final void requireAtLeast(long least, String option, long found) {
    if (found < least) {
      throw wrong("%s is %d; it has to be at least %d".formatted(option, found, least));
    }
  }

  /** Requires that a text is a path. */
  final void requirePath(String path) {
    try {
      StorePath.check(path);
    } catch (PathSyntaxException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Checks what the command line says, before the store is touched.
   *
   * @throws ParameterException if it is wrong
   */
  void checkLine() {}

  /** Runs the command on the store, opened for reading. */
  int run(OpenedStore store) throws Exception {
    throw new UnsupportedOperationException("the command opens the store itself");
  }

  @Override
  public Integer call() throws Exception {
    checkLine();
    requireAccess();
    try (PmCommand.Lease lease = pm.open(directory)) {
      return run(lease.store());
    }
  }
}
