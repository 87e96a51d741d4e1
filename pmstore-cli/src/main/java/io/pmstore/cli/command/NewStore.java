package io.pmstore.cli.command;

import io.pmstore.core.medium.Directories;
import io.pmstore.core.medium.FileMedium;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A store that gets its place when it is whole. It is made in a directory of its own, on the same
 * disk. If the directory where it belongs does not exist, that directory is renamed. Otherwise it
 * is made in a subdirectory, and its files are moved up: the existing directory stays the one it
 * is, with its rights, and may be a link or a mount point. A signal that ends the process deletes
 * what has no place yet. Not thread-safe.
 */
final class NewStore implements AutoCloseable {
  /** The file or directory of each engine that exists only if the whole store does. */
  private static final Set<String> LAST = Set.of("heap", "tiered", "pool");

  private static final String UNFINISHED = "import-"; // then a random number

  private static final int TRIES_MAX = 1_000;

  private final Path target;
  private final @Nullable Path existing; // the real path of the target
  private final Path made;
  private final AtTheEnd atTheEnd;

  private NewStore(Path target, @Nullable Path existing, Path made) {
    this.target = target;
    this.existing = existing;
    this.made = made;
    this.atTheEnd = new AtTheEnd(this::deleteAtTheEnd);
  }

  /**
   * Prepares the directory in which the store is made.
   *
   * @param directory absent or empty
   * @throws Failure if it is neither
   */
  static NewStore in(Path directory) throws IOException {
    Path target = directory.toAbsolutePath().normalize();
    if (Files.exists(target)) {
      Path existing = target.toRealPath();
      requireEmpty(existing, null);
      Directories.create(existing); // its name may not be durable
      return new NewStore(target, existing, Files.createTempDirectory(existing, UNFINISHED));
    }
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new Failure(
          "%s is a link to %s, which does not exist; create that directory, or delete the link"
              .formatted(target, Files.readSymbolicLink(target)));
    }
    Path parent = Objects.requireNonNull(target.getParent()); // the root directory exists
    Directories.create(parent);
    return new NewStore(
        target, null, Files.createTempDirectory(parent, target.getFileName() + ".import-"));
  }

  private static void requireEmpty(Path directory, @Nullable Path ours) throws IOException {
    SortedSet<String> names = new FileMedium(directory).list();
    if (ours != null) {
      names.remove(ours.getFileName().toString());
    }
    if (!names.isEmpty()) {
      boolean interrupted = names.stream().allMatch(name -> name.startsWith(UNFINISHED));
      throw new Failure(
          "%s is not empty, it has %s; %s"
              .formatted(
                  directory,
                  names.first(),
                  interrupted
                      ? "an import that was interrupted left that, so delete it"
                      : "choose an absent or empty directory"));
    }
  }

  /** Returns the directory in which the store is to be made. */
  Path made() {
    return made;
  }

  /**
   * Gives the store its place, durably. The store is durable and closed. A signal waits until the
   * whole store has its place.
   */
  synchronized void finish() throws IOException {
    if (existing == null) {
      Directories.sync(made);
      rename();
    } else {
      moveFiles(existing);
    }
  }

  private void rename() throws IOException {
    Files.move(made, target);
    try {
      Directories.sync(Objects.requireNonNull(target.getParent()));
    } catch (Throwable e) {
      Files.move(target, made);
      throw e;
    }
  }

  private void moveFiles(Path to) throws IOException {
    requireEmpty(to, made);
    List<Path> moved = new ArrayList<>();
    try {
      for (boolean isLast : new boolean[] {false, true}) {
        for (String name : new FileMedium(made).list()) {
          if (LAST.contains(name) == isLast) {
            moved.add(Files.move(made.resolve(name), to.resolve(name)));
          }
        }
        Directories.sync(to);
      }
    } catch (Throwable e) {
      for (Path path : moved.reversed()) {
        delete(path);
      }
      throw e;
    }
  }

  /** Deletes the directory in which the store was made, and the store if it has no place. */
  @Override
  public void close() throws IOException {
    try {
      delete(made);
    } finally {
      atTheEnd.close();
    }
  }

  private synchronized void deleteAtTheEnd() {
    try {
      delete(made);
    } catch (IOException e) {
      System.err.println("pm: cannot delete " + made + ", which is not a whole store: " + e);
    }
  }

  /** Deletes a file, or a directory in which other threads may still make the store. */
  private static void delete(Path root) throws IOException {
    for (int tries = 1; Files.exists(root, LinkOption.NOFOLLOW_LINKS); tries++) {
      try {
        Directories.delete(root);
      } catch (NoSuchFileException | DirectoryNotEmptyException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
        Thread.onSpinWait(); // those threads have renamed or created a file meanwhile
      }
    }
  }
}
