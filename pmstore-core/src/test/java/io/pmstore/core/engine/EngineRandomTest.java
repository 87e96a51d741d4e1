package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The part of an engine's contract that random workloads test: an array of bytes is the oracle. */
public abstract class EngineRandomTest extends EngineConcurrencyTest {
  private static final int SIZE = (int) (2 * HeapMemory.EXTENT_SIZE);

  /**
   * How many write sets the random workload commits; fewer where a commit waits for a disk.
   *
   * @return the number
   */
  protected int randomCommits() {
    return 2000;
  }

  @Test
  void aRandomWorkloadMatchesAnArrayOfBytes() throws IOException {
    Random random = new Random(seed());
    ByteBuffer oracle = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    WriteSet writes = new WriteSet();
    int copies = 0;
    for (int i = 0; i < randomCommits(); i++) {
      writes.clear();
      List<long[]> touched = fill(writes, oracle, random);
      long position = engine.commit(writes);
      if (random.nextInt(4) == 0) {
        engine.sync(position);
      }
      for (long[] range : touched) {
        assertArrayEquals(
            Arrays.copyOfRange(oracle.array(), (int) range[0], (int) (range[0] + range[1])),
            read(engine, range[0], (int) range[1]),
            "commit " + i);
      }
      if (random.nextInt(300) == 0) {
        engine.close();
        engine = opened(directory);
        assertSame(oracle, engine, "reopened after commit " + i);
      } else if (random.nextInt(500) == 0) {
        // The store goes on from what a kill left.
        Path copy = directory("copy" + copies++);
        copyAsAfterKill(directory, copy);
        engine.close();
        engine = opened(copy);
        directory = copy;
        assertSame(oracle, engine, "killed after commit " + i);
      }
    }
    assertSame(oracle, engine, "at the end");
    engine.close();
    assertSame(oracle, opened(directory), "reopened");
  }

  /** Few sizes, so that each is reached many times, with what was there before. */
  @Test
  void aSpaceThatGrowsAndShrinksMatchesAnArrayOfBytes() throws IOException {
    Random random = new Random(seed());
    Path directory = directory("store");
    Engine engine = opened(directory);
    engine.grow(HeapMemory.EXTENT_SIZE);
    byte[] oracle = new byte[(int) engine.memory().size()];
    int copies = 0;
    for (int i = 0; i < randomCommits() / 4; i++) {
      String when = "after step " + i;
      switch (random.nextInt(16)) {
        case 0 -> {
          engine.grow(oracle.length + HeapMemory.EXTENT_SIZE);
          oracle = Arrays.copyOf(oracle, (int) engine.memory().size());
          assertSameTail(oracle, engine, when);
        }
        case 1, 2 -> {
          int extents = oracle.length >>> HeapMemory.EXTENT_SHIFT;
          long size = (1 + random.nextInt(extents)) * HeapMemory.EXTENT_SIZE;
          engine.shrink(size);
          oracle = Arrays.copyOf(oracle, (int) size);
          assertEquals(size, engine.memory().size(), when);
        }
        case 3 -> {
          Path copy = directory;
          if (copies < 4 && random.nextBoolean()) { // they take room
            copy = directory("resized" + copies++);
            copyAsAfterKill(directory, copy);
          }
          engine.close();
          directory = copy;
          engine = opened(directory);
          oracle = Arrays.copyOf(oracle, (int) engine.memory().size()); // allocated ahead of need
          assertSameTail(oracle, engine, when);
        }
        default -> {
          WriteSet writes = new WriteSet();
          byte[] contents = new byte[8 * (1 + random.nextInt(2000))];
          random.nextBytes(contents);
          int at = random.nextInt(3) == 0 ? 0 : random.nextInt(oracle.length - (int) START) & -8;
          at = Math.max((int) START, oracle.length - contents.length - at);
          writes.put(at, contents, 0, contents.length);
          System.arraycopy(contents, 0, oracle, at, contents.length);
          engine.commit(writes);
        }
      }
      if (oracle.length > 3 * HeapMemory.EXTENT_SIZE) {
        engine.shrink(2 * HeapMemory.EXTENT_SIZE);
        oracle = Arrays.copyOf(oracle, (int) (2 * HeapMemory.EXTENT_SIZE));
      }
    }
    assertSame(ByteBuffer.wrap(oracle), oracle.length, engine, "at the end");
    engine.close();
    engine = opened(directory);
    assertSame(ByteBuffer.wrap(oracle), oracle.length, engine, "reopened");
  }

