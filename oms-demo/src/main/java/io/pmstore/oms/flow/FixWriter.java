package io.pmstore.oms.flow;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderType;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import quickfix.Message;
import quickfix.UtcTimestampPrecision;
import quickfix.field.Account;
import quickfix.field.AvgPx;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.ExecID;
import quickfix.field.LastPx;
import quickfix.field.LastQty;
import quickfix.field.LeavesQty;
import quickfix.field.MsgSeqNum;
import quickfix.field.OrdStatus;
import quickfix.field.OrdType;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.Price;
import quickfix.field.SenderCompID;
import quickfix.field.SendingTime;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.TargetCompID;
import quickfix.field.TransactTime;
import quickfix.fix44.ExecutionReport;
import quickfix.fix44.NewOrderSingle;

/**
 * Writes the state of a generated order as FIX 4.4: the customer's messages to the broker, and the
 * exchange's.
 */
final class FixWriter {
  private int customerMessages;
  private int exchangeMessages;
  private long reports;

  /** Writes the message that brings the order in. */
  String newOrder(GeneratedOrder order, long epochMillis) {
    LocalDateTime time = utc(epochMillis);
    NewOrderSingle message = new NewOrderSingle();
    header(message, "CUSTOMER", ++customerMessages, time);
    message.setString(ClOrdID.FIELD, order.clOrdId());
    message.setString(Account.FIELD, order.account());
    message.setString(Symbol.FIELD, order.symbol());
    message.setChar(Side.FIELD, order.side().code());
    message.setUtcTimeStamp(TransactTime.FIELD, time, UtcTimestampPrecision.MILLIS);
    terms(message, order);
    return message.toString();
  }

  /** Writes the report of what just happened to the order. */
  String report(GeneratedOrder order, ExecType type, long epochMillis) {
    LocalDateTime time = utc(epochMillis);
    ExecutionReport message = new ExecutionReport();
    header(message, "EXCHANGE", ++exchangeMessages, time);
    message.setString(OrderID.FIELD, "X" + order.number());
    message.setString(ExecID.FIELD, "E" + ++reports);
    message.setString(ClOrdID.FIELD, order.requestId());
    if (!order.requestId().equals(order.clOrdId())) {
      message.setString(OrigClOrdID.FIELD, order.clOrdId());
    }
    message.setChar(quickfix.field.ExecType.FIELD, type.code());
    message.setChar(OrdStatus.FIELD, order.status().code());
    message.setString(Account.FIELD, order.account());
    message.setString(Symbol.FIELD, order.symbol());
    message.setChar(Side.FIELD, order.side().code());
    terms(message, order);
    if (type == ExecType.TRADE) {
      message.setString(LastPx.FIELD, price(order.lastTicks()));
      message.setString(LastQty.FIELD, Long.toString(order.lastQty()));
    }
    message.setString(LeavesQty.FIELD, Long.toString(order.leavesQty()));
    message.setString(CumQty.FIELD, Long.toString(order.cumQty()));
    message.setString(AvgPx.FIELD, order.averagePrice().toPlainString());
    message.setUtcTimeStamp(TransactTime.FIELD, time, UtcTimestampPrecision.MILLIS);
    return message.toString();
  }

  private static void header(Message message, String sender, int sequence, LocalDateTime time) {
    Message.Header header = message.getHeader();
    header.setString(SenderCompID.FIELD, sender);
    header.setString(TargetCompID.FIELD, "BROKER");
    header.setInt(MsgSeqNum.FIELD, sequence);
    header.setUtcTimeStamp(SendingTime.FIELD, time, UtcTimestampPrecision.MILLIS);
  }

  private static void terms(Message message, GeneratedOrder order) {
    message.setString(OrderQty.FIELD, Long.toString(order.quantity()));
    message.setChar(OrdType.FIELD, order.type().code());
    if (order.type() == OrderType.LIMIT) {
      message.setString(Price.FIELD, price(order.limitTicks()));
    }
  }

  private static String price(long ticks) {
    return BigDecimal.valueOf(ticks, Market.TICK_SCALE).toPlainString();
  }

  private static LocalDateTime utc(long epochMillis) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(epochMillis, 1000L),
        (int) Math.floorMod(epochMillis, 1000L) * 1_000_000,
        ZoneOffset.UTC);
  }
}
