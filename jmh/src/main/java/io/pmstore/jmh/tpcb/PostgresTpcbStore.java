package io.pmstore.jmh.tpcb;

import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.PostgresConnections;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * A bank in PostgreSQL: one statement that changes all four tables, so a transaction is one round
 * trip and one commit; without the account it changes nothing. All lock rows of the tables in the
 * same order, so none waits in a circle.
 */
final class PostgresTpcbStore implements TpcbStore {
  private static final String TRANSFER =
      "WITH a AS ("
          + TpcbSql.ADD_TO_ACCOUNT
          + "), t AS (UPDATE tellers t SET balance = t.balance + ? FROM a WHERE id = ?), "
          + "b AS (UPDATE branches b SET balance = b.balance + ? FROM a WHERE id = ?), "
          + "h AS (INSERT INTO history (account, teller, branch, delta, time, filler) SELECT"
          + " ?::integer, ?::integer, ?::integer, ?::bigint, ?::bigint, ?::text FROM a)"
          + " SELECT balance FROM a";

  private final TpcbSize size;
  private final PostgresConnections connections;

  PostgresTpcbStore(Deployment deployment, Path directory, TpcbSize size) throws SQLException {
    this.size = size;
    connections =
        new PostgresConnections(
            deployment, directory, TpcbSql.createTables("integer", "bigint", ""));
  }

  @Override
  public void load() throws SQLException {
    connections.transaction(
        connection -> {
          TpcbSql.load(connection, size);
          return true;
        });
  }

  @Override
  public long transfer(Transfer transfer, long timeMillis) throws SQLException {
    return connections.statement(
        TRANSFER,
        statement -> {
          int i = 1;
          for (int id : new int[] {transfer.account(), transfer.teller(), transfer.branch()}) {
            statement.setLong(i++, transfer.delta());
            statement.setInt(i++, id);
          }
          TpcbSql.bindHistory(statement, i, transfer, timeMillis);
          return TpcbSql.balance(statement, transfer);
        });
  }

  @Override
  public Totals totals() throws SQLException {
    return connections.transaction(TpcbSql::totals);
  }

  @Override
  public void close() {
    connections.close();
  }
}
