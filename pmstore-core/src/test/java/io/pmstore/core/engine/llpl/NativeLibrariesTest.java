package io.pmstore.core.engine.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where LLPL cannot be used, one exception says so and what to do. */
class NativeLibrariesTest {
  private static final String ALLOWED = "--enable-native-access=ALL-UNNAMED";
  private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

  @TempDir Path directory;

  /** Opens a store twice and prints the messages, one a line. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try {
          LlplEngine.open(
                  Path.of(args[0]),
                  PmStoreOptions.defaults().llplPoolSize(PmStoreOptions.LLPL_POOL_SIZE_MIN))
              .close();
          System.out.println("opened");
        } catch (PmStoreException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  private List<String> run(Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(options));
    command.add("-cp");
    command.add(
        System.getProperty("java.class.path")
            + File.pathSeparator
            + System.getProperty("jdk.module.path", ""));
    command.add(Child.class.getName());
    command.add(directory.resolve("store").toString());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output.lines().toList();
  }

  private static void assertSays(List<String> lines, String... wanted) {
    assertEquals(2, lines.size(), () -> "" + lines);
    for (String line : lines) {
      for (String part : wanted) {
        assertTrue(line.contains(part), () -> "no \"" + part + "\" in: " + line);
      }
    }
  }

  @Test
  void aMissingNativeLibraryIsNamedWithTheCommandThatInstallsIt() throws Exception {
    // A file that is no library is found before the installed one.
    Path libraries = Files.createDirectory(directory.resolve("libraries"));
    Files.writeString(libraries.resolve("libpmemobj.so.1"), "not a library");
    assertSays(
        run(Map.of("LD_LIBRARY_PATH", libraries.toString()), ALLOWED, UNSAFE),
        "libpmemobj.so.1",
        "sudo apt-get install libpmem1 libpmemobj1 libpmempool1");
    assertTrue(Files.notExists(directory.resolve("store")), "nothing is made");
  }

  @Test
  void anotherArchitectureIsNamed() throws Exception {
    assertSays(run(Map.of(), ALLOWED, UNSAFE, "-Dos.arch=aarch64"), "x86-64", "aarch64");
  }

  @Test
  void missingOptionsOfTheJvmAreNamed() throws Exception {
    assertSays(
        run(Map.of(), UNSAFE, "--illegal-native-access=deny"), "java " + ALLOWED + " " + UNSAFE);
  }

  @Test
  void aJvmThatDeniesUnsafeIsNamed() throws Exception {
    Llpl.assumeAvailable();
    assertSays(
        run(Map.of(), ALLOWED, "--sun-misc-unsafe-memory-access=deny"),
        "java " + ALLOWED + " " + UNSAFE);
  }

  @Test
  void withAllOfThemItOpens() throws Exception {
    Llpl.assumeAvailable();
    assertEquals(List.of("opened", "opened"), run(Map.of(), ALLOWED, UNSAFE));
  }
}
