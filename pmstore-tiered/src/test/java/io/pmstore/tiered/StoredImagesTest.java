package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreLockedException;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.engine.StoredCommits;
import io.pmstore.core.engine.StoredCommits.Entry;
import io.pmstore.core.engine.StoredCommits.State;
import io.pmstore.core.engine.WriteSet;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The commits that the files of a store show, against those that were made. */
class StoredImagesTest extends EngineFixture {
  private static final int BLOCK = ImageLayout.BLOCK;

  private final PmStoreOptions options =
      PmStoreOptions.defaults()
          .tieredPools(Storage.FILE)
          .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN);

  @Override
  protected TieredEngine open(Path directory) {
    return TieredEngine.open(directory, options);
  }

  private TieredEngine engine(Path directory) {
    return (TieredEngine) opened(directory);
  }

  /** Changes so many blocks, from one on; returns the commit's position. */
  private static long change(TieredEngine engine, int first, int blocks) {
    WriteSet writes = new WriteSet();
    for (int i = first; i < first + blocks; i++) {
      writes.putLong(START + (long) i * BLOCK, engine.position() + i);
    }
    long position = engine.commit(writes);
    engine.sync(position);
    return position;
  }

  private static List<Entry> entries(StoredCommits commits, long from) {
    List<Entry> entries = new ArrayList<>();
    commits.forEach(from, entries::add);
    return entries;
  }

  private static List<Integer> blocks(Entry entry) {
    TreeSet<Integer> blocks = new TreeSet<>();
    entry
        .changes()
        .forEach(
            new StoredCommits.ChangeVisitor() {
              @Override
              public void object(long address) {
                throw new AssertionError("object " + address);
              }

              @Override
              public void freed(long address) {
                throw new AssertionError("freed " + address);
              }

              @Override
              public void bytes(long address, int length) {
                assertEquals(BLOCK, length);
                blocks.add((int) ((address - START) / BLOCK));
              }
            });
    return List.copyOf(blocks);
  }

  @Test
  void eachCommitIsThereWithItsBlocks() {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    long first = change(engine, 0, 3);
    long second = change(engine, 1, 1);
    long third = change(engine, 10, 2);
    change(engine, 10, 2);
    engine.close();
    try (StoredCommits commits = TieredOpener.openImages(directory)) {
      assertTrue(commits.isClosed());
      List<Entry> found = entries(commits, first);
      assertEquals(List.of(0, 1, 2), blocks(found.get(0)));
      assertEquals(List.of(1), blocks(found.get(1)));
      assertEquals(
          List.of(first, second, third), found.stream().map(Entry::position).limit(3).toList());
      assertEquals(
          List.of(State.TO_LOAD, State.TO_LOAD, State.SUPERSEDED, State.TO_LOAD),
          found.stream().map(Entry::state).toList());
      assertEquals(3 * ImageLayout.SLOT, found.getFirst().bytes());
      assertEquals("images-0", found.getFirst().file());
      assertEquals(3, entries(commits, second).size());
    }
  }

  @Test
  void spillsComeBeforeTheCommitsAfterThem() throws IOException {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    int many = PoolLayout.slots(PmStoreOptions.TIERED_POOL_SIZE_MIN) / 3;
    for (int i = 0; i < 8; i++) {
      change(engine, i * many, many);
    }
    engine.awaitIdle();
    assertTrue(engine.header().spill() > 0);
    long last = change(engine, 0, 5);
    engine.close();
    try (StoredCommits commits = TieredOpener.openImages(directory)) {
      List<Entry> found = entries(commits, 0);
      Entry spill = found.getFirst();
      assertTrue(TieredLayout.isSpill(spill.file()), spill::toString);
      assertEquals(Files.size(directory.resolve(spill.file())), spill.bytes());
      assertTrue(blocks(spill).size() >= many, () -> "blocks: " + blocks(spill).size());
      assertEquals(last, found.getLast().position());
      assertEquals(List.of(0, 1, 2, 3, 4), blocks(found.getLast()));
      long sum = found.stream().mapToLong(Entry::bytes).sum();
      assertTrue(sum < commits.size(), () -> sum + " of " + commits.size());
    }
    flip(directory.resolve("spill-1"), SpillLayout.BEGIN + 20);
    try (StoredCommits commits = TieredOpener.openImages(directory)) {
      Entry damaged = entries(commits, 0).getFirst();
      assertThrows(StoreDamagedException.class, () -> blocks(damaged));
    }
  }

  @Test
  void aCommitThatIsNotWholeIsIncomplete() throws IOException {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    long whole = change(engine, 0, 3);
    long torn = change(engine, 10, 3);
    Path copy = directory("copy");
    copyAsAfterKill(directory, copy);
    try (StoredCommits commits = TieredOpener.openImages(copy)) {
      assertEquals(
          List.of(State.TO_LOAD, State.TO_LOAD),
          entries(commits, whole).stream().map(Entry::state).toList());
      assertFalse(commits.isClosed());
    }
    // Both copies of the header: what a power cut leaves of a slot that never was written.
    Entry last;
    try (StoredCommits commits = TieredOpener.openImages(copy)) {
      last = entries(commits, torn).getFirst();
    }
    flip(copy.resolve(last.file()), last.offset() + 4);
    flip(copy.resolve(last.file()), last.offset() + 100);
    try (StoredCommits commits = TieredOpener.openImages(copy)) {
      Entry found = entries(commits, torn).getFirst();
      assertEquals(State.INCOMPLETE, found.state());
      assertEquals(List.of(11, 12), blocks(found));
    }
  }

  @Test
  void aStoreThatIsOpenForWritingIsRefused() {
    Path directory = directory("store");
    engine(directory);
    assertThrows(StoreLockedException.class, () -> TieredOpener.openImages(directory));
  }

  private static void flip(Path file, long at) throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.seek(at);
      int old = opened.read();
      opened.seek(at);
      opened.write(~old);
    }
  }
}
