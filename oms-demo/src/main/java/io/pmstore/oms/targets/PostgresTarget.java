package io.pmstore.oms.targets;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PostgreSQL: a server with its data under the target's directory, started when the service is
 * opened and stopped when it is closed; or a schema of its own in a server that runs already.
 */
public final class PostgresTarget implements OmsTarget {
  private final TargetSettings settings;
  private final String schema;

  /**
   * Creates the target.
   *
   * @param settings how it will be opened
   */
  public PostgresTarget(TargetSettings settings) {
    this.settings = settings;
    this.schema = "oms_" + Long.toHexString(System.nanoTime());
  }

  @Override
  public OmsService open() {
    if (settings.postgresUrl() != null) {
      return PostgresService.open(server(settings.postgresUrl()), schema, settings, null);
    }
    PostgresServer server = PostgresServer.start(settings.directory(), settings.relaxed());
    try {
      return PostgresService.open(server.dataSource(), schema, settings, server);
    } catch (RuntimeException | Error e) {
      server.stop();
      throw e;
    }
  }

  @Override
  public DiskUse diskUse() {
    if (settings.postgresUrl() == null) {
      return TargetKind.POSTGRES.diskUse(settings.directory());
    }
    String sizes =
        "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid ="
            + " c.relnamespace"
            + " WHERE n.nspname = '%s' AND c.relkind = 'r'".formatted(schema);
    return inServer(
        settings.postgresUrl(),
        "measure its tables",
        statement -> {
          try (ResultSet row = statement.executeQuery(sizes)) {
            return new DiskUse(row.next() ? row.getLong(1) : 0, -1);
          }
        });
  }

  @Override
  public void close() {
    if (settings.postgresUrl() != null) {
      inServer(
          settings.postgresUrl(),
          "drop its schema " + schema,
          statement -> statement.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE"));
    }
  }

  private static <T extends @Nullable Object> T inServer(
      String url, String doing, SqlQuery<T> query) {
    try (Connection connection = server(url).getConnection();
        Statement statement = connection.createStatement()) {
      return query.run(statement);
    } catch (SQLException e) {
      throw new TargetException("the PostgreSQL target could not " + doing, e);
    }
  }

  private static DataSource server(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    try {
      source.setUrl(url);
    } catch (IllegalArgumentException e) {
      throw new TargetException(
          "'"
              + url
              + "' is no PostgreSQL URL; expected jdbc:postgresql://HOST:PORT/DATABASE?user=USER",
          e);
    }
    return source;
  }

  private interface SqlQuery<T extends @Nullable Object> {
    T run(Statement statement) throws SQLException;
  }
}
