package io.pmstore.core.engine;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commits that show afterwards whether any is half there. Each thread counts its own commits, from
 * 1; one commit writes the count to all words of two areas of the thread, every {@value
 * #LARGE_EVERY}th to a large third one too, sets the thread's bit if it is odd and clears it if it
 * is even, and adds 1 to what the threads of its group count together. Groups commit beside each
 * other, the threads of one group one by one, because their write sets overlap. Now and then one
 * thread has the space grow, uses the new extent, and gives it back.
 *
 * <pre>
 *   START + 16 g    the commits of group g, by deltas
 *   START + 16 g + 8  bit t: the count of thread t is odd, by deltas
 *   START + 4096    areas of 320 bytes, one in 4096
 *   BOUNDARY - 256  areas of 512 bytes, one in 4096; the first lies in two extents
 *   2 * BOUNDARY    areas of 64 KiB: more than engines can commit by their shortest way
 * </pre>
 */
final class KillWorkload {
  static final int THREADS = 6;
  private static final int GROUPS = 3;
  private static final int THREADS_OF_GROUP = THREADS / GROUPS;
  private static final int LARGE_EVERY = 16;
  private static final int RESIZED_EVERY = 40;
  private static final long SIZE = 3 * HeapMemory.EXTENT_SIZE;
  private static final long START = Engine.RESERVED;
  private static final int SMALL_WORDS = 40;
  private static final int MIDDLE_WORDS = 64;
  private static final int LARGE_WORDS = 8192;

  private final Engine engine;
  private final ReentrantLock[] groupLocks = new ReentrantLock[GROUPS];

  KillWorkload(Engine engine) {
    this.engine = engine;
    Arrays.setAll(groupLocks, i -> new ReentrantLock());
  }

  private static long group(int thread) {
    return START + 16L * (thread / THREADS_OF_GROUP);
  }

  private static long small(int thread) {
    return START + 4096L * (thread + 1);
  }

  private static long middle(int thread) {
    return HeapMemory.EXTENT_SIZE - 256 + 4096L * thread;
  }

  private static long large(int thread) {
    return 2 * HeapMemory.EXTENT_SIZE + 8L * LARGE_WORDS * thread;
  }

  /** Makes the space large enough; also the first commit's part that a kill can hit. */
  void prepare() {
    engine.grow(SIZE);
  }

  /**
   * Commits until the process is killed. Each acknowledgement is a line: thread, count, position.
   *
   * @param thread number of the thread
   * @param acknowledgements where the lines go, each with one write
   */
  void run(int thread, OutputStream acknowledgements) {
    WriteSet writes = new WriteSet();
    long count = engine.memory().getLong(small(thread));
    try {
      while (true) {
        count++;
        writes.clear();
        put(writes, small(thread), count, SMALL_WORDS);
        writes.add(group(thread), 1);
        put(writes, middle(thread), count, MIDDLE_WORDS);
        if (count % LARGE_EVERY == 0) {
          put(writes, large(thread), count, LARGE_WORDS);
        }
        if (count % 2 == 1) {
          writes.setBits(group(thread) + 8, 1L << thread);
        } else {
          writes.clearBits(group(thread) + 8, 1L << thread);
        }
        long position;
        groupLocks[thread / THREADS_OF_GROUP].lock();
        try {
          position = engine.commit(writes);
        } finally {
          groupLocks[thread / THREADS_OF_GROUP].unlock();
        }
        engine.sync(position);
        if (thread == 0 && count % RESIZED_EVERY == 0) {
          resize();
        }
        String line = thread + " " + count + " " + position + "\n";
        acknowledgements.write(line.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing is committed meanwhile: that is what the engine asks for. */
  private void resize() {
    for (ReentrantLock lock : groupLocks) {
      lock.lock();
    }
    try {
      long end = engine.memory().size();
      if (end == SIZE) {
        engine.grow(SIZE + HeapMemory.EXTENT_SIZE);
        for (long at = end; at < SIZE + HeapMemory.EXTENT_SIZE; at += 8) {
          if (engine.memory().getLong(at) != 0) {
            throw new IllegalStateException("the end came back with its old contents at " + at);
          }
        }
      }
      WriteSet writes = new WriteSet();
      put(writes, SIZE, -1, LARGE_WORDS);
      engine.commit(writes);
      engine.shrink(SIZE);
    } finally {
      for (ReentrantLock lock : groupLocks) {
        lock.unlock();
      }
    }
  }

  private static void put(WriteSet writes, long address, long count, int words) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * words).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      bytes.putLong(count);
    }
    writes.put(address, bytes.array(), 0, 8 * words);
  }

  /**
   * What a kill left.
   *
   * @param found commits
   * @param lost how many acknowledged ones are not there
   * @param partial what is half there; empty if nothing is
   */
  record Finding(long found, long lost, String partial) {}

  /**
   * Looks at what is there.
   *
   * @param acknowledged the last acknowledged count of each thread
   * @return what was found
   */
  Finding check(long[] acknowledged) {
    if (engine.memory().size() < SIZE) {
      return new Finding(0, Arrays.stream(acknowledged).sum(), "");
    }
    StringBuilder partial = new StringBuilder();
    long[] found = new long[GROUPS];
    long lost = 0;
    for (int t = 0; t < THREADS; t++) {
      long count = engine.memory().getLong(small(t));
      found[t / THREADS_OF_GROUP] += count;
      lost += Math.max(0, acknowledged[t] - count);
      area(partial, "small area of thread " + t, small(t), SMALL_WORDS, count);
      area(partial, "middle area of thread " + t, middle(t), MIDDLE_WORDS, count);
      area(
          partial,
          "large area of thread " + t,
          large(t),
          LARGE_WORDS,
          count / LARGE_EVERY * LARGE_EVERY);
      long bit = engine.memory().getLong(group(t) + 8) >>> t & 1;
      same(partial, "bit of thread " + t, count & 1, bit);
    }
    for (int g = 0; g < GROUPS; g++) {
      same(
          partial,
          "sum of group " + g,
          found[g],
          engine.memory().getLong(group(g * THREADS_OF_GROUP)));
    }
    return new Finding(Arrays.stream(found).sum(), lost, partial.toString());
  }

  private void area(StringBuilder partial, String what, long address, int words, long expected) {
    for (int i = 0; i < words; i++) {
      long word = engine.memory().getLong(address + 8L * i);
      if (word != expected) {
        same(partial, "word " + i + " in the " + what, expected, word);
        return;
      }
    }
  }

  private static void same(StringBuilder partial, String what, long expected, long found) {
    if (expected != found) {
      partial.append("%s is %d, not %d; ".formatted(what, found, expected));
    }
  }
}
