package io.pmstore.oms.cluster;

import io.pmstore.oms.run.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs three nodes, has the leader apply orders and execution reports at full rate, kills it, opens
 * it again, and proves that nothing is lost.
 */
public final class ClusterRun {
  private static final long ALIVE_CHECK_MILLIS = 100;
  private static final double SILENCE_SECONDS = 0.3;
  private static final long NEXT_LEADER_SECONDS_MAX = 60;
  private static final long SAME_ENTRY_SECONDS_MAX = 60;

  private final ClusterSettings settings;
  private final PrintStream out;
  private final PrintStream log;
  private final Journal journal = new Journal();
  private volatile long began;
  private volatile boolean driving;

  /**
   * Prepares the run.
   *
   * @param settings how it is run
   * @param out where the lines of the result go
   * @param log where progress is shown, if it is a terminal
   */
  public ClusterRun(ClusterSettings settings, PrintStream out, PrintStream log) {
    this.settings = settings;
    this.out = out;
    this.log = log;
  }

  /**
   * Runs it.
   *
   * @return true if nothing acknowledged is lost, and the nodes have the same and are sound
   * @throws IOException if a node cannot be started, ends by itself or does not answer
   * @throws InterruptedException if the calling thread is interrupted; the nodes are ended first
   */
  public boolean run() throws IOException, InterruptedException {
    try (LocalCluster nodes = new LocalCluster(settings.directory(), settings.threads(), journal)) {
      open(nodes);
      Map<String, String> digests;
      Path backup = settings.directory().resolve("backup");
      try (Progress progress = Progress.onTerminal(this::line, log)) {
        drive(nodes, progress);
        digests = digests(nodes);
        String follower =
            LocalCluster.IDS.stream().filter(id -> !id.equals(leader())).findFirst().orElseThrow();
        nodes.node(follower).ask(ClusterNode.BACKUP + backup, NodeOutput.BACKED_UP);
        for (String id : LocalCluster.IDS) {
          nodes.node(id).ask(ClusterNode.CLOSE, NodeOutput.CLOSED);
          nodes.node(id).awaitEnd();
        }
      }
      ClusterProof proof = new ClusterProof();
      proof.contents(backup, journal.claims(), settings.threads());
      proof.digests(digests);
      for (String id : LocalCluster.IDS) {
        proof.verify(id, nodes.directory(id));
      }
      proof.lines().forEach(out::println);
      return proof.holds();
    }
  }

  private void open(LocalCluster nodes) throws IOException, InterruptedException {
    for (String id : LocalCluster.IDS) {
      nodes.start(id);
    }
    for (String id : LocalCluster.IDS) {
      nodes.node(id).answer(NodeOutput.OPEN);
    }
    for (String id : LocalCluster.IDS) {
      nodes.node(id).ask(ClusterNode.AWAIT, NodeOutput.READY);
      say(
          null,
          "%s is open: process %d, 127.0.0.1:%d"
              .formatted(id, nodes.node(id).pid(), nodes.port(id)));
    }
  }

  /** The nodes drive for the given time. */
  private void drive(LocalCluster nodes, Progress progress)
      throws IOException, InterruptedException {
    CompletableFuture<Long> first = journal.nextNotFrom("");
    for (String id : LocalCluster.IDS) {
      nodes.node(id).ask(ClusterNode.DRIVE, NodeOutput.DRIVING);
    }
    began = await(first, "the first report");
    driving = true;
    say(progress, "%s leads".formatted(leader()));
    long nanos = TimeUnit.SECONDS.toNanos(settings.seconds());
    if (settings.kill()) {
      let(began + nanos / 3, nodes, "");
      String killed = leader();
      kill(nodes, killed, progress);
      let(began + 2 * nanos / 3, nodes, killed);
      reopen(nodes, killed, progress);
    }
    let(began + nanos, nodes, "");
    long end = System.nanoTime();
    for (String id : LocalCluster.IDS) {
      nodes.node(id).ask(ClusterNode.STOP, NodeOutput.STOPPED);
    }
    driving = false;
    long reports = journal.acknowledged();
    double seconds = (end - began) / 1e9;
    say(
        progress,
        "stopped after %.1f s: %,d reports were acknowledged, %,.0f a second"
            .formatted(seconds, reports, reports / seconds));
  }

