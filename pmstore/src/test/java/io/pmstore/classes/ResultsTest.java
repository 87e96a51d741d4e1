package io.pmstore.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The caller of a transaction that stores a plain object and returns it gets the persistent one.
 */
class ResultsTest {
  @TempDir Path directory;

  private PmStore store;
  private Order order;

  /** The root. */
  @Persistent(root = "order")
  public static class Order {
    private final List<Line> lines = new ArrayList<>();

    public List<Line> getLines() {
      return lines;
    }

    /** Returns what it has made. */
    public Line addLine() {
      Line line = new Line();
      lines.add(line);
      return line;
    }
  }

  /** What is added. */
  @Persistent
  public static class Line {
    private int quantity;

    public int getQuantity() {
      return quantity;
    }

    public void setQuantity(int quantity) {
      this.quantity = quantity;
    }
  }

  @BeforeEach
  void open() {
    store = PmStore.open(directory.resolve("store"));
    order = store.root(Order.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void assertLast(Line returned) {
    assertSame(order.getLines().getLast(), returned);
    returned.setQuantity(3);
    assertEquals(3, order.getLines().getLast().getQuantity());
  }

  @Test
  void ofAMethod() {
    assertLast(order.addLine());
  }

  @Test
  void ofATransaction() {
    assertLast(
        store.transaction(
            () -> {
              Line line = new Line();
              order.getLines().add(line);
              return line;
            }));
  }

  @Test
  void ofAMethodInATransaction() {
    assertLast(store.transaction(() -> order.addLine()));
  }

  @Test
  void ofATransactionWithADurabilityOfItsOwn() {
    assertLast(store.transaction(Durability.SYNC, () -> order.addLine()));
  }

  @Test
  void ofATransactionInATransaction() {
    assertLast(store.transaction(() -> store.transaction(() -> order.addLine())));
  }

  /** The other transaction may yet be rolled back. */
  @Test
  void whatAnotherTransactionHasNotCommittedIsReturnedAsItIs() {
    Line line = new Line();
    store.transaction(
        () -> {
          order.getLines().add(line);
          assertSame(
              line, CompletableFuture.supplyAsync(() -> store.transaction(() -> line)).join());
        });
  }

  @Test
  void anythingElseIsReturnedAsItIs() {
    Line unstored = new Line();
    assertSame(unstored, store.transaction(() -> unstored));
    List<Line> list = new ArrayList<>();
    assertSame(list, store.transaction(() -> list));
    assertNull(store.transaction(() -> null));
    assertSame(order, store.transaction(() -> order));
  }
}
