package io.pmstore.core.crash;

import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.crash.Disk;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Threads commit to an engine through several sessions, which end in a close, a kill of the process
 * or a power cut. At every step the run examines what a power cut would leave. One seed determines
 * everything.
 */
public final class EngineRun implements CrashSimulator.Subject<Commits.Found> {
  /**
   * What runs.
   *
   * @param opener the engine
   * @param directory where real directories can be made, in memory if possible
   * @param seed what everything is drawn from
   * @param threads how many commit at once
   * @param sessions how often the store is opened
   * @param commits how many each thread makes in a session
   * @param equalSizes true to have all commits of one size
   * @param effort how much is tried
   * @param recoveryOneIn one in so many images is recovered by a process whose power is cut too
   */
  public record Setup(
      EngineOpener opener,
      Path directory,
      long seed,
      int threads,
      int sessions,
      int commits,
      boolean equalSizes,
      CrashSimulator.Effort effort,
      int recoveryOneIn) {
    ChangeSource.Kind kind(boolean large) {
      return equalSizes
          ? ChangeSource.Kind.EQUAL
          : large ? ChangeSource.Kind.LARGE : ChangeSource.Kind.SMALL;
    }
  }

  private static final int CLOSE_ONE_IN = 4;
  private static final int VERIFY_ONE_IN = 24;

  private final Setup setup;
  private Disk disk;
  private final SplittableRandom random;
  private final SeededScheduler scheduler;
  private final CrashSimulator<Commits.Found> simulator;
  private final Lock besideOthers;
  private final Lock alone;
  private Commits commits;
  private boolean kernelWrites;

  /**
   * Prepares a run.
   *
   * @param setup what runs
   * @param disk an empty one
   */
  public EngineRun(Setup setup, Disk disk) {
    this.setup = setup;
    this.disk = disk;
    this.random = new SplittableRandom(setup.seed);
    this.scheduler = new SeededScheduler(random.nextLong());
    this.simulator = new CrashSimulator<>(this, random.nextLong(), setup.effort);
    this.commits = new Commits(setup.threads);
    ReadWriteLock lock = new ReentrantReadWriteLock();
    this.besideOthers = lock.readLock();
    this.alone = lock.writeLock();
  }

  /** Lets the kernel write pages before their log records, as no medium does. */
  public void breakWriteAhead() {
    kernelWrites = true;
  }

  /**
   * Runs, with power cuts.
   *
   * @throws CrashSimulator.PowerCutFailure if one leaves what it must not
   * @throws Exception what the engine threw, and must not
   */
  public void run() throws Exception {
    run(() -> simulator.cutPower(disk));
  }

  /**
   * Runs without power cuts.
   *
   * @throws Exception what the engine threw, and must not
   */
  public void runOnly() throws Exception {
    run(() -> {});
  }

  private void run(SeededScheduler.Body afterStep) throws Exception {
    scheduler.start("main", this::sessions);
    try {
      scheduler.run(afterStep);
    } catch (Throwable e) {
      e.addSuppressed(new Exception("replay it with -Dpmstore.seed=" + setup.seed));
      throw e;
    }
  }

  private void sessions() throws Exception {
    boolean powerCut = false;
    for (int session = 1; session <= setup.sessions; session++) {
      RecordingMedium medium =
          new RecordingMedium(disk, setup.directory.resolve("live"), this::before);
      if (kernelWrites) {
        medium.letKernelWriteStoredPages();
      }
      OpenStore store =
          OpenStore.open(
              setup.opener, medium, medium.directory(), scheduler.threadFactory("engine"));
      Commits.Found found =
          commits.read(store.engine().memory(), store.engine().position(), store.usedPages());
      if (powerCut) {
        commits.check(found);
      } else {
        commits.checkKilled(found);
      }
      commits = commits.after(found);
      simulator.forget();
      session(store);
      powerCut = random.nextInt(3) == 0;
      if (powerCut) {
        disk = disk.cutPower(random.nextLong());
      }
    }
  }

  private void before(MediumCall call) {
    scheduler.note(call.toString());
    SeededScheduler.pause();
  }

