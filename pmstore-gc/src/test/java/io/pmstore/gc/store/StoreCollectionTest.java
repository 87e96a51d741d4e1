package io.pmstore.gc.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GcReport;
import io.pmstore.GcReport.Cause;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.StoreStatistics;
import io.pmstore.StoreStatistics.ClassStatistics;
import io.pmstore.VerificationReport;
import io.pmstore.core.heap.JavaGarbage;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StoreCollectionTest {
  private static final PmStoreOptions ON_REQUEST =
      PmStoreOptions.defaults().logSegmentSize(1 << 20).gcInBackground(false);
  private static final PmStoreOptions IN_BACKGROUND = ON_REQUEST.gcInBackground(true);

  @TempDir Path directory;

  private PmStore open(PmStoreOptions options) {
    return PmStore.open(directory.resolve("store"), options);
  }

  /** A part that nothing refers to yet. */
  private static Part part(PmStore store, String name) {
    Part part = store.create(Part.class);
    part.setName(name);
    return part;
  }

  private static ClassStatistics use(PmStore store, Class<?> type) {
    return store.statistics().classes().stream()
        .filter(c -> c.className().equals(type.getName()))
        .findFirst()
        .orElse(new ClassStatistics(type.getName(), 0, 0, 0, 0));
  }

  /** Has the Java object of a part collected; the caller holds it no more. */
  private static void collect(WeakReference<Part> part) {
    JavaGarbage.collect(part);
  }

  private VerificationReport verified() {
    VerificationReport report = PmStore.verify(directory.resolve("store"));
    assertTrue(report.isSound(), report::toString);
    return report;
  }

  // ---- what is freed when

  @Test
  void whatHasLostItsOnlyReferenceIsFreedByTheCommitAndRingsByACollection() {
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      collect(linkRing(store, root));
      StoreStatistics before = store.statistics();
      assertEquals(3, use(store, Part.class).liveObjects());
      root.setName("a text that is longer than what lies in line");
      assertEquals(before.liveObjects() + 1, store.statistics().liveObjects());
      root.setName("short");
      assertEquals(before.liveObjects(), store.statistics().liveObjects(), "no collection needed");

      root.setNext(null);
      assertEquals(3, use(store, Part.class).liveObjects(), "each refers to the other");
      GcReport report = store.gc();
      assertEquals(3, report.freedObjects(), "two parts, and the bytes of a name");
      assertEquals(1, use(store, Part.class).liveObjects());
      assertEquals(Cause.REQUESTED, report.cause());
      StoreStatistics after = store.statistics();
      assertEquals(report.freedObjects(), before.liveObjects() - after.liveObjects());
      assertEquals(report.freedBytes(), before.liveBytes() - after.liveBytes());
      assertEquals(report.liveObjects(), after.liveObjects());
      assertEquals(Optional.of(report), after.lastCollection());
      assertEquals(1, after.collections());
      assertEquals(report.freedObjects() + 1, after.freedObjects(), "and the bytes of a text");
      assertEquals(0, store.gc().freedObjects());
    }
    assertEquals(0, verified().garbageObjects());
  }

  private static WeakReference<Part> linkRing(PmStore store, Part root) {
    Part one = part(store, "one end of a ring, whose name is a string out of line");
    store.transaction(
        () -> {
          Part other = part(store, "the other");
          one.setNext(other);
          other.setNext(one);
          root.setNext(one);
        });
    return new WeakReference<>(one);
  }

  @Test
  void aSharedObjectIsFoundByACollectionOnly() {
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      collect(linkTwice(store, root));
      root.setNext(null);
      root.setOther(null);
      assertEquals(2, use(store, Part.class).liveObjects());
      assertEquals(1, store.gc().freedObjects());
      assertEquals(1, use(store, Part.class).liveObjects());
    }
  }

  private static WeakReference<Part> linkTwice(PmStore store, Part root) {
    Part shared = part(store, "shared");
    root.setNext(shared);
    root.setOther(shared);
    return new WeakReference<>(shared);
  }

  @Test
  void whatJavaHoldsIsUsedOnAndFreedWhenThatIsCollected() {
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      WeakReference<Part> gone = unlinkHeld(store, root);
      collect(gone);
      JavaGarbage.collectUntil(
          "the part whose Java object is collected is freed, without a collection of the store",
          () -> store.statistics().unlinkedObjects() == 0);
      assertEquals(1, use(store, Part.class).liveObjects());
    }
    assertEquals(0, verified().garbageObjects());
  }

  /** An object that is larger than a chunk takes several, which are not free. */
  @Test
  void theSpaceOfLargeObjectsIsNotFree() {
    long size = 100_000;
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      root.setTexts(new HashMap<>());
      root.getTexts().put(0L, "");
      StoreStatistics before = store.statistics();
      for (long i = 0; i < 40; i++) {
        root.getTexts().put(i, "x".repeat((int) size));
      }
      StoreStatistics after = store.statistics();
      long taken = after.liveBytes() - before.liveBytes();
      assertTrue(taken > 40 * size, () -> "taken " + taken);
      long grown = after.heapBytes() - before.heapBytes();
      long lessFree = before.freeBytes() - after.freeBytes();
      assertTrue(
          lessFree + grown >= taken, () -> before + " and after taking " + taken + ": " + after);
      assertTrue(after.liveBytes() + after.freeBytes() <= after.heapBytes(), after::toString);
    }
  }

  private static WeakReference<Part> unlinkHeld(PmStore store, Part root) {
    Part held = part(store, "held");
    root.setNext(held);
    assertEquals(0, use(store, Part.class).unlinkedObjects());
    root.setNext(null);
    assertEquals(1, use(store, Part.class).unlinkedObjects());
    assertEquals(0, store.gc().freedObjects());
    held.setName("used on");
    held.setTexts(new HashMap<>());
    held.getTexts().put(1L, "so is what it reaches");
    assertEquals("used on", held.getName());
    assertEquals("so is what it reaches", held.getTexts().get(1L));
    return new WeakReference<>(held);
  }

  @Test
  void whatIsLinkedAgainLives() {
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      WeakReference<Part> gone = linkAgain(store, root);
      collect(gone);
      store.gc();
      assertEquals("linked again", root.getOther().getName());
      assertEquals(0, use(store, Part.class).unlinkedObjects());
    }
    assertEquals(0, verified().garbageObjects());
  }

  private static WeakReference<Part> linkAgain(PmStore store, Part root) {
    Part part = part(store, "linked again");
    root.setNext(part);
    root.setNext(null);
    root.setOther(part);
    return new WeakReference<>(part);
  }

  @Test
  void aMapWithManyEntriesThatIsClearedIsFreedInTheBackground() {
    int entries = 100_000;
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      root.setTexts(new HashMap<>());
      long before = store.statistics().liveObjects();
      for (int i = 0; i < entries; i += 10_000) {
        long from = i;
        store.transaction(
            () -> {
              for (long k = from; k < from + 10_000; k++) {
                root.getTexts().put(k, "the text of an entry, number " + k);
              }
            });
      }
      assertTrue(store.statistics().liveObjects() > before + 2 * entries);
      root.getTexts().clear();
      JavaGarbage.collectUntil(
          "all entries are freed",
          () -> {
            StoreStatistics now = store.statistics();
            return now.liveObjects() + now.unlinkedObjects() <= before + 1;
          });
      assertTrue(root.getTexts().isEmpty());
      assertEquals(Optional.empty(), store.statistics().lastCollection());
    }
    assertEquals(0, verified().garbageObjects());
  }

  @Test
  void whatASnapshotShowsIsKeptUntilItEnds() throws Exception {
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      collect(linkRing(store, root));
      CountDownLatch open = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      AtomicReference<Object> seen = new AtomicReference<>();
      Thread reader =
          start(
              seen,
              () ->
                  store.snapshot(
                      () -> {
                        open.countDown();
                        await(goOn);
                        return root.getNext().getNext().getName();
                      }));
      open.await();
      root.setNext(null);
      AtomicReference<Object> report = new AtomicReference<>();
      Thread collecting = start(report, store::gc);
      while (collecting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertEquals(3, use(store, Part.class).liveObjects());
      goOn.countDown();
      reader.join();
      assertEquals("the other", seen.get());
      collecting.join();
      assertEquals(GcReport.class, report.get().getClass(), () -> "" + report.get());
      JavaGarbage.collectUntil(
          "the ring is freed",
          () -> {
            store.gc();
            return use(store, Part.class).liveObjects() == 1;
          });
    }
  }

  // ---- when collections run

  @Test
  void whatACrashLeavesBehindIsFoundAtOpening() throws IOException {
    Path killed = directory.resolve("killed");
    List<Path> copies = new ArrayList<>();
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      Part held = part(store, "held while the process is killed");
      root.setNext(held);
      root.setNext(null);
      for (String name : new String[] {"before", "background", "request"}) {
        copies.add(copy(directory.resolve("store"), killed.resolve(name)));
      }
      assertEquals("held while the process is killed", held.getName());
    }
    assertTrue(PmStore.verify(copies.get(0)).garbageObjects() > 0);
    try (PmStore store = PmStore.open(copies.get(0), ON_REQUEST.gcBeforeOpening(true))) {
      GcReport report = store.statistics().lastCollection().orElseThrow();
      assertEquals(Cause.OPENING, report.cause());
      assertEquals(2, report.freedObjects(), "the part, and the bytes of its name");
      assertEquals(0, store.statistics().unlinkedObjects());
    }
    assertEquals(0, PmStore.verify(copies.get(0)).garbageObjects());
    try (PmStore store = PmStore.open(copies.get(1), IN_BACKGROUND)) {
      JavaGarbage.collectUntil(
          "the collection after opening has ended",
          () -> store.statistics().lastCollection().isPresent());
      assertEquals(Cause.OPENING, store.statistics().lastCollection().orElseThrow().cause());
      assertEquals(0, store.statistics().unlinkedObjects());
    }
    try (PmStore store = PmStore.open(copies.get(2), ON_REQUEST)) {
      assertTrue(store.statistics().unlinkedObjects() > 0);
      assertEquals(2, store.gc().freedObjects());
      assertEquals(0, store.statistics().unlinkedObjects());
    }
  }

  /** The files as a killed process leaves them. */
  private static Path copy(Path store, Path copy) throws IOException {
    Files.createDirectories(copy);
    try (Stream<Path> files = Files.list(store)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  @Test
  void manyLostReferencesStartACollection() {
    try (PmStore store = open(IN_BACKGROUND)) {
      Part root = store.root(Part.class);
      JavaGarbage.collectUntil(
          "the collection after opening has ended",
          () -> store.statistics().lastCollection().isPresent());
      Part shared = part(store, "shared");
      root.setNext(shared);
      for (int i = 0; i < 20; i++) {
        store.transaction(() -> loseReferences(store, root, shared, 500));
      }
      JavaGarbage.collectUntil(
          "a collection has run because of lost references",
          () -> store.statistics().lastCollection().orElseThrow().cause() == Cause.THRESHOLD);
    }
  }

  /** Each part that is dropped again refers to the shared one. */
  private static void loseReferences(PmStore store, Part root, Part shared, int count) {
    Part before = root.getOther();
    for (int i = 0; i < count; i++) {
      Part plain = new Part();
      plain.setNext(shared);
      plain.setOther(before);
      root.setOther(plain);
      before = root.getOther();
    }
    root.setOther(null);
    assertNull(root.getOther());
    assertSame(shared, root.getNext());
  }

  @Test
  void eachOfManyWhoAskGetsACollectionThatBeganAfterwards() throws InterruptedException {
    try (PmStore store = open(IN_BACKGROUND)) {
      Part root = store.root(Part.class);
      List<Thread> threads = new ArrayList<>();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      for (int i = 0; i < 6; i++) {
        boolean isVirtual = i % 2 == 0;
        Runnable asking =
            () -> {
              for (int k = 0; k < 20; k++) {
                store.transaction(() -> dropRing(root));
                GcReport report = store.gc();
                assertEquals(Cause.REQUESTED, report.cause());
              }
            };
        threads.add(
            (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform())
                .uncaughtExceptionHandler((thread, thrown) -> failure.set(thrown))
                .start(asking));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertNull(failure.get());
      JavaGarbage.collectUntil(
          "nothing but the root is left",
          () -> {
            store.gc();
            return use(store, Part.class).liveObjects() == 1;
          });
    }
    assertEquals(0, verified().garbageObjects());
  }

  private static void dropRing(Part root) {
    Part plain = new Part();
    plain.setNext(plain);
    root.setNext(plain);
    root.setNext(null);
  }

  // ---- refusals and endings

  @Test
  void insideATransactionOrASnapshotItIsRefused() {
    try (PmStore store = open(ON_REQUEST)) {
      store.root(Part.class);
      for (Runnable call : List.<Runnable>of(store::gc, store::statistics, store::compact)) {
        store.transaction(() -> assertThrows(IllegalStateException.class, call::run));
        store.snapshot(() -> assertThrows(IllegalStateException.class, call::run));
      }
      store.transaction(() -> assertThrows(IllegalStateException.class, store::close));
      assertEquals(0, store.gc().freedObjects(), "the refused close has not ended the collector");
    }
  }

  @Test
  void aStoreThatIsOnlyReadIsCounted() {
    try (PmStore store = open(ON_REQUEST)) {
      store.root(Part.class);
    }
    try (PmStore store = open(IN_BACKGROUND.readOnly(true).gcBeforeOpening(true))) {
      assertThrows(StoreReadOnlyException.class, store::gc);
      assertThrows(StoreReadOnlyException.class, store::compact);
      assertEquals(1, use(store, Part.class).liveObjects());
      assertEquals(Optional.empty(), store.statistics().lastCollection());
    }
  }

  @Test
  void aClosedStoreRefusesAll() {
    PmStore store = open(ON_REQUEST);
    store.close();
    store.close();
    assertThrows(StoreClosedException.class, store::gc);
    assertThrows(StoreClosedException.class, store::statistics);
    assertThrows(StoreClosedException.class, store::compact);
  }

  @Test
  void closingEndsACollectionThatWaits() throws InterruptedException {
    PmStore store = open(ON_REQUEST);
    store.root(Part.class);
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread reader =
        start(
            new AtomicReference<>(),
            () ->
                store.snapshot(
                    () -> {
                      open.countDown();
                      await(goOn);
                      return "";
                    }));
    open.await();
    AtomicReference<Object> collected = new AtomicReference<>();
    Thread collecting = start(collected, store::gc);
    while (collecting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    AtomicReference<Object> closed = new AtomicReference<>();
    Thread closing =
        start(
            closed,
            () -> {
              store.close();
              return "closed";
            });
    collecting.join(); // while the snapshot is still open
    assertEquals(StoreClosedException.class, collected.get().getClass());
    assertTrue(closing.isAlive());
    goOn.countDown();
    reader.join();
    closing.join();
    assertEquals("closed", closed.get());
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().equals("pmstore-gc")),
        "the thread has ended");
  }

  @Test
  void closingInTheMiddleOfCollectionsLosesNothing() {
    for (int round = 0; round < 10; round++) {
      try (PmStore store = open(IN_BACKGROUND)) {
        Part root = store.root(Part.class);
        int rings = 300 * round;
        store.transaction(
            () -> {
              for (int i = 0; i < rings; i++) {
                dropRing(root);
              }
            });
        root.setName("round " + round);
      }
    }
    verified();
    try (PmStore store = open(ON_REQUEST)) {
      assertEquals("round 9", store.root(Part.class).getName());
      store.gc();
      assertEquals(1, use(store, Part.class).liveObjects());
    }
    assertEquals(0, verified().garbageObjects());
  }

  @Test
  void freeSpaceAtTheEndIsGivenBackOnRequest() throws IOException {
    Path heap = directory.resolve("store").resolve("heap");
    try (PmStore store = open(ON_REQUEST)) {
      Part root = store.root(Part.class);
      root.setTexts(new HashMap<>());
      assertEquals(0, store.compact());
      for (int i = 0; i < 60; i++) {
        long key = i;
        store.transaction(() -> root.getTexts().put(key, "x".repeat(1 << 20)));
      }
      long full = store.statistics().heapBytes();
      assertTrue(full >= 60 << 20);
      root.getTexts().clear();
      store.gc();
      long given = store.compact();
      assertTrue(given >= 32 << 20, "given back: " + given);
      assertEquals(full - given, store.statistics().heapBytes());
      assertTrue(Files.size(heap) < full, "the file is smaller");
      root.getTexts().put(1L, "there is room for more");
    }
    assertEquals(0, verified().garbageObjects());
  }

  // ---- what is told

  @Test
  void collectionsAreSeenInAFlightRecording() throws IOException {
    Path file = directory.resolve("recording.jfr");
    GcReport report;
    try (PmStore store = open(ON_REQUEST);
        Recording recording = new Recording()) {
      recording.enable("pmstore.GarbageCollection");
      recording.enable("pmstore.GCPhase");
      Part root = store.root(Part.class);
      collect(linkRing(store, root));
      root.setNext(null);
      recording.start();
      report = store.gc();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    List<RecordedEvent> collections = named(events, "pmstore.GarbageCollection");
    assertEquals(1, collections.size());
    RecordedEvent collection = collections.getFirst();
    assertEquals("REQUESTED", collection.getString("cause"));
    assertEquals(directory.resolve("store").toString(), collection.getString("store"));
    assertEquals(report.liveObjects(), collection.getLong("liveObjects"));
    assertEquals(report.freedObjects(), collection.getLong("freedObjects"));
    assertEquals(report.freedBytes(), collection.getLong("freedBytes"));
    assertEquals(
        List.of("Mark", "Wait", "Sweep"),
        named(events, "pmstore.GCPhase").stream().map(e -> e.getString("name")).toList());
    for (RecordedEvent phase : named(events, "pmstore.GCPhase")) {
      assertEquals(collection.getInt("gcId"), phase.getInt("gcId"));
      assertFalse(phase.getStartTime().isBefore(collection.getStartTime()));
      assertFalse(phase.getEndTime().isAfter(collection.getEndTime()));
    }
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream().filter(e -> e.getEventType().getName().equals(name)).toList();
  }

  // ---- threads

  private interface Body {
    Object run();
  }

  /** Runs a body on another thread; keeps what it returns or throws. */
  private static Thread start(AtomicReference<Object> result, Body body) {
    return Thread.ofPlatform()
        .daemon()
        .uncaughtExceptionHandler((thread, thrown) -> result.set(thrown))
        .start(() -> result.set(body.run()));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
