package io.pmstore.oms.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.ContentVerifier;
import io.pmstore.oms.run.ExpectedOrders;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresTargetTest extends TargetContract {
  /**
   * Without a server nothing can be tested; the reason is on standard error and in the report of
   * the tests.
   */
  @BeforeAll
  static void requireServer(@TempDir Path dir) {
    try {
      PostgresServer.start(dir.resolve("probe"), false).stop();
    } catch (TargetException e) {
      System.err.println("SKIPPED: all tests of the postgres target: " + e.getMessage());
      Assumptions.abort(e.getMessage());
    }
  }

  @Override
  TargetKind kind() {
    return TargetKind.POSTGRES;
  }

  @Test
  void theServerWritesThrough() throws Exception {
    PostgresServer server = PostgresServer.start(dir.resolve("sync"), false);
    try {
      assertEquals("on", setting(server.dataSource(), "fsync"));
      assertEquals("on", setting(server.dataSource(), "synchronous_commit"));
      assertEquals("on", setting(server.dataSource(), "full_page_writes"));
    } finally {
      server.stop();
    }
  }

  @Test
  void anExistingServerIsUsedInASchemaThatIsDropped() throws Exception {
    PostgresServer server = PostgresServer.start(dir.resolve("existing"), false);
    try {
      String url = server.url();
      TargetSettings settings =
          new TargetSettings(dir.resolve("unused"), Medium.FILE, true, 2, 0, url);
      OrderFlow flow = flow(10, 3, 5);
      try (OmsTarget target = kind().create(settings)) {
        try (OmsService service = target.open()) {
          flow.events().forEach(service::apply);
        }
        assertTrue(target.diskUse().bytes() > 10_000);
        assertEquals(-1, target.diskUse().redoLogBytes());
        try (OmsService service = target.open()) {
          assertTrue(ContentVerifier.verify(new ExpectedOrders(flow), service).matches());
        }
        assertEquals(1, schemas(server.dataSource()));
      }
      assertEquals(0, schemas(server.dataSource()));
    } finally {
      server.stop();
    }
  }

  @Test
  void aUrlWithNoServerBehindItIsAClearFailure() throws IOException {
    TargetSettings settings =
        new TargetSettings(
            dir, Medium.FILE, false, 1, 0, "jdbc:postgresql://localhost:1/none?user=nobody");
    TargetException failure =
        assertThrows(TargetException.class, () -> kind().create(settings).open());
    assertTrue(String.valueOf(failure.getMessage()).contains("refused"), failure::toString);
  }

  private static String setting(DataSource source, String name) throws SQLException {
    return query(source, "SHOW " + name);
  }

  private static int schemas(DataSource source) throws SQLException {
    return Integer.parseInt(
        query(source, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'oms%'"));
  }

  private static String query(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
