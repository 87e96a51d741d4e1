package io.pmstore.jmh.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A run counts what was done, when, and how long it took. */
final class TimedRunTest {
  private static final List<String> KINDS = List.of("short", "long");

  /** Every second operation takes at least a millisecond. */
  private static class Alternating implements Worker {
    private int prepared;
    private int performed;

    @Override
    public int prepare() {
      return prepared++ % 2;
    }

    @Override
    public void perform() throws Exception {
      if (performed++ % 2 == 1) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  @Test
  void everyOperationIsCountedOnceUnderItsKind() throws Exception {
    List<Alternating> workers = Stream.generate(Alternating::new).limit(3).toList();
    RunFigures figures = new TimedRun(Duration.ofMillis(120), 4).run(workers, KINDS);
    long performed = workers.stream().mapToLong(worker -> worker.performed).sum();
    assertEquals(performed, figures.operations());
    assertEquals(performed, figures.allLatencies().getTotalCount());
    assertEquals(
        List.of("short", "long"),
        figures.latencies().stream().map(RunFigures.KindFigures::kind).toList());
    long shorts = figures.latencies().getFirst().nanos().getTotalCount();
    assertTrue(Math.abs(2 * shorts - performed) <= workers.size(), "half are short");
    assertTrue(figures.latencies().getLast().nanos().getMinValue() >= 999_000, "long are long");
    // The slices have everything but what each thread ended too late.
    assertEquals(4, figures.throughput().size());
    double inSlices =
        figures.throughput().stream().mapToDouble(perSecond -> perSecond * 0.03).sum();
    assertTrue(inSlices <= performed + 1e-6 && inSlices >= performed - workers.size() - 1e-6);
  }

  @Test
  void percentilesOfEachKindAreRecordedIfThereAreSeveral() throws Exception {
    for (int kinds = 1; kinds <= 2; kinds++) {
      int bound = kinds;
      Worker worker =
          new Alternating() {
            @Override
            public int prepare() {
              return super.prepare() % bound;
            }
          };
      RunFigures figures =
          new TimedRun(Duration.ofMillis(30), 3)
              .run(List.of(worker), List.of("short", "long", "never"));
      Recorded recorded =
          Recorded.run(
              new Step() {
                @Override
                public String name() {
                  return "recorded";
                }

                @Override
                public Duration estimate() {
                  return Duration.ZERO;
                }

                @Override
                public void run(StepContext to) {
                  figures.record(
                      to, Deployment.inMemory(1).subject("suite", "workload", 5), "ops/s");
                }
              });
      assertEquals(
          kinds == 1
              ? List.of("throughput", "p50", "p99", "p99.9")
              : List.of(
                  "throughput",
                  "p50",
                  "p99",
                  "p99.9",
                  "p50 short",
                  "p99 short",
                  "p99.9 short",
                  "p50 long",
                  "p99 long",
                  "p99.9 long"),
          recorded.metrics("workload"));
      assertEquals(3, recorded.measurement("workload", "throughput").samples().size());
      assertEquals("us", recorded.measurement("workload", "p99").unit());
      assertTrue(recorded.measurement("workload", "p99").mean() >= 1000, "a millisecond");
      assertTrue(recorded.measurement("workload", "p99").mean() < 10_000_000, "microseconds");
      assertEquals(1, recorded.curves().size());
    }
  }

  @Test
  void theWarmUpIsNotMeasured() throws Exception {
    Alternating worker = new Alternating();
    RunFigures figures =
        new TimedRun(Duration.ofMillis(20), 1)
            .runWarm(Duration.ofMillis(40), List.of(worker), KINDS);
    assertTrue(figures.operations() < worker.performed, () -> "" + worker.performed);
  }

  @Test
  void workersRunBesideEachOther() throws Exception {
    CyclicBarrier meeting = new CyclicBarrier(3);
    List<Worker> workers =
        Stream.<Worker>generate(
                () ->
                    new Alternating() {
                      private boolean met;

                      @Override
                      public void perform() throws Exception {
                        if (!met) {
                          meeting.await(30, TimeUnit.SECONDS);
                          met = true;
                        }
                      }
                    })
            .limit(3)
            .toList();
    assertTrue(new TimedRun(Duration.ofMillis(10), 1).run(workers, KINDS).operations() >= 3);
  }

  @Test
  void aFailureEndsTheRunForAll() {
    ArithmeticException failure = new ArithmeticException("broken");
    Worker failing =
        new Alternating() {
          @Override
          public void perform() {
            throw failure;
          }
        };
    long before = System.nanoTime();
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                new TimedRun(Duration.ofMinutes(5), 1)
                    .run(List.of(new Alternating(), failing), KINDS));
    assertSame(failure, thrown.getCause());
    assertTrue(System.nanoTime() - before < TimeUnit.MINUTES.toNanos(4), "the other went on");
  }
}
