package io.pmstore.jmh.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which stores there are, and that they are opened as they say. */
final class DeploymentTest {
  @Test
  void everyCombinationThatSaysSomethingIsThereOnce() {
    List<Deployment> all = Deployment.all();
    assertEquals(all.size(), new HashSet<>(all).size());
    assertEquals(3 * (3 * 2 * 2 + 3), all.size());
    assertEquals(
        Set.of(1, 4, 16), all.stream().map(Deployment::threads).collect(Collectors.toSet()));
    Set<StoreKind> kinds = EnumSet.complementOf(EnumSet.of(StoreKind.BYTES)); // YCSB's alone
    assertEquals(kinds, all.stream().map(Deployment::kind).collect(Collectors.toSet()));
    for (Deployment one : all) {
      boolean llpl = one.kind() == StoreKind.PMSTORE_LLPL;
      assertFalse(llpl && one.relaxed(), one::toString);
      // Else PMDK would sync nothing there.
      assertEquals(llpl && one.medium().equals("file"), !one.forcesPersistentMemory());
    }
    assertEquals(
        kinds, Deployment.some().stream().map(Deployment::kind).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @CsvSource({"sync, 2", "relaxed, 1"})
  void sqliteIsAsDurableAsItsDeployment(String durability, String synchronous) throws Exception {
    Deployment deployment = new Deployment(StoreKind.SQLITE, "file", durability, 1);
    try (TestDirectories directories = new TestDirectories();
        SqliteConnections connections =
            new SqliteConnections(deployment, directories.directory("file"))) {
      assertEquals(synchronous, pragma(connections.writer(), "synchronous"));
      assertEquals("wal", pragma(connections.writer(), "journal_mode"));
    }
  }

  private static String pragma(Connection connection, String name) throws Exception {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      assertTrue(row.next());
      return row.getString(1);
    }
  }

  @Test
  void aTransactionThatFailsLeavesNothing() throws Exception {
    Deployment deployment = new Deployment(StoreKind.SQLITE, "file", "relaxed", 1);
    try (TestDirectories directories = new TestDirectories();
        SqliteConnections connections =
            new SqliteConnections(
                deployment, directories.directory("file"), "CREATE TABLE IF NOT EXISTS t (n)");
        Statement statement = connections.writer().createStatement()) {
      connections.transaction(() -> statement.executeUpdate("INSERT INTO t VALUES (1)"));
      assertThrows(
          ArithmeticException.class,
          () ->
              connections.transaction(
                  () -> {
                    statement.executeUpdate("INSERT INTO t VALUES (2)");
                    throw new ArithmeticException("no");
                  }));
      try (Connection reader = connections.newReader();
          Statement reading = reader.createStatement();
          ResultSet row = reading.executeQuery("SELECT sum(n) FROM t")) {
        assertTrue(row.next());
        assertEquals(1, row.getInt(1));
      }
    }
  }
}
