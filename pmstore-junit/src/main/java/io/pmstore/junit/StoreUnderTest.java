package io.pmstore.junit;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreMetrics;
import io.pmstore.VerificationReport;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumWrappers;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store behind a {@link TestStore}, which {@link #proxy} makes. */
final class StoreUnderTest {
  private static final Duration END_OF_WORK = Duration.ofSeconds(5);

  // The store in whose commit the thread asks for what is promised.
  private static final ThreadLocal<StoreUnderTest> PROMISING = new ThreadLocal<>();

  private final Path base;
  private final Path directory;
  private final PmStoreOptions options;
  private final TestStore proxy;

  // For stores that are crashed.
  private final @Nullable Disk disk;
  private final List<RecordedMedium> media = new ArrayList<>(); // of the store that is open
  private volatile @Nullable CrashDraw<?> draw;
  private int imagesOpened;
  private long usedSeed;

  private PmStore store;

  /**
   * Opens a store. If that fails, nothing is left of it.
   *
   * @param base an empty directory of its own
   * @param prepare puts into that directory what the store is to be
   * @param crashes true if it is to be crashed
   */
  static StoreUnderTest open(
      Path base, Consumer<Path> prepare, PmStoreOptions options, boolean crashes) {
    try {
      prepare.accept(base);
      return new StoreUnderTest(base, options, crashes);
    } catch (Throwable e) {
      try {
        delete(base);
      } catch (PmStoreException deleting) {
        e.addSuppressed(deleting);
      }
      throw e;
    }
  }

  private StoreUnderTest(Path base, PmStoreOptions options, boolean crashes) {
    this.base = base;
    this.directory = base.resolve("store");
    this.options = options;
    this.disk = crashes ? new Disk(FaultModel.FILE, Barriers.unwatched()) : null;
    if (crashes) {
      requireOneDirectory(options);
    }
    this.store = open();
    if (crashes && media.isEmpty()) {
      store.close();
      throw new IllegalArgumentException(
          "@TempStore(crashes = true) needs options with Storage.FILE, PERSISTENT_MEMORY or TIERED,"
              + " and not for reading only: the crashes of other stores, such as PMDK's pools,"
              + " cannot be simulated");
    }
    this.proxy = newProxy();
  }

  TestStore proxy() {
    return proxy;
  }

  /** An image is one directory; and it must not use the pools of the store that it is one of. */
  private static void requireOneDirectory(PmStoreOptions options) {
    if (options.tieredPoolDirectory().isPresent() || options.tieredSpillDirectory().isPresent()) {
      throw new IllegalArgumentException(
          "@TempStore(crashes = true) needs the pools and spills of a tiered store in the store's"
              + " directory; leave out PmStoreOptions.tieredSpillDirectory, and name no directory"
              + " for PmStoreOptions.tieredPools");
    }
  }

  private PmStore open() {
    Disk recorded = disk;
    if (recorded == null) {
      return PmStore.open(directory, options);
    }
    media.clear();
    MediumWrappers.put(directory, inner -> recorded(inner, recorded));
    try {
      return PmStore.open(directory, options);
    } finally {
      MediumWrappers.remove(directory);
    }
  }

  private RecordedMedium recorded(Medium inner, Disk files) {
    RecordedMedium made = new RecordedMedium(inner, files, this::moment);
    media.add(made);
    return made;
  }

  private void moment() {
    CrashDraw<?> drawing = draw;
    if (drawing != null && disk != null) {
      drawing.moment(disk);
    }
  }

  private TestStore newProxy() {
    InvocationHandler handler =
        (self, method, arguments) -> {
          if (method.getDeclaringClass() == Object.class) {
            return ofObject(self, method, arguments);
          }
          requireNotPromising();
          if (method.getDeclaringClass() == TestStore.class) {
            return ofTestStore(method.getName(), arguments);
          }
          try {
            return method.invoke(store, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
          }
        };
    return (TestStore)
        Proxy.newProxyInstance(
            TestStore.class.getClassLoader(), new Class<?>[] {TestStore.class}, handler);
  }

  @SuppressWarnings("ReferenceEquality") // a store equals itself only
  private Object ofObject(Object self, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "TestStore[" + directory + "]";
    };
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the compiler has checked the call of the interface
  private @Nullable Object ofTestStore(String method, Object[] arguments) throws Exception {
    switch (method) {
      case "directory" -> {
        return directory;
      }
      case "reopen" -> reopen();
      case "kill" -> kill();
      case "crash" -> crash((TestStore.ImageCheck) arguments[0]);
      case "crashDuring" ->
          crashDuring(
              (TestStore.Action) arguments[0],
              (Supplier<Object>) arguments[1],
              (TestStore.PromiseCheck<Object>) arguments[2]);
      default -> throw new IllegalStateException("TestStore has no method " + method);
    }
    return null;
  }

  // ---- reopening and crashes

  private void reopen() {
    store.close();
    store = open();
  }

  private void kill() {
    requireRecorded();
    if (store.inTransaction()) {
      throw new IllegalStateException(
          "a store cannot be killed inside one of its transactions or snapshots: the test's thread"
              + " would go on in it; kill it outside, and crash it inside of an action with"
              + " crashDuring");
    }
    media.forEach(RecordedMedium::cut);
    try {
      store.close();
    } catch (StoreFailedException e) {
      // It could not write its last checkpoint, as after a kill.
    }
    store = open();
  }

  private void crash(TestStore.ImageCheck check) {
    CrashDraw<Boolean> drawn = new CrashDraw<>(imagesMax() / 2, () -> true, seed()); // nothing
    Disk files = requireRecorded();
    synchronized (files) {
      drawn.draw(files);
    }
    checkAll(drawn.images(), (image, nothing) -> check.check(image));
  }

  private void requireNotPromising() {
    if (PROMISING.get() == this) {
      throw new IllegalStateException(
          "it is called in the middle of a commit, so it must not use the store: count what is"
              + " acknowledged in a variable of the test, such as an AtomicLong, and return that");
    }
  }

  private <T> T promise(Supplier<T> promised) {
    PROMISING.set(this);
    try {
      return promised.get();
    } finally {
      PROMISING.remove();
    }
  }

  private <T> void crashDuring(
      TestStore.Action action, Supplier<T> promised, TestStore.PromiseCheck<T> check)
      throws Exception {
    Disk files = requireRecorded();
    CrashDraw<T> drawn = new CrashDraw<>(imagesMax(), () -> promise(promised), seed());
    draw = drawn;
    try {
      action.run();
    } finally {
      draw = null;
    }
    List<CrashImage<T>> images;
    Throwable failure;
    synchronized (files) { // no moment is under way any more
      images = drawn.images();
      failure = drawn.failure();
    }
    if (failure != null) {
      throw new AssertionError(
          "the second argument of crashDuring has failed: " + failure.getMessage(), failure);
    }
    if (drawn.moments() == 0) {
      throw new AssertionError(
          "the action of crashDuring changed no file; let it commit transactions of this store");
    }
    checkAll(images, check);
  }

  private Disk requireRecorded() {
    Disk recorded = disk;
    if (recorded == null) {
      throw new IllegalStateException(
          "this store cannot be crashed, because what its files had was not recorded; write"
              + " @TempStore(crashes = true)");
    }
    return recorded;
  }

  private static int imagesMax() {
    return (int) number("pmstore.crash.images", 2, 1_000_000, 40);
  }

  private long seed() {
    usedSeed = number("pmstore.seed", Long.MIN_VALUE, Long.MAX_VALUE, System.nanoTime());
    return usedSeed;
  }

  /**
   * Returns the value of a system property. A wrong one fails: a crash test has to check images.
   */
  private static long number(String property, long min, long max, long absent) {
    String text = System.getProperty(property);
    if (text == null) {
      return absent;
    }
    try {
      long number = Long.parseLong(text.strip());
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // It is refused like one that is out of range.
    }
    throw new IllegalArgumentException(
        "the system property %s is \"%s\", expected a whole number from %d to %d"
            .formatted(property, text, min, max));
  }

  private <T> void checkAll(List<CrashImage<T>> images, TestStore.PromiseCheck<T> check) {
    for (CrashImage<T> image : images) {
      Path copy = base.resolve("image-" + imagesOpened++);
      try {
        image.writeTo(copy);
        try (PmStore opened = PmStore.open(copy, options)) {
          check.check(opened, image.promised());
        }
        VerificationReport report = PmStore.verify(copy, options);
        if (!report.isSound()) {
          throw new AssertionError("the image is not sound: " + report);
        }
      } catch (Exception | AssertionError e) {
        throw new AssertionError(
            "a crash image fails: %s (%s; -Dpmstore.seed=%d draws the same choices)"
                .formatted(e.getMessage(), image.description(), usedSeed),
            e);
      } finally {
        delete(copy);
      }
    }
  }

  // ---- the end

  /**
   * Returns until when transactions of a test that has ended may go on, by {@link System#nanoTime}.
   */
  static long deadline() {
    return System.nanoTime() + END_OF_WORK.toNanos();
  }

  /** Checks that nothing is left open or over, and that the store is sound; closes it. */
  void check(long deadline) {
    try {
      requireEndOfWork(deadline);
    } catch (StoreClosedException e) {
      // The test has closed it.
    }
    store.close();
    VerificationReport report = verified();
    if (report.garbageObjects() > 0 && !options.readOnly()) {
      PmStore.open(directory, options.gcBeforeOpening(true)).close();
      report = verified();
    }
    if (report.garbageObjects() > 0) {
      throw new AssertionError(
          "after the test and a collection %d objects of %d bytes are left that nothing reaches: %s"
              .formatted(report.garbageObjects(), report.garbageBytes(), report));
    }
  }

  private VerificationReport verified() {
    VerificationReport report = PmStore.verify(directory, options);
    if (!report.isSound()) {
      throw new AssertionError("after the test the store is not sound: " + report);
    }
    return report;
  }

  /** Requires that the program's transactions have ended. */
  private void requireEndOfWork(long deadline) {
    StoreMetrics.Transactions running = runningAtTheEnd(deadline);
    if (isWork(running)) {
      throw new AssertionError(
          "after the test %d transactions and %d snapshots of its store are still open; end the threads that run them before the test ends"
              .formatted(running.active(), running.snapshots()));
    }
  }

  /** Waits for the end of all transactions until the deadline; returns those that run then. */
  private StoreMetrics.Transactions runningAtTheEnd(long deadline) {
    StoreMetrics.Transactions running = store.metrics().transactions();
    while (isWork(running) && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
      running = store.metrics().transactions();
    }
    return running;
  }

  private static boolean isWork(StoreMetrics.Transactions running) {
    return running.active() + running.snapshots() > 0;
  }

  /**
   * Closes the store if it is open, and deletes its files. Closing waits for transactions, perhaps
   * for ever. So if some do not end, another thread closes the store when they have ended.
   */
  void end(long deadline) {
    if (isAtWork(deadline)) {
      Thread.ofPlatform().daemon().name("pmstore-junit end of " + base).start(this::closeAndDelete);
    } else {
      closeAndDelete();
    }
  }

  private boolean isAtWork(long deadline) {
    try {
      return isWork(runningAtTheEnd(deadline));
    } catch (StoreClosedException | StoreFailedException e) {
      return false;
    }
  }

  private void closeAndDelete() {
    try {
      store.close();
    } catch (StoreFailedException e) {
      // The test that made it fail knows.
    } finally {
      delete(base);
    }
  }

  private static void delete(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new PmStoreException(
          "the test's directory %s cannot be deleted: %s; delete it by hand".formatted(path, e), e);
    }
  }
}
