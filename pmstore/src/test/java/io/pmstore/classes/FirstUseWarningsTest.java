package io.pmstore.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.logged.LoggedWarnings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a class may not do what its author wants is logged when a store first uses it. */
class FirstUseWarningsTest {
  @TempDir Path directory;

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
    List<String> found;
    try (LoggedWarnings warnings = new LoggedWarnings("io.pmstore.proxy.bean.BeanDiscovery")) {
      for (String name : List.of("one", "two")) {
        try (PmStore store = PmStore.open(directory.resolve(name))) {
          store.create(Account.class);
          assertEquals(0, store.create(Order.class).getQuantity());
          store.create(Order.class);
        }
      }
      found = warnings.messages();
    }
    assertEquals(1, found.size(), found::toString);
    String warning = found.getFirst();
    assertTrue(warning.startsWith("class " + Order.class.getName() + ": "), warning);
    assertTrue(
        warning.contains("reads the field quantity directly (FirstUseWarningsTest.java:"), warning);
    assertTrue(warning.contains("pass it plain objects only"), warning);
  }
}
