package io.pmstore.jmh.workload;

import io.pmstore.core.engine.Mutex;
import io.pmstore.oms.targets.SqliteDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A SQLite database with one connection that writes, which threads take turns at: SQLite has one
 * writer at a time whatever is done, and a lock is quicker than its busy loop. Each of its
 * statements is a transaction of its own unless {@link #transaction} is used.
 *
 * <p>Threads read beside the writer, over a connection each ({@link #newReader}). A single thread
 * does better to read over the writing connection, whose pages stay cached over its own commits.
 */
public final class SqliteConnections implements AutoCloseable {
  private final Mutex lock = new Mutex();
  private final Path directory;
  private final boolean relaxed;
  private final Connection writer;

  /**
   * A use of the connection that writes.
   *
   * @param <T> the type of its result
   */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {
    /** Runs statements. */
    T run() throws SQLException;
  }

  /**
   * Opens the database; makes it at the first time.
   *
   * @param deployment how durable
   * @param directory created if absent
   * @param tables statements that make the tables if they are absent
   * @throws IOException if the directory cannot be made
   */
  public SqliteConnections(Deployment deployment, Path directory, String... tables)
      throws SQLException, IOException {
    relaxed = deployment.relaxed();
    this.directory = directory;
    writer = newReader();
    try (Statement statement = writer.createStatement()) {
      for (String table : tables) {
        statement.execute(table);
      }
    } catch (SQLException e) {
      writer.close();
      throw e;
    }
  }

  /**
   * The connection that writes; to be used within {@link #exclusively} or {@link #transaction}
   * only, but for preparing statements before there are threads.
   */
  public Connection writer() {
    return writer;
  }

  /**
   * Opens another connection, for one thread at a time, whose statements are transactions of their
   * own. The caller closes it.
   */
  public Connection newReader() throws SQLException, IOException {
    return SqliteDatabase.connect(directory, relaxed);
  }

  /**
   * Waits for its turn, then works with the connection that writes.
   *
   * @param work a single statement
   */
  public <T extends @Nullable Object> T exclusively(Work<T> work) throws SQLException {
    try (var _ = lock.hold()) {
      return work.run();
    }
  }

  /**
   * Waits for its turn, then runs statements as one transaction.
   *
   * @throws SQLException if one fails; nothing was written
   */
  public <T extends @Nullable Object> T transaction(Work<T> work) throws SQLException {
    try (var _ = lock.hold()) {
      boolean done = false;
      writer.setAutoCommit(false);
      try {
        T result = work.run();
        done = true;
        return result;
      } finally {
        if (!done) {
          writer.rollback();
        }
        writer.setAutoCommit(true); // commits
      }
    }
  }

  @Override
  public void close() throws SQLException {
    try (var _ = lock.hold()) {
      writer.close();
    }
  }
}
