package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.pmdk.Program;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process that uses a store pays for, and what it does not. */
class StartTest {
  @TempDir Path directory;

  /** A root. */
  @Persistent(root = "counter")
  public static class Counter {
    private long count;

    public long getCount() {
      return count;
    }

    public void setCount(long count) {
      this.count = count;
    }
  }

  /** Uses a store. */
  public static final class Main {
    private Main() {}

    public static void main(String[] arguments) {
      try (PmStore store = PmStore.open(Path.of(arguments[0]))) {
        Counter counter = store.root(Counter.class);
        store.transaction(() -> counter.setCount(counter.getCount() + 1));
        store.gc();
      }
    }
  }

  /** To make one takes longer than opening a store. */
  @Test
  void noFlightRecorderIsMadeWhereNobodyRecords() {
    Path store = directory.resolve("store");
    assertFalse(makesRecorder(new Program(Main.class, store)));
    assertTrue(
        makesRecorder(
            new Program(Main.class, store)
                .with("-XX:StartFlightRecording:filename=" + directory.resolve("all.jfr"))));
  }

  private static boolean makesRecorder(Program program) {
    List<String> loaded = program.with("-Xlog:class+load").run();
    assertTrue(loaded.size() > 1000, "classes are listed");
    return loaded.stream().anyMatch(line -> line.contains("jdk.jfr.internal.PlatformRecorder "));
  }
}
