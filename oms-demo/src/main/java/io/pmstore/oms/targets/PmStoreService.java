package io.pmstore.oms.targets;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.oms.domain.Exchange;
import io.pmstore.oms.domain.ExecutionReport;
import io.pmstore.oms.domain.Order;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import java.time.Duration;
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

  /**
   * Opens a store, as wherever pmstore is compared; makes it at the first time.
   *
   * @param kind {@link TargetKind#PMSTORE}, {@link TargetKind#PMSTORE_LLPL} or {@link
   *     TargetKind#PMSTORE_TIERED}
   * @param settings how
   * @return the store; the caller closes it
   */
  public static PmStore openStore(TargetKind kind, TargetSettings settings) {
    Storage storage =
        switch (kind) {
          case PMSTORE ->
              settings.medium() == Medium.PMEM ? Storage.PERSISTENT_MEMORY : Storage.FILE;
          case PMSTORE_LLPL -> Storage.LLPL;
          case PMSTORE_TIERED -> Storage.TIERED;
          case LLPL_RAW, SQLITE, POSTGRES ->
              throw new IllegalArgumentException(kind + " is not pmstore");
        };
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .storage(storage)
            .llplPoolSize(settings.llplPoolBytes())
            .tieredPools(
                settings.medium() == Medium.PMEM ? Storage.PERSISTENT_MEMORY : Storage.FILE);
    if (settings.relaxed()) {
      options =
          options.durability(
              Durability.relaxed(Duration.ofMillis(TargetSettings.RELAXED_BOUND_MILLIS)));
    }
    return PmStore.open(settings.directory(), options);
  }

  static PmStoreService open(TargetKind kind, TargetSettings settings) {
    PmStore store = openStore(kind, settings);
    try {
      return new PmStoreService(store);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
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