  /** Compares the last two extents. */
  private static void assertSameTail(byte[] oracle, Engine engine, String when) {
    int from = (int) Math.max(START, oracle.length - 2 * HeapMemory.EXTENT_SIZE);
    byte[] found = read(engine, from, oracle.length - from);
    int mismatch = Arrays.mismatch(found, 0, found.length, oracle, from, oracle.length);
    assertEquals(-1, mismatch, () -> when + ": differs at address " + (from + mismatch));
  }

  private static void assertSame(ByteBuffer oracle, Engine engine, String when) {
    assertSame(oracle, SIZE, engine, when);
  }

  private static void assertSame(ByteBuffer oracle, int size, Engine engine, String when) {
    assertTrue(engine.memory().size() >= size, when);
    byte[] found = read(engine, START, (int) (size - START));
    int mismatch = Arrays.mismatch(found, 0, found.length, oracle.array(), (int) START, size);
    assertEquals(-1, mismatch, () -> when + ": differs at address " + (START + mismatch));
  }

  /**
   * Puts random ranges and deltas that do not overlap into a write set and an oracle, in random
   * order.
   */
  private static List<long[]> fill(WriteSet writes, ByteBuffer oracle, Random random) {
    int count = 1 + random.nextInt(random.nextInt(20) == 0 ? 200 : 12);
    List<long[]> touched = new ArrayList<>();
    long address = start(random);
    for (int i = 0; i < count; i++) {
      long words = random.nextInt(3) == 0 ? 1 + random.nextInt(300) : 1;
      if (address + words * 8 > SIZE) {
        break;
      }
      touched.add(new long[] {address, words * 8});
      // Adjacent, near and far.
      address += words * 8;
      switch (random.nextInt(4)) {
        case 0 -> {}
        case 1 -> address += 8L * random.nextInt(10);
        default -> address += 8L * random.nextInt(2000);
      }
    }
    Collections.shuffle(touched, random);
    for (long[] range : touched) {
      if (range[1] == 8 && random.nextBoolean()) {
        delta(writes, oracle, random, range[0]);
      } else {
        byte[] contents = new byte[(int) range[1] + 5];
        random.nextBytes(contents);
        writes.put(range[0], contents, 5, (int) range[1]);
        oracle.put((int) range[0], contents, 5, (int) range[1]);
      }
    }
    return touched;
  }

  private static long start(Random random) {
    long near =
        switch (random.nextInt(4)) {
          case 0 -> START;
          case 1 -> BOUNDARY - 8L * random.nextInt(500);
          case 2 -> SIZE - 8L * (1 + random.nextInt(500));
          default -> START + 8L * random.nextInt((int) (SIZE - START) / 8);
        };
    return Math.max(START, near);
  }

  private static void delta(WriteSet writes, ByteBuffer oracle, Random random, long address) {
    int at = (int) address;
    long word = oracle.getLong(at);
    int kinds = 1 + random.nextInt(7);
    if ((kinds & 1) != 0) {
      long n = random.nextLong();
      writes.add(address, n);
      word += n;
    }
    long set = random.nextLong();
    long clear = random.nextLong();
    if ((kinds & 4) != 0) {
      writes.clearBits(address, clear);
    }
    if ((kinds & 2) != 0) {
      writes.setBits(address, set);
      word |= set;
    }
    if ((kinds & 4) != 0) {
      word &= ~clear;
    }
    oracle.putLong(at, word);
  }
}
