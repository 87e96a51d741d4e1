package io.pmstore.core.medium;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a directory on any file system does alike. */
abstract sealed class DirectoryMedium implements Medium permits FileMedium, PmemMedium {
  private final Path directory;

  DirectoryMedium(Path directory) {
    this.directory = directory;
  }

  /** Gives an open descriptor the way in which this medium writes. */
  abstract MediumFile wrap(PosixFile file);

  @Override
  public final Path directory() {
    return directory;
  }

  @Override
  public final SortedSet<String> list() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      SortedSet<String> names = new TreeSet<>();
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
      return names;
    }
  }

  @Override
  public final MediumFile create(String name) throws IOException {
    return wrap(PosixFile.create(directory.resolve(name)));
  }

  @Override
  public final MediumFile open(String name) throws IOException {
    return wrap(PosixFile.open(directory.resolve(name)));
  }

  @Override
  public final void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public final void delete(String name) throws IOException {
    Files.delete(directory.resolve(name));
  }

  @Override
  public final void syncDirectory() throws IOException {
    syncDirectory(directory);
  }

  /** Makes the entries of any directory durable. */
  static void syncDirectory(Path directory) throws IOException {
    try (PosixFile file = PosixFile.openDirectory(directory)) {
      file.sync();
    } catch (MediumException e) {
      // Some file systems have no sync for directories: their entries are durable when the call
      // that changes them returns.
      if (e.errno() != NativeCalls.EINVAL) {
        throw e;
      }
    }
  }
}
