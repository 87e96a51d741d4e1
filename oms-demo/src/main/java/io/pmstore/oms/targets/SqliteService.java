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
  private static final String INTEGER = "INTEGER";

  private final SqlRows rows = new SqlRows(new SqliteValues());
  private final ReentrantLock lock = new ReentrantLock();
  private final Connection writer;
  private final PreparedStatement insertOrder;
  private final PreparedStatement updateOrder;
  private final PreparedStatement replaceOrder;
  private final PreparedStatement insertReport;

  private SqliteService(Connection writer) throws SQLException {
    this.writer = writer;
    insertOrder = writer.prepareStatement(SqlRows.INSERT_ORDER);
    updateOrder = writer.prepareStatement(SqlRows.UPDATE_ORDER);
    replaceOrder = writer.prepareStatement(SqlRows.REPLACE_ORDER);
    insertReport = writer.prepareStatement(SqlRows.INSERT_REPORT + "VALUES (?, ?, ?, ?, ?, ?, ?)");
  }

  static SqliteService open(TargetSettings settings) {
    try {
      Connection writer = SqliteDatabase.connect(settings.directory(), settings.relaxed());
      try (Statement statement = writer.createStatement()) {
        for (String table :
            SqlRows.createTables(
                INTEGER, INTEGER, INTEGER, INTEGER, " STRICT", ", WITHOUT ROWID")) {
          statement.execute(table);
        }
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
