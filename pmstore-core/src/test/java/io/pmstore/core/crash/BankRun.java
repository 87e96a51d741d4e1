package io.pmstore.core.crash;

import io.pmstore.Durability;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.crash.Disk;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/**
 * Tellers and an auditor work in a {@link Bank} through several sessions, which end in a close, a
 * kill of the process or a power cut. Meanwhile the run examines what a power cut would leave. The
 * layers above the engine run under one scheduler.
 */
public final class BankRun implements CrashSimulator.Subject<BankState> {
  private final EngineRun.Setup setup;
  private Disk disk;
  private final SplittableRandom random;
  private final SeededScheduler scheduler;
  private final CrashSimulator<BankState> simulator;

  // What is promised.
  private boolean opened;
  private final long[] begun;
  private final long[] returned;
  private final long[] audited = new long[Bank.ACCOUNTS];
  private long promises;

  /**
   * Prepares a run.
   *
   * @param setup what runs; each thread is a teller
   * @param disk an empty one
   */
  public BankRun(EngineRun.Setup setup, Disk disk) {
    this.setup = setup;
    this.disk = disk;
    this.random = new SplittableRandom(setup.seed());
    this.scheduler = new SeededScheduler(random.nextLong());
    this.simulator = new CrashSimulator<>(this, random.nextLong(), setup.effort());
    this.begun = new long[setup.threads()];
    this.returned = new long[setup.threads()];
  }

  /**
   * Runs, with power cuts.
   *
   * @throws CrashSimulator.PowerCutFailure if one leaves what it must not
   * @throws Exception what the store threw, and must not
   */
  public void run() throws Exception {
    run(() -> simulator.cutPower(disk));
  }

  /**
   * Runs without power cuts.
   *
   * @throws Exception what the store threw, and must not
   */
  public void runOnly() throws Exception {
    run(() -> {});
  }

  private void run(SeededScheduler.Body afterStep) throws Exception {
    scheduler.start("main", this::sessions);
    try {
      scheduler.run(afterStep);
    } catch (Throwable e) {
      e.addSuppressed(new Exception("replay it with -Dpmstore.seed=" + setup.seed()));
      throw e;
    }
  }

  private void sessions() throws Exception {
    for (int session = 1; session <= setup.sessions(); session++) {
      RecordingMedium medium =
          new RecordingMedium(disk, setup.directory().resolve("live"), this::before);
      OpenStore store =
          OpenStore.open(
              setup.opener(), medium, medium.directory(), scheduler.threadFactory("engine"));
      Heap heap = heap(new SteppedEngine(store.engine()));
      check(BankState.read(heap, setup.threads()));
      Bank bank = Bank.open(heap, setup.threads());
      opened = true;
      promises++;
      BankState found = BankState.read(heap, setup.threads());
      check(found);
      // A transfer whose end nobody heard of is there or not; from now on that is known.
      for (int t = 0; t < setup.threads(); t++) {
        begun[t] = found.made().get(t);
        returned[t] = found.made().get(t);
      }
      promises++;
      simulator.forget();
      session(store, heap, bank);
      if (random.nextInt(3) == 0) {
        disk = disk.cutPower(random.nextLong());
      }
    }
  }

  private void before(MediumCall call) {
    scheduler.note(call.toString());
    SeededScheduler.pause();
  }

  private static Heap heap(Engine engine) {
    return new Heap(engine, Durability.SYNC, h -> new NoObjects());
  }

  private void session(OpenStore store, Heap heap, Bank bank) throws Exception {
    CountDownLatch ended = new CountDownLatch(setup.threads() + 1);
    boolean killedInside = random.nextInt(3) == 0;
    int killAfter = random.nextInt(60 * setup.threads() * setup.commits());
    for (int t = 0; t < setup.threads(); t++) {
      int teller = t;
      SplittableRandom choices = random.split();
      scheduler.start(
          "teller" + t, () -> untilKilled(ended, () -> transferMany(bank, teller, choices)));
    }
    scheduler.start("auditor", () -> untilKilled(ended, () -> auditMany(bank)));
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
      heap.close();
    }
  }

  private static void untilKilled(CountDownLatch ended, Runnable work) {
    try {
      work.run();
    } catch (StoreFailedException | StoreClosedException e) {
      OpenStore.requireKilled(e);
    } finally {
      ended.countDown();
    }
  }

  private void transferMany(Bank bank, int teller, SplittableRandom choices) {
    for (int i = 0; i < setup.commits(); i++) {
      begun[teller]++;
      promises++;
      long number = bank.transfer(teller, choices);
      scheduler.note("transfer " + number);
      if (number != begun[teller]) {
        throw new AssertionError(
            "transfer %d of teller %d has number %d".formatted(begun[teller], teller, number));
      }
      returned[teller] = number;
      promises++;
    }
  }

  private void auditMany(Bank bank) {
    for (int i = 0; i < setup.commits(); i++) {
      long[] versions = bank.audit();
      scheduler.note("audit " + Arrays.toString(versions));
      for (int account = 0; account < versions.length; account++) {
        audited[account] = Math.max(audited[account], versions[account]);
      }
      promises++;
    }
  }

  @Override
  public BankState recover(Disk image, long seed) throws Exception {
    SplittableRandom choices = new SplittableRandom(seed);
    RecordingMedium medium =
        new RecordingMedium(image.stopRecording(), setup.directory().resolve("image"), call -> {});
    ThreadFactory threads = Thread.ofPlatform().daemon().factory();
    OpenStore store = OpenStore.open(setup.opener(), medium, medium.directory(), threads);
    try {
      Heap heap = heap(store.engine());
      BankState found = BankState.read(heap, setup.threads());
      if (choices.nextInt(4) == 0) {
        // It goes on: nothing that it needs for that was lost either.
        Bank bank = Bank.open(heap, setup.threads());
        bank.transfer(choices.nextInt(setup.threads()), choices);
        BankState.read(heap, setup.threads());
      }
      return found;
    } finally {
      store.kill();
    }
  }

  @Override
  public void check(BankState found) {
    if (found.made().isEmpty()) {
      if (opened) {
        throw new AssertionError("there is no bank");
      }
      return;
    }
    for (int t = 0; t < setup.threads(); t++) {
      long made = found.made().get(t);
      if (made < returned[t] || made > begun[t]) {
        throw new AssertionError(
            "teller %d has %d transfers, not %d to %d".formatted(t, made, returned[t], begun[t]));
      }
    }
    for (int account = 0; account < audited.length; account++) {
      if (found.versions().get(account) < audited[account]) {
        throw new AssertionError(
            "account %d has version %d; an audit has seen %d"
                .formatted(account, found.versions().get(account), audited[account]));
      }
    }
  }

  @Override
  public long promises() {
    return promises;
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
