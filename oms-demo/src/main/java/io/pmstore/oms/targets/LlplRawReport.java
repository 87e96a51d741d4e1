package io.pmstore.oms.targets;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.intel.pmem.llpl.MemoryBlock;
import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.ReportSnapshot;
import io.pmstore.oms.domain.Scales;
import io.pmstore.oms.flow.FlowEvent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The block of a report. It never changes. */
final class LlplRawReport {
  private static final long PREVIOUS = 0;
  private static final long PRICE = 8;
  private static final long QUANTITY = 16;
  private static final long TIME = 24;
  private static final long TYPE = 32;
  private static final long EXEC_ID = 33;

  private LlplRawReport() {}

  /** Makes the report of a new order, in the running transaction. Returns its handle. */
  static long create(LlplRawPool pool, FlowEvent.NewOrder order) {
    return create(pool, order, ExecType.PENDING_NEW, order.price(), order.quantity(), 0);
  }

  /**
   * Makes the report of an update, in the running transaction.
   *
   * @param previous the handle of the order's last report
   * @return the report's handle
   */
  static long create(LlplRawPool pool, FlowEvent.Update update, long previous) {
    return create(pool, update, update.type(), update.price(), update.quantity(), previous);
  }

  private static long create(
      LlplRawPool pool,
      FlowEvent event,
      ExecType type,
      @Nullable BigDecimal price,
      long quantity,
      long previous) {
    byte[] execId = event.execId().getBytes(UTF_8);
    MemoryBlock block = pool.allocate(EXEC_ID + LlplRawValues.size(execId));
    block.setLong(PREVIOUS, previous);
    block.setLong(PRICE, LlplRawValues.ofDecimal(price, Scales.PRICE));
    block.setLong(QUANTITY, quantity);
    block.setLong(TIME, event.time().toEpochMilli());
    block.setByte(TYPE, (byte) type.code());
    LlplRawValues.put(block, EXEC_ID, execId);
    return block.handle();
  }

  /** Reads the report with a handle and all before it. Returns them oldest first. */
  static List<ReportSnapshot> readAll(LlplRawPool pool, long last) {
    List<ReportSnapshot> reports = new ArrayList<>();
    long handle = last;
    while (handle != 0) {
      MemoryBlock block = pool.block(handle);
      reports.add(
          new ReportSnapshot(
              LlplRawValues.get(block, EXEC_ID),
              ExecType.ofCode((char) block.getByte(TYPE)),
              LlplRawValues.toDecimal(block.getLong(PRICE), Scales.PRICE),
              block.getLong(QUANTITY),
              Instant.ofEpochMilli(block.getLong(TIME))));
      handle = block.getLong(PREVIOUS);
    }
    Collections.reverse(reports);
    return reports;
  }
}
