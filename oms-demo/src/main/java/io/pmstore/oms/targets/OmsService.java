package io.pmstore.oms.targets;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import org.jspecify.annotations.Nullable;

/**
 * The order management service over an open store. Safe for any number of threads, as long as the
 * reports of one order come from one thread, or otherwise one after the other.
 *
 * <p>Every failure of the store is an unchecked exception; a report whose call threw is not there.
 */
public interface OmsService extends AutoCloseable {
  /**
   * Inserts an order with its first report, in one transaction that is durable on return as the
   * durability of the target says.
   */
  void insert(FlowEvent.NewOrder order);

  /**
   * Changes an order and adds a report to it, in one transaction that is durable on return as the
   * durability of the target says.
   *
   * @throws IllegalStateException if there is no such order
   */
  void update(FlowEvent.Update update);

  /** Reads one order with its reports; returns null if there is none. */
  @Nullable OrderSnapshot find(long orderId);

  /**
   * Reads everything, in any order. Nothing may be written meanwhile.
   *
   * @param visitor is given all there is
   */
  void scan(ContentVisitor visitor);

  /** Closes the store. Closing twice does nothing more. */
  @Override
  void close();

  /**
   * Applies one execution report.
   *
   * @param event an insertion or an update
   */
  default void apply(FlowEvent event) {
    switch (event) {
      case FlowEvent.NewOrder order -> insert(order);
      case FlowEvent.Update update -> update(update);
    }
  }
}
