package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.StoreLockedException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The promises of {@link Engine}, tested for every engine: each subclass opens one. */
public abstract class EngineContractTest extends EngineRandomTest {
  @Test
  void freshSpaceIsZero() {
    Engine engine = openedWithTwoExtents(directory("store"));
    assertTrue(engine.memory().size() >= 2 * HeapMemory.EXTENT_SIZE);
    int rest = (int) (engine.memory().size() - START);
    assertArrayEquals(new byte[rest], read(engine, START, rest));
    assertEquals(0, engine.position());
    engine.checkUsable();
  }

  @Test
  void theMemoryIsAlwaysTheSame() {
    Engine engine = opened(directory("store"));
    HeapMemory memory = engine.memory();
    engine.grow(3 * HeapMemory.EXTENT_SIZE);
    commit(engine, START, 1);
    assertSame(memory, engine.memory());
    assertEquals(1, memory.getLong(START));
  }

  @Test
  void aCommitIsSeenWhenItReturns() {
    Engine engine = openedWithTwoExtents(directory("store"));
    WriteSet writes = new WriteSet();
    writes.putLong(START, 0x1122334455667788L);
    writes.put(START + 64, bytes(-1, 2, -3), 0, 24);
    writes.putLong(START + 8, 9);
    engine.commit(writes);
    assertEquals(0x1122334455667788L, engine.memory().getLong(START));
    assertEquals((byte) 0x88, engine.memory().getByte(START));
    assertEquals(9, engine.memory().getLong(START + 8));
    assertArrayEquals(bytes(-1, 2, -3), read(engine, START + 64, 24));
    assertArrayEquals(new byte[48], read(engine, START + 16, 48));
    assertEquals(0, engine.memory().getLong(START + 88));
  }

  @Test
  void aCommitInItsThreeStepsIsACommit() {
    Engine engine = openedWithTwoExtents(directory("store"));
    long before = commit(engine, START, 1);
    WriteSet writes = new WriteSet();
    writes.putLong(START, 2);
    writes.add(START + 8, 3);
    writes.putFreed(START + 64); // a name: no byte changes
    Engine.Commit commit = engine.place(writes);
    assertEquals(before + 1, commit.append());
    commit.apply();
    assertEquals(before + 1, engine.position());
    assertEquals(2, engine.memory().getLong(START));
    assertEquals(3, engine.memory().getLong(START + 8));
    assertEquals(0, engine.memory().getLong(START + 64));
  }

  @Test
  void aCommitThatIsGivenUpBetweenItsStepsHoldsNobodyUp() {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    engine.sync(commit(engine, START, 1));
    WriteSet writes = new WriteSet();
    writes.putLong(START, 2);
    engine.place(writes).abandon();
    try {
      commit(engine, START + 8, 3); // after which nothing waits for the other one
    } catch (StoreFailedException e) {
      assertThrows(StoreFailedException.class, engine::position);
    }
    engine.close();
    assertEquals(1, opened(directory).memory().getLong(START));
  }

  @Test
  void aReusedWriteSetHoldsOnlyItsOwn() {
    Engine engine = openedWithTwoExtents(directory("store"));
    WriteSet writes = new WriteSet();
    writes.putLong(START, 1);
    writes.add(START + 8, 1);
    engine.commit(writes);
    commit(engine, START, 5, 5);
    writes.clear();
    writes.putLong(START + 16, 2);
    engine.commit(writes);
    assertArrayEquals(bytes(5, 5, 2), read(engine, START, 24));
  }

  @Test
  void aRangeCrossesExtents() {
    Engine engine = openedWithTwoExtents(directory("store"));
    Random random = new Random(seed());
    byte[] contents = new byte[4096];
    random.nextBytes(contents);
    for (long start = BOUNDARY - 4096; start <= BOUNDARY; start += 1024) {
      WriteSet writes = new WriteSet();
      writes.put(start, contents, 0, contents.length);
      writes.putLong(START, start);
      engine.commit(writes);
      assertArrayEquals(contents, read(engine, start, contents.length), "from " + start);
      assertEquals(0, engine.memory().getLong(start + contents.length));
    }
  }

