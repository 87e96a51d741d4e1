package io.pmstore.model.memory;

import io.pmstore.model.profile.Profile;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A memory as the probe uses it: it does what is asked, and returns how long that took. One thread
 * calls it.
 */
public interface ProbedMemory extends AutoCloseable {
  /** Reads along a ring. */
  interface Chase {
    /**
     * Continues along the ring with as many chains of dependent reads as were asked for.
     *
     * @param reads of each chain
     * @return the time in ns
     */
    double run(int reads);
  }

  /**
   * Bytes that threads read or write, each in a part of the memory of its own.
   *
   * @param isWrite true to write, and make each block durable
   * @param pattern where the next block is
   * @param blockBytes the size of a block
   * @param bytes of each thread
   */
  record Stream(boolean isWrite, Pattern pattern, int blockBytes, int threads, long bytes) {}

  /** The order of the blocks of a {@link Stream}. */
  enum Pattern {
    /** Each block follows the one before it. */
    SEQUENTIAL,
    /** Each block is eight blocks behind the one before it. */
    STRIDED,
    /** In no order. */
    RANDOM
  }

  /** A cache that the system tells of. */
  record KnownCache(String name, long bytes) {}

  Profile.Kind kind();

  /** Returns how many bytes can be probed. */
  long bytes();

  /** Returns how many threads run at the same time. */
  int processors();

  /** Returns the caches that the system tells of, smallest first; empty if it tells of none. */
  List<KnownCache> knownCaches();

  /** Returns facts about the machine, in the order to be shown. */
  Map<String, String> machine();

  /**
   * Prepares to read along a ring, and reads all of it once if it is small.
   *
   * @param chains how many chains of reads there are, which do not depend on each other
   */
  Chase chase(Ring ring, int chains);

  /**
   * Writes 64 bytes at random places, and makes each write durable before the next. Returns the
   * time of all in ns.
   */
  double writes(long region, int count) throws IOException;

  /** Returns the time in ns that the slowest thread took. */
  double stream(Stream stream) throws IOException, InterruptedException;

  /**
   * Appends records of 128 bytes to a log.
   *
   * @param threads that share barriers as commits do
   * @param each how many records each thread appends
   * @param durable true to wait until each record is durable
   * @return the time from the first to the last in ns
   */
  double appends(int threads, int each, boolean durable) throws IOException, InterruptedException;

  /** Returns the time in ns in which two threads wake each other so often, in turn. */
  double handOffs(int count) throws InterruptedException;

  /**
   * Reads 4 KiB from the device at random places, past the page cache. Returns the time of all in
   * ns; NaN where there is no device.
   */
  double deviceReads(int count) throws IOException;

  @Override
  void close() throws IOException;
}
