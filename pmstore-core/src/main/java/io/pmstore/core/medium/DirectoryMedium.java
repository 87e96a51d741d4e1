package io.pmstore.core.medium;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.SortedSet;
import java.util.TreeSet;

/** The common code of the directories of all media. */
abstract sealed class DirectoryMedium implements Medium permits FileMedium, PmemMedium {
  private static final String LOST_AND_FOUND = "lost+found";

  private final Path directory;
  private final AccessRights rights;

  DirectoryMedium(Path directory, AccessRights rights) {
    this.directory = directory;
    this.rights = rights;
  }

  /** Wraps an open file so that it is written in this medium's way. */
  abstract MediumFile wrap(PosixFile file);

  @Override
  public final Path directory() {
    return directory;
  }

  @Override
  public final SortedSet<String> list() throws IOException {
    SortedSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        names.add(entry.getFileName().toString());
      }
      names.remove(LOST_AND_FOUND);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public final MediumFile create(String name) throws IOException {
    return wrap(PosixFile.create(directory.resolve(name), rights));
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
    try (PosixFile file = PosixFile.openForReading(directory)) {
      file.sync();
    } catch (MediumException e) {
      // Some file systems do not sync directories: an entry is durable when the call that changes
      // it returns.
      if (e.errno() != NativeCalls.EINVAL) {
        throw e;
      }
    }
  }
}
