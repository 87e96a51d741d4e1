package io.pmstore.jmh.bench;

import java.time.Duration;
import java.util.List;

/** The driver with the tiny suite, as a process of its own. */
final class TinyBench {
  private TinyBench() {}

  public static void main(String[] args) {
    System.exit(
        Bench.commandLine(
                List.of(new TinySuite()),
                TinySuite.class,
                (results, directory) -> {},
                Duration.ofMinutes(5))
            .execute(args));
  }
}
