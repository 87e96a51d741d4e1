package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/**
 * Commits that can be recomputed from their numbers and so compared with the contents of a store:
 * the oracle of crash tests. Commit n has position n, changes words all over the heap, and counts.
 */
public final class Workload {
  /** The heap that the commits need. */
  public static final long HEAP_SIZE = 2 * HeapMemory.EXTENT_SIZE;

  private static final long COUNTER = Engine.RESERVED;
  private static final int SLOTS = 64;
  private static final int OFFSETS = 64;

  private final long seed;
  private final int wordsMax;
  private final long span;

  /**
   * Creates a workload.
   *
   * @param seed what the commits are made from
   * @param wordsMax the most words that a range has
   * @param span the bytes at the start of the heap that the commits change
   */
  public Workload(long seed, int wordsMax, long span) {
    this.seed = seed;
    this.wordsMax = wordsMax;
    this.span = span;
    if (wordsMax * 8L + OFFSETS * 8L > slotSize()) {
      throw new IllegalArgumentException("ranges would overlap");
    }
  }

  private long slotSize() {
    return (span - COUNTER - 8) / SLOTS & -8;
  }

  /** Makes commit n. */
  WriteSet writes(long n) {
    WriteSet writes = new WriteSet();
    Random random = new Random(seed + n);
    int ranges = 1 + random.nextInt(4);
    for (int i = 0; i < ranges; i++) {
      ByteBuffer words =
          ByteBuffer.allocate(8 * (1 + random.nextInt(wordsMax))).order(ByteOrder.LITTLE_ENDIAN);
      while (words.hasRemaining()) {
        words.putLong(random.nextLong());
      }
      // Ranges of one write set do not overlap; those of several do.
      long slot = (long) random.nextInt(SLOTS / 4) * 4 + i;
      long address = COUNTER + 8 + slot * slotSize() + random.nextInt(OFFSETS) * 8L;
      writes.put(address, words.array(), 0, words.capacity());
    }
    writes.add(COUNTER, n);
    if (n % 3 == 1) {
      writes.setRelaxed(); // the way to the log is another one
    }
    return writes;
  }

  /** Commits numbers up to a last one, each made durable. */
  public void run(Engine engine, long last) {
    while (engine.position() < last) {
      engine.sync(commitNext(engine));
    }
  }

  /** Makes the next commit, not yet durable. */
  public long commitNext(Engine engine) {
    long n = engine.position() + 1;
    assertEquals(n, engine.commit(writes(n)));
    return n;
  }

  /**
   * Checks that a store holds some first commits, all of each and nothing else.
   *
   * @param acknowledged the least that it must hold
   * @param begun the most that it can hold
   */
  public void check(Engine engine, long acknowledged, long begun, String what) {
    long held = engine.position();
    assertTrue(
        acknowledged <= held && held <= begun,
        () -> "%s: %d commits, not %d to %d".formatted(what, held, acknowledged, begun));
    byte[] expected = new byte[(int) span];
    for (long n = 1; n <= held; n++) {
      writes(n)
          .forEachRange(
              (address, bytes, offset, length) ->
                  System.arraycopy(bytes, offset, expected, (int) address, length));
    }
    ByteBuffer.wrap(expected)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong((int) COUNTER, held * (held + 1) / 2);
    HeapMemory memory = engine.memory();
    byte[] found = new byte[expected.length];
    memory.read(
        Engine.RESERVED,
        found,
        (int) Engine.RESERVED,
        (int) (Math.min(memory.size(), span) - Engine.RESERVED));
    int mismatch = Arrays.mismatch(expected, found);
    assertEquals(-1, mismatch, () -> what + ": first wrong byte, after " + held + " commits");
  }
}
