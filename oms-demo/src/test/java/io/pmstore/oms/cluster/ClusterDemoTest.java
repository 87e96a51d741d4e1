package io.pmstore.oms.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.cli.OmsDemo;
import io.pmstore.oms.run.JvmCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo of the cluster, in processes, as a user runs it. */
class ClusterDemoTest {
  @TempDir private Path dir;

  private record Run(int exit, String out, String err) {}

  private Run run(String... options) throws Exception {
    Path out = dir.resolve("out.txt");
    Path err = dir.resolve("err.txt");
    Process process =
        new ProcessBuilder(JvmCommand.of(OmsDemo.class, List.of(options)))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> "hangs: " + process.info());
    return new Run(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }

  @Test
  void theLeaderIsKilledAndNothingIsLost() throws Exception {
    Path data = dir.resolve("data");
    Run run = run("--cluster", "--seconds", "6", "--threads", "4", "--directory", data.toString());
    assertEquals(0, run.exit(), run::toString);
    Matcher killed =
        find(run, "killed (n[123]), the leader \\(kill -9\\), after [\\d,]+ acknowledged reports");
    Matcher next =
        find(run, "(n[123]) leads; the next report was acknowledged ([\\d,]+) ms after the kill");
    assertFalse(next.group(1).equals(killed.group(1)), run::toString);
    find(run, killed.group(1) + " is open again after [\\d,]+ ms, and has caught up after");
    find(run, "acknowledged reports: [1-9][\\d,]*, of which 0 are lost");
    find(run, "replicas: n1, n2, n3 have the same digest at entry \\d+: [0-9a-f]{16}");
    for (String id : LocalCluster.IDS) {
      find(run, "verified: " + id + " is sound");
    }
    assertFalse(run.out().contains("\r") || run.out().contains("\u001b"), run::toString);
    assertEquals("", run.err());
    assertFalse(Files.exists(data.resolve("cluster")), "the data are removed");
  }

  private static Matcher find(Run run, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(run.out());
    assertTrue(matcher.find(), () -> "\"" + pattern + "\" is not in " + run);
    return matcher;
  }
}