  @Test
  void aRangeStaysInItsBytes() {
    Engine engine = openedWithTwoExtents(directory("store"));
    long end = engine.memory().size();
    commit(engine, START, 1, 2, 3);
    commit(engine, START + 8, 20);
    assertArrayEquals(bytes(1, 20, 3), read(engine, START, 24));
    commit(engine, end - 8, -1);
    assertEquals(-1, engine.memory().getLong(end - 8));
    assertEquals(0, engine.memory().getLong(end - 16));
  }

  @Test
  void deltasAddThenSetThenClear() {
    Engine engine = openedWithTwoExtents(directory("store"));
    commit(engine, START, 40, 0b1100, 0b1111, 6, Long.MAX_VALUE);
    WriteSet writes = new WriteSet();
    writes.add(START, 3);
    writes.add(START, -1);
    writes.setBits(START + 8, 0b0011);
    writes.clearBits(START + 16, 0b0101);
    // All three on one word, whatever the order they come in.
    writes.clearBits(START + 24, 0b0001);
    writes.setBits(START + 24, 0b10001);
    writes.add(START + 24, 1);
    writes.add(START + 32, 1);
    writes.add(BOUNDARY, 7);
    engine.commit(writes);
    assertArrayEquals(bytes(42, 0b1111, 0b1010, 0b10110, Long.MIN_VALUE), read(engine, START, 40));
    assertEquals(7, engine.memory().getLong(BOUNDARY));
  }

  @Test
  void positionsGrow() {
    Engine engine = openedWithTwoExtents(directory("store"));
    long last = engine.position();
    for (int i = 0; i < 100; i++) {
      long position = commit(engine, START, i);
      assertTrue(position > last, position + " after " + last);
      assertEquals(position, engine.position());
      last = position;
    }
    engine.sync(last);
    engine.sync(0);
  }

  @Test
  void anEmptyWriteSetChangesNothing() {
    Engine engine = openedWithTwoExtents(directory("store"));
    commit(engine, START, 1);
    long position = engine.commit(new WriteSet());
    engine.sync(position);
    assertTrue(commit(engine, START + 8, 2) >= position);
    assertArrayEquals(bytes(1, 2, 0), read(engine, START, 24));
  }

  @Test
  void reopeningShowsWhatWasCommitted() {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    long size = engine.memory().size();
    commit(engine, START, 1, 2, 3);
    commit(engine, BOUNDARY - 8, 4, 5);
    engine.close();
    for (int i = 0; i < 3; i++) {
      engine = opened(directory);
      assertTrue(engine.memory().size() >= size, "space that grew stays");
      assertArrayEquals(bytes(1, 2, 3 + i, 0), read(engine, START, 32));
      assertArrayEquals(bytes(4, 5), read(engine, BOUNDARY - 8, 16));
      WriteSet writes = new WriteSet();
      writes.add(START + 16, 1);
      long before = engine.position();
      assertTrue(engine.commit(writes) > before); // not synced: close makes it durable
      engine.close();
    }
  }

  @Test
  void closedWithoutACommitItOpensEmpty() {
    Path directory = directory("store");
    opened(directory).close();
    Engine engine = openedWithTwoExtents(directory);
    assertArrayEquals(new byte[4096], read(engine, START, 4096));
    commit(engine, START, 1);
  }