  private void session(OpenStore store) throws Exception {
    ChangeSource source = new ChangeSource(random.nextLong(), setup.kind(random.nextBoolean()));
    Engine engine = new SteppedEngine(store.engine());
    CountDownLatch ended = new CountDownLatch(setup.threads);
    boolean killedInside = random.nextInt(3) == 0;
    int killAfter = random.nextInt(20 * setup.threads * setup.commits);
    for (int t = 0; t < setup.threads; t++) {
      int thread = t;
      scheduler.start("committer" + t, () -> commitMany(engine, source, thread, ended));
    }
    if (killedInside) {
      for (int i = 0; i < killAfter && ended.getCount() > 0; i++) {
        SeededScheduler.pause();
      }
      store.medium().cut();
    }
    ended.await();
    if (killedInside || random.nextBoolean()) {
      store.kill();
    } else {
      store.close();
    }
  }

  private void commitMany(Engine engine, ChangeSource source, int thread, CountDownLatch ended) {
    try {
      if (engine.memory().writableBytes() < ChangeSource.ROOM) {
        growTo(engine, ChangeSource.ROOM);
      }
      for (int i = 0; i < setup.commits; i++) {
        if (random.nextInt(4 * setup.commits) == 0) {
          shrink(engine);
        }
        besideOthers.lock();
        try {
          if (random.nextInt(4 * setup.commits) == 0) {
            grow(engine);
          }
          source.next(
              thread, commits, engine.memory().writableBytes(), change -> commit(engine, change));
        } finally {
          besideOthers.unlock();
        }
      }
    } catch (StoreFailedException | StoreClosedException e) {
      OpenStore.requireKilled(e);
    } finally {
      ended.countDown();
    }
  }

  private void grow(Engine engine) {
    long writable = engine.memory().writableBytes();
    long size =
        writable < HeapMemory.EXTENT_SIZE ? 2 * writable : writable + HeapMemory.EXTENT_SIZE;
    if (size <= 2 * HeapMemory.EXTENT_SIZE) {
      growTo(engine, size);
    }
  }

  private void growTo(Engine engine, long size) {
    commits.growing();
    engine.grow(size);
    commits.grown(size);
  }

  private void shrink(Engine engine) {
    alone.lock();
    try {
      if (engine.memory().size() > HeapMemory.EXTENT_SIZE) {
        commits.shrinking(HeapMemory.EXTENT_SIZE);
        engine.shrink(HeapMemory.EXTENT_SIZE);
        commits = commits.shrunk(HeapMemory.EXTENT_SIZE);
        scheduler.note("shrunk");
      }
    } finally {
      alone.unlock();
    }
  }

  private void commit(Engine engine, Change change) {
    commits.begun(change);
    long position = engine.commit(change.writes());
    commits.returned(change, position);
    scheduler.note("%s has position %d".formatted(change, position));
    if (random.nextInt(3) > 0) {
      engine.sync(position);
      commits.synced(position);
      scheduler.note("durable up to " + position);
    }
  }

  // ---- what a power cut leaves

  @Override
  public Commits.Found recover(Disk image, long seed) throws Exception {
    SplittableRandom choices = new SplittableRandom(seed);
    Disk second = choices.nextInt(setup.recoveryOneIn) == 0 ? image.copy() : null;
    EngineImage.End end =
        choices.nextInt(VERIFY_ONE_IN) == 0
            ? EngineImage.End.VERIFY
            : choices.nextInt(CLOSE_ONE_IN) == 0 ? EngineImage.End.CLOSE : EngineImage.End.KILL;
    Commits.Found found = EngineImage.open(setup, image, commits, end);
    if (second != null) {
      new RecoveryRun(setup, second, commits.after(found), seed).run();
    }
    return found;
  }

  @Override
  public void check(Commits.Found found) {
    commits.check(found);
  }

  @Override
  public long promises() {
    return commits.promises();
  }

  /**
   * The simulator, for what it has counted.
   *
   * @return the simulator
   */
  public CrashSimulator<?> simulator() {
    return simulator;
  }

  /**
   * The scheduler, for its trace.
   *
   * @return the scheduler
   */
  public SeededScheduler scheduler() {
    return scheduler;
  }
}
