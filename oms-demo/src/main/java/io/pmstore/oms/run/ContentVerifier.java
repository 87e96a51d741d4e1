package io.pmstore.oms.run;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.targets.ContentVisitor;
import io.pmstore.oms.targets.OmsService;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares the whole content of a store with what the flow makes it: every field of every order and
 * report, no extras.
 */
public final class ContentVerifier {
  private static final int SHOWN_MAX = 10;

  private ContentVerifier() {}

  /**
   * What the comparison found.
   *
   * @param orders how many orders the store has
   * @param reports how many reports its orders have
   * @param differences how many differences there are
   * @param shown the first of them, in words
   */
  public record Outcome(long orders, long reports, long differences, List<String> shown) {
    /** Returns true if the store contains exactly what it should. */
    public boolean matches() {
      return differences == 0;
    }
  }

  /**
   * Reads everything and compares it.
   *
   * @param expected what should be there
   * @param service the store, to which nobody writes
   */
  public static Outcome verify(ExpectedOrders expected, OmsService service) {
    Collector collector = new Collector(expected);
    service.scan(collector);
    return collector.finish();
  }

  private static final class Collector implements ContentVisitor {
    private final ExpectedOrders expected;
    private final Set<Long> seen = new HashSet<>();
    private final List<String> shown = new ArrayList<>();
    private long reports;
    private long differences;

    Collector(ExpectedOrders expected) {
      this.expected = expected;
    }

    @Override
    public void order(OrderSnapshot found) {
      reports += found.reports().size();
      if (!seen.add(found.id())) {
        add("order " + found.id() + " is there more than once");
        return;
      }
      OrderSnapshot wanted = expected.order(found.id());
      if (wanted == null) {
        add("order " + found.id() + " is in the store and not in the flow");
      } else {
        Differences.between(wanted, found).forEach(this::add);
      }
    }

    @Override
    public void stray(String description) {
      add(description);
    }

    Outcome finish() {
      for (long id : expected.orderIds()) {
        if (!seen.contains(id)) {
          add("order " + id + " is in the flow and not in the store");
        }
      }
      return new Outcome(seen.size(), reports, differences, List.copyOf(shown));
    }

    private void add(String difference) {
      differences++;
      if (shown.size() < SHOWN_MAX) {
        shown.add(difference);
      }
    }
  }
}
