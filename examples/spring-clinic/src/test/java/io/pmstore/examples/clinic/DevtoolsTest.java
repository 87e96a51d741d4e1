package io.pmstore.examples.clinic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Under devtools, a change of a persistent class takes effect in the running program. */
class DevtoolsTest {
  private static final Path CLASSES = Path.of("target", "classes");

  @TempDir Path temp;

  @Test
  void changedClassReadsWhatWasStoredBefore() throws Exception {
    Path classes = temp.resolve("classes");
    copy(CLASSES, classes);
    String classPath = classes + File.pathSeparator + libraries();
    List<String> what =
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            ClinicApplication.class.getName());
    try (RunningClinic clinic =
        RunningClinic.start(
            temp.resolve("data"),
            what,
            "--spring.devtools.livereload.enabled=false",
            "--spring.devtools.restart.poll-interval=200ms",
            "--spring.devtools.restart.quiet-period=100ms")) {
      clinic.post("/owners", "{\"name\":\"Ana\",\"city\":\"Porto\"}");
      compileWithAPhone(classPath, classes);
      clinic.awaitPort(); // it starts again by itself
      assertEquals(
          "{\"id\":1,\"name\":\"Ana\",\"city\":\"Porto\",\"pets\":[],\"phone\":\"none\"}",
          clinic.get("/owners/1"));
      assertEquals(
          "{\"id\":2,\"name\":\"Eva\",\"city\":\"Faro\",\"pets\":[],\"phone\":\"none\"}",
          clinic.post("/owners", "{\"name\":\"Eva\",\"city\":\"Faro\"}"));
      assertTrue(clinic.output().contains("restartedMain"), clinic.output());
    }
  }

  /** Changes a class as its author would. */
  private void compileWithAPhone(String classPath, Path classes) throws IOException {
    String name = "io/pmstore/examples/clinic/Owner.java";
    Path source = temp.resolve("changed").resolve(name);
    Files.createDirectories(source.getParent());
    String changed =
        Files.readString(Path.of("src/main/java").resolve(name))
            .replace(
                "private String city;",
                "private String city; private String phone = \"none\";"
                    + " public String getPhone() { return phone; }");
    Files.writeString(source, changed);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                classPath,
                "-parameters",
                "-d",
                classes.toString(),
                source.toString());
    assertEquals(0, result, "compilation failed");
  }

  /** Returns the class path without the program and its tests. */
  private static String libraries() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
