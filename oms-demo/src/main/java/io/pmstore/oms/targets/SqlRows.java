package io.pmstore.oms.targets;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.ReportSnapshot;
import io.pmstore.oms.domain.Scales;
import io.pmstore.oms.domain.Side;
import io.pmstore.oms.flow.FlowEvent;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Orders and reports as rows: the binding of parameters and the reading back. */
final class SqlRows {
  private static final String ORDER_COLUMNS =
      "id, cl_ord_id, symbol, side, type, price, quantity, status, cum_qty, leaves_qty, avg_px,"
          + " account, created, updated";
  private static final String REPORT_COLUMNS =
      "order_id, seq, exec_id, type, price, quantity, time";
  private static final String CHANGE =
      "status = ?, cum_qty = ?, leaves_qty = ?, avg_px = ?, updated = ? WHERE id = ?";

  /** Its parameters are what {@link #bindOrder} binds. */
  static final String INSERT_ORDER =
      "INSERT INTO orders (" + ORDER_COLUMNS + ") VALUES (" + "?, ".repeat(13) + "?)";

  /** Its parameters are what {@link #bindChange} binds, and the order's id. */
  static final String UPDATE_ORDER = "UPDATE orders SET " + CHANGE;

  /** As {@link #UPDATE_ORDER}, for an update that replaces price and quantity. */
  static final String REPLACE_ORDER = "UPDATE orders SET price = ?, quantity = ?, " + CHANGE;

  /** The beginning of a statement that inserts a report. */
  static final String INSERT_REPORT = "INSERT INTO reports (" + REPORT_COLUMNS + ") ";

  private static final String ORDERS = "SELECT " + ORDER_COLUMNS + " FROM orders";
  private static final String REPORTS = "SELECT " + REPORT_COLUMNS + " FROM reports";
  private static final int FETCH_SIZE = 1_000;

  private final SqlValues values;

  SqlRows(SqlValues values) {
    this.values = values;
  }

  /**
   * Returns the statements that make the tables if they are absent.
   *
   * @param number the type of numbers
   * @param price the type of prices
   * @param average the type of average prices
   * @param time the type of times
   * @param ending what follows the columns of a table
   * @param endingOfReports what follows that in the table of reports
   */
  static String[] createTables(
      String number,
      String price,
      String average,
      String time,
      String ending,
      String endingOfReports) {
    return new String[] {
      """
      CREATE TABLE IF NOT EXISTS orders (
        id %1$s PRIMARY KEY,
        cl_ord_id TEXT NOT NULL,
        symbol TEXT NOT NULL,
        side TEXT NOT NULL,
        type TEXT NOT NULL,
        price %2$s,
        quantity %1$s NOT NULL,
        status TEXT NOT NULL,
        cum_qty %1$s NOT NULL,
        leaves_qty %1$s NOT NULL,
        avg_px %3$s NOT NULL,
        account TEXT NOT NULL,
        created %4$s NOT NULL,
        updated %4$s NOT NULL)%5$s\
      """
          .formatted(number, price, average, time, ending),
      """
      CREATE TABLE IF NOT EXISTS reports (
        order_id %1$s NOT NULL,
        seq INTEGER NOT NULL,
        exec_id TEXT NOT NULL,
        type TEXT NOT NULL,
        price %2$s,
        quantity %1$s NOT NULL,
        time %3$s NOT NULL,
        PRIMARY KEY (order_id, seq))%4$s%5$s\
      """
          .formatted(number, price, time, ending, endingOfReports)
    };
  }

  /** Binds a new order's 14 columns from an index on. Returns the next index. */
  int bindOrder(PreparedStatement statement, int from, FlowEvent.NewOrder order)
      throws SQLException {
    int i = from;
    statement.setLong(i++, order.orderId());
    statement.setString(i++, order.clOrdId());
    statement.setString(i++, order.symbol());
    statement.setString(i++, String.valueOf(order.side().code()));
    statement.setString(i++, String.valueOf(order.type().code()));
    values.setDecimal(statement, i++, order.price(), Scales.PRICE);
    statement.setLong(i++, order.quantity());
    statement.setString(i++, String.valueOf(OrderStatus.PENDING_NEW.code()));
    statement.setLong(i++, 0);
    statement.setLong(i++, order.quantity());
    values.setDecimal(statement, i++, Scales.NO_AVERAGE_PRICE, Scales.AVERAGE_PRICE);
    statement.setString(i++, order.account());
    values.setTime(statement, i++, order.time());
    values.setTime(statement, i++, order.time());
    return i;
  }

