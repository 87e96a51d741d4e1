package io.pmstore.oms.targets;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The service over PostgreSQL. A report is one statement that changes both tables, so it is one
 * round trip and one commit; the driver keeps the statements prepared in each of the pool's
 * connections, one connection for each thread.
 */
final class PostgresService implements OmsService {
  private static final String CREATE_ORDERS =
      """
      CREATE TABLE IF NOT EXISTS orders (
        id bigint PRIMARY KEY,
        cl_ord_id text NOT NULL,
        symbol text NOT NULL,
        side text NOT NULL,
        type text NOT NULL,
        price numeric(18, 4),
        quantity bigint NOT NULL,
        status text NOT NULL,
        cum_qty bigint NOT NULL,
        leaves_qty bigint NOT NULL,
        avg_px numeric(18, 6) NOT NULL,
        account text NOT NULL,
        created timestamptz NOT NULL,
        updated timestamptz NOT NULL)\
      """;
  private static final String CREATE_REPORTS =
      """
      CREATE TABLE IF NOT EXISTS reports (
        order_id bigint NOT NULL,
        seq integer NOT NULL,
        exec_id text NOT NULL,
        type text NOT NULL,
        price numeric(18, 4),
        quantity bigint NOT NULL,
        time timestamptz NOT NULL,
        PRIMARY KEY (order_id, seq))\
      """;
  private static final String ADD_REPORT =
      " INSERT INTO reports (order_id, seq, exec_id, type, price, quantity, time) SELECT id,"
          + " ?::integer, ?::text, ?::text, ?::numeric, ?::bigint, ?::timestamptz FROM o";
  private static final String INSERT =
      "WITH o AS (INSERT INTO orders (id, cl_ord_id, symbol, side, type, price, quantity, status,"
          + " cum_qty, leaves_qty, avg_px, account, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?,"
          + " ?, ?, ?, ?, ?, ?, ?) RETURNING id)"
          + ADD_REPORT;
  private static final String UPDATE =
      "WITH o AS (UPDATE orders SET status = ?, cum_qty = ?, leaves_qty = ?, avg_px = ?, updated ="
          + " ? WHERE id = ? RETURNING id)"
          + ADD_REPORT;
  private static final String REPLACE =
      "WITH o AS (UPDATE orders SET price = ?, quantity = ?, status = ?, cum_qty = ?, leaves_qty ="
          + " ?, avg_px = ?, updated = ? WHERE id = ? RETURNING id)"
          + ADD_REPORT;

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
    HikariConfig config = new HikariConfig();
    config.setPoolName("postgres");
    config.setDataSource(source);
    config.setMaximumPoolSize(settings.threads());
    config.setAutoCommit(true);
    config.setSchema(schema);
    config.setConnectionInitSql("SET synchronous_commit TO " + (settings.relaxed() ? "off" : "on"));
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      expect(statement, "fsync");
      expect(statement, "full_page_writes");
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
      statement.execute("SET search_path TO " + schema);
      statement.execute(CREATE_ORDERS);
      statement.execute(CREATE_REPORTS);
      return new PostgresService(new HikariDataSource(config), server);
    } catch (SQLException e) {
      throw new TargetException("cannot open the PostgreSQL database", e);
    }
  }

  /**
   * A server that does not write through would be compared unfairly, whatever the durability asked
   * for.
   */
  private static void expect(Statement statement, String setting) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
      String found = row.next() ? row.getString(1) : "nothing";
      if (!found.equals("on")) {
        throw new SQLException(
            "the server runs with %s=%s; expected on. Set it in postgresql.conf"
                .formatted(setting, found));
      }
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
