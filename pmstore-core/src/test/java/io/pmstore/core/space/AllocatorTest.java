package io.pmstore.core.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No two reservations share a byte, and released space is reserved again. */
class AllocatorTest {
  private static final int THREADS = 6;
  private static final int STEPS = 200_000;
  private static final int HELD_MAX = 100;
  private static final int[] SIZES = {16, 104, 1_000, 5_000}; // a chunk has 3 slots of the last

  private final MemoryEngine engine = new MemoryEngine();

  AllocatorTest() {
    engine.grow(HeapMemory.EXTENT_SIZE);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aRunOfNoChunksIsNotAllocated() {
    long chunk = 3L << ExtentLayout.CHUNK_SHIFT;
    assertTrue(isAllocated(chunk, ExtentLayout.runDescriptor(1)));
    assertFalse(isAllocated(chunk, ExtentLayout.runDescriptor(0)));
  }

  private static boolean isAllocated(long address, long descriptor) {
    return ExtentLayout.isAllocated(address, HeapMemory.EXTENT_SIZE, word -> descriptor);
  }

  /** The commit has set the slot's bit, and has not yet told the allocator. */
  @Test
  void aChunkThatIsTakenAgainKeepsTheBitsOfACommitUnderWay() {
    Allocator allocator = new Allocator(engine);
    Reservation first = reserved(allocator);
    Reservation second = reserved(allocator); // a chunk has two slots
    reserved(allocator);
    reserved(allocator);
    allocator.release(second);
    WriteSet writes = new WriteSet();
    allocator.commit(first, writes);
    engine.commit(writes);
    Reservation third = reserved(allocator);
    assertEquals(second.address(), third.address(), "it is in the first chunk");
    allocator.committed(first);
    assertTrue(allocator.isAllocated(first.address()));
  }

  private static Reservation reserved(Allocator allocator) {
    Reservation reservation = new Reservation();
    allocator.reserve(8_000, reservation);
    return reservation;
  }

  @Test
  void noTwoThreadsGetTheSameSlot() throws Exception {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    Allocator allocator = new Allocator(engine);
    ConcurrentHashMap<Long, Integer> owners = new ConcurrentHashMap<>();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<FutureTask<?>> running = new ArrayList<>();
    while (running.size() < THREADS) {
      int thread = running.size();
      SplittableRandom random = new SplittableRandom(seed + thread);
      FutureTask<?> task =
          new FutureTask<>(
              () -> {
                start.await();
                reserveAndRelease(allocator, random, thread, owners, seed);
                return null;
              });
      Thread candidate = new Thread(task);
      // Two thirds of the threads share one stripe, and so their chunks.
      if (candidate.threadId() % Allocator.STRIPES == thread / 4) {
        candidate.start();
        running.add(task);
      }
    }
    for (FutureTask<?> task : running) {
      task.get();
    }
    assertTrue(owners.isEmpty(), () -> "left over: " + owners + ", seed " + seed);
    // At most THREADS * HELD_MAX / 3 chunks are full at any time, and each stripe has one of a size
    // that is not: these fit into one extent, unless chunks get lost.
    assertEquals(HeapMemory.EXTENT_SIZE, engine.memory().size(), "seed " + seed);
  }

  private static void reserveAndRelease(
      Allocator allocator,
      SplittableRandom random,
      int thread,
      ConcurrentHashMap<Long, Integer> owners,
      long seed) {
    List<Reservation> held = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      if (held.size() < HELD_MAX && random.nextInt(3) > 0) {
        Reservation made = reserve(allocator, SIZES[random.nextInt(SIZES.length)]);
        assertNull(
            owners.putIfAbsent(made.address(), thread),
            () -> "address " + made.address() + " was given out twice, seed " + seed);
        held.add(made);
      } else if (!held.isEmpty()) {
        release(allocator, held.remove(random.nextInt(held.size())), owners);
      }
    }
    held.forEach(reservation -> release(allocator, reservation, owners));
  }

  private static Reservation reserve(Allocator allocator, int size) {
    Reservation made = new Reservation();
    allocator.reserve(size, made);
    return made;
  }

  private static void release(
      Allocator allocator, Reservation reservation, ConcurrentHashMap<Long, Integer> owners) {
    owners.remove(reservation.address()); // first: it may be given out the moment it is released
    allocator.release(reservation);
  }

  /** The heap grows by two extents at a time once it has 16. */
  @Test
  void theLowestExtentOfAGrowthIsUsedFirst() {
    engine.grow(16 * HeapMemory.EXTENT_SIZE);
    Allocator allocator = new Allocator(engine);
    long last = 0;
    for (int extent = 0; extent <= 16; extent++) {
      last = Math.max(last, reserve(allocator, ObjectLayout.SIZE_MAX).address());
    }
    assertEquals(18 * HeapMemory.EXTENT_SIZE, engine.memory().size());
    assertEquals(16 * HeapMemory.EXTENT_SIZE + ExtentLayout.CHUNK_SIZE, last);
  }

  /** The largest size class has one slot a chunk, which is never only partly used. */
  @Test
  void chunksOfASingleSlotBecomeFree() {
    Allocator allocator = new Allocator(engine);
    List<Reservation> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(reserve(allocator, 16_000));
    }
    all.forEach(allocator::release);
    allocator.disown();
    assertEquals(100, allocator.takeEmptyChunks(1000).size());
  }

  @Test
  void releasedSlotsOfFullChunksAreGivenOutAgain() {
    Allocator allocator = new Allocator(engine);
    int slots = SizeClasses.slots(SizeClasses.of(104));
    List<Reservation> all = new ArrayList<>();
    for (int i = 0; i < slots * 5; i++) {
      all.add(reserve(allocator, 104));
    }
    Set<Long> released = new HashSet<>();
    for (int i = 0; i < slots * 4; i += 2) {
      released.add(all.get(i).address());
      allocator.release(all.get(i));
    }
    // The fifth chunk is full, so the next slots are those.
    Set<Long> again = new HashSet<>();
    for (int i = 0; i < released.size(); i++) {
      again.add(reserve(allocator, 104).address());
    }
    assertTrue(
        again.equals(released),
        () ->
            "of " + released.size() + " released, not given out again: " + minus(released, again));
  }

  private static Set<Long> minus(Set<Long> all, Set<Long> less) {
    Set<Long> rest = new HashSet<>(all);
    rest.removeAll(less);
    return rest;
  }
}
