package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.GcReport.Cause;
import io.pmstore.PmStoreOptions;
import io.pmstore.VerificationReport;
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
import io.pmstore.gc.model.GraphModel;
import io.pmstore.gc.model.GraphReader;
import io.pmstore.gc.model.Mutator;
import io.pmstore.gc.model.Node;
import io.pmstore.gc.model.Session;
import io.pmstore.proxy.layer.ProxyLayerProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cuts the power while transactions, the freeing of unlinked objects and the steps of collections
 * take turns. What was committed is there, a collection after opening frees everything else, and
 * the program can continue.
 */
@Timeout(600)
class GcCrashTest {
  private static final int SESSIONS = 2;
  private static final int STEPS = 250;
  private static final int STEPS_AFTERWARDS = 30;
  private static final int SIZE_WANTED = 100;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void whatWasCommittedIsThereAndAllElseIsFreed(FaultModel model) throws Exception {
    Random random = Seed.random("GcCrashTest");
    for (int i = 0; i < CrashBudget.runs(1); i++) {
      long seed = random.nextLong();
      Program program = new Program(new Random(seed));
      SequentialRun<Map<Long, Node>> run =
          new SequentialRun<>(
              TestStores.opener(),
              directory,
              new Disk(model, Barriers.all()),
              seed,
              new Effort(model == FaultModel.FILE ? 2 : 32, 2, 1, 250),
              program);
      run.prepare(program, program::makeRoot);
      for (int session = 0; session < SESSIONS; session++) {
        run.run(program::work);
      }
      System.out.printf(
          "%s: %s; %d transactions, %d collections%n",
          model, run.simulator(), program.committed, program.collections);
      assertTrue(run.simulator().images() > 40, "images: " + run.simulator());
      assertTrue(program.collections >= SESSIONS, "collections: " + program.collections);
    }
  }

  /** What is collected of a heap, and how far. */
  private static final class Collecting {
    private final Heap heap;
    private final UnlinkedObjects unlinked;
    private final LinkDispatcher links;
    private @Nullable Cycle cycle;

    /** Before the first transaction of a user. */
    Collecting(Heap heap) {
      this.heap = heap;
      this.unlinked = new UnlinkedObjects(heap.layer()::pinning, heap.reclamation()::freeUnlinked);
      this.links = new LinkDispatcher(unlinked, new CollectionTrigger(), () -> {});
      heap.reclamation().listener(links);
    }

    /**
     * Does a step of something.
     *
     * @return true if that ended a collection
     */
    boolean step(Random random) {
      Cycle current = cycle;
      boolean isSweeping = current != null && current.isSweeping();
      int kind = random.nextInt(8);
      if (kind == 0) {
        heap.reclamation().releaseEmptyChunks();
      } else if (kind < 4 && !isSweeping) {
        unlinked.step();
      } else if (current != null) {
        return stepCycle(current);
      } else if (kind < 6) {
        cycle = new Cycle(heap, links, unlinked, Cause.REQUESTED, "");
      }
      return false;
    }

    private boolean stepCycle(Cycle current) {
      if (current.step() != Progress.DONE) {
        return false;
      }
      current.report();
      cycle = null;
      return true;
    }

    /** Runs a collection, or the rest of one, to its end. */
    void collect() {
      Cycle current = cycle == null ? new Cycle(heap, links, unlinked, Cause.OPENING, "") : cycle;
      while (!stepCycle(current)) {
        // bounded steps, and nobody to be waited for
      }
    }
  }

  private static VerificationReport verify(Heap heap) {
    VerificationReport report = new HeapCollector.Provider().open(heap).verify();
    assertTrue(report.isSound(), report::toString);
    return report;
  }

  /** The program, and what is promised of it. */
  private static final class Program implements SequentialRun.Program<Map<Long, Node>> {
    private final Random random;
    private final GraphModel model = new GraphModel(1);
    private final Mutator mutator;
    // What was there after each transaction, by its number.
    private final Map<Long, Map<Long, Node>> states = new HashMap<>();
    private final Map<Long, Map<Long, Node>> foundInFlight = new HashMap<>();
    private long begun;
    private long committed;
    private long promises;
    private int collections;

