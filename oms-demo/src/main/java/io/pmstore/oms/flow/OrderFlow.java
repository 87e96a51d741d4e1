package io.pmstore.oms.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * A parsed order flow. Immutable.
 *
 * @param events the execution reports, in the order they came
 * @param orders how many of them insert an order
 * @param problems the lines that were skipped
 */
public record OrderFlow(List<FlowEvent> events, int orders, List<FlowProblem> problems) {

  /** Copies the lists. */
  public OrderFlow {
    events = List.copyOf(events);
    problems = List.copyOf(problems);
  }

  /**
   * Deals the flow out to threads: all reports of an order go to the same one, in their order.
   *
   * @param threads how many, at least 1
   * @return one list for each thread
   */
  public List<List<FlowEvent>> partition(int threads) {
    List<List<FlowEvent>> parts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      parts.add(new ArrayList<>(events.size() / threads + 1));
    }
    for (FlowEvent event : events) {
      parts.get((int) (event.orderId() % threads)).add(event);
    }
    return parts;
  }
}
