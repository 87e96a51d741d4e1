package io.pmstore.oms.targets;

import com.zaxxer.hikari.HikariDataSource;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The service over PostgreSQL. A report is one statement that changes both tables, so it is one
 * round trip and one commit; the driver keeps the statements prepared in each of the pool's
 * connections, one connection for each thread.
 */
final class PostgresService implements OmsService {
  private static final String ADD_REPORT =
      " RETURNING id) "
          + SqlRows.INSERT_REPORT
          + "SELECT id, ?::integer, ?::text, ?::text, ?::numeric, ?::bigint, ?::timestamptz FROM o";
  private static final String INSERT = "WITH o AS (" + SqlRows.INSERT_ORDER + ADD_REPORT;
  private static final String UPDATE = "WITH o AS (" + SqlRows.UPDATE_ORDER + ADD_REPORT;
  private static final String REPLACE = "WITH o AS (" + SqlRows.REPLACE_ORDER + ADD_REPORT;

  private final SqlRows rows = new SqlRows(new PostgresValues());
  private final HikariDataSource pool;
  private final @Nullable PostgresServer server;

  private PostgresService(HikariDataSource pool, @Nullable PostgresServer server) {
    this.pool = pool;
    this.server = server;
  }

  /** Opens the service; closing it stops the server, if one is given. */
  static PostgresService open(
      DataSource source, String schema, TargetSettings settings, @Nullable PostgresServer server) {
    try {
      return new PostgresService(
          PostgresPool.open(
              source,
              schema,
              settings.threads(),
              settings.relaxed(),
              SqlRows.createTables(
                  "bigint", "numeric(18, 4)", "numeric(18, 6)", "timestamptz", "", "")),
          server);
    } catch (SQLException e) {
      throw new TargetException("cannot open the PostgreSQL database", e);
    }
  }

  @Override
  public void insert(FlowEvent.NewOrder order) {
    execute(
        INSERT,
        order,
        statement -> rows.bindReport(statement, rows.bindOrder(statement, 1, order), order));
  }

  @Override
  public void update(FlowEvent.Update update) {
    execute(
        update.replacesTerms() ? REPLACE : UPDATE,
        update,
        statement -> {
          int next = rows.bindChange(statement, 1, update);
          statement.setLong(next, update.orderId());
          rows.bindReport(statement, next + 1, update);
        });
  }

  private void execute(String sql, FlowEvent event, SqlBinding binding) {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      binding.bind(statement);
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("there is no order " + event.orderId());
      }
    } catch (SQLException e) {
      throw new TargetException(
          "PostgreSQL refused report %d of order %d".formatted(event.sequence(), event.orderId()),
          e);
    }
  }

  @Override
  public @Nullable OrderSnapshot find(long orderId) {
    try (Connection connection = pool.getConnection()) {
      return rows.find(connection, orderId);
    } catch (SQLException e) {
      throw new TargetException("PostgreSQL cannot read order " + orderId, e);
    }
  }

  @Override
  public void scan(ContentVisitor visitor) {
    try (Connection connection = pool.getConnection()) {
      // Only within a transaction does the driver fetch in portions.
      connection.setAutoCommit(false);
      rows.scan(connection, visitor);
      connection.rollback();
    } catch (SQLException e) {
      throw new TargetException("PostgreSQL cannot read the orders", e);
    }
  }

  @Override
  public void close() {
    pool.close();
    if (server != null) {
      server.stop();
    }
  }

  private interface SqlBinding {
    void bind(PreparedStatement statement) throws SQLException;
  }
}
