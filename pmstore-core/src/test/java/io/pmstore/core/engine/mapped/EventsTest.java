package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.checkpoint.Checkpointer;
import io.pmstore.core.engine.mapped.commit.Latch;
import io.pmstore.core.events.CheckpointEvent;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The JDK Flight Recorder events of checkpoints and of waiting commits. */
@Timeout(120)
class EventsTest extends StoreTest {
  @BeforeAll
  static void register() {
    FlightRecorder.register(CheckpointEvent.class);
    FlightRecorder.register(CommitStallEvent.class);
  }

  private static final String CHECKPOINT = "pmstore.Checkpoint";
  private static final String STALL = "pmstore.CommitStall";

  private static Recording recording() {
    Recording recording = new Recording();
    recording.enable(CHECKPOINT);
    recording.enable(STALL).withoutThreshold();
    recording.start();
    return recording;
  }

  /** The events of one kind that a store has caused. */
  private List<RecordedEvent> events(Recording recording, String name, Path store)
      throws IOException {
    Path file = directory("recording" + System.nanoTime()).resolve("all.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(e -> e.getEventType().getName().equals(name))
        .filter(e -> e.getString("store").equals(store.toString()))
        .toList();
  }

  private List<RecordedEvent> stalls(Recording recording, Path store, Cause cause)
      throws IOException {
    return events(recording, STALL, store).stream()
        .filter(e -> e.getString("cause").equals(cause.label()))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aCheckpointSaysWhatItWroteAndCovered(Storage storage) throws IOException {
    Path store = directory("store");
    int unit = storage == Storage.FILE ? 4096 : 64;
    long record;
    try (Recording recording = recording()) {
      try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
        WriteSet writes = new WriteSet();
        for (int page = 0; page < 10; page++) {
          writes.putLong(START + 4096 * page, 1);
          writes.putLong(START + 4096 * page + 2048, 1);
        }
        record = 48 + writes.encodedSize();
        engine.commit(writes);
      }
      RecordedEvent closing = events(recording, CHECKPOINT, store).getLast();
      assertEquals(10, closing.getLong("pages"));
      assertEquals(
          storage == Storage.FILE ? 10 * unit : 20 * unit, closing.getLong("bytesWritten"));
      assertEquals(record, closing.getLong("logBytesCovered"), 48, "one record");
      assertTrue(closing.getDuration().isPositive());
      assertEquals(null, closing.getStackTrace());
    }
  }

  @Test
  void theEventsAreDescribedAsUsersOfTheRecorderExpect() {
    for (String name : List.of(CHECKPOINT, STALL)) {
      EventType type = type(name);
      assertEquals(List.of("pmstore"), type.getCategoryNames());
      assertFalse(type.getDescription().isEmpty());
      type.getFields().forEach(field -> assertTrue(field.getLabel() != null, field.getName()));
    }
    EventType checkpoint = type(CHECKPOINT);
    for (String amount : List.of("bytesWritten", "logBytesCovered")) {
      assertEquals("jdk.jfr.DataAmount", checkpoint.getField(amount).getContentType(), amount);
    }
  }

  /** The checkpoint is held at its first page: commits go on until no log segment is free. */
  @Test
  void aFullLogStallsCommits() throws Exception {
    assertStalls(small(Storage.FILE), Cause.LOG_FULL, 15_000, 1);
  }

  @Test
  void tooManyChangedBytesStallCommits() throws Exception {
    PmStoreOptions options = small(Storage.FILE).logSegmentSize(4 << 20);
    assertStalls(options, Cause.DIRTY_BYTES, 1, 4096 / 8);
  }

  /** Commits words, so many side by side and the next so many words away, until a commit waits. */
  private void assertStalls(PmStoreOptions options, Cause cause, int words, int distance)
      throws Exception {
    Path store = directory("store");
    CountDownLatch mayWrite = new CountDownLatch(1);
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean armed = new AtomicBoolean();
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (operation == Operation.WRITE_PAGES && armed.get()) {
            await(mayWrite);
          }
        };
    try (Recording recording = recording();
        MappedEngine engine = openHooked(store, options, hook)) {
      growLog(engine, store, options.logSegmentSize());
      armed.set(true);
      engine.grow(Checkpointer.DIRTY_BYTES_MAX + 4 * HeapMemory.EXTENT_SIZE);
      Thread writer =
          Thread.ofPlatform()
              .name("writer")
              .start(() -> commitUntil(engine, words, distance, done));
      while (writer.getState() != Thread.State.WAITING || mayWrite.getCount() == 0) {
        assertTrue(writer.isAlive(), "nothing held it back");
        Thread.onSpinWait();
      }
      done.set(true);
      mayWrite.countDown();
      writer.join();
      List<RecordedEvent> stalls = stalls(recording, store, cause);
      assertFalse(stalls.isEmpty(), () -> "stalls: " + stalls);
      RecordedEvent last = stalls.getLast();
      assertEquals("writer", last.getThread().getJavaName());
      assertTrue(last.getDuration().isPositive());
      assertTrue(
          last.getStackTrace().getFrames().stream()
              .anyMatch(frame -> frame.getMethod().getName().equals("commitUntil")));
    }
  }

