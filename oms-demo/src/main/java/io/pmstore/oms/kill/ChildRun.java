package io.pmstore.oms.kill;

import io.pmstore.oms.run.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One life of the child: started, listened to, and killed at its moment. */
final class ChildRun {
  private static final Duration LIFE_MAX = Duration.ofMinutes(5);
  private static final int EXIT_OF_SIGKILL = 128 + 9;

  private ChildRun() {}

  /** How the child ended. */
  enum End {
    KILLED,
    FINISHED_BEFORE
  }

  /**
   * Runs the child to its end.
   *
   * @param settings what it runs
   * @param moment when it is killed
   * @param acknowledged counts the acknowledged reports of each order; is updated
   * @return how it ended
   * @throws IOException if the child cannot be started, fails by itself, or acknowledges out of
   *     sequence
   * @throws InterruptedException if the calling thread is interrupted; the child is killed first
   */
  static End run(
      KillSettings settings, Path directory, KillMoment moment, Map<Long, Integer> acknowledged)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(JvmCommand.of(KillChild.class, settings.childArguments(directory)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    AtomicBoolean late = new AtomicBoolean();
    try (ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor();
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII))) {
      Future<?> _ =
          watchdog.schedule(
              () -> {
                late.set(true);
                kill(child);
              },
              LIFE_MAX.toSeconds(),
              TimeUnit.SECONDS);
      try {
        Heard heard = listen(child, lines, moment, acknowledged);
        int exit = child.waitFor();
        if (late.get()) {
          throw new IOException("the child was neither killed nor done after " + LIFE_MAX);
        }
        if (!heard.finished() && !(heard.killed() && exit == EXIT_OF_SIGKILL)) {
          throw new IOException(
              "the child failed by itself with exit code " + exit + "; see its messages above");
        }
        return heard.finished() ? End.FINISHED_BEFORE : End.KILLED;
      } finally {
        watchdog.shutdownNow();
      }
    } finally {
      child.destroyForcibly();
    }
  }

  /**
   * Reads to the end of the child's output: what it printed before it died counts, also after the
   * kill was sent.
   */
  private static Heard listen(
      Process child, BufferedReader lines, KillMoment moment, Map<Long, Integer> acknowledged)
      throws IOException {
    int count = 0;
    boolean killed = false;
    boolean finished = false;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      AckProtocol.Acknowledgement ack = AckProtocol.parse(line);
      if (ack != null) {
        count++;
        int reports = acknowledged.merge(ack.orderId(), 1, Integer::sum);
        if (reports != ack.sequence() + 1) {
          throw new IOException(
              "the child acknowledged report %d of order %d; expected report %d"
                  .formatted(ack.sequence(), ack.orderId(), reports - 1));
        }
      }
      finished |= line.equals(AckProtocol.FINISHED);
      boolean opening = moment.acknowledgements() == 0 && line.equals(AckProtocol.OPENING);
      if (!killed
          && !finished
          && (opening || (ack != null && count == moment.acknowledgements()))) {
        moment.await();
        kill(child);
        killed = true;
      }
    }
    return new Heard(killed, finished);
  }

  /**
   * Sends SIGKILL through the handle: the process itself would also close the pipe, with
   * acknowledgements still in it.
   */
  private static void kill(Process child) {
    child.toHandle().destroyForcibly();
  }

  private record Heard(boolean killed, boolean finished) {}
}
