package io.pmstore.oms.kill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.TestSeed;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.Requirements;
import io.pmstore.oms.targets.SqliteDatabase;
import io.pmstore.oms.targets.TargetKind;
import io.pmstore.oms.targets.TargetSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real children, killed. SQLite, which is known to keep its promise, is the control. */
class KillRoundsTest {
  @ParameterizedTest
  @CsvSource({
    "SQLITE, FILE",
    "PMSTORE, FILE",
    "PMSTORE, PMEM",
    "PMSTORE_LLPL, PMEM",
    "PMSTORE_TIERED, FILE",
    "LLPL_RAW, PMEM"
  })
  void nothingAcknowledgedIsLostAndRoundsGoOnWhereTheLastStopped(
      TargetKind kind, Medium medium, @TempDir Path dir) throws Exception {
    Requirements.require(kind);
    Path file = dir.resolve("flow.fix");
    OrderFlow flow = FlowSource.generate(new FlowSettings(600, 6, 3), file, count -> {});
    long seed = TestSeed.next("KillRoundsTest");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean kept =
        new KillRounds(
                settings(kind, medium, dir, file, 3, seed),
                flow,
                new PrintStream(bytes, true, UTF_8))
            .run();
    List<String> lines = bytes.toString(UTF_8).lines().toList();
    assertTrue(kept, () -> bytes.toString(UTF_8));
    assertEquals(3, lines.size(), () -> bytes.toString(UTF_8));
    for (String line : lines) {
      assertTrue(
          line.matches(
              "round \\d/3 \\S+ \\S+: acknowledged (\\d+) found \\1 lost 0 partial 0 in-flight"
                  + " [012].*"),
          line);
    }
  }

  @Test
  void aReportThatDisappearsAfterTheKillIsFound(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("flow.fix");
    OrderFlow flow = FlowSource.generate(new FlowSettings(300, 6, 3), file, count -> {});
    Path store = dir.resolve("stores").resolve("store-1");
    Map<Long, Integer> acknowledged = new HashMap<>();
    KillSettings settings = settings(TargetKind.SQLITE, Medium.FILE, dir, file, 1, 1);
    ChildRun.run(settings, store, new KillMoment(200, 0), acknowledged);
    assertTrue(acknowledged.values().stream().mapToInt(n -> n).sum() >= 200);
    long victim = acknowledged.keySet().iterator().next();
    String url = "jdbc:sqlite:" + store.resolve(SqliteDatabase.FILE_NAME);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM reports WHERE order_id = " + victim);
      statement.execute("DELETE FROM orders WHERE id = " + victim);
    }
    KillAudit.Result result = new KillRounds(settings, flow, System.out).audit(store, acknowledged);
    assertFalse(result.kept());
    assertEquals(acknowledged.getOrDefault(victim, 0).longValue(), result.lost());
    assertEquals(0, result.partial(), () -> result.shown().toString());
  }

  private static KillSettings settings(
      TargetKind kind, Medium medium, Path dir, Path file, int rounds, long seed) {
    TargetSettings target =
        new TargetSettings(dir.resolve("stores"), medium, false, 2, 128L << 20, null);
    return new KillSettings(kind, target, file, rounds, seed);
  }
}
