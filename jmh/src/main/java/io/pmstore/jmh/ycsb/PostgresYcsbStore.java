package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.PostgresConnections;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Records in PostgreSQL: an operation is one statement, but for the one that reads and writes. */
final class PostgresYcsbStore implements YcsbStore {
  private final PostgresConnections connections;

  PostgresYcsbStore(Deployment deployment, Path directory) throws SQLException {
    connections = new PostgresConnections(deployment, directory, YcsbSql.createTable("bigint", ""));
  }

  @Override
  public void load(List<Row> rows) throws SQLException {
    connections.transaction(
        connection -> {
          try (PreparedStatement insert = connection.prepareStatement(YcsbSql.INSERT)) {
            return YcsbSql.insertAll(insert, rows);
          }
        });
  }

  @Override
  public String @Nullable [] read(long key) throws SQLException {
    return connections.<String @Nullable []>statement(
        YcsbSql.READ, statement -> YcsbSql.read(statement, key));
  }

  @Override
  public void update(long key, int field, String value) throws SQLException {
    connections.statement(
        YcsbSql.UPDATES.get(field), statement -> YcsbSql.update(statement, key, value));
  }

  @Override
  public void replace(Row row) throws SQLException {
    connections.statement(YcsbSql.REPLACE, statement -> YcsbSql.replace(statement, row));
  }

  @Override
  public void insert(Row row) throws SQLException {
    connections.statement(YcsbSql.INSERT, statement -> YcsbSql.insert(statement, row));
  }

  @Override
  public List<Row> scan(long from, int count) throws SQLException {
    return connections.statement(YcsbSql.SCAN, statement -> YcsbSql.scan(statement, from, count));
  }

  @Override
  public void readModifyWrite(long key, int field, Function<String[], String> change)
      throws SQLException {
    connections.transaction(
        connection -> {
          try (PreparedStatement read = connection.prepareStatement(YcsbSql.READ + " FOR UPDATE");
              PreparedStatement update = connection.prepareStatement(YcsbSql.UPDATES.get(field))) {
            return YcsbSql.update(update, key, change.apply(YcsbSql.readExisting(read, key)));
          }
        });
  }

  @Override
  public void close() {
    connections.close();
  }
}
