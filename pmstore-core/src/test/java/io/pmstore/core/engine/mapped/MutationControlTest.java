package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.pmstore.core.crash.Mutation;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The other positive control: the same runs must fail for a program with a mistake in it. Each
 * mistake is a check or a wait that does nothing.
 */
class MutationControlTest extends CrashTest {
  private static final int RUNS_MAX = 40;
  private static final String NOTHING = "nothing";

  enum Mistake {
    WRITE_AHEAD("Checkpointer.awaitRecords", CommitsOnFiles.class),
    EPOCH("HeapHeader.epoch", EqualRecords.class),
    VALIDATION("ReadSet.isCurrent", Transfers.class),
    APPLIED_BEFORE_CHECKPOINT("Phase.isQuiet", CommitsOnFiles.class);

    private final String method;
    private final Class<?> run;

    Mistake(String method, Class<?> run) {
      this.method = method;
      this.run = run;
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyMistakeIsFound(Mistake mistake) throws ReflectiveOperationException {
    Mutation program = new Mutation(Set.of(mistake.method));
    String found = NOTHING;
    for (int i = 0; i < RUNS_MAX && found.equals(NOTHING); i++) {
      found = find(program, mistake.run, i);
    }
    System.out.printf("%s: %s%n", mistake, found);
    assertEquals(Set.of(mistake.method), program.mutated());
    assertNotEquals(NOTHING, found);
  }

  @Test
  void withoutAMistakeNothingIsFound() throws ReflectiveOperationException {
    Mutation program = new Mutation(Set.of());
    for (Class<?> run : List.of(CommitsOnFiles.class, EqualRecords.class, Transfers.class)) {
      assertEquals(NOTHING, find(program, run, 0));
    }
  }

  /** Runs the program that a loader has; what is passed to and fro is of the JDK's classes. */
  @SuppressWarnings("unchecked")
  private String find(Mutation program, Class<?> run, long seed)
      throws ReflectiveOperationException {
    Constructor<?> constructor = program.loadClass(run.getName()).getDeclaredConstructor();
    constructor.setAccessible(true);
    return ((BiFunction<Path, Long, String>) constructor.newInstance()).apply(runDirectory(), seed);
  }

  /** A run, which says what failed. */
  abstract static class Run implements BiFunction<Path, Long, String> {
    @Override
    public final String apply(Path directory, Long seed) {
      try {
        run(directory, seed);
        return NOTHING;
      } catch (Throwable e) {
        return e.toString();
      }
    }

    abstract void run(Path directory, long seed) throws Exception;
  }

  static final class CommitsOnFiles extends Run {
    @Override
    void run(Path directory, long seed) throws Exception {
      CrashRuns.commits(directory, new Disk(FaultModel.FILE, Barriers.all()), seed).run();
    }
  }

  static final class EqualRecords extends Run {
    @Override
    void run(Path directory, long seed) throws Exception {
      CrashRuns.equalRecords(directory, new Disk(FaultModel.FILE, Barriers.all()), seed).run();
    }
  }

  static final class Transfers extends Run {
    @Override
    void run(Path directory, long seed) throws Exception {
      CrashRuns.transfers(directory, new Disk(FaultModel.FILE, Barriers.all()), seed).runOnly();
    }
  }
}
