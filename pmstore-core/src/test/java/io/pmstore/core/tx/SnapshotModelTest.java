package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.ReferenceMaps;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Commits, and snapshots that open and close in any order, against a model that has a copy of
 * everything for each snapshot: what each snapshot shows, word by word and copied as an extent, and
 * that exactly those images are kept which one of them needs.
 */
class SnapshotModelTest {
  private static final int SHAPE = 3;
  private static final int OBJECTS = 6;
  private static final int WORDS = 70; // more than a word has bits
  private static final int COUNTER = 8 * 60; // its words are deltas, those before it are written
  private static final int STEPS = 2_000;
  private static final int OPEN_MAX = 5;

  private static final class Full extends ParallelEngine {
    boolean full;

    @Override
    protected void beforePosition() {
      if (full) {
        throw new StoreFullException("as the test wants it");
      }
    }

    @Override
    protected void beforeApply() {}
  }

  private final Full engine = new Full();
  private final Transactions transactions;
  private final long[] objects = new long[OBJECTS];
  private final long[][] model = new long[OBJECTS][WORDS];
  // The positions of the commits that changed what has one lock, by its address.
  private final TreeMap<Long, List<Long>> changes = new TreeMap<>();

  private record Open(OpenSnapshot snapshot, SnapshotView view, long[][] expected) {}

  private final List<Open> open = new ArrayList<>();
  private final byte[] copy = new byte[(int) HeapMemory.EXTENT_SIZE];

  SnapshotModelTest() {
    engine.grow(HeapMemory.EXTENT_SIZE);
    transactions =
        new Transactions(
            engine, new LinkRules(new ReferenceMaps(), new Allocator(engine)), Durability.SYNC);
    for (int i = 0; i < OBJECTS; i++) {
      int number = i;
      transactions.run(
          null,
          () -> {
            objects[number] = tx().allocate(SHAPE, 0, 8 * WORDS);
            return true;
          });
      model[i][0] = engine.memory().getLong(objects[i]);
    }
  }

  @AfterEach
  void close() {
    transactions.close();
    engine.close();
  }

  private Transaction tx() {
    Transaction transaction = transactions.current();
    assert transaction != null;
    return transaction;
  }

  @RepeatedTest(8)
  void snapshotsShowTheirStateAndKeepNoMore(RepetitionInfo info) {
    long seed =
        Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong())
            + info.getCurrentRepetition();
    System.out.println("SnapshotModelTest: -Dpmstore.seed=" + (seed - info.getCurrentRepetition()));
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      int kind = random.nextInt(10);
      if (kind == 0 && open.size() < OPEN_MAX) {
        open();
      } else if (kind == 1 && !open.isEmpty()) {
        open.remove(random.nextInt(open.size())).snapshot().close();
      } else {
        commit(random, random.nextInt(8) == 0);
      }
      if (step % 10 == 0) {
        checkViews("seed " + seed + ", step " + step);
      }
      if (step % 250 == 0) {
        checkCopies("seed " + seed + ", step " + step);
      }
    }
    while (!open.isEmpty()) {
      checkCopies("seed " + seed + ", at the end");
      open.remove(random.nextInt(open.size())).snapshot().close();
      checkViews("seed " + seed + ", at the end");
    }
  }

  private void open() {
    OpenSnapshot snapshot = transactions.openSnapshot();
    assertEquals(engine.position(), snapshot.position());
    long[][] copy = Arrays.stream(model).map(long[]::clone).toArray(long[][]::new);
    open.add(new Open(snapshot, transactions.viewOf(snapshot), copy));
  }

  /** One to three changes of written words and of counters; or the same for a commit that fails. */
  private void commit(Random random, boolean fails) {
    long[][] after = Arrays.stream(model).map(long[]::clone).toArray(long[][]::new);
    List<Long> changed = new ArrayList<>();
    int n = 1 + random.nextInt(3);
    long draw = random.nextLong();
    engine.full = fails;
    Runnable commit =
        () ->
            transactions.run(
                null,
                () -> {
                  Random same = new Random(draw);
                  for (int i = 0; i < n; i++) {
                    change(same, after, changed);
                  }
                  if (same.nextInt(5) == 0) {
                    tx().allocate(SHAPE, 0, 16 << same.nextInt(10));
                  }
                  return true;
                });
    if (fails) {
      assertThrows(StoreFullException.class, commit::run);
    } else {
      commit.run();
      for (int i = 0; i < OBJECTS; i++) {
        model[i] = after[i];
      }
      for (long address : changed) {
        List<Long> positions = changes.computeIfAbsent(address, _ -> new ArrayList<>());
        if (positions.isEmpty() || positions.getLast() != engine.position()) {
          positions.add(engine.position());
        }
      }
    }
    engine.full = false;
  }

  private void change(Random random, long[][] after, List<Long> changed) {
    int object = random.nextInt(OBJECTS);
    int word = 1 + random.nextInt(WORDS - 1);
    int offset = 8 * word;
    if (offset >= COUNTER) {
      int by = random.nextInt(1000);
      tx().addToCounter(objects[object], offset, by);
      after[object][word] += by;
      changed.add(objects[object] + offset);
    } else {
      long value = random.nextLong();
      tx().putLong(objects[object], offset, value);
      after[object][word] = value;
      changed.add(objects[object]);
    }
  }

  private void checkCopies(String when) {
    for (Open each : open) {
      each.snapshot().copyExtent(0, MemorySegment.ofArray(copy));
      LongBuffer words = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
      for (int i = 0; i < OBJECTS; i++) {
        long[] found = new long[WORDS];
        words.get((int) (objects[i] >>> 3), found);
        assertArrayEquals(each.expected()[i], found, when + ", copy of object " + i);
      }
    }
  }

  private void checkViews(String when) {
    for (Open each : open) {
      for (int i = 0; i < OBJECTS; i++) {
        long[] found = new long[WORDS];
        for (int word = 0; word < WORDS; word++) {
          int offset = 8 * word;
          found[word] =
              offset >= COUNTER
                  ? each.view().counter(objects[i], offset)
                  : each.view().getLong(objects[i], offset);
        }
        assertArrayEquals(each.expected()[i], found, when + ", object " + i);
      }
    }
    if (open.isEmpty()) {
      return;
    }
    long needed = 0;
    for (List<Long> positions : changes.values()) {
      long before = 0;
      for (long position : positions) {
        long from = before;
        if (open.stream().anyMatch(o -> position(o) >= from && position(o) < position)) {
          needed++;
        }
        before = position;
      }
    }
    BeforeImages images = open.getFirst().snapshot().images();
    long kept = images.count(address -> address >= objects[0] && changes.containsKey(address));
    assertEquals(needed, kept, when + ", images");
    assertFalse(open.stream().anyMatch(o -> o.snapshot().images() != images), when);
  }

  private static long position(Open open) {
    return open.snapshot().position();
  }
}
