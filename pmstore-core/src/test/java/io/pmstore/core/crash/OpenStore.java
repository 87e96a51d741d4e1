package io.pmstore.core.crash;

import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.crash.Disk;
import io.pmstore.crash.SparseBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;

/** An engine on a {@link Disk}: a separate process, as far as the disk is concerned. */
final class OpenStore implements AutoCloseable {
  private static final String HEAP = "heap";
  private static final MemorySegment ZEROS = Arena.global().allocate(SparseBytes.PAGE);
  private static final int HEADER_SIZE = (int) Engine.RESERVED;

  private final RecordingMedium medium;
  private final Engine engine;

  private OpenStore(RecordingMedium medium, Engine engine) {
    this.medium = medium;
    this.engine = engine;
  }

  /**
   * Opens an engine.
   *
   * @param directory a real one, used by nobody else meanwhile
   * @param listener told of each call of the medium
   */
  static OpenStore open(
      EngineOpener opener, RecordingMedium medium, Path directory, ThreadFactory threads)
      throws IOException {
    Disk disk = medium.disk();
    standIn(disk, directory);
    if (!disk.list().contains(StoreLock.FILE)) {
      disk.create(StoreLock.FILE); // the opener makes the real one
    }
    return new OpenStore(medium, opener.open(medium, directory, threads));
  }

  /**
   * Makes a real directory look like the disk to who only looks at names, or at the heap's header
   * before anything is locked.
   */
  private static void standIn(Disk disk, Path directory) throws IOException {
    Files.createDirectories(directory);
    Set<String> wanted = disk.list();
    Set<String> there = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(file -> there.add(file.getFileName().toString()));
    }
    for (String name : there) {
      if (!wanted.contains(name)) {
        Files.delete(directory.resolve(name));
      }
    }
    for (String name : wanted) {
      if (!there.contains(name)) {
        Files.createFile(directory.resolve(name));
      }
    }
    if (wanted.contains(HEAP)) {
      byte[] header = new byte[HEADER_SIZE];
      disk.find(HEAP).read(0, header, 0, HEADER_SIZE);
      Files.write(directory.resolve(HEAP), header);
    }
  }

  Engine engine() {
    return engine;
  }

  RecordingMedium medium() {
    return medium;
  }

  /** The pages of the heap that may hold something else than zeros. */
  Set<Long> usedPages() {
    return medium.disk().list().contains(HEAP)
        ? medium.usedPages(HEAP)
        : nonZeroPages(engine.memory());
  }

  /** Of an engine that has its heap in no file. */
  private static Set<Long> nonZeroPages(HeapMemory memory) {
    Set<Long> pages = new TreeSet<>();
    for (long page = 0; page < memory.size(); page += SparseBytes.PAGE) {
      if (memory.slice(page, SparseBytes.PAGE).mismatch(ZEROS) >= 0) {
        pages.add(page);
      }
    }
    return pages;
  }

  /** Ends the process as it is: nothing more reaches the disk. */
  void kill() {
    medium.cut();
    try {
      engine.close();
    } catch (StoreFailedException e) {
      requireKilled(e); // it could not write its last checkpoint
    }
    checkFaults();
  }

  /** Makes sure that an engine refuses everything because its process was ended, and not else. */
  static void requireKilled(RuntimeException refused) {
    for (Throwable t = refused; t != null; t = t.getCause()) {
      if (String.valueOf(t.getMessage()).contains(RecordingMedium.CUT)) {
        return;
      }
    }
    throw new AssertionError("the store failed by itself", refused);
  }

  @Override
  public void close() {
    engine.close();
    checkFaults();
  }

  private void checkFaults() {
    if (!medium.faults().isEmpty()) {
      throw new AssertionError(List.copyOf(medium.faults()).toString());
    }
  }
}
