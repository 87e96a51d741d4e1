package io.pmstore.oms.targets;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * How PostgreSQL is used wherever it is compared: a connection for each thread, no less durable.
 */
public final class PostgresPool {
  private PostgresPool() {}

  /**
   * Opens connections that commit each statement by themselves.
   *
   * @param schema made if absent; what names in statements refer to
   * @param threads how many connections
   * @param relaxed whether a transaction is acknowledged before it is durable
   * @param tables statements that make the tables if they are absent
   * @throws SQLException if the server does not write through, or refuses
   */
  public static HikariDataSource open(
      DataSource source, String schema, int threads, boolean relaxed, String... tables)
      throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setPoolName("postgres");
    config.setDataSource(source);
    config.setMaximumPoolSize(threads);
    config.setAutoCommit(true);
    config.setSchema(schema);
    config.setConnectionInitSql("SET synchronous_commit TO " + (relaxed ? "off" : "on"));
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      expect(statement, "fsync");
      expect(statement, "full_page_writes");
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
      statement.execute("SET search_path TO " + schema);
      for (String table : tables) {
        statement.execute(table);
      }
    }
    return new HikariDataSource(config);
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
}
