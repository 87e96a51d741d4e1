package io.pmstore.core.engine;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Support for tests of an engine: directories that are deleted, engines that are closed, and
 * reading and writing of words.
 */
public abstract class EngineFixture {
  /** The first address that belongs to the layer above. */
  protected static final long START = Engine.RESERVED;

  /** Where the first extent ends: ranges around it lie in two. */
  protected static final long BOUNDARY = HeapMemory.EXTENT_SIZE;

  private static final Path NONE = Path.of("");

  private final List<Engine> opened = new ArrayList<>();
  private Path root = NONE;

  /**
   * Opens the engine under test, with the smallest limits it can have; makes the store when there
   * is none.
   *
   * @param directory of the store; it exists
   * @return the engine
   */
  protected abstract Engine open(Path directory);

  /**
   * Where the directories of stores are made.
   *
   * @return a directory
   */
  protected Path parent() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Makes the second directory what the first would be after a kill of the process that has it
   * open. No commit runs.
   *
   * @param from the directory of an open store
   * @param to an empty directory
   */
  protected void copyAsAfterKill(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  /**
   * The files of a store that matter. Not the lock file: reading it in the process that holds the
   * lock would drop that.
   *
   * @param directory of the store
   * @return its files; empty for an engine that keeps none
   */
  protected List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(f -> Files.isRegularFile(f) && !f.endsWith(StoreLock.FILE))
          .filter(f -> !f.endsWith("pool.set")) // of the last opening
          .sorted()
          .toList();
    }
  }

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createTempDirectory(parent(), "pmstore-test-");
  }

  @AfterEach
  void removeRoot() throws IOException {
    try {
      opened.forEach(Engine::close);
    } finally {
      if (root != NONE) { // a root that could not be made is not to be removed
        try (Stream<Path> files = Files.walk(root)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    }
  }

  /**
   * Makes a directory that is removed after the test.
   *
   * @param name of the directory
   * @return its path
   */
  protected final Path directory(String name) {
    try {
      return Files.createDirectory(root.resolve(name));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * Opens an engine that is closed after the test.
   *
   * @param directory of the store
   * @return the engine
   */
  protected final Engine opened(Path directory) {
    Engine engine = open(directory);
    opened.add(engine);
    return engine;
  }

  /**
   * Opens a new store with two extents.
   *
   * @param directory of the store
   * @return the engine
   */
  protected final Engine openedWithTwoExtents(Path directory) {
    Engine engine = opened(directory);
    engine.grow(2 * HeapMemory.EXTENT_SIZE);
    return engine;
  }

  /**
   * Waits where nothing can be thrown.
   *
   * @param latch what is waited for
   */
  protected static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The seed of a random test: -Dpmstore.seed, or a new one; printed.
   *
   * @return the seed
   */
  protected final long seed() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println(getClass().getSimpleName() + ": -Dpmstore.seed=" + seed);
    return seed;
  }

  /**
   * Words as a write set takes them.
   *
   * @param words the words
   * @return their bytes
   */
  protected static byte[] bytes(long... words) {
    ByteBuffer buffer = ByteBuffer.allocate(words.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(words);
    return buffer.array();
  }

  /**
   * Reads bytes.
   *
   * @param engine where
   * @param address of the first
   * @param length how many
   * @return the bytes
   */
  protected static byte[] read(Engine engine, long address, int length) {
    byte[] bytes = new byte[length];
    engine.memory().read(address, bytes, 0, length);
    return bytes;
  }

  /**
   * Commits one range and waits until it is durable.
   *
   * @param engine the engine
   * @param address of the range
   * @param words its contents
   * @return the position
   */
  protected static long commit(Engine engine, long address, long... words) {
    WriteSet writes = new WriteSet();
    writes.put(address, bytes(words), 0, words.length * 8);
    long position = engine.commit(writes);
    engine.sync(position);
    return position;
  }
}
