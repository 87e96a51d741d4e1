package io.pmstore.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a class may not do what its author wants is logged when a store first uses it. */
class FirstUseWarningsTest {
  @TempDir Path directory;

  private final ConcurrentLinkedQueue<String> warnings = new ConcurrentLinkedQueue<>();
  private final Logger logger = Logger.getLogger("io.pmstore.proxy.bean.BeanDiscovery");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          warnings.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Nobody in this code source calls its copy constructor; somebody elsewhere may. */
  @Persistent
  public static class Order {
    private long quantity;

    public Order() {}

    public Order(Order other) {
      quantity = other.quantity;
    }

    public long getQuantity() {
      return quantity;
    }

    public void setQuantity(long quantity) {
      this.quantity = quantity;
    }
  }

  /** Nothing is wrong with it. */
  @Persistent
  public static class Account {
    private long balance;

    public long getBalance() {
      return balance;
    }

    public void setBalance(long balance) {
      this.balance = balance;
    }
  }

  @Test
  void aConstructorThatWouldNotSeeTheValuesOfAPersistentObjectIsNamedOnce() {
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
    try {
      for (String name : List.of("one", "two")) {
        try (PmStore store = PmStore.open(directory.resolve(name))) {
          store.create(Account.class);
          assertEquals(0, store.create(Order.class).getQuantity());
          store.create(Order.class);
        }
      }
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    assertEquals(1, warnings.size(), warnings::toString);
    String warning = warnings.element();
    assertTrue(warning.startsWith("class " + Order.class.getName() + ": "), warning);
    assertTrue(
        warning.contains("reads the field quantity directly (FirstUseWarningsTest.java:"), warning);
    assertTrue(warning.contains("pass it plain objects only"), warning);
  }
}
