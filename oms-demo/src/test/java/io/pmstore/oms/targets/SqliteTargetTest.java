package io.pmstore.oms.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.ContentVerifier;
import io.pmstore.oms.run.ExpectedOrders;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqliteTargetTest extends TargetContract {
  @Override
  TargetKind kind() {
    return TargetKind.SQLITE;
  }

  /** Any single change of a row must be found and named. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '#',
      value = {
        "UPDATE orders SET cum_qty = cum_qty + 1 WHERE id = 7#order 7 has cumQty",
        "UPDATE orders SET avg_px = avg_px + 1 WHERE id = 7#order 7 has avgPx",
        "UPDATE orders SET account = 'x' WHERE id = 7#order 7 has account x",
        "UPDATE orders SET updated = updated - 1 WHERE id = 7#order 7 has updated",
        "UPDATE reports SET price = 1 WHERE order_id = 7 AND seq = 0#order 7 report 0 has price"
            + " 0.0001",
        "UPDATE reports SET exec_id = 'x' WHERE order_id = 7 AND seq = 3#order 7 report 3 has"
            + " execId x",
        "DELETE FROM reports WHERE order_id = 7 AND seq = 3#order 7 has 3 reports; expected 4",
        "DELETE FROM orders WHERE id = 20#report 0 of order 20 has no order",
        "INSERT INTO reports SELECT 99, seq, exec_id, type, price, quantity, time FROM reports"
            + " WHERE order_id = 7#report 0 of order 99",
        "UPDATE orders SET id = 99 WHERE id = 7#order 99 is in the store and not in the flow"
      })
  void aPlantedChangeIsFound(String sql, String finding) throws Exception {
    OrderFlow flow = flow(20, 3, 5);
    try (OmsTarget target = kind().create(settings(1, false))) {
      try (OmsService service = target.open()) {
        flow.events().forEach(service::apply);
        assertTrue(ContentVerifier.verify(new ExpectedOrders(flow), service).matches());
      }
      String url = "jdbc:sqlite:" + dir.resolve("store").resolve(SqliteDatabase.FILE_NAME);
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        assertTrue(statement.executeUpdate(sql) > 0, "the change must change something");
      }
      try (OmsService service = target.open()) {
        ContentVerifier.Outcome outcome = ContentVerifier.verify(new ExpectedOrders(flow), service);
        assertFalse(outcome.matches());
        String wanted = finding.strip();
        assertEquals(
            1,
            outcome.shown().stream().filter(shown -> shown.contains(wanted)).count(),
            () -> outcome.shown().toString());
      }
    }
  }
}
