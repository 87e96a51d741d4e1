package io.pmstore.gc.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Migration;
import io.pmstore.PmStoreOptions;
import io.pmstore.Upgrade;
import io.pmstore.core.crash.CrashBudget;
import io.pmstore.core.crash.CrashSimulator.Effort;
import io.pmstore.core.crash.SequentialRun;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.mapped.TestStores;
import io.pmstore.core.heap.Heap;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import io.pmstore.gc.HeapCollector;
import io.pmstore.gc.Seed;
import io.pmstore.proxy.layer.ProxyLayerProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cuts the power while objects of old classes are written and the whole store is upgraded. The next
 * process finds every value, upgraded or not, and can continue to upgrade.
 */
class UpgradeCrashTest {
  private static final int ITEMS = 300; // more than one transaction upgrades
  private static final int WRITES = 12;
  private static final int RUNS = 1;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void aPowerCutLeavesWhatCanBeReadAndUpgraded(FaultModel model) throws Exception {
    Random random = Seed.random("UpgradeCrashTest");
    for (int i = 0; i < CrashBudget.runs(RUNS); i++) {
      long seed = random.nextLong();
      Today today = new Today(new SplittableRandom(seed));
      SequentialRun<List<Long>> run =
          new SequentialRun<>(
              TestStores.opener(),
              directory,
              new Disk(model, Barriers.all()),
              seed,
              new Effort(model == FaultModel.FILE ? 1 : 8, 16, 1, 60),
              today);
      run.prepare(new Yesterday(), heap -> shelf(heap, Yesterday.CLASSES).fill(ITEMS));
      run.run(today::writeAndUpgrade);
      run.run(today::write);
      System.out.printf("%s: %s%n", model, run.simulator());
      assertTrue(run.simulator().images() > 40, "images: " + run.simulator());
    }
  }

  private static Shelf shelf(Heap heap, RenamedClasses classes) {
    return (Shelf) heap.layer().root(classes.load("Shelf"));
  }

  private static Heap heap(Engine engine, PmStoreOptions options) {
    return new Heap(engine, Durability.SYNC, heap -> new ProxyLayerProvider().open(heap, options));
  }

  /** The program that made the store. */
  private static final class Yesterday implements SequentialRun.Program<List<Long>> {
    static final RenamedClasses CLASSES = new RenamedClasses("Old");

    @Override
    public Heap open(Engine engine) {
      return heap(engine, PmStoreOptions.defaults());
    }

    @Override
    public List<Long> recover(Heap heap, long seed) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void check(List<Long> found) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long promises() {
      return 0;
    }
  }

  /** The program that goes on with it. */
  private static final class Today implements SequentialRun.Program<List<Long>> {
    private static final RenamedClasses CLASSES = new RenamedClasses("New");
    private static final PmStoreOptions OPTIONS =
        PmStoreOptions.defaults()
            .classes(CLASSES.load("Shelf"), CLASSES.load("Item"))
            .migrations(
                Migration.of(CLASSES.load("Item"), "code", (old, item) -> "#" + old.get("number")));

    private final SplittableRandom random;
    private final long[] begun = new long[ITEMS];
    private final long[] returned = new long[ITEMS];
    private long promises;

    Today(SplittableRandom random) {
      this.random = random;
    }

    @Override
    public Heap open(Engine engine) {
      return heap(engine, OPTIONS);
    }

    void writeAndUpgrade(Heap heap) throws Exception {
      write(heap);
      Upgrade upgrade = heap.layer().upgradeAll();
      upgrade.await();
      promises++;
      assertTrue(upgrade.upgraded() >= ITEMS - WRITES, upgrade.upgraded() + " were upgraded");
      write(heap);
    }

    void write(Heap heap) {
      for (int i = 0; i < WRITES; i++) {
        int number = random.nextInt(ITEMS);
        Item item = shelf(heap, CLASSES).items().get(number);
        begun[number]++;
        promises++;
        heap.transaction(
            () -> {
              item.setCount(item.count() + 1);
              return true;
            });
        returned[number]++;
        promises++;
      }
    }

    @Override
    public List<Long> recover(Heap heap, long seed) throws Exception {
      SplittableRandom choices = new SplittableRandom(seed);
      List<Long> found = heap.transaction(() -> read(heap));
      if (choices.nextInt(3) == 0) {
        heap.layer().upgradeAll().await();
        assertEquals(found, read(heap));
        assertEquals(List.of(), new HeapCollector.Provider().open(heap).verify().faults());
      }
      return found;
    }

    private static List<Long> read(Heap heap) {
      List<Long> counts = new ArrayList<>();
      List<? extends Item> items = shelf(heap, CLASSES).items();
      for (int number = 0; number < ITEMS; number++) {
        items.get(number).check(number);
        counts.add(items.get(number).count());
      }
      return counts;
    }

    @Override
    public void check(List<Long> found) {
      for (int number = 0; number < ITEMS; number++) {
        long count = found.get(number);
        if (count < returned[number] || count > begun[number]) {
          throw new AssertionError(
              "item %d has count %d, not %d to %d"
                  .formatted(number, count, returned[number], begun[number]));
        }
      }
    }

    @Override
    public long promises() {
      return promises;
    }
  }
}
