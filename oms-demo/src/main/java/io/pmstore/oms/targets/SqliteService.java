package io.pmstore.oms.targets;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The service over SQLite. The writer connection and its prepared statements live as long as the
 * service; threads take turns at it, which is quicker than several connections that wait for each
 * other in SQLite's busy loop.
 */
final class SqliteService implements OmsService {
  private static final String CREATE_ORDERS =
      """
      CREATE TABLE IF NOT EXISTS orders (
        id INTEGER PRIMARY KEY,
        cl_ord_id TEXT NOT NULL,
        symbol TEXT NOT NULL,
        side TEXT NOT NULL,
        type TEXT NOT NULL,
        price INTEGER,
        quantity INTEGER NOT NULL,
        status TEXT NOT NULL,
        cum_qty INTEGER NOT NULL,
        leaves_qty INTEGER NOT NULL,
        avg_px INTEGER NOT NULL,
        account TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL) STRICT\
      """;
  private static final String CREATE_REPORTS =
      """
      CREATE TABLE IF NOT EXISTS reports (
        order_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        exec_id TEXT NOT NULL,
        type TEXT NOT NULL,
        price INTEGER,
        quantity INTEGER NOT NULL,
        time INTEGER NOT NULL,
        PRIMARY KEY (order_id, seq)) STRICT, WITHOUT ROWID\
      """;
  private static final String INSERT_ORDER =
      "INSERT INTO orders (id, cl_ord_id, symbol, side, type, price, quantity, status, cum_qty,"
          + " leaves_qty, avg_px, account, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
          + " ?, ?, ?, ?)";
  private static final String UPDATE_ORDER =
      "UPDATE orders SET status = ?, cum_qty = ?, leaves_qty = ?, avg_px = ?, updated = ? WHERE id"
          + " = ?";
  private static final String REPLACE_ORDER =
      "UPDATE orders SET price = ?, quantity = ?, status = ?, cum_qty = ?, leaves_qty = ?, avg_px ="
          + " ?, updated = ? WHERE id = ?";
  private static final String INSERT_REPORT =
      "INSERT INTO reports (order_id, seq, exec_id, type, price, quantity, time) VALUES (?, ?, ?,"
          + " ?, ?, ?, ?)";

  private final SqlRows rows = new SqlRows(new SqliteValues());
  private final ReentrantLock lock = new ReentrantLock();
  private final Connection writer;
  private final PreparedStatement insertOrder;
  private final PreparedStatement updateOrder;
  private final PreparedStatement replaceOrder;
  private final PreparedStatement insertReport;

  private SqliteService(Connection writer) throws SQLException {
    this.writer = writer;
    insertOrder = writer.prepareStatement(INSERT_ORDER);
    updateOrder = writer.prepareStatement(UPDATE_ORDER);
    replaceOrder = writer.prepareStatement(REPLACE_ORDER);
    insertReport = writer.prepareStatement(INSERT_REPORT);
  }

  static SqliteService open(TargetSettings settings) {
    try {
      Connection writer = SqliteDatabase.connect(settings.directory(), settings.relaxed());
      try (Statement statement = writer.createStatement()) {
        statement.execute(CREATE_ORDERS);
        statement.execute(CREATE_REPORTS);
        writer.setAutoCommit(false);
        return new SqliteService(writer);
      } catch (SQLException | RuntimeException e) {
        writer.close();
        throw e;
      }
    } catch (SQLException | IOException | RuntimeException e) {
      throw new TargetException("cannot open the SQLite database in " + settings.directory(), e);
    }
  }

  @Override
  public void insert(FlowEvent.NewOrder order) {
    commit(
        order,
        () -> {
          rows.bindOrder(insertOrder, 1, order);
          insertOrder.executeUpdate();
        });
  }

  @Override
  public void update(FlowEvent.Update update) {
    commit(
        update,
        () -> {
          PreparedStatement change = update.replacesTerms() ? replaceOrder : updateOrder;
          change.setLong(rows.bindChange(change, 1, update), update.orderId());
          if (change.executeUpdate() != 1) {
            throw new IllegalStateException("there is no order " + update.orderId());
          }
        });
  }

  private void commit(FlowEvent event, SqlWork change) {
    lock.lock();
    try {
      try {
        change.run();
        insertReport.setLong(1, event.orderId());
        rows.bindReport(insertReport, 2, event);
        insertReport.executeUpdate();
        writer.commit();
      } catch (Throwable e) {
        writer.rollback();
        throw e;
      }
    } catch (SQLException e) {
      throw new TargetException(
          "SQLite refused report %d of order %d".formatted(event.sequence(), event.orderId()), e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable OrderSnapshot find(long orderId) {
    lock.lock();
    try {
      OrderSnapshot found = rows.find(writer, orderId);
      writer.rollback();
      return found;
    } catch (SQLException e) {
      throw new TargetException("SQLite cannot read order " + orderId, e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void scan(ContentVisitor visitor) {
    lock.lock();
    try {
      rows.scan(writer, visitor);
      writer.rollback();
    } catch (SQLException e) {
      throw new TargetException("SQLite cannot read the orders", e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!writer.isClosed()) {
        insertOrder.close();
        updateOrder.close();
        replaceOrder.close();
        insertReport.close();
        writer.close();
      }
    } catch (SQLException e) {
      throw new TargetException("SQLite cannot close its connection", e);
    } finally {
      lock.unlock();
    }
  }

  private interface SqlWork {
    void run() throws SQLException;
  }
}
