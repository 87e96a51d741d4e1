package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent as users start it, and stores that classes of both kinds write. */
class AgentJarTest {
  @TempDir Path directory;

  /** Makes the jar as the build does. */
  static Path agentJar(Path directory) throws Exception {
    Path jar = directory.resolve("pmstore-enhance.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", EnhanceAgent.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    Path classes =
        Path.of(EnhanceAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream to = new JarOutputStream(out, manifest)) {
      for (Path file : ClassDirectory.classFiles(classes)) {
        to.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, to);
        to.closeEntry();
      }
    }
    return jar;
  }

  /** Runs a program in a JVM of its own, which has to end well. Returns what it prints. */
  static String run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output;
  }

  @Test
  void aStoreThatOneKindHasWrittenTheOtherOpens() throws Exception {
    String agent = "-javaagent:" + agentJar(directory);
    String main = Ledger.class.getName();
    String store = directory.resolve("store").toString();
    String expected = "";
    String enhanced = "class " + Ledger.Book.class.getName() + System.lineSeparator();
    for (int turn = 1; turn <= 4; turn++) {
      String output = turn % 2 == 0 ? run(main, store) : run(agent, main, store);
      assertEquals(turn % 2 != 0, output.startsWith(enhanced), output);
      expected += turn;
      assertTrue(output.contains("entries " + expected + " sum " + turn * 10), output);
    }
  }

  /** The JVM would load it as it is, and its uses of the fields would go past the store. */
  @Test
  void aClassThatCannotBeEnhancedIsNotLoaded() throws Exception {
    ClassDirectory.compile(directory, "acme.Hidden", EnhancePluginTest.HIDDEN);
    Path classes =
        ClassDirectory.compile(
            directory,
            "acme.Program",
            """
            package acme;
            public class Program {
              public static void main(String[] arguments) throws Exception {
                try {
                  System.out.println("loaded " + new Hidden());
                } catch (LinkageError e) {
                  System.out.println("refused " + e);
                }
              }
            }
            """,
            "-sourcepath",
            directory.resolve("src").toString());
    String path = System.getProperty("java.class.path") + File.pathSeparator + classes;
    String output = run("-cp", path, "-javaagent:" + agentJar(directory), "acme.Program");
    String refused =
        output.lines().filter(line -> line.startsWith("refused ")).findFirst().orElse("");
    assertTrue(
        refused.contains("class acme.Hidden is not loaded: it cannot be enhanced: ")
            && refused.contains("method updater (Hidden.java:7)"),
        output);
  }
}
