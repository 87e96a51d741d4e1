package io.pmstore.core.crash;

import io.pmstore.core.engine.Engine;
import io.pmstore.crash.Disk;
import java.util.SplittableRandom;

/**
 * The next process after a power cut recovers the store, commits a little, closes it and opens it
 * again, while the power is cut a second time.
 */
final class RecoveryRun implements CrashSimulator.Subject<Commits.Found> {
  private static final CrashSimulator.Effort EFFORT = new CrashSimulator.Effort(4, 8, 1, 60);
  private static final int COMMITS = 3;

  private final EngineRun.Setup setup;
  private final Disk disk;
  private final SplittableRandom random;
  private final SeededScheduler scheduler;
  private final CrashSimulator<Commits.Found> simulator;
  private Commits commits;

  /**
   * Prepares it.
   *
   * @param disk what the first power cut left
   * @param expected all that the store holds
   */
  RecoveryRun(EngineRun.Setup setup, Disk disk, Commits expected, long seed) {
    this.setup = setup;
    this.disk = disk;
    this.random = new SplittableRandom(seed);
    this.scheduler = new SeededScheduler(random.nextLong());
    this.simulator = new CrashSimulator<>(this, random.nextLong(), EFFORT);
    this.commits = expected;
  }

  void run() throws Exception {
    scheduler.start("recovery", this::recoverAndGoOn);
    scheduler.run(() -> simulator.cutPower(disk));
  }

  private void recoverAndGoOn() throws Exception {
    OpenStore store = open();
    Engine engine = store.engine();
    ChangeSource source = new ChangeSource(random.nextLong(), setup.kind(false));
    if (engine.memory().writableBytes() < ChangeSource.ROOM) {
      commits.growing();
      engine.grow(ChangeSource.ROOM);
      commits.grown(ChangeSource.ROOM);
    }
    for (int i = 0; i < COMMITS; i++) {
      int thread = random.nextInt(commits.threads());
      source.next(
          thread,
          commits,
          engine.memory().writableBytes(),
          change -> {
            commits.begun(change);
            long position = engine.commit(change.writes());
            commits.returned(change, position);
            if (random.nextBoolean()) {
              engine.sync(position);
              commits.synced(position);
            }
          });
    }
    if (random.nextBoolean()) {
      store.close();
    } else {
      store.kill();
    }
    open().kill();
  }

  private OpenStore open() throws Exception {
    RecordingMedium medium =
        new RecordingMedium(
            disk, setup.directory().resolve("recovery"), call -> SeededScheduler.pause());
    OpenStore store =
        OpenStore.open(
            setup.opener(), medium, medium.directory(), scheduler.threadFactory("engine"));
    Commits.Found found =
        commits.read(store.engine().memory(), store.engine().position(), store.usedPages());
    commits.checkKilled(found);
    commits = commits.after(found);
    return store;
  }

  @Override
  public Commits.Found recover(Disk image, long seed) throws Exception {
    return EngineImage.open(setup, image, commits, EngineImage.End.KILL);
  }

  @Override
  public void check(Commits.Found found) {
    commits.check(found);
  }

  @Override
  public long promises() {
    return commits.promises();
  }
}
