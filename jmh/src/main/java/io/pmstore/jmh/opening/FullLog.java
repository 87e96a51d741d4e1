package io.pmstore.jmh.opening;

import static io.pmstore.core.memory.LittleEndian.LONG;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.LogSegmentHeader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The files that a kill leaves at the worst moment: the log is full, and of what it says nothing is
 * in the heap file.
 *
 * <p>The store is opened without its background thread, so that no checkpoint runs. Commits of
 * three words, at random items, fill all log segments but one; from there on each would wait for a
 * checkpoint. Then the files are copied beside the open store, which is what a killed process
 * leaves of them.
 */
final class FullLog {
  private static final int SEGMENTS = 4;
  private static final int WORDS = 3 * Long.BYTES;

  private FullLog() {}

  /**
   * Makes the files.
   *
   * @param scratch a directory for the store, which is closed when the method returns
   * @param target an empty directory for the files
   * @return the value that the last commit wrote to the words of the newest item
   */
  static long create(Path scratch, Path target, Storage storage, int items, int segmentSize)
      throws IOException {
    PmStoreOptions options = PmStoreOptions.defaults().storage(storage).logSegmentSize(segmentSize);
    Population population = Population.create(scratch, options, items);
    growLog(scratch, options, population);
    // A thread that has nothing to do instead of the engine's, which would run checkpoints.
    try (Engine engine = MappedEngine.open(scratch, options, work -> new Thread(() -> {}))) {
      long last = fill(engine, population, segmentSize);
      copy(scratch, target);
      return last;
    }
  }

  /** Commits until the log, which begins small, has its normal size. */
  private static void growLog(Path scratch, PmStoreOptions options, Population population)
      throws IOException {
    try (Engine engine = MappedEngine.open(scratch, options)) {
      WriteSet writes = new WriteSet();
      while (smallestSegment(scratch) < options.logSegmentSize()) {
        for (int i = 0; i < 1000; i++) {
          writes.put(population.words(0), new byte[WORDS], 0, WORDS);
          engine.commit(writes);
          writes.clear();
        }
      }
    }
  }

  private static long smallestSegment(Path scratch) throws IOException {
    long smallest = Long.MAX_VALUE;
    for (int i = 0; i < SEGMENTS; i++) {
      smallest = Math.min(smallest, Files.size(scratch.resolve("log-" + i)));
    }
    return smallest;
  }

  private static long fill(Engine engine, Population population, int segmentSize) {
    SplittableRandom random = new SplittableRandom(population.items());
    WriteSet writes = new WriteSet();
    byte[] words = new byte[WORDS];
    long size = LogRecordLayout.HEADER_SIZE + RangeLayout.HEADER_SIZE + WORDS;
    long records = (SEGMENTS - 1) * ((segmentSize - LogSegmentHeader.SIZE) / size);
    for (long n = 1; n <= records; n++) {
      int item = n == records ? population.items() - 1 : random.nextInt(population.items());
      for (int at = 0; at < WORDS; at += Long.BYTES) {
        LONG.set(words, at, n);
      }
      writes.put(population.words(item), words, 0, WORDS);
      engine.commit(writes);
      writes.clear();
    }
    engine.sync(engine.position());
    return records;
  }

  /** Copies a store's files, all but its lock, and makes the copies durable. */
  static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(file.getFileName());
      Files.copy(file, copy);
      try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
  }

  /** The files of a store, all but its lock: who closes that lets go of it. */
  static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> !file.endsWith("lock")).sorted().toList();
    }
  }
}
