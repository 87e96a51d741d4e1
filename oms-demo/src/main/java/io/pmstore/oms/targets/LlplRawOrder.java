package io.pmstore.oms.targets;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.intel.pmem.llpl.MemoryBlock;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.Scales;
import io.pmstore.oms.domain.Side;
import io.pmstore.oms.flow.FlowEvent;
import java.time.Instant;
import java.util.Objects;

/** The block of an order. What reports change comes first, so that one snapshot has all of it. */
final class LlplRawOrder {
  private static final long PRICE = 0;
  private static final long QUANTITY = 8;
  private static final long CUM_QTY = 16;
  private static final long LEAVES_QTY = 24;
  private static final long AVG_PX = 32;
  private static final long UPDATED = 40;
  private static final long LAST_REPORT = 48;
  private static final long STATUS = 56;
  private static final long CHANGING_END = 57;
  private static final long SIDE = 57;
  private static final long TYPE = 58;
  private static final long ID = 64;
  private static final long CREATED = 72;
  private static final long TEXTS = 80;

  private LlplRawOrder() {}

  /** Makes an order with its first report, in the running transaction. Returns its handle. */
  static long create(LlplRawPool pool, FlowEvent.NewOrder order) {
    byte[] clOrdId = order.clOrdId().getBytes(UTF_8);
    byte[] symbol = order.symbol().getBytes(UTF_8);
    byte[] account = order.account().getBytes(UTF_8);
    MemoryBlock block = pool.allocate(TEXTS + LlplRawValues.size(clOrdId, symbol, account));
    long time = order.time().toEpochMilli();
    block.setLong(PRICE, LlplRawValues.ofDecimal(order.price(), Scales.PRICE));
    block.setLong(QUANTITY, order.quantity());
    block.setLong(LEAVES_QTY, order.quantity());
    block.setLong(AVG_PX, LlplRawValues.ofDecimal(Scales.NO_AVERAGE_PRICE, Scales.AVERAGE_PRICE));
    block.setLong(UPDATED, time);
    block.setLong(LAST_REPORT, LlplRawReport.create(pool, order));
    block.setByte(STATUS, (byte) OrderStatus.PENDING_NEW.code());
    block.setByte(SIDE, (byte) order.side().code());
    block.setByte(TYPE, (byte) order.type().code());
    block.setLong(ID, order.orderId());
    block.setLong(CREATED, time);
    LlplRawValues.put(block, TEXTS, clOrdId, symbol, account);
    return block.handle();
  }

  /** Changes an order and adds the report to it, in the running transaction. */
  static void update(LlplRawPool pool, long handle, FlowEvent.Update update) {
    MemoryBlock block = pool.block(handle);
    long report = LlplRawReport.create(pool, update, block.getLong(LAST_REPORT));
    block.addToTransaction(0, CHANGING_END);
    if (update.replacesTerms()) {
      block.setLong(PRICE, LlplRawValues.ofDecimal(update.price(), Scales.PRICE));
      block.setLong(QUANTITY, update.quantity());
    }
    block.setLong(CUM_QTY, update.cumQty());
    block.setLong(LEAVES_QTY, update.leavesQty());
    block.setLong(AVG_PX, LlplRawValues.ofDecimal(update.avgPx(), Scales.AVERAGE_PRICE));
    block.setLong(UPDATED, update.time().toEpochMilli());
    block.setLong(LAST_REPORT, report);
    block.setByte(STATUS, (byte) update.status().code());
  }

  /** Reads an order with its reports. */
  static OrderSnapshot read(LlplRawPool pool, long handle) {
    MemoryBlock block = pool.block(handle);
    long symbol = LlplRawValues.next(block, TEXTS);
    long account = LlplRawValues.next(block, symbol);
    return new OrderSnapshot(
        block.getLong(ID),
        LlplRawValues.get(block, TEXTS),
        LlplRawValues.get(block, symbol),
        Side.ofCode((char) block.getByte(SIDE)),
        OrderType.ofCode((char) block.getByte(TYPE)),
        LlplRawValues.toDecimal(block.getLong(PRICE), Scales.PRICE),
        block.getLong(QUANTITY),
        OrderStatus.ofCode((char) block.getByte(STATUS)),
        block.getLong(CUM_QTY),
        block.getLong(LEAVES_QTY),
        Objects.requireNonNull(
            LlplRawValues.toDecimal(block.getLong(AVG_PX), Scales.AVERAGE_PRICE)),
        LlplRawValues.get(block, account),
        Instant.ofEpochMilli(block.getLong(CREATED)),
        Instant.ofEpochMilli(block.getLong(UPDATED)),
        LlplRawReport.readAll(pool, block.getLong(LAST_REPORT)));
  }
}
