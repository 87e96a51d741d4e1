package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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

  enum Mistake {
    /** A spill counts without its end marker. */
    NO_END_MARKER("SpillWriter.end"),
    /** A pool is emptied before its spill is durable. */
    EMPTIED_TOO_EARLY("SpillWriter.sync"),
    /** A commit is acknowledged before its images are durable. */
    ACKNOWLEDGED_TOO_EARLY("CommitPath.sync"),
    /** An image overwrites the one that it supersedes before it is durable itself. */
    OVERWRITTEN_IN_PLACE("Pool.isDispensable"),
    /** A commit counts although an image of it was not written. */
    PARTS_OF_COMMITS("PoolScan.isWhole");

    private final String method;

    Mistake(String method) {
      this.method = method;
    }
  }

  @TempDir Path temporary;

  private int runs;

  @ParameterizedTest
  @EnumSource
  void everyMistakeIsFound(Mistake mistake) throws Exception {
    Mutation program = new Mutation(Set.of(mistake.method));
    String found = NOTHING;
    for (int i = 0; i < RUNS_MAX && found.equals(NOTHING); i++) {
      found = find(program, i);
    }
    System.out.printf("%s: %s%n", mistake, found);
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
        TieredCrash.commits(directory, new Disk(FaultModel.FILE, Barriers.all()), seed).run();
        return NOTHING;
      } catch (Throwable e) {
        return e.toString();
      }
    }
  }
}
