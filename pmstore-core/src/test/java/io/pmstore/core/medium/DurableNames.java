package io.pmstore.core.medium;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The names that a power cut cannot take from directories: those that a directory had when it was
 * last synced. The process can be killed before a sync.
 */
public final class DurableNames implements AutoCloseable {
  private final Directories.Sync real = Directories.SYNC.get();
  private final Map<Path, Set<String>> durable = new HashMap<>();
  private int syncsBeforeKill = Integer.MAX_VALUE;

  /**
   * Watches directories, which need not exist yet. No name in them is durable.
   *
   * @param directories whose syncs count
   */
  public DurableNames(Path... directories) {
    for (Path directory : directories) {
      durable.put(real(directory), Set.of());
    }
    Directories.SYNC.set(this::sync);
  }

  /**
   * Kills the process before a sync: this one and all later ones throw.
   *
   * @param syncs how many have an effect before
   */
  public void killAfter(int syncs) {
    syncsBeforeKill = syncs;
  }

  /** Starts the next process, which nobody kills. */
  public void restart() {
    syncsBeforeKill = Integer.MAX_VALUE;
  }

  /**
   * Returns true if a power cut cannot take a name from its directory. This instance watches that
   * directory.
   *
   * @param path the name in its directory
   * @return true if the name is durable
   */
  public boolean has(Path path) {
    return requireNonNull(durable.get(real(requireNonNull(path.getParent()))))
        .contains(path.getFileName().toString());
  }

  @Override
  public void close() {
    Directories.SYNC.set(real);
  }

  /** Returns a path without links, also of a directory that does not exist yet. */
  private static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (NoSuchFileException e) {
      return real(requireNonNull(directory.toAbsolutePath().getParent()))
          .resolve(directory.getFileName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void sync(Path directory) throws IOException {
    Path watched = real(directory);
    if (!durable.containsKey(watched)) {
      real.of(directory);
      return;
    }
    if (syncsBeforeKill-- <= 0) {
      throw new IOException("the process was killed by the test");
    }
    real.of(directory);
    String[] names = requireNonNull(directory.toFile().list());
    durable.put(watched, Set.copyOf(Arrays.asList(names)));
  }
}
