package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.PmStore;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JaCoCo counts the methods of persistent objects. */
class CoverageTest {
  @TempDir Path directory;

  @Test
  void methodsOfPersistentObjectsAreCounted() throws Exception {
    Path classes =
        ClassDirectory.compile(
            directory,
            "acme.Meter",
            """
            package acme;
            @io.pmstore.Persistent
            public class Meter {
              private int count;
              private int limit = 10;
              public void up() {
                count++;
                limit--;
              }
              public void down() {
                count--;
                limit++;
              }
            }
            """);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    Path file = enhanced.resolve("acme/Meter.class");
    byte[] built = Files.readAllBytes(file);
    LoggerRuntime runtime = new LoggerRuntime();
    Files.write(file, new Instrumenter(runtime).instrument(built, "Meter"));
    RuntimeData data = new RuntimeData();
    runtime.startup(data);
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.");
        PmStore store = PmStore.open(directory.resolve("store"))) {
      Class<?> type = loader.loadClass("acme.Meter");
      Object meter = store.create(type);
      type.getMethod("up").invoke(meter);
    }
    ExecutionDataStore executed = new ExecutionDataStore();
    data.collect(executed, new SessionInfoStore(), false);
    runtime.shutdown();
    CoverageBuilder coverage = new CoverageBuilder();
    new Analyzer(executed, coverage).analyzeClass(built, "Meter");
    int counted = 0;
    for (IMethodCoverage method : coverage.getClasses().iterator().next().getMethods()) {
      if (method.getName().equals("up")) {
        assertEquals(3, method.getLineCounter().getCoveredCount());
        assertEquals(0, method.getLineCounter().getMissedCount());
        counted++;
      } else if (method.getName().equals("down")) {
        assertEquals(ICounter.NOT_COVERED, method.getMethodCounter().getStatus());
        counted++;
      }
    }
    assertEquals(2, counted);
  }
}
