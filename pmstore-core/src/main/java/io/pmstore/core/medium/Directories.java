package io.pmstore.core.medium;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Makes, syncs and removes directories. The name of a directory is durable when its parent has been
 * synced. The name of each new directory is durable before the next one is made in it. So if a
 * process is killed, only the last name of an existing path may not be durable.
 */
public final class Directories {
  /** Makes one directory in an existing one. */
  @FunctionalInterface
  interface Maker {
    void make(Path directory) throws IOException;
  }

  /** Makes the entries of a directory durable. */
  @FunctionalInterface
  interface Sync {
    void of(Path directory) throws IOException;
  }

  /** Syncs a directory. A test may put a function around it that notes syncs or makes them fail. */
  static final AtomicReference<Sync> SYNC =
      new AtomicReference<>(directory -> new FileMedium(directory).syncDirectory());

  private Directories() {}

  /**
   * Creates a directory and its missing parents with the process's default rights. When this
   * returns, the directory's name is durable, also if the directory was there before. There is one
   * exception: this method cannot sync a parent that the process may not read, and leaves one alone
   * that was there before and that the process may not write. Then the name may not be durable.
   */
  public static void create(Path directory) throws IOException {
    create(directory, Files::createDirectory);
  }

  /** Creates a directory in the same way, with a maker for the last one. */
  static void create(Path directory, Maker last) throws IOException {
    Path path = directory.toAbsolutePath();
    Deque<Path> missing = new ArrayDeque<>();
    Path existing = path;
    while (!Files.exists(existing)) {
      missing.push(existing);
      existing = requireNonNull(existing.getParent()); // the root directory exists
    }
    syncName(existing);
    for (Path each : missing) {
      make(each, each.equals(path) ? last : Files::createDirectory);
      syncParent(requireNonNull(each.getParent()));
    }
  }

  private static void make(Path directory, Maker maker) throws IOException {
    try {
      maker.make(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  private static void syncName(Path existing) throws IOException {
    Path parent = existing.toRealPath().getParent();
    if (parent != null && Files.isWritable(parent)) {
      syncParent(parent);
    }
  }

  private static void syncParent(Path parent) throws IOException {
    try {
      sync(parent);
    } catch (MediumException e) {
      if (!e.isNotPermitted()) {
        throw e;
      }
    }
  }

  /** Makes the entries of a directory durable. */
  public static void sync(Path directory) throws IOException {
    SYNC.get().of(directory);
  }

  /**
   * Removes a file, or a directory with everything in it. One that is not there is fine; links are
   * removed and not followed.
   */
  public static void delete(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.toList().reversed()) { // what is in a directory before the directory
        Files.delete(each);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
