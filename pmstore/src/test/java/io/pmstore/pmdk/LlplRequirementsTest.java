package io.pmstore.pmdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a program needs for {@link Storage#LLPL}: where it is missing, opening says so, once and for
 * all, with what to do; and no other storage needs it.
 */
class LlplRequirementsTest {
  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
  private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
  private static final UnaryOperator<List<String>> WITHOUT_LLPL = without("/llpl-");
  private static final UnaryOperator<List<String>> WITHOUT_ENGINE = without("/pmstore-llpl");

  @TempDir Path directory;

  private static UnaryOperator<List<String>> without(String name) {
    return path -> {
      List<String> rest = path.stream().filter(entry -> !entry.contains(name)).toList();
      assertTrue(rest.size() < path.size(), () -> "no " + name + " in " + path);
      return rest;
    };
  }

  private Program program(Storage storage) {
    return new Program(OpenProgram.class, directory.resolve("store"), storage);
  }

  /** Demands that both openings say the same, and all of it. */
  private void assertSays(Program program, String... wanted) {
    List<String> lines =
        program.run().stream()
            .filter(line -> line.contains("; ") || line.equals("opened"))
            .toList();
    assertEquals(2, lines.size(), () -> "" + lines);
    for (String line : lines) {
      for (String part : wanted) {
        assertTrue(line.contains(part), () -> "no \"" + part + "\" in: " + line);
      }
    }
    assertTrue(Files.notExists(directory.resolve("store")), "nothing is made");
  }

  private Path broken(String... libraries) throws IOException {
    Path broken = Files.createDirectory(directory.resolve("libraries"));
    for (String library : libraries) {
      Files.writeString(broken.resolve(library), "not a library");
    }
    return broken;
  }

  @ParameterizedTest
  @ValueSource(strings = {"libpmem.so.1", "libpmemobj.so.1", "libpmempool.so.1"})
  void aMissingLibraryIsNamedWithTheCommandThatInstallsIt(String library) throws IOException {
    assertSays(
        program(Storage.LLPL).withEnvironment("LD_LIBRARY_PATH", broken(library).toString()),
        library,
        "run: sudo apt-get install libpmem1 libpmemobj1 libpmempool1",
        "Storage.FILE");
  }

  @Test
  void aMissingEngineIsNamedWithTheArtifactThatHasIt() {
    assertSays(
        program(Storage.LLPL).withClassPath(WITHOUT_ENGINE),
        "no engine for Storage.LLPL",
        "Depend on io.pmstore:pmstore-llpl");
  }

  @Test
  void missingClassesOfLlplAreNamed() {
    assertSays(
        program(Storage.LLPL).withClassPath(WITHOUT_LLPL),
        "add com.intel.pmem:llpl:1.2.0-release to the class path");
  }

  @Test
  void aMissingModuleIsNamed() {
    assertSays(
        program(Storage.LLPL).with("--limit-modules=java.base,java.instrument,java.sql,jdk.jfr"),
        "java --add-modules jdk.unsupported");
  }

  @Test
  void anotherArchitectureIsNamed() {
    assertSays(program(Storage.LLPL).with("-Dos.arch=aarch64"), "x86-64", "aarch64");
  }

  @Test
  void aTemporaryDirectoryThatCannotBeWrittenIsNamed() {
    assertSays(
        program(Storage.LLPL).with("-Djava.io.tmpdir=/proc/none"),
        "/proc/none",
        "java -Djava.io.tmpdir=");
  }

  @Test
  void aJvmThatDeniesNativeAccessIsNamed() {
    assertSays(
        program(Storage.LLPL).withOptions(UNSAFE, "--illegal-native-access=deny"),
        "start it with java " + NATIVE + " " + UNSAFE);
  }

  @Test
  void aJvmThatDeniesUnsafeIsNamed() {
    assumeAvailable();
    assertSays(
        program(Storage.LLPL).withOptions(NATIVE, "--sun-misc-unsafe-memory-access=deny"),
        "start it with java " + NATIVE + " " + UNSAFE);
  }

  @Test
  void withAllThatIsNeededItOpens() {
    assumeAvailable();
    assertOpens(program(Storage.LLPL));
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void noOtherStorageNeedsThem(Storage storage) throws IOException {
    if (storage == Storage.PERSISTENT_MEMORY) {
      assumeAvailable(); // libpmem
    }
    Path libraries =
        storage == Storage.FILE
            ? broken("libpmem.so.1", "libpmemobj.so.1", "libpmempool.so.1")
            : broken("libpmemobj.so.1", "libpmempool.so.1");
    assertOpens(
        program(storage)
            .withOptions(
                NATIVE, "--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=deny")
            .with("-Djava.io.tmpdir=/proc/none")
            .withEnvironment("LD_LIBRARY_PATH", libraries.toString())
            .withClassPath(path -> WITHOUT_ENGINE.apply(WITHOUT_LLPL.apply(path))));
  }

  private static void assertOpens(Program program) {
    List<String> lines = program.run();
    assertEquals(2, lines.stream().filter("opened"::equals).count(), () -> "" + lines);
  }

  private void assumeAvailable() {
    List<String> lines =
        new Program(OpenProgram.class, directory.resolve("available"), Storage.LLPL).run();
    boolean missing = lines.stream().anyMatch(line -> line.contains("libpmem"));
    if (missing) {
      System.out.println("SKIPPED: LLPL: " + lines);
    }
    assumeTrue(!missing, lines::toString);
    assertFalse(lines.isEmpty());
  }
}