  private static void commitUntil(Engine engine, int words, int distance, AtomicBoolean done) {
    WriteSet writes = new WriteSet();
    long end = engine.memory().size() - words * 8L;
    for (long at = START; !done.get(); at += 16L * 8 * distance) {
      at = at + 16L * 8 * distance < end ? at : START;
      writes.clear();
      for (int i = 0; i < (distance == 1 ? 1 : 16); i++) {
        writes.put(at + 8L * distance * i, new byte[8 * words], 0, 8 * words);
      }
      engine.commit(writes);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void growthStallsWhoeverNeedsIt(Storage storage) throws IOException {
    Path store = directory("store");
    try (Recording recording = recording();
        MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(1);
      assertEquals(0, stalls(recording, store, Cause.HEAP_GROWTH).size(), "large enough");
      engine.grow(3 * HeapMemory.EXTENT_SIZE);
      assertEquals(1, stalls(recording, store, Cause.HEAP_GROWTH).size());
    }
  }

  /** A large commit has written one of its parts; another one has to wait for its last. */
  @Test
  void aLargeCommitStallsOthers() throws Exception {
    Path store = directory("store");
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (operation == Operation.WRITE
              && file.startsWith("log")
              && Thread.currentThread().getName().equals("large")) {
            inside.countDown();
            await(mayGoOn);
          }
        };
    try (Recording recording = recording();
        MappedEngine engine = openHooked(store, small(Storage.FILE), hook)) {
      engine.grow(2 << 20);
      WriteSet large = new WriteSet();
      large.put(START, new byte[1 << 19], 0, 1 << 19);
      Thread first = Thread.ofPlatform().name("large").start(() -> engine.commit(large));
      await(inside);
      Thread second = Thread.ofPlatform().start(() -> commit(engine, 1 << 20, 1));
      while (second.getState() != Thread.State.WAITING) {
        assertTrue(second.isAlive(), "it did not wait");
        Thread.onSpinWait();
      }
      mayGoOn.countDown();
      first.join();
      second.join();
      assertEquals(1, stalls(recording, store, Cause.LARGE_COMMIT).size());
    }
  }

  /** While a window of pages is given back to the file, a commit that changes one waits. */
  @Test
  void theReleaseOfPagesStallsWhoeverChangesThem() throws Exception {
    Path store = directory("store");
    try (Recording recording = recording()) {
      Latch latch = new Latch(store, 4096, 8192);
      latch.await(0, 4096);
      latch.await(8192, 8);
      assertEquals(0, stalls(recording, store, Cause.PAGE_RELEASE).size());
      Thread waiter = Thread.ofPlatform().start(() -> latch.await(4096, 8));
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        assertTrue(waiter.isAlive(), "it did not wait");
        Thread.onSpinWait();
      }
      latch.open();
      waiter.join();
      assertEquals(1, stalls(recording, store, Cause.PAGE_RELEASE).size());
    }
  }

  @Test
  void shortStallsAreNotRecordedByDefault() {
    assertEquals("20 ms", defaultSetting(type(STALL), "threshold"));
    assertEquals("true", defaultSetting(type(STALL), "stackTrace"));
    assertEquals("false", defaultSetting(type(CHECKPOINT), "stackTrace"));
  }

  private static EventType type(String name) {
    return FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .filter(type -> type.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String defaultSetting(EventType type, String name) {
    return type.getSettingDescriptors().stream()
        .filter(setting -> setting.getName().equals(name))
        .findFirst()
        .orElseThrow()
        .getDefaultValue();
  }
}
