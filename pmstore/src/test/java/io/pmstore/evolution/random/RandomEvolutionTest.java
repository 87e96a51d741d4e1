package io.pmstore.evolution.random;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Durability;
import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.compiled.Compiled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random classes that change at random through some versions, while their objects stay in a store:
 * whatever was read, written, rolled back or upgraded by which version, each finds every value
 * under today's names and types.
 */
class RandomEvolutionTest {
  private static final int PROGRAMS = Integer.getInteger("pmstore.evolution.programs", 8);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"FILE", "LLPL"})
  void yesterdaysObjectsAreReadUnderTodaysClasses(Storage storage) throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    for (int i = 0; i < (storage == Storage.FILE ? PROGRAMS : PROGRAMS / 4); i++, seed++) {
      Run run = new Run(new Random(seed), storage, directory.resolve(storage + "-" + i));
      try {
        run.run();
      } catch (Throwable e) {
        throw new AssertionError(
            "replay with -Dpmstore.seed=" + seed + "\n" + String.join("\n", run.log), e);
      }
    }
  }

  /** One program. */
  private static final class Run {
    private final Random random;
    private final Storage storage;
    private final Path directory;
    private final Program program;
    private final Oracle oracle;
    private final Evolver evolver;
    private final List<String> log = new ArrayList<>();

    Run(Random random, Storage storage, Path directory) {
      this.random = random;
      this.storage = storage;
      this.directory = directory;
      this.program = new Program(random);
      this.oracle = new Oracle(program);
      this.evolver = new Evolver(program, oracle);
    }

    void run() {
      evolver.begin();
      for (int version = 1, last = random.nextInt(2, 6); version <= last; version++) {
        if (version > 1) {
          evolver.change();
        }
        String source = Source.of(program);
        log.add("// version " + version + "\n" + source);
        Compiled classes = Compiled.of(source);
        if (version == 1) {
          open(classes, Use.MEET);
          open(classes, Use.WORK);
        }
        for (int i = random.nextInt(1, 4); i > 0; i--) {
          open(classes, Use.values()[random.nextInt(Use.values().length)]);
        }
      }
    }

    private void open(Compiled classes, Use use) {
      log.add("// " + use);
      Mirror mirror = new Mirror(program, oracle, classes);
      boolean readOnly = use == Use.READ_ONLY && storage == Storage.FILE;
      PmStoreOptions options =
          PmStoreOptions.defaults()
              .storage(storage)
              .llplPoolSize(64 << 20)
              .logSegmentSize(1 << 20)
              .durability(Durability.relaxed(Duration.ofSeconds(1)))
              .readOnly(readOnly)
              .classes(classes(mirror))
              .migrations(mirror.migrations().toArray(new Migration[0]));
      try (PmStore store = PmStore.open(directory, options)) {
        use(use, mirror, store);
      }
      assertEquals(List.of(), PmStore.verify(directory, options.readOnly(false)).faults());
      if (use == Use.MEET) {
        program.settle();
      }
    }

    private Class<?>[] classes(Mirror mirror) {
      boolean all = random.nextBoolean();
      return program
          .definitions()
          .filter(type -> all || !type.formerNames.isEmpty())
          .map(mirror::type)
          .toArray(Class<?>[]::new);
    }

    private void use(Use use, Mirror mirror, PmStore store) {
      if (use == Use.NOTHING) {
        return;
      }
      Session session = new Session(program, oracle, mirror, store);
      switch (use) {
        case READ_ONLY -> session.checkReadOnly();
        case MEET -> session.meetAll();
        case WORK -> session.work();
        case WORK_AND_READ -> {
          session.work();
          session.check();
        }
        case WORK_BESIDE_SNAPSHOT -> session.workBesideSnapshot();
        case UPGRADE -> {
          session.upgrade();
          session.check();
        }
        default -> session.check();
      }
    }
  }

  /** What a program does with the store. */
  private enum Use {
    NOTHING,
    READ_ONLY,
    READ,
    WORK,
    WORK_AND_READ,
    WORK_BESIDE_SNAPSHOT,
    UPGRADE,
    MEET
  }
}
