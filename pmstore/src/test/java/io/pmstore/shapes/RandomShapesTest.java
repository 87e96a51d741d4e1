package io.pmstore.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.compiled.Compiled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random classes, whose methods use their fields directly; random graphs of their objects; random
 * operations: on persistent objects they do what they do on plain ones, also after reopening.
 */
class RandomShapesTest {
  private static final int PROGRAMS = Integer.getInteger("pmstore.shapes.programs", 8);
  private static final int ROUNDS = 6;
  private static final int OPERATIONS = 60;

  @TempDir Path directory;

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "LLPL"})
  void persistentObjectsDoWhatTheirPlainTwinsDo(Storage storage) throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    for (int i = 0; i < (storage == Storage.FILE ? PROGRAMS : PROGRAMS / 4); i++, seed++) {
      RandomProgram program = new RandomProgram(new Random(seed));
      try {
        run(program, new Random(~seed), storage, directory.resolve(storage + "-" + i));
      } catch (Throwable e) {
        throw new AssertionError("replay with -Dpmstore.seed=" + seed + "\n" + program.source(), e);
      }
    }
  }

  private void run(RandomProgram program, Random random, Storage storage, Path store)
      throws Exception {
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .storage(storage)
            .llplPoolSize(64 << 20)
            .durability(Durability.relaxed(Duration.ofSeconds(1)));
    Compiled classes = Compiled.of(program.source());
    PmStore opened = PmStore.open(store, options);
    try {
      Twins twins = new Twins(random, program, classes, opened);
      twins.create();
      for (int round = 0; round < ROUNDS; round++) {
        twins.create();
        for (int i = 0; i < OPERATIONS; i++) {
          twins.act();
        }
        PmStore current = opened;
        Twins inside = twins;
        int[] runs = new int[1];
        current.transaction(
            () -> {
              assertEquals(1, ++runs[0], "runs of a transaction that nothing conflicts with");
              for (int i = 0; i < OPERATIONS; i++) {
                inside.act();
              }
              inside.check();
            });
        twins.check();
        assertThrows(
            Undo.class,
            () ->
                current.transaction(
                    () -> {
                      inside.actOnPersistentOnes();
                      throw new Undo();
                    }));
        twins.check();
        opened.close();
        assertEquals(List.of(), PmStore.verify(store, options).faults());
        opened = PmStore.open(store, options);
        twins.reopened(opened);
        twins.check();
      }
    } finally {
      opened.close();
    }
  }
}
