package io.pmstore.oms.targets;

import static java.util.Objects.requireNonNull;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One server serves the tests. Relaxed commits are a setting of a server, so a target with these
 * starts its own.
 */
class PostgresTargetTest extends TargetContract {
  private static @Nullable PostgresServer server;

  /**
   * Without a server nothing can be tested; the reason is on standard error and in the report of
   * the tests.
   */
  @BeforeAll
  static void startServer(@TempDir Path dir) {
    try {
      server = PostgresServer.start(dir.resolve("existing"), false);
    } catch (TargetException e) {
      System.err.println("SKIPPED: all tests of the postgres target: " + e.getMessage());
      Assumptions.abort(e.getMessage());
    }
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.stop();
    }
  }

  private static PostgresServer server() {
    return requireNonNull(server);
  }

  @Override
  TargetKind kind() {
    return TargetKind.POSTGRES;
  }

  @Override
  TargetSettings settings(int threads, boolean relaxed) {
    String url = relaxed ? null : server().url();
    return new TargetSettings(dir.resolve("store"), medium(), relaxed, threads, 0, url);
  }

  @Test
  void theServerWritesThrough() throws Exception {
    assertEquals("on", setting(server().dataSource(), "fsync"));
    assertEquals("on", setting(server().dataSource(), "synchronous_commit"));
    assertEquals("on", setting(server().dataSource(), "full_page_writes"));
  }

  @Test
  void anExistingServerIsUsedInASchemaThatIsDropped() throws Exception {
    OrderFlow flow = flow(10, 3, 5);
    try (OmsTarget target = kind().create(settings(2, false))) {
      try (OmsService service = target.open()) {
        flow.events().forEach(service::apply);
      }
      assertTrue(target.diskUse().bytes() > 10_000);
      assertEquals(-1, target.diskUse().redoLogBytes());
      try (OmsService service = target.open()) {
        assertTrue(ContentVerifier.verify(new ExpectedOrders(flow), service).matches());
      }
      assertEquals(1, schemas(server().dataSource()));
    }
    assertEquals(0, schemas(server().dataSource()));
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
