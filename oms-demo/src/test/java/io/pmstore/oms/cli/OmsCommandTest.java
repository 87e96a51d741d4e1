package io.pmstore.oms.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.flow.FixLines;
import io.pmstore.oms.run.RunResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OmsCommandTest {
  @TempDir private Path dir;

  private record Run(int exit, String err) {}

  private static Run run(String... args) {
    StringWriter err = new StringWriter();
    int exit =
        OmsCommand.commandLine()
            .setErr(new PrintWriter(err, true))
            .setOut(new PrintWriter(new StringWriter()))
            .execute(args);
    return new Run(exit, err.toString());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '#',
      value = {
        "--targets mysql#there is no target 'mysql'; the targets are pmstore, pmstore-llpl,"
            + " pmstore-tiered, llpl-raw, sqlite, postgres",
        "--targets sqlite,sqlite#names a target twice",
        "--threads 0#--threads must be from 1 to 1024, not 0",
        "--orders 0#--orders must be at least 1, not 0",
        "--orders x#Invalid value for option '--orders'",
        "--ratio -1#--ratio must be at least 0, not -1",
        "--orders 2000000000#below 2^31",
        "--durability never#--durability must be sync or relaxed, not 'never'",
        "--medium tape#--medium must be file or pmem, not 'tape'",
        "--rounds 0#--rounds must be at least 1, not 0",
        "--kill --targets postgres#--kill does not kill postgres",
        "--flow /no/such/file#cannot read the file /no/such/file",
        "--flow pom.xml --orders 5#Give the one or the others",
        "--warm-up -1#--warm-up must be",
        "--llpl-pool 1#--llpl-pool must be at least 32 MiB",
        "--postgres-url mysql://x#must begin with jdbc:postgresql:",
        "--seconds 5#--seconds is for --cluster",
        "--cluster --seconds 2#--seconds must be from 3 to 600, not 2",
        "--cluster --seconds x#Invalid value for option '--seconds'",
        "--cluster --threads 0#--threads must be from 1 to 1024, not 0",
        "--cluster --targets sqlite#--cluster does not take --targets; it takes --seconds",
        "--cluster --rounds 3#--cluster does not take --rounds",
        "--nonsense#Unknown option: '--nonsense'"
      })
  void wrongOptionsAreExplained(String args, String reason) {
    Run run = run(args.split(" "));
    assertEquals(2, run.exit());
    assertTrue(run.err().contains(reason), run::err);
  }

  @Test
  void aRunWritesItsRowAndRemovesItsData() throws Exception {
    Path csv = dir.resolve("r.csv");
    Path data = dir.resolve("data");
    Run run =
        run(
            "--targets",
            "sqlite",
            "--orders",
            "30",
            "--ratio",
            "2",
            "--warm-up",
            "0",
            "--threads",
            "2",
            "--dir",
            data.toString(),
            "--csv",
            csv.toString());
    assertEquals(0, run.exit(), run::err);
    List<String> lines = Files.readAllLines(csv);
    assertEquals(RunResult.CSV_HEADER, lines.getFirst());
    assertTrue(lines.getLast().startsWith("sqlite,file,sync,2,2,30,90,"), lines::toString);
    assertEquals(2, lines.size());
    assertFalse(Files.exists(data.resolve("sqlite")));
  }

  @Test
  void aFlowFromAFileRunsWithoutItsMalformedLines() throws Exception {
    Path flow = dir.resolve("flow.fix");
    List<String> lines = new ArrayList<>(List.of(FixLines.newOrder(FixLines.NEW_ORDER_BODY)));
    lines.add("not FIX");
    lines.add(FixLines.report(FixLines.REPORT_BODY));
    Files.write(flow, lines);
    Path csv = dir.resolve("r.csv");
    Run run =
        run(
            "--targets",
            "sqlite",
            "--warm-up",
            "0",
            "--dir",
            dir.resolve("data").toString(),
            "--keep",
            "--flow",
            flow.toString(),
            "--csv",
            csv.toString());
    assertEquals(0, run.exit(), run::err);
    assertTrue(Files.readAllLines(csv).getLast().startsWith("sqlite,file,sync,1,1,1,2,"));
    assertTrue(Files.exists(dir.resolve("data").resolve("sqlite")), "--keep");
  }

  @Test
  void dataThatIsThereIsNotTouched() throws Exception {
    Path there = Files.createDirectories(dir.resolve("sqlite"));
    Files.writeString(there.resolve("precious"), "data");
    Run run = run("--targets", "sqlite", "--orders", "2", "--dir", dir.toString());
    assertEquals(1, run.exit());
    assertEquals("data", Files.readString(there.resolve("precious")));
  }

  @Test
  void helpSaysWhereKillRoundsGoOn() {
    String usage = OmsCommand.commandLine().getUsageMessage();
    assertTrue(usage.contains("--kill"), usage);
    assertTrue(usage.contains("go on in one store"), usage);
    assertTrue(usage.contains("--cluster"), usage);
    assertTrue(usage.contains("--[no-]kill"), usage);
  }
}
