package io.pmstore.jmh.oms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.bench.StepRecorder;
import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.targets.ContentVisitor;
import io.pmstore.oms.targets.DiskUse;
import io.pmstore.oms.targets.HashMapTarget;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.OmsTarget;
import io.pmstore.oms.targets.TargetFactory;
import io.pmstore.oms.targets.TargetKind;
import io.pmstore.oms.targets.TargetSettings;
import io.pmstore.oms.targets.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of a target that applied a flow. */
final class FlowStepTest {
  @TempDir Path directory;

  private Results run(TargetFactory target, String medium, String durability) throws Exception {
    OmsCase what = new OmsCase(6, target, medium, durability, 2);
    return StepRecorder.run(new FlowStep(what, Scale.SMOKE), Scale.SMOKE, 7, directory, directory);
  }

  private static List<String> metrics(Results results) {
    return results.measurements().stream().map(Measurement::metric).toList();
  }

  @Test
  void aStoreHasFiguresOfItsSpace() throws Exception {
    Results results = run(TargetKind.PMSTORE, "file", "sync");
    List<String> metrics = metrics(results);
    assertTrue(
        metrics.containsAll(List.of("throughput", "p50", "p99", "p99.9", "disk", "log", "reopen")),
        metrics::toString);
    assertEquals(BlockDevice.of(directory).isPresent(), metrics.contains("written"));
    LatencyCurve curve = results.latencies().getFirst();
    assertEquals(100, curve.points().getLast().percentile());
  }

  @Test
  void aMapInMemoryHasNone() throws Exception {
    assertEquals(
        List.of("throughput", "p50", "p99", "p99.9"),
        metrics(run(OmsCase.HASH_MAP, "memory", "none")));
  }

  @Test
  void aDifferenceFromTheFlowIsAFailure() {
    String message =
        assertThrows(IllegalStateException.class, () -> run(new Forgetful(), "memory", "none"))
            .getMessage();
    assertTrue(message.startsWith("the store differs from the flow in "), message);
  }

  @Test
  void aTargetThatCannotBeHadIsOmitted() throws Exception {
    TargetFactory none =
        new TargetFactory() {
          @Override
          public String label() {
            return "none";
          }

          @Override
          public OmsTarget create(TargetSettings settings) {
            throw new UnavailableException("there is\nno server", new IOException("no file"));
          }
        };
    Results results = run(none, "memory", "none");
    assertEquals(List.of(), results.measurements());
    assertEquals(
        List.of(new Omission("oms/ratio 6/none/memory/none/2", "there is no server: no file")),
        results.omissions());
  }

  /** Forgets one report of those of each store. */
  private static final class Forgetful implements TargetFactory {
    @Override
    public String label() {
      return "forgetful";
    }

    @Override
    public OmsTarget create(TargetSettings settings) {
      OmsTarget target = new HashMapTarget(settings);
      AtomicLong updates = new AtomicLong();
      return new OmsTarget() {
        @Override
        public OmsService open() {
          return new Service(target.open(), updates);
        }

        @Override
        public DiskUse diskUse() {
          return target.diskUse();
        }

        @Override
        public void close() {
          target.close();
        }
      };
    }
  }

  private record Service(OmsService service, AtomicLong updates) implements OmsService {
    @Override
    public void insert(FlowEvent.NewOrder order) {
      service.insert(order);
    }

    @Override
    public void update(FlowEvent.Update update) {
      if (updates.incrementAndGet() != 5) {
        service.update(update);
      }
    }

    @Override
    public @Nullable OrderSnapshot find(long orderId) {
      return service.find(orderId);
    }

    @Override
    public void scan(ContentVisitor visitor) {
      service.scan(visitor);
    }

    @Override
    public void close() {
      service.close();
    }
  }
}
