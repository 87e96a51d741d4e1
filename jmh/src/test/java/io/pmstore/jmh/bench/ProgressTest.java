package io.pmstore.jmh.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is told while steps run. */
final class ProgressTest {
  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void theTimeLeftFollowsWhatStepsTook() {
    TimeLeft left = new TimeLeft(List.of(seconds(10), seconds(20), seconds(30)));
    assertEquals(seconds(60), left.left(Duration.ZERO));
    assertEquals(seconds(53), left.left(seconds(7)));
    assertEquals(seconds(50), left.left(seconds(70)), "an overdue step takes nothing from others");
    left.finished(seconds(20));
    assertEquals(seconds(100), left.left(Duration.ZERO));
    left.finished(seconds(10));
    assertEquals(seconds(20), left.left(seconds(10)));
    left.finished(seconds(30));
    assertEquals(Duration.ZERO, left.left(Duration.ZERO));
  }

  @Test
  void aLineForEachStep() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    AtomicLong clock = new AtomicLong(5);
    try (ProgressLine progress =
        new ProgressLine(
            List.of("a", "b"),
            List.of(seconds(60), seconds(600)),
            new PrintStream(bytes, true, StandardCharsets.UTF_8),
            false,
            clock::get)) {
      progress.started();
      clock.addAndGet(seconds(30).toNanos());
      progress.ended();
      progress.say("a: nothing");
      progress.started();
    }
    assertEquals(
        List.of(
            "[1/2] a; elapsed 0:00, left about 11:00",
            "a: nothing",
            "[2/2] b; elapsed 0:30, left about 5:00"),
        bytes.toString(StandardCharsets.UTF_8).lines().toList());
    assertEquals("1:02:03", ProgressLine.text(seconds(3723)));
  }
}
