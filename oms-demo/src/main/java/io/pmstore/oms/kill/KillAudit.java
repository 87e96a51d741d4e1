package io.pmstore.oms.kill;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.run.Differences;
import io.pmstore.oms.run.ExpectedOrders;
import io.pmstore.oms.targets.ContentVisitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what a killed service left behind with what it had acknowledged.
 *
 * <p>The reports of an order are applied one after the other, so a store that lost nothing holds,
 * of every order, a beginning of its reports that contains all acknowledged ones and at most the
 * one that was in flight, and the order's fields are those after exactly these reports. Per thread
 * at most one report was in flight.
 *
 * <p>Give it the store's content as a visitor, then call {@link #result()}.
 */
public final class KillAudit implements ContentVisitor {
  private static final int SHOWN_MAX = 10;

  private final ExpectedOrders expected;
  private final Map<Long, Integer> acknowledged;
  private final int threads;
  private final Map<Long, Integer> found = new HashMap<>();
  private final List<String> shown = new ArrayList<>();
  private long partial;

  /**
   * Starts an audit.
   *
   * @param expected what the flow leads to
   * @param acknowledged for each order how many of its reports must be there
   * @param threads how many threads applied the flow
   */
  public KillAudit(ExpectedOrders expected, Map<Long, Integer> acknowledged, int threads) {
    this.expected = expected;
    this.acknowledged = Map.copyOf(acknowledged);
    this.threads = threads;
  }

  /**
   * What the audit found.
   *
   * @param acknowledged reports that had to be there
   * @param found those of them that are
   * @param lost those of them that are not
   * @param partial orders that are not as after a whole number of their reports, and things that
   *     belong to no order
   * @param inFlight reports that are there and were not acknowledged
   * @param reportsByOrder how many reports each order has
   * @param shown the first findings in words
   */
  public record Result(
      long acknowledged,
      long found,
      long lost,
      long partial,
      long inFlight,
      Map<Long, Integer> reportsByOrder,
      List<String> shown) {
    /** Returns true if the store kept its promise. */
    public boolean kept() {
      return lost == 0 && partial == 0;
    }

    @Override
    public String toString() {
      return "acknowledged %d found %d lost %d partial %d in-flight %d"
          .formatted(acknowledged, found, lost, partial, inFlight);
    }
  }

  @Override
  public void order(OrderSnapshot order) {
    int reports = order.reports().size();
    if (found.putIfAbsent(order.id(), reports) != null) {
      addPartial("order " + order.id() + " is there more than once");
      return;
    }
    if (reports == 0 || reports > expected.reportsOf(order.id())) {
      addPartial(
          "order %d has %d reports; expected 1 to %d"
              .formatted(order.id(), reports, expected.reportsOf(order.id())));
      return;
    }
    List<String> differences = Differences.between(expected.orderAfter(order.id(), reports), order);
    if (!differences.isEmpty()) {
      addPartial(differences.getFirst() + ", after its " + reports + " reports");
    }
  }

  @Override
  public void stray(String description) {
    addPartial(description);
  }

  /** Ends the audit. */
  public Result result() {
    long must = 0;
    long present = 0;
    for (Map.Entry<Long, Integer> entry : acknowledged.entrySet()) {
      int there = Math.min(found.getOrDefault(entry.getKey(), 0), entry.getValue());
      must += entry.getValue();
      present += there;
      if (there < entry.getValue()) {
        show(
            "order %d has %d reports; %d were acknowledged"
                .formatted(entry.getKey(), there, entry.getValue()));
      }
    }
    long inFlight = 0;
    for (Map.Entry<Long, Integer> entry : found.entrySet()) {
      int beyond = entry.getValue() - acknowledged.getOrDefault(entry.getKey(), 0);
      if (beyond > 1) {
        addPartial(
            "order %d has %d reports beyond those acknowledged; at most 1 was in flight"
                .formatted(entry.getKey(), beyond));
      }
      inFlight += Math.max(0, beyond);
    }
    if (inFlight > threads) {
      addPartial(
          "%d reports were not acknowledged; at most %d were in flight"
              .formatted(inFlight, threads));
    }
    return new Result(
        must, present, must - present, partial, inFlight, Map.copyOf(found), List.copyOf(shown));
  }

  private void addPartial(String finding) {
    partial++;
    show(finding);
  }

  private void show(String finding) {
    if (shown.size() < SHOWN_MAX) {
      shown.add(finding);
    }
  }
}
