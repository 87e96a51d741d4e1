package io.pmstore.jmh.tpcb;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.IntUnaryOperator;

/** The tables of a bank in SQL, and what databases do alike. */
final class TpcbSql {
  static final String ADD_TO_ACCOUNT =
      "UPDATE accounts SET balance = balance + ? WHERE id = ? RETURNING balance";
  static final String ADD_TO_TELLER = "UPDATE tellers SET balance = balance + ? WHERE id = ?";
  static final String ADD_TO_BRANCH = "UPDATE branches SET balance = balance + ? WHERE id = ?";
  static final String ADD_TO_HISTORY =
      "INSERT INTO history (account, teller, branch, delta, time, filler) VALUES (?, ?, ?, ?, ?,"
          + " ?)";

  private static final int BATCH = 10_000;
  private static final String TOTALS =
      "SELECT (SELECT coalesce(sum(balance), 0) FROM accounts), "
          + "(SELECT coalesce(sum(balance), 0) FROM tellers), "
          + "(SELECT coalesce(sum(balance), 0) FROM branches), "
          + "(SELECT coalesce(sum(delta), 0) FROM history), (SELECT count(*) FROM history)";

  private TpcbSql() {}

  /**
   * The statements that make the tables.
   *
   * @param key the type of numbers that are keys
   * @param number the type of other numbers
   * @param ending what follows the columns of a table
   */
  static String[] createTables(String key, String number, String ending) {
    String balance = ", balance " + number + " NOT NULL, filler TEXT NOT NULL)" + ending;
    String id = " (id " + key + " PRIMARY KEY";
    String branch = ", branch " + key + " NOT NULL";
    return new String[] {
      "CREATE TABLE IF NOT EXISTS branches" + id + balance,
      "CREATE TABLE IF NOT EXISTS tellers" + id + branch + balance,
      "CREATE TABLE IF NOT EXISTS accounts" + id + branch + balance,
      ("CREATE TABLE IF NOT EXISTS history (account %1$s NOT NULL, teller %1$s NOT NULL, branch"
           + " %1$s NOT NULL, delta %2$s NOT NULL, time %2$s NOT NULL, filler TEXT NOT NULL)")
              .formatted(key, number)
          + ending
    };
  }

  /** Fills the tables, in the transaction of the caller. */
  static void load(Connection connection, TpcbSize size) throws SQLException {
    try (PreparedStatement branch =
        connection.prepareStatement("INSERT INTO branches VALUES (?, 0, ?)")) {
      for (int number = 0; number < size.branches(); number++) {
        branch.setInt(1, number);
        branch.setString(2, TpcbStore.BRANCH_FILLER);
        branch.executeUpdate();
      }
    }
    load(connection, "tellers", size.tellers(), size::branchOfTeller);
    load(connection, "accounts", size.accounts(), size::branchOfAccount);
  }

  private static void load(
      Connection connection, String table, int count, IntUnaryOperator branchOf)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, 0, ?)")) {
      for (int number = 0; number < count; number++) {
        insert.setInt(1, number);
        insert.setInt(2, branchOf.applyAsInt(number));
        insert.setString(3, TpcbStore.FILLER);
        insert.addBatch();
        if ((number + 1) % BATCH == 0 || number == count - 1) {
          insert.executeBatch();
        }
      }
    }
  }

  /** Binds the columns of the history from an index on. */
  static void bindHistory(PreparedStatement statement, int from, Transfer transfer, long timeMillis)
      throws SQLException {
    int i = from;
    statement.setInt(i++, transfer.account());
    statement.setInt(i++, transfer.teller());
    statement.setInt(i++, transfer.branch());
    statement.setLong(i++, transfer.delta());
    statement.setLong(i++, timeMillis);
    statement.setString(i, TpcbStore.HISTORY_FILLER);
  }

  /** Executes what returns the new balance of the account. */
  static long balance(PreparedStatement statement, Transfer transfer) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw TpcbStore.absent(transfer.account());
      }
      return row.getLong(1);
    }
  }

  static Totals totals(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(TOTALS)) {
      row.next();
      int i = 1;
      return new Totals(
          row.getLong(i++), row.getLong(i++), row.getLong(i++), row.getLong(i++), row.getLong(i));
    }
  }
}
