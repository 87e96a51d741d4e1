package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.pmstore.core.crash.CrashSimulator.Effort;
import io.pmstore.core.crash.Mutation;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The runs of {@link TieredPowerCutTest} must fail for an engine with a mistake in it. */
class TieredMutationControlTest {
  private static final int RUNS_MAX = 40;
  private static final String NOTHING = "nothing";

  // Little for each run, so that there can be many: another run shows more than more of the same.
  private static final Effort EFFORT = new Effort(3, 16, 1, 150);

  enum Mistake {
    /** A spill counts without its end marker. */
    NO_END_MARKER("SpillWriter.end"),
    /** A pool is emptied before its spill is durable. */
    EMPTIED_TOO_EARLY("SpillWriter.sync"),
    /** A commit is acknowledged before its images are durable. */
    ACKNOWLEDGED_TOO_EARLY("CommitPath.sync"),
    /** An image overwrites the one that it supersedes before it is durable itself. */
    OVERWRITTEN_IN_PLACE("Pool.isDispensable", 13),
    /** A commit counts although an image of it was not written. */
    PARTS_OF_COMMITS("PoolScan.isWhole");

    private final String method;
    private final long firstSeed;

    Mistake(String method) {
      this(method, 0);
    }

    /** A mistake that few runs find: which, is a matter of luck, so it begins with one. */
    Mistake(String method, long firstSeed) {
      this.method = method;
      this.firstSeed = firstSeed;
    }
  }

  @TempDir Path temporary;

  private int runs;

  @ParameterizedTest
  @EnumSource
  void everyMistakeIsFound(Mistake mistake) throws Exception {
    Mutation program = new Mutation(Set.of(mistake.method));
    String found = NOTHING;
    int run = 0;
    for (; run < RUNS_MAX && found.equals(NOTHING); run++) {
      found = find(program, mistake.firstSeed + run);
    }
    System.out.printf("%s, found by run %d: %s%n", mistake, run, found);
    assertEquals(Set.of(mistake.method), program.mutated());
    assertNotEquals(NOTHING, found);
  }

  @Test
  void withoutAMistakeNothingIsFound() throws Exception {
    assertEquals(NOTHING, find(new Mutation(Set.of()), 0));
  }

  /** Runs the program that a loader has; what is passed to and fro is of the JDK's classes. */
  @SuppressWarnings("unchecked")
  private String find(Mutation program, long seed) throws Exception {
    var constructor = program.loadClass(Commits.class.getName()).getDeclaredConstructor();
    constructor.setAccessible(true);
    Path directory = Files.createDirectory(temporary.resolve("run" + runs++));
    return ((BiFunction<Path, Long, String>) constructor.newInstance()).apply(directory, seed);
  }

  /** A run, which says what failed. */
  static final class Commits implements BiFunction<Path, Long, String> {
    @Override
    public String apply(Path directory, Long seed) {
      try {
        Disk disk = new Disk(FaultModel.FILE, Barriers.all());
        TieredCrash.commits(directory, disk, seed, EFFORT).run();
        return NOTHING;
      } catch (Throwable e) {
        return e.toString();
      }
    }
  }
}
