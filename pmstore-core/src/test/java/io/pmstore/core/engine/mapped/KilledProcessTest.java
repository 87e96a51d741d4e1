package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreLockedException;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process commits, prints each acknowledgement and is killed at a random moment; the next one
 * continues where it was.
 */
@Timeout(120)
class KilledProcessTest extends StoreTest {
  private static final int ROUNDS = 4;
  private static final int WORDS_MAX = 4000;

  /** The process that is killed. Its arguments: directory, storage, seed of the workload. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      Workload workload = new Workload(Long.parseLong(args[2]), WORDS_MAX, Workload.HEAP_SIZE);
      MappedEngine engine = MappedEngine.open(Path.of(args[0]), small(Storage.valueOf(args[1])));
      engine.grow(Workload.HEAP_SIZE);
      while (true) {
        long position = workload.commitNext(engine);
        engine.sync(position);
        System.out.println(position);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void nothingAcknowledgedIsLost(Storage storage) throws Exception {
    Random random = new Random(seed());
    long seed = random.nextLong();
    Workload workload = new Workload(seed, WORDS_MAX, Workload.HEAP_SIZE);
    Path store = directory("store");
    PmStoreOptions options = small(storage);
    long held = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      Process child = start(store, storage, seed);
      long acknowledged = held;
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII))) {
        long killAfter = held + 1 + random.nextInt(60);
        String line = lines.readLine();
        while (line != null) {
          acknowledged = Long.parseLong(line);
          if (acknowledged == killAfter) {
            if (round == 1) {
              checkLocked(store, options, child);
            }
            child
                .toHandle()
                .destroyForcibly(); // unlike the method of Process it leaves the pipe open
          }
          line = lines.readLine();
        }
      }
      child.waitFor();
      assertTrue(acknowledged > held, "the child acknowledged something");
      try (MappedEngine engine = MappedEngine.open(store, options)) {
        workload.check(engine, acknowledged, acknowledged + 1, "round " + round);
        held = engine.position();
      }
    }
  }

  private static void checkLocked(Path store, PmStoreOptions options, Process child) {
    StoreLockedException e =
        assertThrows(StoreLockedException.class, () -> MappedEngine.open(store, options));
    assertTrue(e.getMessage().contains("process id " + child.pid()), e.getMessage());
  }

  private static Process start(Path store, Storage storage, long seed) throws Exception {
    String classPath =
        Stream.of(MappedEngine.class, PmStoreOptions.class)
            .map(KilledProcessTest::location)
            .collect(Collectors.joining(File.pathSeparator));
    // As a patch of the module the test classes have no location of their own.
    Path tests = Path.of(System.getProperty("basedir", ""), "target", "test-classes");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath + File.pathSeparator + tests + File.pathSeparator + junit(),
            Child.class.getName(),
            store.toString(),
            storage.name(),
            Long.toString(seed));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static String junit() {
    return Stream.of(assertEqualsClass(), org.opentest4j.AssertionFailedError.class)
        .map(KilledProcessTest::location)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Class<?> assertEqualsClass() {
    return org.junit.jupiter.api.Assertions.class;
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
