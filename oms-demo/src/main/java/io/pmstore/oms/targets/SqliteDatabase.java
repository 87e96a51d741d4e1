package io.pmstore.oms.targets;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** How SQLite is set up wherever it is compared: in write-ahead-log mode, and no less durable. */
public final class SqliteDatabase {
  private static final int BUSY_TIMEOUT_MILLIS = 30_000;

  private SqliteDatabase() {}

  /**
   * Where connections to a database come from; nothing is opened yet.
   *
   * @param file the database, created by the first connection if absent
   * @param relaxed whether a transaction is acknowledged before it is durable
   * @return the source; a transaction of its connections that is not committed by itself begins
   *     with the right to write
   */
  public static SQLiteDataSource source(Path file, boolean relaxed) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(
        relaxed ? SQLiteConfig.SynchronousMode.NORMAL : SQLiteConfig.SynchronousMode.FULL);
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  /**
   * Makes sure that a connection is as durable as was asked for.
   *
   * @param connection of a {@link #source}
   * @param relaxed what was asked for
   * @throws SQLException if it is not
   */
  public static void check(Connection connection, boolean relaxed) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      expect(statement, "journal_mode", "wal");
      expect(statement, "synchronous", relaxed ? "1" : "2");
    }
  }

  private static void expect(Statement statement, String pragma, String expected)
      throws SQLException {
    try (ResultSet row = statement.executeQuery("PRAGMA " + pragma)) {
      String found = row.next() ? row.getString(1) : "nothing";
      if (!expected.equals(found)) {
        throw new SQLException("PRAGMA %s is %s; expected %s".formatted(pragma, found, expected));
      }
    }
  }
}
