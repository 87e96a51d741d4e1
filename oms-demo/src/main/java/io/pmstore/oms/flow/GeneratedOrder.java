package io.pmstore.oms.flow;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.Scales;
import io.pmstore.oms.domain.Side;
import java.math.BigDecimal;
import java.util.random.RandomGenerator;

/**
 * The life of one generated order at the exchange. It takes exactly the planned number of updates:
 * the first confirms it, the last one ends it, and in between it trades in parts and is replaced.
 * At every step cumulative and leaves quantity add up to the order's quantity, until a
 * cancellation, expiry or rejection takes what is left.
 */
final class GeneratedOrder {
  private static final long LOT = 100;

  private final long number;
  private final String symbol;
  private final Side side;
  private final OrderType type;
  private final String account;
  private String clOrdId;
  private String requestId;
  private OrderStatus status = OrderStatus.PENDING_NEW;
  private long limitTicks;
  private long quantity;
  private long cumQty;
  private long leavesQty;
  private long notionalTicks;
  private long lastTicks;
  private long lastQty;
  private int requests;
  private int updatesLeft;

  GeneratedOrder(
      long number, String symbol, long marketTicks, int updates, RandomGenerator random) {
    this.number = number;
    this.symbol = symbol;
    this.clOrdId = "C" + number;
    this.requestId = clOrdId;
    this.updatesLeft = updates;
    int draw = random.nextInt(100);
    this.side = draw < 50 ? Side.BUY : draw < 92 ? Side.SELL : Side.SELL_SHORT;
    this.type = random.nextInt(100) < 15 ? OrderType.MARKET : OrderType.LIMIT;
    this.account = "A%05d".formatted(random.nextInt(2_000));
    this.limitTicks = Math.max(1, marketTicks + random.nextInt(11) - 5);
    this.quantity = LOT * (1 + random.nextInt(1 + random.nextInt(100)));
    this.leavesQty = quantity;
  }

  /** Takes the next update. Returns what happened. */
  ExecType advance(long marketTicks, RandomGenerator random) {
    boolean first = status == OrderStatus.PENDING_NEW;
    boolean last = --updatesLeft == 0;
    if (first) {
      return last && random.nextInt(100) < 3
          ? end(ExecType.REJECTED, OrderStatus.REJECTED)
          : confirm();
    }
    if (last) {
      return finish(marketTicks, random);
    }
    if (status == OrderStatus.PENDING_REPLACE) {
      return replace(random);
    }
    if (updatesLeft == 1 && random.nextInt(100) < 20) {
      return request("-X", ExecType.PENDING_CANCEL, OrderStatus.PENDING_CANCEL);
    }
    if (leavesQty > LOT && random.nextInt(100) < 70) {
      return tradePart(marketTicks, random);
    }
    if (updatesLeft >= 2) {
      return request("-" + ++requests, ExecType.PENDING_REPLACE, OrderStatus.PENDING_REPLACE);
    }
    return ExecType.RESTATED;
  }

  boolean ended() {
    return updatesLeft == 0;
  }

  private ExecType confirm() {
    status = OrderStatus.NEW;
    return ExecType.NEW;
  }

  private ExecType finish(long marketTicks, RandomGenerator random) {
    if (status == OrderStatus.PENDING_CANCEL) {
      return end(ExecType.CANCELED, OrderStatus.CANCELED);
    }
    if (random.nextInt(100) < 8) {
      return end(ExecType.EXPIRED, OrderStatus.EXPIRED);
    }
    requestId = clOrdId;
    return trade(leavesQty, marketTicks, random);
  }

  private ExecType end(ExecType how, OrderStatus endStatus) {
    if (how != ExecType.CANCELED) {
      requestId = clOrdId;
    }
    status = endStatus;
    leavesQty = 0;
    return how;
  }

  private ExecType request(String suffix, ExecType how, OrderStatus pending) {
    requestId = "C" + number + suffix;
    status = pending;
    return how;
  }

  private ExecType replace(RandomGenerator random) {
    if (type == OrderType.LIMIT) {
      limitTicks = Math.max(1, limitTicks + random.nextInt(7) - 3);
    }
    long lotsLeft = leavesQty / LOT + random.nextInt(8) - 2;
    leavesQty = LOT * Math.max(2, lotsLeft);
    quantity = cumQty + leavesQty;
    clOrdId = requestId;
    status = cumQty == 0 ? OrderStatus.NEW : OrderStatus.PARTIALLY_FILLED;
    return ExecType.REPLACED;
  }

  private ExecType tradePart(long marketTicks, RandomGenerator random) {
    long lotsLeft = leavesQty / LOT;
    long lotsMax = Math.min(lotsLeft - 1, Math.max(1, 2 * lotsLeft / (updatesLeft + 1L)));
    return trade(LOT * (1 + random.nextLong(lotsMax)), marketTicks, random);
  }

  /** Executes at the limit or better, or near the market's price for a market order. */
  private ExecType trade(long traded, long marketTicks, RandomGenerator random) {
    int better = random.nextInt(4);
    long base = type == OrderType.LIMIT ? limitTicks : marketTicks;
    lastTicks = Math.max(1, side == Side.BUY ? base - better : base + better);
    lastQty = traded;
    cumQty += traded;
    leavesQty -= traded;
    notionalTicks += lastTicks * traded;
    status = leavesQty == 0 ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED;
    return ExecType.TRADE;
  }

  BigDecimal averagePrice() {
    return cumQty == 0
        ? BigDecimal.ZERO.setScale(Scales.AVERAGE_PRICE)
        : BigDecimal.valueOf(notionalTicks, Market.TICK_SCALE)
            .divide(BigDecimal.valueOf(cumQty), Scales.AVERAGE_PRICE, Scales.AVERAGE_ROUNDING);
  }

  long number() {
    return number;
  }

  /** The ClOrdID now in force. */
  String clOrdId() {
    return clOrdId;
  }

  /** The ClOrdID of the request being answered; the one in force when there is none. */
  String requestId() {
    return requestId;
  }

  String symbol() {
    return symbol;
  }

  Side side() {
    return side;
  }

  OrderType type() {
    return type;
  }

  String account() {
    return account;
  }

  OrderStatus status() {
    return status;
  }

  long limitTicks() {
    return limitTicks;
  }

  long quantity() {
    return quantity;
  }

  long cumQty() {
    return cumQty;
  }

  long leavesQty() {
    return leavesQty;
  }

  long lastTicks() {
    return lastTicks;
  }

  long lastQty() {
    return lastQty;
  }
}
