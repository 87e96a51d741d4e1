package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.SqliteConnections;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records in SQLite. All statements stay prepared. With one thread everything goes over one
 * connection; with more, each thread reads over one of its own, beside the writer.
 */
final class SqliteYcsbStore implements YcsbStore {
  private final SqliteConnections connections;
  private final PreparedStatement insert;
  private final PreparedStatement replace;
  private final List<PreparedStatement> updates = new ArrayList<>();
  private final Reader writersReader;
  private final List<Reader> readers = new ArrayList<>();
  private final @Nullable BlockingQueue<Reader> freeReaders;

  /** The statements that read, over one connection. */
  private record Reader(Connection connection, PreparedStatement read, PreparedStatement scan) {
    static Reader over(Connection connection) throws SQLException {
      return new Reader(
          connection,
          connection.prepareStatement(YcsbSql.READ),
          connection.prepareStatement(YcsbSql.SCAN));
    }
  }

  /** A use of the statements that read. */
  private interface Reading<T extends @Nullable Object> {
    T run(Reader reader) throws SQLException;
  }

  SqliteYcsbStore(Deployment deployment, Path directory) throws SQLException, IOException {
    connections =
        new SqliteConnections(deployment, directory, YcsbSql.createTable("INTEGER", " STRICT"));
    Connection writer = connections.writer();
    insert = writer.prepareStatement(YcsbSql.INSERT);
    replace = writer.prepareStatement(YcsbSql.REPLACE);
    for (String update : YcsbSql.UPDATES) {
      updates.add(writer.prepareStatement(update));
    }
    writersReader = Reader.over(writer);
    if (deployment.threads() > 1) {
      freeReaders = new ArrayBlockingQueue<>(deployment.threads());
      for (int i = 0; i < deployment.threads(); i++) {
        readers.add(Reader.over(connections.newReader()));
      }
      freeReaders.addAll(readers);
    } else {
      freeReaders = null;
    }
  }

  @Override
  public void load(List<Row> rows) throws SQLException {
    connections.transaction(() -> YcsbSql.insertAll(insert, rows));
  }

  private <T extends @Nullable Object> T reading(Reading<T> reading)
      throws SQLException, InterruptedException {
    if (freeReaders == null) {
      return connections.exclusively(() -> reading.run(writersReader));
    }
    Reader reader = freeReaders.take();
    try {
      return reading.run(reader);
    } finally {
      freeReaders.add(reader);
    }
  }

  @Override
  public String @Nullable [] read(long key) throws SQLException, InterruptedException {
    return this.<String @Nullable []>reading(reader -> YcsbSql.read(reader.read, key));
  }

  @Override
  public void update(long key, int field, String value) throws SQLException {
    connections.exclusively(() -> YcsbSql.update(updates.get(field), key, value));
  }

  @Override
  public void replace(Row row) throws SQLException {
    connections.exclusively(() -> YcsbSql.replace(replace, row));
  }

  @Override
  public void insert(Row row) throws SQLException {
    connections.exclusively(() -> YcsbSql.insert(insert, row));
  }

  @Override
  public List<Row> scan(long from, int count) throws SQLException, InterruptedException {
    return reading(reader -> YcsbSql.scan(reader.scan, from, count));
  }

  @Override
  public void readModifyWrite(long key, int field, Function<String[], String> change)
      throws SQLException {
    connections.transaction(
        () -> {
          String[] found = YcsbSql.readExisting(writersReader.read, key);
          return YcsbSql.update(updates.get(field), key, change.apply(found));
        });
  }

  @Override
  public void close() throws SQLException {
    for (Reader reader : readers) {
      reader.connection.close();
    }
    connections.close();
  }
}
