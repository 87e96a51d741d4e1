package io.pmstore.gc.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreStatistics;
import io.pmstore.VerificationReport;
import io.pmstore.core.heap.JavaGarbage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** A store, the threads that use it, and its expected contents. */
final class ModelRun implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int STEPS = 120;
  private static final int SIZE_WANTED = 600;

  /** What the program has Java objects for. */
  private static final Set<String> COUNTED =
      Set.of(
          Thing.class.getName(),
          "pmstore.list",
          "pmstore.map",
          "pmstore.set",
          "pmstore.sortedmap",
          "pmstore.linkedmap");

  private final Path directory;
  private final Random random;
  private final PmStoreOptions options;
  private final GraphModel model = new GraphModel(THREADS);
  private final List<Mutator> mutators = new ArrayList<>();
  private PmStore store;
  private final Map<Long, Thing> found = new HashMap<>(); // in a snapshot, by one thread
  private int backups;

  ModelRun(Path directory, Storage storage, Random random) {
    this.directory = directory;
    this.random = random;
    this.options =
        PmStoreOptions.defaults()
            .storage(storage)
            .llplPoolSize(128 << 20)
            .logSegmentSize(1 << 20)
            .durability(Durability.relaxed(Duration.ofSeconds(1)));
    for (int owner = 0; owner < THREADS; owner++) {
      mutators.add(new Mutator(model, owner, new Random(random.nextLong()), SIZE_WANTED));
    }
    open();
  }

  private void open() {
    store = PmStore.open(directory, options.gcBeforeOpening(random.nextBoolean()));
    mutators.forEach(mutator -> mutator.open(Session.of(store)));
  }

  // ---- rounds

  /** Has all threads work, and then checks everything. */
  void round() throws Exception {
    work();
    mutators.getFirst().hold(found);
    found.clear();
    model.forgetUnreached(held());
    compare();
    if (random.nextBoolean()) {
      mutators.forEach(mutator -> mutator.drop(random.nextInt(2 * THREADS)));
    } else {
      mutators.forEach(mutator -> mutator.drop(Integer.MAX_VALUE));
    }
    collectAll();
    compare();
    switch (random.nextInt(4)) {
      case 0 -> reopen();
      case 1 -> verifyBackup();
      case 2 -> {
        store.compact();
        compare();
      }
      default -> {}
    }
  }

  /** Runs rounds for some time, and sees that neither the store nor Java's heap grow. */
  void run(long nanos) throws Exception {
    long begin = System.nanoTime();
    Footprint footprint = new Footprint();
    for (int rounds = 1; System.nanoTime() - begin < nanos; rounds++) {
      round();
      footprint.note(bytesOnDisk(), System.nanoTime() - begin > nanos / 3);
      if (rounds % 50 == 0) {
        System.out.println(rounds + " rounds: " + footprint);
      }
    }
    footprint.check();
  }

  /** Closes the store, in which nothing is left then but what the roots reach. */
  void finish() {
    mutators.forEach(mutator -> mutator.drop(Integer.MAX_VALUE));
    collectAll();
    reopen();
    compare();
  }

  private void work() throws Exception {
    CountDownLatch begin = new CountDownLatch(1);
    CountDownLatch halfway = new CountDownLatch(THREADS);
    CountDownLatch end = new CountDownLatch(THREADS);
    List<FutureTask<?>> tasks = new ArrayList<>();
    for (Mutator mutator : mutators) {
      tasks.add(task(() -> write(mutator, begin, halfway, end)));
    }
    if (random.nextInt(3) > 0) {
      Mutator reader = new Mutator(model, 0, new Random(random.nextLong()), 0);
      tasks.add(task(() -> readOldState(reader, begin, halfway)));
    } else {
      begin.countDown();
    }
    // One that begins late knows nothing any more of much that an open snapshot shows.
    CountDownLatch collectFrom = random.nextBoolean() ? begin : halfway;
    tasks.add(task(() -> collect(collectFrom, end)));
    tasks.forEach(task -> Thread.ofPlatform().start(task));
    for (FutureTask<?> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        throw new AssertionError("a thread of the program failed", e.getCause());
      }
    }
  }

  private interface Body {
    void run() throws Exception;
  }

  private static FutureTask<?> task(Body body) {
    return new FutureTask<>(
        () -> {
          body.run();
          return null;
        });
  }

  private static void write(
      Mutator mutator, CountDownLatch begin, CountDownLatch halfway, CountDownLatch end)
      throws InterruptedException {
    begin.await();
    try {
      try {
        steps(mutator);
      } finally {
        halfway.countDown();
      }
      steps(mutator);
    } finally {
      end.countDown();
    }
  }

  private static void steps(Mutator mutator) {
    for (int left = STEPS / 2; left > 0; left--) {
      mutator.step();
    }
  }

  private void collect(CountDownLatch begin, CountDownLatch end) throws InterruptedException {
    begin.await();
    while (end.getCount() > 0) {
      store.gc();
      System.gc(); // so that Java objects go whose places are used again
    }
  }

  /** Reads a snapshot before all others write and after they did, and holds what only it shows. */
  private void readOldState(Mutator reader, CountDownLatch begin, CountDownLatch halfway)
      throws InterruptedException {
    Map<Long, Node> before = model.copy(List.of());
    try {
      reader.open(Session.of(store));
      store.<InterruptedException>snapshot(
          () -> {
            GraphReader.assertAlike(before, reader.read());
            begin.countDown();
            halfway.await();
            GraphReader.assertAlike(before, reader.read());
            reader.findAndHold();
          });
    } finally {
      begin.countDown();
    }
    found.putAll(reader.held());
  }

  // ---- checks

  private Set<Long> held() {
    Set<Long> held = new HashSet<>();
    mutators.forEach(mutator -> held.addAll(mutator.held().keySet()));
    return held;
  }

  /** What can be reached through the API is what the model says. */
  private void compare() {
    model.forgetUnreached(held());
    for (Mutator mutator : mutators) {
      Map<Long, Node> expected = model.copy(mutator.held().keySet());
      Map<Long, Node> found =
          switch (random.nextInt(3)) {
            case 0 -> mutator.read();
            case 1 -> store.<Map<Long, Node>, RuntimeException>transaction(() -> mutator.read());
            default -> store.<Map<Long, Node>, RuntimeException>snapshot(() -> mutator.read());
          };
      GraphReader.assertAlike(expected, found);
    }
  }

  /** All things and collections are freed that neither the roots reach nor Java. */
  private void collectAll() {
    model.forgetUnreached(held());
    int objects = model.size() + model.collections();
    JavaGarbage.collectUntil(
        "as many things and collections are left as can be reached, which is " + objects,
        () -> {
          System.gc();
          store.gc();
          return objects(store.statistics()) == objects;
        });
  }

  private static long objects(StoreStatistics statistics) {
    return statistics.classes().stream()
        .filter(use -> COUNTED.contains(use.className()))
        .mapToLong(use -> use.liveObjects() + use.unlinkedObjects())
        .sum();
  }

  private void reopen() {
    boolean nothingIsHeld = held().isEmpty();
    store.close();
    VerificationReport report = PmStore.verify(directory, options);
    assertTrue(report.isSound(), report::toString);
    if (nothingIsHeld) {
      assertEquals(0, report.garbageObjects(), report::toString);
      assertEquals(
          report.heapBytes(), report.bytes() + report.freeBytes() + report.overheadBytes());
    }
    open();
    compare();
  }

  private void verifyBackup() throws IOException {
    Path backup = directory.resolveSibling("backup-" + backups++);
    store.backup(backup);
    VerificationReport report = PmStore.verify(backup, options.storage(Storage.FILE));
    assertTrue(report.isSound(), report::toString);
    try (Stream<Path> files = Files.walk(backup)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private long bytesOnDisk() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
