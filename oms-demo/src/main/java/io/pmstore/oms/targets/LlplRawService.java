package io.pmstore.oms.targets;

import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.TransactionException;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The service over blocks of LLPL: one for each order and each report, one PMDK transaction around
 * each report. Transactions on orders of different stripes run in parallel.
 */
final class LlplRawService implements OmsService {
  private final LlplRawPool pool;
  private final LlplRawIndex index;
  private volatile boolean closed;

  /** Takes over the pool: closing the service closes it. */
  private LlplRawService(LlplRawPool pool) {
    this.pool = pool;
    try {
      index = new LlplRawIndex(pool);
    } catch (RuntimeException | Error e) {
      pool.close();
      throw e;
    }
  }

  static LlplRawService open(TargetSettings settings) {
    String missing = NativeLibraries.missingForLlpl();
    if (missing != null) {
      throw new IllegalStateException("LLPL cannot be used: " + missing);
    }
    return new LlplRawService(
        LlplRawPool.open(settings.directory().resolve("oms.pool"), settings.llplPoolBytes()));
  }

  @Override
  public void insert(FlowEvent.NewOrder order) {
    long id = order.orderId();
    LlplRawStripe stripe = index.stripe(id);
    lock(stripe);
    try {
      if (stripe.table().find(id) != 0) {
        throw new IllegalStateException("there is an order " + id + " already");
      }
      stripe.committed(transaction(order, () -> stripe.add(id, LlplRawOrder.create(pool, order))));
    } finally {
      stripe.lock.unlock();
    }
  }

  @Override
  public void update(FlowEvent.Update update) {
    LlplRawStripe stripe = index.stripe(update.orderId());
    lock(stripe);
    try {
      long order = stripe.table().find(update.orderId());
      if (order == 0) {
        throw new IllegalStateException("there is no order " + update.orderId());
      }
      transaction(
          update,
          () -> {
            LlplRawOrder.update(pool, order, update);
            return order;
          });
    } finally {
      stripe.lock.unlock();
    }
  }

  private <T> T transaction(FlowEvent event, Supplier<T> body) {
    try {
      return pool.transaction(body);
    } catch (HeapException | TransactionException e) {
      throw new TargetException(
          "LLPL refused report %d of order %d; its pool does not grow, see --llpl-pool"
              .formatted(event.sequence(), event.orderId()),
          e);
    }
  }

  @Override
  public @Nullable OrderSnapshot find(long orderId) {
    LlplRawStripe stripe = index.stripe(orderId);
    lock(stripe);
    try {
      long order = stripe.table().find(orderId);
      return order == 0 ? null : LlplRawOrder.read(pool, order);
    } finally {
      stripe.lock.unlock();
    }
  }

  @Override
  public void scan(ContentVisitor visitor) {
    for (LlplRawStripe stripe : index.stripes()) {
      lock(stripe);
      try {
        stripe
            .table()
            .forEach(
                (id, order) -> {
                  OrderSnapshot read = LlplRawOrder.read(pool, order);
                  if (read.id() != id) {
                    visitor.stray("order " + read.id() + " stands under key " + id);
                  }
                  visitor.order(read);
                });
      } finally {
        stripe.lock.unlock();
      }
    }
  }

  /** Locks a stripe of an open pool: reading a closed one would end the process. */
  @SuppressWarnings("LockNotBeforeTry") // the caller's try begins where this returns
  private void lock(LlplRawStripe stripe) {
    stripe.lock.lock();
    if (closed) {
      stripe.lock.unlock();
      throw new IllegalStateException("the pool is closed");
    }
  }

  @Override
  public void close() {
    index.stripes().forEach(stripe -> stripe.lock.lock());
    try {
      if (!closed) {
        closed = true;
        pool.close();
      }
    } finally {
      index.stripes().forEach(stripe -> stripe.lock.unlock());
    }
  }
}
