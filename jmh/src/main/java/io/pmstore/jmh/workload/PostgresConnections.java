package io.pmstore.jmh.workload;

import com.zaxxer.hikari.HikariDataSource;
import io.pmstore.oms.targets.PostgresPool;
import io.pmstore.oms.targets.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server with its data in a directory, and a connection for each thread. */
public final class PostgresConnections implements AutoCloseable {
  private static final String SCHEMA = "workload";

  private final PostgresServer server;
  private final HikariDataSource pool;

  /**
   * A use of a connection.
   *
   * @param <S> what is used: the connection, or a statement
   * @param <T> the type of its result
   */
  @FunctionalInterface
  public interface Work<S, T extends @Nullable Object> {
    /** Runs statements. */
    T run(S used) throws SQLException;
  }

  /**
   * Starts the server and connects; makes the database at the first time.
   *
   * @param deployment how durable, and for how many threads
   * @param directory created if absent
   * @param tables statements that make the tables if they are absent
   * @throws SQLException if the server refuses
   * @throws io.pmstore.oms.targets.UnavailableException if the server cannot be started here
   */
  public PostgresConnections(Deployment deployment, Path directory, String... tables)
      throws SQLException {
    server = PostgresServer.start(directory, deployment.relaxed());
    try {
      pool =
          PostgresPool.open(
              server.dataSource(), SCHEMA, deployment.threads(), deployment.relaxed(), tables);
    } catch (SQLException | RuntimeException e) {
      server.stop();
      throw e;
    }
  }

  /**
   * Runs one statement as a transaction of its own. The driver keeps it prepared.
   *
   * @param work binds its parameters and executes it
   */
  public <T extends @Nullable Object> T statement(String sql, Work<PreparedStatement, T> work)
      throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return work.run(statement);
    }
  }

  /**
   * Runs statements as one transaction.
   *
   * @throws SQLException if one fails; nothing was written
   */
  public <T extends @Nullable Object> T transaction(Work<Connection, T> work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      T result = work.run(connection); // the pool rolls back what is not committed
      connection.commit();
      return result;
    }
  }

  @Override
  public void close() {
    pool.close();
    server.stop();
  }
}