    Program(Random random) {
      this.random = random;
      this.mutator = new Mutator(model, 0, random, SIZE_WANTED);
    }

    @Override
    public Heap open(Engine engine) {
      return new Heap(
          syncedByProgram(engine),
          Durability.SYNC,
          heap -> new ProxyLayerProvider().open(heap, PmStoreOptions.defaults()));
    }

    /**
     * An engine of which another thread learns nothing: the one that makes relaxed transactions
     * durable when their time is over. There is no thread beside that of the program, whose next
     * transaction makes them durable.
     */
    private static Engine syncedByProgram(Engine engine) {
      Thread program = Thread.currentThread();
      return (Engine)
          Proxy.newProxyInstance(
              Engine.class.getClassLoader(),
              new Class<?>[] {Engine.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("position") && Thread.currentThread() != program) {
                  return 0L;
                }
                try {
                  return method.invoke(engine, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    void makeRoot(Heap heap) {
      mutator.open(Session.of(heap));
      states.put(0L, model.copy(List.of()));
    }

    void work(Heap heap) {
      Collecting collecting = new Collecting(heap);
      mutator.open(Session.of(heap));
      for (int i = 0; i < STEPS; i++) {
        switch (random.nextInt(8)) {
          case 0 -> {
            mutator.drop(random.nextInt(8));
            if (random.nextInt(6) == 0) {
              System.gc();
            }
          }
          case 1, 2 -> transaction();
          default -> collections += collecting.step(random) ? 1 : 0;
        }
      }
      collecting.collect();
      collections++;
      GraphReader.assertAlike(model.copy(mutator.held().keySet()), mutator.read());
      verify(heap);
    }

    private void transaction() {
      begun = committed + 1;
      promises++;
      mutator.transaction();
      long version = mutator.version();
      if (version > committed) {
        model.forgetUnreached(mutator.held().keySet());
        states.put(version, model.copy(List.of()));
        committed = version;
        Map<Long, Node> found = foundInFlight.remove(version);
        if (found != null) {
          GraphReader.assertAlike(states.get(version), found);
        }
      }
      begun = committed;
      promises++;
    }

    @Override
    public Map<Long, Node> recover(Heap heap, long seed) {
      try {
        return recover(heap, new Random(seed));
      } finally {
        heap.close();
      }
    }

    private static Map<Long, Node> recover(Heap heap, Random choices) {
      Collecting collecting = new Collecting(heap);
      Mutator reader = new Mutator(new GraphModel(1), 0, choices, 0);
      reader.open(Session.of(heap));
      Map<Long, Node> found = heap.transaction(reader::read);
      Map<Long, Node> copy = new GraphModel(1, found).copy(List.of());
      if (choices.nextInt(3) == 0) {
        goOn(heap, collecting, found, choices);
      }
      return copy;
    }

    private static void goOn(
        Heap heap, Collecting collecting, Map<Long, Node> found, Random choices) {
      verify(heap);
      collecting.collect();
      VerificationReport report = verify(heap);
      assertEquals(0, report.garbageObjects(), report::toString);
      GraphModel model = new GraphModel(1, found);
      Mutator mutator = new Mutator(model, 0, choices, SIZE_WANTED);
      mutator.open(Session.of(heap));
      for (int i = 0; i < STEPS_AFTERWARDS; i++) {
        mutator.transaction();
        collecting.step(choices);
      }
      collecting.collect();
      GraphReader.assertAlike(model.copy(mutator.held().keySet()), mutator.read());
      verify(heap);
    }

    @Override
    public void check(Map<Long, Node> found) {
      long version = version(found);
      if (version < committed || version > begun) {
        throw new AssertionError(
            "transaction %d is there, not %d to %d".formatted(version, committed, begun));
      }
      Map<Long, Node> expected = states.get(version);
      if (expected == null) {
        expected = foundInFlight.putIfAbsent(version, found); // compared when it has ended
      }
      if (expected != null) {
        GraphReader.assertAlike(expected, found);
      }
    }

    private static long version(Map<Long, Node> found) {
      return found.get(1L).version();
    }

    @Override
    public long promises() {
      return promises;
    }
  }
}
