package io.pmstore.jmh.tpcb;

import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.SqliteConnections;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A bank in SQLite: four prepared statements in a transaction. */
final class SqliteTpcbStore implements TpcbStore {
  private final TpcbSize size;
  private final SqliteConnections connections;
  private final PreparedStatement account;
  private final PreparedStatement teller;
  private final PreparedStatement branch;
  private final PreparedStatement history;

  SqliteTpcbStore(Deployment deployment, Path directory, TpcbSize size)
      throws SQLException, IOException {
    this.size = size;
    connections =
        new SqliteConnections(
            deployment, directory, TpcbSql.createTables("INTEGER", "INTEGER", " STRICT"));
    Connection writer = connections.writer();
    account = writer.prepareStatement(TpcbSql.ADD_TO_ACCOUNT);
    teller = writer.prepareStatement(TpcbSql.ADD_TO_TELLER);
    branch = writer.prepareStatement(TpcbSql.ADD_TO_BRANCH);
    history = writer.prepareStatement(TpcbSql.ADD_TO_HISTORY);
  }

  @Override
  public void load() throws SQLException {
    connections.transaction(
        () -> {
          TpcbSql.load(connections.writer(), size);
          return true;
        });
  }

  @Override
  public long transfer(Transfer transfer, long timeMillis) throws SQLException {
    return connections.transaction(
        () -> {
          bind(account, transfer.delta(), transfer.account());
          long balance = TpcbSql.balance(account, transfer);
          addToOne(teller, transfer.delta(), transfer.teller());
          addToOne(branch, transfer.delta(), transfer.branch());
          TpcbSql.bindHistory(history, 1, transfer, timeMillis);
          history.executeUpdate();
          return balance;
        });
  }

  private static void addToOne(PreparedStatement statement, long delta, int id)
      throws SQLException {
    bind(statement, delta, id);
    if (statement.executeUpdate() != 1) {
      throw new IllegalStateException("there is no teller or branch " + id);
    }
  }

  private static void bind(PreparedStatement statement, long delta, int id) throws SQLException {
    statement.setLong(1, delta);
    statement.setInt(2, id);
  }

  @Override
  public Totals totals() throws SQLException {
    return connections.exclusively(() -> TpcbSql.totals(connections.writer()));
  }

  @Override
  public void close() throws SQLException {
    connections.close();
  }
}