  /**
   * Binds price and quantity if the update replaces them, then the 5 columns of every update.
   * Returns the next index.
   */
  int bindChange(PreparedStatement statement, int from, FlowEvent.Update update)
      throws SQLException {
    int i = from;
    if (update.replacesTerms()) {
      values.setDecimal(statement, i++, update.price(), Scales.PRICE);
      statement.setLong(i++, update.quantity());
    }
    statement.setString(i++, String.valueOf(update.status().code()));
    statement.setLong(i++, update.cumQty());
    statement.setLong(i++, update.leavesQty());
    values.setDecimal(statement, i++, update.avgPx(), Scales.AVERAGE_PRICE);
    values.setTime(statement, i++, update.time());
    return i;
  }

  /** Binds a report's 6 columns after its order's id, from an index on. */
  void bindReport(PreparedStatement statement, int from, FlowEvent event) throws SQLException {
    switch (event) {
      case FlowEvent.NewOrder order ->
          bindReport(statement, from, order, ExecType.PENDING_NEW, order.price(), order.quantity());
      case FlowEvent.Update update ->
          bindReport(statement, from, update, update.type(), update.price(), update.quantity());
    }
  }

  private void bindReport(
      PreparedStatement statement,
      int from,
      FlowEvent event,
      ExecType type,
      @Nullable BigDecimal price,
      long quantity)
      throws SQLException {
    int i = from;
    statement.setInt(i++, event.sequence());
    statement.setString(i++, event.execId());
    statement.setString(i++, String.valueOf(type.code()));
    values.setDecimal(statement, i++, price, Scales.PRICE);
    statement.setLong(i++, quantity);
    values.setTime(statement, i, event.time());
  }

  @Nullable OrderSnapshot find(Connection connection, long orderId) throws SQLException {
    try (PreparedStatement orders = connection.prepareStatement(ORDERS + " WHERE id = ?");
        PreparedStatement reports =
            connection.prepareStatement(REPORTS + " WHERE order_id = ? ORDER BY seq")) {
      orders.setLong(1, orderId);
      reports.setLong(1, orderId);
      try (ResultSet order = orders.executeQuery();
          ResultSet report = reports.executeQuery()) {
        if (!order.next()) {
          return null;
        }
        List<ReportSnapshot> found = new ArrayList<>();
        while (report.next()) {
          found.add(report(report));
        }
        return order(order, found);
      }
    }
  }

  /** Merges both tables by the order's id, within one transaction of the caller. */
  void scan(Connection connection, ContentVisitor visitor) throws SQLException {
    try (PreparedStatement orders = connection.prepareStatement(ORDERS + " ORDER BY id");
        PreparedStatement reports =
            connection.prepareStatement(REPORTS + " ORDER BY order_id, seq")) {
      orders.setFetchSize(FETCH_SIZE);
      reports.setFetchSize(FETCH_SIZE);
      try (ResultSet order = orders.executeQuery();
          ResultSet report = reports.executeQuery()) {
        boolean more = report.next();
        while (order.next()) {
          long id = order.getLong(1);
          List<ReportSnapshot> found = new ArrayList<>();
          while (more && report.getLong(1) <= id) {
            if (report.getLong(1) < id) {
              visitor.stray(strayReport(report));
            } else {
              if (report.getInt(2) != found.size()) {
                visitor.stray(
                    "report of order %d has sequence %d; expected %d"
                        .formatted(id, report.getInt(2), found.size()));
              }
              found.add(report(report));
            }
            more = report.next();
          }
          visitor.order(order(order, found));
        }
        for (; more; more = report.next()) {
          visitor.stray(strayReport(report));
        }
      }
    }
  }

  private static String strayReport(ResultSet report) throws SQLException {
    return "report %d of order %d has no order".formatted(report.getInt(2), report.getLong(1));
  }

  private OrderSnapshot order(ResultSet row, List<ReportSnapshot> reports) throws SQLException {
    return new OrderSnapshot(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        Side.ofCode(row.getString(4).charAt(0)),
        OrderType.ofCode(row.getString(5).charAt(0)),
        values.getDecimal(row, 6, Scales.PRICE),
        row.getLong(7),
        OrderStatus.ofCode(row.getString(8).charAt(0)),
        row.getLong(9),
        row.getLong(10),
        Objects.requireNonNull(values.getDecimal(row, 11, Scales.AVERAGE_PRICE)),
        row.getString(12),
        values.getTime(row, 13),
        values.getTime(row, 14),
        reports);
  }

  private ReportSnapshot report(ResultSet row) throws SQLException {
    return new ReportSnapshot(
        row.getString(3),
        ExecType.ofCode(row.getString(4).charAt(0)),
        values.getDecimal(row, 5, Scales.PRICE),
        row.getLong(6),
        values.getTime(row, 7));
  }
}
