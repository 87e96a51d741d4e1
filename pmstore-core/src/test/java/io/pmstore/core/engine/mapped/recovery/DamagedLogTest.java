package io.pmstore.core.engine.mapped.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.Workload;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeaderLayout;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.log.LogRecord;
import io.pmstore.core.log.LogScanner;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damages the short log of a killed store. Opening it shows a prefix of the commits or refuses the
 * store; it never does anything else.
 */
class DamagedLogTest extends StoreTest {
  private static final int COMMITS = 5;
  private static final int SPAN = 64 << 10;

  /** A record's place in the active segment. */
  private record Place(long offset, int length) {}

  private final List<Place> records = new ArrayList<>();
  private Workload workload = new Workload(0, 2, SPAN);
  private Path killed = Path.of("");
  private Path image = Path.of("");
  private Path log = Path.of("");
  private byte[] whole = {};

  @BeforeEach
  void makeKilledStore() throws IOException {
    workload = new Workload(seed(), 2, SPAN);
    Path store = directory("store");
    killed = directory("killed");
    // Not grown: the header written at the opening is the only one of its epoch.
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      workload.run(engine, COMMITS); // each durable: record n + 1 says that n is
      copyAsAfterKill(store, killed);
    }
    HeapHeader header = header(killed);
    log = killed.resolve(StoreLayout.log(header.checkpoint().segment()));
    whole = Files.readAllBytes(log);
    long offset = header.checkpoint().offset();
    for (int n = 1; n <= COMMITS; n++) {
      LogRecord record = LogScanner.read(MemorySegment.ofArray(whole), offset, header.storeId());
      assertNotNull(record);
      assertEquals(n, record.sequence());
      assertEquals(n - 1, record.durable());
      records.add(new Place(offset, record.length()));
      offset += record.length();
    }
    image = directory("image");
    copyAsAfterKill(killed, image);
  }

  /**
   * Opens a copy of the killed store with other bytes in its log; returns how many commits it
   * holds.
   */
  private long commitsIn(byte[] bytes, String what) throws IOException {
    // Opening changes the header's pages, the replayed ranges, and nothing else.
    writeTo(
        image.resolve(StoreLayout.HEAP), 0, readFrom(killed.resolve(StoreLayout.HEAP), 0, SPAN));
    Files.write(image.resolve(log.getFileName()), bytes);
    try (MappedEngine engine = MappedEngine.open(image, small(Storage.FILE))) {
      workload.check(engine, 0, COMMITS, what);
      return engine.position();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0xA5})
  void aTailTornAtAnyByteIsDropped(int rest) throws IOException {
    Place last = records.getLast();
    for (int cut = 0; cut < last.length; cut++) {
      byte[] torn = whole.clone();
      int from = (int) last.offset + cut;
      Arrays.fill(torn, from, from + last.length - cut, (byte) rest);
      boolean changed = !Arrays.equals(torn, whole);
      assertEquals(
          changed ? COMMITS - 1 : COMMITS, commitsIn(torn, "cut after " + cut), "cut " + cut);
    }
  }

  @Test
  void aBitFlippedAnywhereInTheLogIsNoticed() throws IOException {
    Random random = new Random(seed());
    for (Place record : records) {
      for (int at = 0; at < record.length; at++) {
        byte[] flipped = whole.clone();
        flipped[(int) record.offset + at] ^= (byte) (1 << random.nextInt(8));
        String what = "byte %d of the record at %d".formatted(at, record.offset);
        if (record.equals(records.getLast())) {
          // Nothing proves that it was ever whole.
          assertEquals(COMMITS - 1, commitsIn(flipped, what), what);
        } else {
          byte[] before = readFrom(killed.resolve(StoreLayout.HEAP), 0, SPAN);
          StoreDamagedException e =
              assertThrows(StoreDamagedException.class, () -> commitsIn(flipped, what), what);
          assertTrue(e.getMessage().contains(log.getFileName().toString()), e.getMessage());
          assertArrayEquals(
              before, readFrom(image.resolve(StoreLayout.HEAP), 0, SPAN), "nothing changed");
        }
      }
    }
  }

  @Test
  void recordsBehindATornOneAreDroppedIfNothingWasDurable() throws IOException {
    Path store = directory("batch");
    Path batch = directory("batchKilled");
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      engine.grow(Workload.HEAP_SIZE);
      for (int i = 0; i < COMMITS; i++) {
        workload.commitNext(engine); // one batch, none synced
      }
      copyAsAfterKill(store, batch);
    }
    HeapHeader header = header(batch);
    Path batchLog = batch.resolve(StoreLayout.log(header.checkpoint().segment()));
    byte[] bytes = Files.readAllBytes(batchLog);
    LogRecord first =
        LogScanner.read(
            MemorySegment.ofArray(bytes), header.checkpoint().offset(), header.storeId());
    assertNotNull(first);
    // The second of five never reached the disk.
    int torn = (int) header.checkpoint().offset() + first.length() + 4;
    writeTo(batchLog, torn, (byte) ~bytes[torn]);
    try (MappedEngine engine = MappedEngine.open(batch, small(Storage.FILE))) {
      workload.check(engine, 1, 1, "first of a batch");
      // New records take the sequences of the dropped ones; those must not come back behind them.
      workload.commitNext(engine);
      Path again = directory("again");
      copyAsAfterKill(batch, again);
      try (MappedEngine second = MappedEngine.open(again, small(Storage.FILE))) {
        workload.check(second, 2, 2, "no record came back");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void eitherHeaderCopyIsEnough(int copy) throws IOException {
    writeTo(
        killed.resolve(StoreLayout.HEAP),
        (long) copy * HeapHeaderLayout.COPY_SIZE,
        new byte[HeapHeaderLayout.COPY_SIZE]);
    assertEquals(COMMITS, commitsIn(whole, "without header copy " + copy));
  }

  @Test
  void aLogNewerThanTheHeapIsRefused() throws IOException {
    Path newer = directory("newer");
    copyAsAfterKill(killed, newer);
    try (MappedEngine engine = MappedEngine.open(newer, small(Storage.FILE))) {
      workload.run(engine, COMMITS + 2);
      for (Path file : logs(newer)) {
        Files.copy(file, killed.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    StoreDamagedException e =
        assertThrows(
            StoreDamagedException.class, () -> MappedEngine.open(killed, small(Storage.FILE)));
    assertTrue(e.getMessage().contains("epoch"), e.getMessage());
  }

  @Test
  void aWholeRecordThatNamesBytesOutsideTheHeapIsRefused() throws IOException {
    // As if the heap file and its header came from before the heap grew.
    Path store = directory("grown");
    Path grown = directory("grownKilled");
    byte[] header;
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      header = readFrom(store.resolve(StoreLayout.HEAP), 0, 8192);
      engine.grow(Workload.HEAP_SIZE);
      WriteSet writes = new WriteSet();
      writes.putLong(Workload.HEAP_SIZE - 8, 1);
      engine.sync(engine.commit(writes));
      copyAsAfterKill(store, grown);
    }
    writeTo(grown.resolve(StoreLayout.HEAP), 0, header);
    StoreDamagedException e =
        assertThrows(
            StoreDamagedException.class, () -> MappedEngine.open(grown, small(Storage.FILE)));
    assertTrue(e.getMessage().contains("outside"), e.getMessage());
  }
}
