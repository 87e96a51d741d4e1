package io.pmstore.core.crash;

import io.pmstore.Durability;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.heap.EvolvingLayer;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.Layout;
import io.pmstore.crash.Disk;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/**
 * Threads write pairs of objects through several sessions, in each of which their class has another
 * shape, so that the objects are upgraded and moved. Meanwhile the run examines what a power cut
 * would leave. The sessions end in a close, a kill of the process or a power cut.
 */
public final class UpgradeRun implements CrashSimulator.Subject<UpgradeState> {
  // In place, to another place, and there in place: no old body becomes garbage.
  private static final List<Layout> SHAPES =
      List.of(Layout.FIRST, Layout.PERMUTED, Layout.LARGER, Layout.LARGER_PERMUTED);

  private final EngineRun.Setup setup;
  private Disk disk;
  private final SplittableRandom random;
  private final SeededScheduler scheduler;
  private final CrashSimulator<UpgradeState> simulator;
  private Layout now = Layout.FIRST;
  private long moved;

  // What is promised.
  private boolean opened;
  private final long[] begun = new long[UpgradeState.PAIRS];
  private final long[] returned = new long[UpgradeState.PAIRS];
  private long promises;

  /**
   * Prepares a run.
   *
   * @param setup what runs; as many sessions as there are shapes
   * @param disk an empty one
   */
  public UpgradeRun(EngineRun.Setup setup, Disk disk) {
    this.setup = setup;
    this.disk = disk;
    this.random = new SplittableRandom(setup.seed());
    this.scheduler = new SeededScheduler(random.nextLong());
    this.simulator = new CrashSimulator<>(this, random.nextLong(), setup.effort());
  }

  /**
   * Runs, with power cuts.
   *
   * @throws CrashSimulator.PowerCutFailure if one leaves what it must not
   * @throws Exception what the store threw, and must not
   */
  public void run() throws Exception {
    scheduler.start("main", this::sessions);
    try {
      scheduler.run(() -> simulator.cutPower(disk));
    } catch (Throwable e) {
      e.addSuppressed(new Exception("replay it with -Dpmstore.seed=" + setup.seed()));
      throw e;
    }
  }

  private void sessions() throws Exception {
    for (Layout shape : SHAPES) {
      now = shape;
      RecordingMedium medium =
          new RecordingMedium(disk, setup.directory().resolve("live"), this::before);
      OpenStore store =
          OpenStore.open(
              setup.opener(), medium, medium.directory(), scheduler.threadFactory("engine"));
      Heap heap = heap(new SteppedEngine(store.engine()));
      check(UpgradeState.read(heap, now));
      UpgradeState.create(heap);
      opened = true;
      UpgradeState found = UpgradeState.read(heap, now);
      check(found);
      for (int pair = 0; pair < UpgradeState.PAIRS; pair++) {
        begun[pair] = found.numbers().get(pair);
        returned[pair] = found.numbers().get(pair);
      }
      promises++;
      simulator.forget();
      session(store, heap);
      if (random.nextInt(3) == 0) {
        disk = disk.cutPower(random.nextLong());
      }
    }
  }

  private void before(MediumCall call) {
    scheduler.note(call.toString());
    SeededScheduler.pause();
  }

  private Heap heap(Engine engine) {
    return new Heap(engine, Durability.SYNC, heap -> new EvolvingLayer(heap, now));
  }

  private void session(OpenStore store, Heap heap) throws Exception {
    List<HeapObject> objects = UpgradeState.handles(heap, now); // all threads share them
    CountDownLatch ended = new CountDownLatch(setup.threads());
    boolean killedInside = random.nextInt(3) == 0;
    int killAfter = random.nextInt(30 * setup.threads() * setup.commits());
    for (int t = 0; t < setup.threads(); t++) {
      SplittableRandom choices = random.split();
      scheduler.start("writer" + t, () -> writeMany(heap, objects, choices, ended));
    }
    if (killedInside) {
      for (int i = 0; i < killAfter && ended.getCount() > 0; i++) {
        SeededScheduler.pause();
      }
      store.medium().cut();
    }
    ended.await();
    if (!killedInside) {
      moved += objects.stream().filter(o -> o.identity() != o.address()).count();
    }
    if (killedInside || random.nextBoolean()) {
      store.kill();
    } else {
      heap.close();
    }
  }

  private void writeMany(
      Heap heap, List<HeapObject> objects, SplittableRandom choices, CountDownLatch ended) {
    try {
      for (int i = 0; i < setup.commits(); i++) {
        int pair = choices.nextInt(UpgradeState.PAIRS);
        begun[pair]++;
        promises++;
        long number = increment(heap, objects, pair);
        scheduler.note("pair %d has state %d".formatted(pair, number));
        returned[pair] = Math.max(returned[pair], number);
        promises++;
      }
    } catch (StoreFailedException | StoreClosedException e) {
      OpenStore.requireKilled(e);
    } finally {
      ended.countDown();
    }
  }

  private long increment(Heap heap, List<HeapObject> objects, int pair) {
    HeapObject one = objects.get(2 * pair);
    HeapObject other = objects.get(2 * pair + 1);
    return heap.transaction(
        () -> {
          long number = now.read(one) + 1;
          SeededScheduler.pause();
          now.write(one, number);
          SeededScheduler.pause();
          now.write(other, number);
          return number;
        });
  }

  @Override
  public UpgradeState recover(Disk image, long seed) throws Exception {
    SplittableRandom choices = new SplittableRandom(seed);
    RecordingMedium medium =
        new RecordingMedium(image.stopRecording(), setup.directory().resolve("image"), call -> {});
    ThreadFactory threads = Thread.ofPlatform().daemon().factory();
    OpenStore store = OpenStore.open(setup.opener(), medium, medium.directory(), threads);
    try {
      Heap heap = heap(store.engine());
      UpgradeState found = UpgradeState.read(heap, now);
      if (!found.numbers().isEmpty() && choices.nextInt(4) == 0) {
        // It goes on: nothing that it needs for that was lost either.
        increment(heap, UpgradeState.handles(heap, now), choices.nextInt(UpgradeState.PAIRS));
        UpgradeState.read(heap, now);
      }
      return found;
    } finally {
      store.kill();
    }
  }

  @Override
  public void check(UpgradeState found) {
    if (found.numbers().isEmpty()) {
      if (opened) {
        throw new AssertionError("there are no pairs");
      }
      return;
    }
    for (int pair = 0; pair < UpgradeState.PAIRS; pair++) {
      long number = found.numbers().get(pair);
      if (number < returned[pair] || number > begun[pair]) {
        throw new AssertionError(
            "pair %d has state %d, not %d to %d"
                .formatted(pair, number, returned[pair], begun[pair]));
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
   * How many objects were seen away from home at the end of a session.
   *
   * @return the number
   */
  public long moved() {
    return moved;
  }
}
