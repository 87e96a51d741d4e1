package io.pmstore.jmh.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Watches by how much the files of a directory grow, those included that are deleted meanwhile:
 * what an engine with sequential files has written to them. A thread of its own looks every few
 * milliseconds; a file that came and went between two looks is missed.
 */
public final class FileGrowth implements AutoCloseable {
  private static final int MILLIS = 20;
  private static final int QUIET_MILLIS = 500;

  private final Path directory;
  private final Map<Path, Long> largest = new HashMap<>();
  private final Thread thread;

  /** Begins to watch. */
  public FileGrowth(Path directory) {
    this.directory = directory;
    thread = Thread.ofPlatform().daemon().name("file-growth").start(this::watch);
  }

  private void watch() {
    while (!Thread.currentThread().isInterrupted()) {
      look();
      try {
        Thread.sleep(MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private synchronized void look() {
    List<Path> files;
    try (Stream<Path> listed = Files.list(directory)) {
      files = listed.toList();
      for (Path file : files) {
        largest.merge(file, size(file), Math::max);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0; // deleted meanwhile
    }
  }

  /**
   * Looks once more. Returns the bytes of all files since the beginning, those that are gone too.
   */
  public synchronized long bytes() {
    look();
    return largest.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Waits until no file has grown for half a second. */
  public void awaitQuiet() throws InterruptedException {
    long before = -1;
    for (long now = bytes(); now != before; now = bytes()) {
      before = now;
      Thread.sleep(QUIET_MILLIS);
    }
  }

  /** Ends watching. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