  @Test
  void aKillLosesNothingCommitted() throws IOException {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    List<Path> copies = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      WriteSet writes = new WriteSet();
      writes.putLong(BOUNDARY + 8L * i, i);
      writes.add(START, i);
      // Not synced: a kill, unlike a crash of the machine, takes nothing that was committed.
      engine.commit(writes);
      Path copy = directory("killed" + i);
      copyAsAfterKill(directory, copy);
      copies.add(copy);
    }
    engine.close();
    for (int i = 1; i <= 3; i++) {
      Engine survivor = opened(copies.get(i - 1));
      assertEquals(i * (i + 1) / 2, survivor.memory().getLong(START));
      for (int j = 1; j <= 3; j++) {
        assertEquals(j <= i ? j : 0, survivor.memory().getLong(BOUNDARY + 8L * j));
      }
      commit(survivor, START, -1);
      survivor.close();
    }
  }

  @Test
  void aKillRightAfterOpeningLeavesAStore() throws IOException {
    Path directory = directory("store");
    Engine engine = opened(directory);
    Path copy = directory("killed");
    copyAsAfterKill(directory, copy);
    engine.close();
    commit(openedWithTwoExtents(copy), START, 1);
  }

  @Test
  void growingKeepsWhatIsThereAndAddsZeros() {
    Path directory = directory("store");
    Engine engine = opened(directory);
    engine.grow(1);
    commit(engine, START, 7);
    long size = engine.memory().size();
    engine.grow(size);
    assertEquals(size, engine.memory().size(), "as large already");
    engine.grow(size + 1);
    long larger = engine.memory().size();
    assertTrue(larger > size);
    assertEquals(7, engine.memory().getLong(START));
    assertArrayEquals(new byte[(int) (larger - size)], read(engine, size, (int) (larger - size)));
    commit(engine, larger - 8, 8);
    engine.grow(0);
    assertEquals(larger, engine.memory().size());
    engine.close();
    engine = opened(directory);
    assertTrue(engine.memory().size() >= larger);
    assertEquals(7, engine.memory().getLong(START));
    assertEquals(8, engine.memory().getLong(larger - 8));
  }

  @Test
  void growingTooFarLeavesTheSpaceAsItWas() {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    long size = engine.memory().size();
    for (long wanted :
        new long[] {HeapMemory.EXTENTS_MAX * HeapMemory.EXTENT_SIZE + 1, Long.MAX_VALUE}) {
      assertThrows(StoreFullException.class, () -> engine.grow(wanted));
      assertEquals(size, engine.memory().size());
      commit(engine, size - 8, wanted);
    }
    engine.close();
    Engine reopened = opened(directory);
    assertTrue(reopened.memory().size() >= size, "an engine may allocate ahead of need");
    assertEquals(Long.MAX_VALUE, reopened.memory().getLong(size - 8));
  }

  @Test
  void shrinkingGivesTheEndBack() throws IOException {
    Path directory = directory("store");
    Path killed = directory("killed");
    Engine engine = openedWithTwoExtents(directory);
    HeapMemory memory = engine.memory();
    commit(engine, START, 1);
    commit(engine, BOUNDARY - 8, 2, 3);
    long position = commit(engine, 2 * BOUNDARY - 8, 4);
    engine.shrink(BOUNDARY);
    assertEquals(BOUNDARY, memory.size());
    assertThrows(RuntimeException.class, () -> memory.getLong(BOUNDARY));
    assertThrows(RuntimeException.class, () -> memory.getLong(2 * BOUNDARY - 8));
    assertThrows(RuntimeException.class, () -> read(engine, BOUNDARY - 8, 16));
    assertEquals(position, engine.position());
    assertEquals(2, memory.getLong(BOUNDARY - 8));
    engine.shrink(BOUNDARY);
    assertTrue(commit(engine, BOUNDARY - 16, 5) > position);
    copyAsAfterKill(directory, killed);
    engine.close();
    for (Path left : List.of(directory, killed)) {
      Engine again = opened(left);
      assertEquals(BOUNDARY, again.memory().size(), "and nothing ahead of need");
      assertEquals(1, again.memory().getLong(START));
      assertArrayEquals(bytes(5, 2), read(again, BOUNDARY - 16, 16));
      assertThrows(RuntimeException.class, () -> again.memory().getLong(BOUNDARY));
      commit(again, START, 6);
      again.close();
    }
  }

  @Test
  void theEndComesBackAsZeros() throws IOException {
    Path directory = directory("store");
    Path killed = directory("killed");
    Engine engine = openedWithTwoExtents(directory);
    Random random = new Random(seed());
    byte[] contents = new byte[1 << 16];
    for (int round = 0; round < 3; round++) {
      for (long at = BOUNDARY - 4096;
          at < 2 * BOUNDARY - contents.length;
          at += BOUNDARY / 9 & -8) {
        random.nextBytes(contents);
        WriteSet writes = new WriteSet();
        writes.put(at, contents, 0, contents.length);
        writes.putLong(START, round);
        engine.commit(writes); // not synced
      }
      engine.shrink(BOUNDARY);
      engine.grow(2 * BOUNDARY);
      assertTrue(engine.memory().size() >= 2 * BOUNDARY);
      assertArrayEquals(new byte[(int) BOUNDARY], read(engine, BOUNDARY, (int) BOUNDARY));
      assertEquals(round, engine.memory().getLong(START));
    }
    commit(engine, 2 * BOUNDARY - 8, 7);
    copyAsAfterKill(directory, killed);
    engine.close();
    for (Path left : List.of(directory, killed)) {
      Engine again = opened(left);
      int zeros = (int) BOUNDARY - 8;
      assertArrayEquals(new byte[zeros], read(again, BOUNDARY, zeros));
      assertEquals(7, again.memory().getLong(2 * BOUNDARY - 8));
      again.verify(
          (address, found, expected) -> {
            throw new AssertionError("page " + address + ": " + found + ", not " + expected);
          });
      again.close();
    }
  }

  @Test
  void sizesThatAreNoneLeaveTheSpaceAsItIs() {
    Engine engine = openedWithTwoExtents(directory("store"));
    long size = engine.memory().size();
    for (long wanted :
        new long[] {0, -BOUNDARY, 1, BOUNDARY - 1, BOUNDARY + 4096, size + BOUNDARY, 1L << 62}) {
      assertThrows(IllegalArgumentException.class, () -> engine.shrink(wanted), "to " + wanted);
    }
    assertEquals(size, engine.memory().size());
    commit(engine, size - 8, 1);
  }

  @Test
  void aWriteSetOfManyRanges() {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    WriteSet writes = new WriteSet();
    // As many as a store with the smallest limits must take.
    for (int i = 0; i < 2000; i++) {
      writes.putLong(BOUNDARY - 64_000 + 64L * i, i + 1);
      writes.add(BOUNDARY - 64_000 + 64L * i + 8, -i);
    }
    engine.commit(writes);
    engine.close();
    engine = opened(directory);
    for (int i = 0; i < 2000; i++) {
      assertArrayEquals(
          bytes(i + 1, -i, 0), read(engine, BOUNDARY - 64_000 + 64L * i, 24), "range " + i);
    }
  }

  @Test
  void tooLargeAWriteSetLeavesNothing() {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    engine.grow(3 * HeapMemory.EXTENT_SIZE);
    Random random = new Random(seed());
    byte[] committed = {};
    for (int size = 1 << 16; ; size *= 2) {
      if (size > 1 << 24) {
        fail("no limit up to 16 MiB; open(Path) should set the smallest the engine can have");
      }
      byte[] contents = new byte[size];
      random.nextBytes(contents);
      long position = engine.position();
      WriteSet writes = new WriteSet();
      writes.put(BOUNDARY - 4096, contents, 0, size);
      writes.add(START, 1);
      try {
        engine.commit(writes);
        assertTrue(engine.position() > position);
        committed = contents;
      } catch (TransactionTooLargeException e) {
        assertEquals(position, engine.position());
        break;
      }
      assertArrayEquals(committed, read(engine, BOUNDARY - 4096, committed.length));
    }
    assertTrue(committed.length > 0, "64 KiB should not be too large");
    int commits = Integer.numberOfTrailingZeros(committed.length) - 15;
    assertEquals(commits, engine.memory().getLong(START));
    assertArrayEquals(committed, read(engine, BOUNDARY - 4096, committed.length));
    byte[] zeros = new byte[committed.length];
    assertArrayEquals(zeros, read(engine, BOUNDARY - 4096 + committed.length, zeros.length));
    commit(engine, BOUNDARY - 4096, 1);
    engine.close();
    engine = opened(directory);
    assertEquals(commits, engine.memory().getLong(START));
    assertEquals(1, engine.memory().getLong(BOUNDARY - 4096));
    assertArrayEquals(zeros, read(engine, BOUNDARY - 4096 + committed.length, zeros.length));
  }

  @Test
  void afterCloseNothingWorks() {
    Engine engine = openedWithTwoExtents(directory("store"));
    HeapMemory memory = engine.memory();
    commit(engine, START, 1);
    engine.close();
    engine.close();
    WriteSet writes = new WriteSet();
    writes.putLong(START, 2);
    assertThrows(StoreClosedException.class, engine::checkUsable);
    assertThrows(StoreClosedException.class, engine::memory);
    assertThrows(StoreClosedException.class, () -> engine.grow(1));
    assertThrows(StoreClosedException.class, () -> engine.shrink(BOUNDARY));
    assertThrows(StoreClosedException.class, () -> engine.commit(writes));
    assertThrows(StoreClosedException.class, () -> engine.sync(0));
    assertThrows(StoreClosedException.class, engine::position);
    assertThrows(RuntimeException.class, () -> memory.getLong(START), "memory kept too long");
    engine.close();
  }

  @Test
  void aStoreIsOpenOnce() {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    for (int i = 0; i < 2; i++) {
      StoreLockedException e = assertThrows(StoreLockedException.class, () -> opened(directory));
      assertTrue(!e.getMessage().isEmpty());
    }
    commit(engine, START, 1);
    engine.close();
    assertEquals(1, opened(directory).memory().getLong(START));
  }

  @Test
  void manyStoresAreOpenBesideEachOther() {
    List<Engine> engines = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      engines.add(openedWithTwoExtents(directory("store" + i)));
    }
    for (int i = 0; i < 3; i++) {
      commit(engines.get(i), START, i + 1);
    }
    engines.get(1).close();
    assertEquals(1, engines.get(0).memory().getLong(START));
    assertEquals(3, engines.get(2).memory().getLong(START));
    commit(engines.get(2), START, 4);
  }

  @Test
  void rubbishIsRefused() throws IOException {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    commit(engine, START, 1);
    engine.close();
    Path kept = directory("kept");
    Path evidence = directory("evidence").resolve("bad");
    Random random = new Random(seed());
    for (Path file : files(directory)) {
      Path good = Files.copy(file, kept.resolve(file.getFileName()));
      for (Rubbish rubbish : Rubbish.values()) {
        rubbish.write(good, evidence, random);
        Files.copy(evidence, file, StandardCopyOption.REPLACE_EXISTING);
        String what = rubbish + " in " + file.getFileName();
        for (int i = 0; i < 2; i++) { // the second time: the first has left nothing locked
          PmStoreException e = assertThrows(PmStoreException.class, () -> opened(directory), what);
          assertTrue(
              e instanceof StoreFormatException || e instanceof StoreDamagedException,
              () -> what + " gives " + e);
          assertTrue(e.getMessage().contains(file.getFileName().toString()), e.getMessage());
        }
        assertEquals(-1, Files.mismatch(evidence, file), what + " is left as it was");
      }
      Files.copy(good, file, StandardCopyOption.REPLACE_EXISTING);
    }
    assertEquals(1, opened(directory).memory().getLong(START));
  }

  private enum Rubbish {
    NOTHING,
    THE_FIRST_HALF,
    NOISE,
    TEXT;

    void write(Path good, Path bad, Random random) throws IOException {
      long size = Files.size(good);
      Files.deleteIfExists(bad);
      switch (this) {
        case NOTHING -> Files.createFile(bad);
        case TEXT -> Files.writeString(bad, "shopping: bread, milk\n");
        case THE_FIRST_HALF -> {
          Files.copy(good, bad);
          try (FileChannel channel = FileChannel.open(bad, StandardOpenOption.WRITE)) {
            channel.truncate(size / 2);
          }
        }
        case NOISE -> {
          byte[] noise = new byte[1 << 16];
          try (OutputStream out = Files.newOutputStream(bad)) {
            for (long left = size; left > 0; left -= noise.length) {
              random.nextBytes(noise);
              out.write(noise, 0, (int) Math.min(left, noise.length));
            }
          }
        }
      }
    }
  }
}
