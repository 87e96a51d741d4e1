package io.pmstore.oms.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.TestSeed;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.ContentVerifier;
import io.pmstore.oms.run.ExpectedOrders;
import io.pmstore.oms.run.RunObserver;
import io.pmstore.oms.run.TargetRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every target must do. */
abstract class TargetContract {
  @TempDir Path dir;

  abstract TargetKind kind();

  Medium medium() {
    return Medium.FILE;
  }

  @BeforeEach
  void requireWhatTheTargetNeeds() {
    Requirements.require(kind());
  }

  TargetSettings settings(int threads, boolean relaxed) {
    return new TargetSettings(dir.resolve("store"), medium(), relaxed, threads, 256L << 20, null);
  }

  @ParameterizedTest
  @CsvSource({"1, false", "3, false", "2, true"})
  void keepsTheWholeFlow(int threads, boolean relaxed) throws Exception {
    OrderFlow flow = flow(120, 6, TestSeed.next(kind() + " keepsTheWholeFlow"));
    TargetRun run =
        new TargetRun(
            kind(), settings(threads, relaxed), flow, new ExpectedOrders(flow), System.err);
    run.warmUp(Duration.ofMillis(50), RunObserver.NONE);
    TargetRun.Outcome outcome = run.run(RunObserver.NONE);
    assertTrue(outcome.verification().matches(), () -> outcome.verification().toString());
    assertEquals(120, outcome.verification().orders());
    assertEquals(840, outcome.verification().reports());
    assertEquals(kind().label(), outcome.result().target());
    assertEquals("6", outcome.result().ratio());
    assertTrue(outcome.result().disk().bytes() > 10_000, () -> outcome.result().toString());
    assertTrue(outcome.result().p50Micros() > 0);
    assertTrue(outcome.result().p50Micros() <= outcome.result().p99Micros());
  }

  @Test
  void anUpdateOfNoOrderIsRefusedAndLeavesNothing() throws IOException {
    OrderFlow flow = flow(2, 3, 5);
    FlowEvent.Update orphan =
        flow.events().stream()
            .filter(FlowEvent.Update.class::isInstance)
            .map(FlowEvent.Update.class::cast)
            .findFirst()
            .orElseThrow();
    try (OmsTarget target = kind().create(settings(1, false))) {
      try (OmsService service = target.open()) {
        assertThrows(IllegalStateException.class, () -> service.update(orphan));
        assertNull(service.find(orphan.orderId()));
        flow.events().forEach(service::apply);
        assertThrows(RuntimeException.class, () -> service.update(unknown(orphan)));
      }
      try (OmsService service = target.open()) {
        ContentVerifier.Outcome outcome = ContentVerifier.verify(new ExpectedOrders(flow), service);
        assertTrue(outcome.matches(), outcome::toString);
      }
    }
  }

  @Test
  void theVerificationSeesWhatIsMissingAndWhatIsTooMuch() throws IOException {
    OrderFlow flow = flow(10, 3, 5);
    OrderFlow longer = flow(11, 3, 5);
    try (OmsTarget target = kind().create(settings(1, false));
        OmsService service = target.open()) {
      flow.events().subList(0, flow.events().size() - 1).forEach(service::apply);
      assertFalse(ContentVerifier.verify(new ExpectedOrders(flow), service).matches());
      service.apply(flow.events().getLast());
      assertTrue(ContentVerifier.verify(new ExpectedOrders(flow), service).matches());
      assertFalse(ContentVerifier.verify(new ExpectedOrders(longer), service).matches());
    }
  }

  private static FlowEvent.Update unknown(FlowEvent.Update update) {
    return new FlowEvent.Update(
        9_999,
        update.sequence(),
        update.execId(),
        update.type(),
        update.price(),
        update.quantity(),
        update.status(),
        update.cumQty(),
        update.leavesQty(),
        update.avgPx(),
        update.time());
  }

  static OrderFlow flow(int orders, int ratio, long seed) throws IOException {
    return FlowSource.generate(new FlowSettings(orders, ratio, seed), null, count -> {});
  }
}
