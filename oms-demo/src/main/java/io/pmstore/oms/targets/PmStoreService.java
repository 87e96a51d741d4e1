package io.pmstore.oms.targets;

import io.pmstore.PmStore;
import io.pmstore.oms.domain.Exchange;
import io.pmstore.oms.domain.ExecutionReport;
import io.pmstore.oms.domain.Order;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import org.jspecify.annotations.Nullable;

/** The service over pmstore: ordinary objects, and one transaction around each report. */
public final class PmStoreService implements OmsService {
  private final PmStore store;
  private final OrderBook book;

  /**
   * Creates the service.
   *
   * @param store has the orders; closing the service closes it
   */
  public PmStoreService(PmStore store) {
    this.store = store;
    this.book =
        new OrderBook(
            store.root(Exchange.class),
            () -> store.create(Order.class),
            () -> store.create(ExecutionReport.class));
  }

  @Override
  public void insert(FlowEvent.NewOrder order) {
    store.transaction(() -> book.insert(order));
  }

  @Override
  public void update(FlowEvent.Update update) {
    store.transaction(() -> book.update(update));
  }

  @Override
  public @Nullable OrderSnapshot find(long orderId) {
    return store.transaction(() -> book.find(orderId));
  }

  @Override
  public void scan(ContentVisitor visitor) {
    book.scan(visitor);
  }

  @Override
  public void close() {
    store.close();
  }
}
