package io.pmstore.oms.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** How SQLite is set up wherever it is compared: in write-ahead-log mode, and no less durable. */
public final class SqliteDatabase {
  /** The name of the database's file. */
  public static final String FILE_NAME = "data.sqlite";

  private static final int BUSY_TIMEOUT_MILLIS = 30_000;

  private SqliteDatabase() {}

  /**
   * Connects to the database in a directory; makes both at the first time.
   *
   * @param relaxed whether a transaction is acknowledged before it is durable
   * @return a connection that commits each statement; a transaction that is not committed by itself
   *     begins with the right to write
   * @throws SQLException if it is not as durable as was asked for
   * @throws IOException if the directory cannot be made
   */
  public static Connection connect(Path directory, boolean relaxed)
      throws SQLException, IOException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(
        relaxed ? SQLiteConfig.SynchronousMode.NORMAL : SQLiteConfig.SynchronousMode.FULL);
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + Files.createDirectories(directory).resolve(FILE_NAME));
    Connection connection = source.getConnection();
    try (Statement statement = connection.createStatement()) {
      expect(statement, "journal_mode", "wal");
      expect(statement, "synchronous", relaxed ? "1" : "2");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
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
