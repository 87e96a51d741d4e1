package io.pmstore.oms.kill;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.FlowRunner;
import io.pmstore.oms.targets.ContentVisitor;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.OmsTarget;
import io.pmstore.oms.targets.TargetKind;
import io.pmstore.oms.targets.TargetSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The process that is killed: opens the store, goes on with the flow where the store's content
 * ends, and prints every acknowledgement before it applies the thread's next report.
 */
public final class KillChild {
  private static final int ARGUMENTS = 7;

  private KillChild() {}

  /**
   * Runs the service until the flow ends or the process is killed.
   *
   * @param args as made by {@link KillSettings#childArguments}
   * @throws IOException if the flow cannot be read
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != ARGUMENTS) {
      throw new IllegalArgumentException(
          "expected " + ARGUMENTS + " arguments, not " + args.length);
    }
    TargetKind kind = TargetKind.ofLabel(args[0]);
    TargetSettings settings =
        new TargetSettings(
            Path.of(args[1]),
            Medium.valueOf(args[2]),
            Boolean.parseBoolean(args[3]),
            Integer.parseInt(args[4]),
            Long.parseLong(args[5]),
            null);
    OrderFlow flow = FlowSource.read(Path.of(args[6]), count -> {});
    AckProtocol out = new AckProtocol();
    out.print(AckProtocol.OPENING);
    try (OmsTarget target = kind.create(settings);
        OmsService service = target.open()) {
      List<List<FlowEvent>> rest = rest(flow, settings.threads(), reportsByOrder(service));
      FlowRunner.run(service, rest, null, new LongAdder(), out::acknowledged);
    }
    out.print(AckProtocol.FINISHED);
  }

  private static Map<Long, Integer> reportsByOrder(OmsService service) {
    Map<Long, Integer> counts = new HashMap<>();
    service.scan(
        new ContentVisitor() {
          @Override
          public void order(OrderSnapshot order) {
            counts.put(order.id(), order.reports().size());
          }

          @Override
          public void stray(String description) {
            throw new IllegalStateException(
                "the store is not as the last round left it: " + description);
          }
        });
    return counts;
  }

  private static List<List<FlowEvent>> rest(
      OrderFlow flow, int threads, Map<Long, Integer> applied) {
    return flow.partition(threads).stream()
        .map(
            part ->
                part.stream()
                    .filter(event -> event.sequence() >= applied.getOrDefault(event.orderId(), 0))
                    .toList())
        .toList();
  }
}