  private void kill(LocalCluster nodes, String killed, Progress progress)
      throws IOException, InterruptedException {
    NodeProcess node = nodes.node(killed);
    CompletableFuture<Long> next = journal.nextNotFrom(killed);
    long before = System.nanoTime();
    node.kill();
    node.awaitEnd();
    say(
        progress,
        "killed %s, the leader (kill -9), after %,d acknowledged reports"
            .formatted(killed, journal.acknowledged()));
    long gap = await(next, "a report from the next leader") - before;
    say(
        progress,
        "%s leads; the next report was acknowledged %,d ms after the kill"
            .formatted(leader(), TimeUnit.NANOSECONDS.toMillis(gap)));
  }

  private void reopen(LocalCluster nodes, String killed, Progress progress)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    NodeProcess node = nodes.start(killed);
    node.answer(NodeOutput.OPEN);
    long open = System.nanoTime();
    node.ask(ClusterNode.AWAIT, NodeOutput.READY);
    long ready = System.nanoTime();
    node.ask(ClusterNode.DRIVE, NodeOutput.DRIVING);
    say(
        progress,
        "%s is open again after %,d ms, and has caught up after another %,d ms"
            .formatted(
                killed,
                TimeUnit.NANOSECONDS.toMillis(open - begin),
                TimeUnit.NANOSECONDS.toMillis(ready - open)));
  }

  /** Lets the nodes drive until a time. */
  private static void let(long until, LocalCluster nodes, String dead)
      throws IOException, InterruptedException {
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      TimeUnit.MILLISECONDS.sleep(
          Math.min(ALIVE_CHECK_MILLIS, 1 + TimeUnit.NANOSECONDS.toMillis(left)));
      nodes.requireAlive(dead);
    }
  }

  private static long await(CompletableFuture<Long> moment, String what)
      throws IOException, InterruptedException {
    try {
      return moment.get(NEXT_LEADER_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          what + " was not acknowledged within " + NEXT_LEADER_SECONDS_MAX + " s", e);
    }
  }

  /**
   * Asks all nodes for their digests, until they are of one entry: a follower may be behind, and
   * the leader may still collect garbage.
   */
  private static Map<String, String> digests(LocalCluster nodes)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      Map<String, String> digests = new TreeMap<>();
      for (String id : LocalCluster.IDS) {
        digests.put(id, nodes.node(id).ask(ClusterNode.DIGEST, NodeOutput.DIGEST));
      }
      List<String> entries =
          digests.values().stream().map(each -> each.substring(0, each.indexOf(' '))).toList();
      if (entries.stream().distinct().count() == 1) {
        return digests;
      }
      if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(SAME_ENTRY_SECONDS_MAX)) {
        throw new IOException(
            "the nodes are at different entries after %d s: %s"
                .formatted(SAME_ENTRY_SECONDS_MAX, digests));
      }
    }
  }

  private String leader() {
    String leader = journal.leader();
    if (leader == null) {
      throw new IllegalStateException("no node has said that it leads");
    }
    return leader;
  }

  private String line() {
    if (!driving) {
      return began == 0 ? "the nodes elect a leader" : "the nodes are compared";
    }
    long now = System.nanoTime();
    double silence = (now - journal.lastNanos()) / 1e9;
    return String.format(
        Locale.ROOT,
        "%.1f s: %,d reports acknowledged; %s",
        (now - began) / 1e9,
        journal.acknowledged(),
        silence > SILENCE_SECONDS
            ? String.format(Locale.ROOT, "none for %.1f s", silence)
            : journal.leader() + " leads");
  }

  private void say(@Nullable Progress progress, String text) {
    if (progress != null) {
      progress.clear();
    }
    out.println(text);
  }
}
