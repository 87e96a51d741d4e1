package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A method of a persistent object that writes is one transaction; others are none. */
class MethodTransactionsTest extends StoreTest {
  private static BooleanSupplier inTransaction = () -> false;

  /** With a helper of the kind that most domain models have. */
  @Persistent(root = "account")
  static class Account {
    private String name = "";
    private long balance;
    private List<Operation> operations = new ArrayList<>();
    private Map<String, Operation> byKind = new TreeMap<>();

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }

    long getBalance() {
      return balance;
    }

    List<Operation> getOperations() {
      return operations;
    }

    Map<String, Operation> getByKind() {
      return byKind;
    }

    void addOperation(Operation operation) {
      operations.add(operation);
      operation.setAccount(this);
      operation.setRunning(inTransaction.getAsBoolean());
    }

    Operation newOperation() {
      Operation operation = new Operation();
      addOperation(operation);
      return operation;
    }

    /** Touches no field, so that its code is not copied. */
    void addByGetter(Operation operation) {
      getOperations().add(operation);
      operation.setAccount(this);
      operation.setRunning(inTransaction.getAsBoolean());
    }

    long deposit(long amount) throws IOException {
      balance += amount;
      if (amount < 0) {
        throw new IOException("amount " + amount);
      }
      name = String.valueOf(balance);
      return balance;
    }

    void tryDeposit(long amount) {
      try {
        deposit(amount);
      } catch (IOException e) {
        name = e.getMessage();
      }
    }

    void transfer(Account to, long amount) throws IOException {
      deposit(amount);
      to.deposit(-amount);
    }

    int countUp(Account other) {
      other.balance++;
      return (int) ++balance;
    }

    boolean readsOnly() {
      long sum = 0;
      for (Operation operation : operations) {
        sum += operation.isRunning() ? 1 : 0;
      }
      return sum + balance >= 0 && inTransaction.getAsBoolean();
    }

    boolean isInBulk() {
      operations.forEach(operation -> operation.setRunning(true));
      return inTransaction.getAsBoolean();
    }

    boolean isInBulkByReference() {
      operations.forEach(Operation::run);
      return inTransaction.getAsBoolean();
    }

    boolean callsAnother(Operation operation) {
      operation.run();
      return name != null && inTransaction.getAsBoolean();
    }

    boolean callsReader(Operation operation) {
      return operation.describe() != null && name != null && inTransaction.getAsBoolean();
    }

    double many(byte b, long l, float f, double d, char c, String s, int... numbers) {
      balance = b + l + c + numbers.length;
      return f + d + s.length();
    }

    synchronized char locked(char c) {
      name += c;
      return c;
    }
  }

  /** What an account has. */
  @Persistent
  static class Operation {
    private @Nullable Account account;
    private boolean running;

    @Nullable Account getAccount() {
      return account;
    }

    void setAccount(@Nullable Account account) {
      this.account = account;
    }

    boolean isRunning() {
      return running;
    }

    void setRunning(boolean running) {
      this.running = running;
    }

    void run() {
      start();
    }

    private void start() {
      running = true;
    }

    String describe() {
      return running + "!";
    }
  }

  @BeforeEach
  void watch() {
    inTransaction = () -> store().heap.inTransaction();
  }

  @Test
  void whatThrowsOutsideOfATransactionHasDoneNothing() throws IOException {
    Account account = store().root(Account.class);
    assertEquals(5, account.deposit(5));
    String message = assertThrows(IOException.class, () -> account.deposit(-1)).getMessage();
    assertEquals("amount -1", message);
    assertEquals(5, account.getBalance());
    Account other = store().create(Account.class);
    assertThrows(IOException.class, () -> account.transfer(other, 2));
    assertEquals(5, account.getBalance());
    assertEquals("5", account.getName());
  }

  @Test
  void whatIsCaughtInsideKeepsWhatWasWrittenBefore() {
    Account account = store().root(Account.class);
    account.tryDeposit(-1);
    assertEquals(-1, account.getBalance());
    assertEquals("amount -1", account.getName());
    store()
        .transaction(
            () -> {
              assertThrows(IOException.class, () -> account.deposit(-2));
              account.setName("went on");
            });
    assertEquals(-3, account.getBalance());
    assertEquals("went on", account.getName());
  }

  @Test
  void methodsThatMayWriteAreTransactionsAndOthersAreNot() {
    Account account = store().root(Account.class);
    account.getOperations().add(new Operation());
    Operation operation = account.getOperations().getFirst();
    assertFalse(account.readsOnly());
    assertFalse(account.callsReader(operation));
    assertTrue(account.callsAnother(operation));
    assertTrue(account.isInBulk());
    assertTrue(account.isInBulkByReference());
    List<Consumer<Operation>> helpers = List.of(account::addOperation, account::addByGetter);
    for (Consumer<Operation> helper : helpers) {
      Operation kept = store().create(Operation.class);
      helper.accept(kept);
      assertTrue(kept.isRunning());
      assertSame(account, kept.getAccount());
    }
    account.getOperations().clear();
    assertFalse(store().heap.inTransaction());
  }

  @Test
  void whatAMethodMadeIsStoredAlsoWhenItsCallerGoesOnToChangeIt() {
    Account account = store().root(Account.class);
    Operation outside = account.newOperation();
    assertSame(account.getOperations().getFirst(), outside);
    outside.setRunning(false);
    assertFalse(account.getOperations().getFirst().isRunning());
    store().transaction(() -> account.newOperation().setRunning(false));
    assertFalse(account.getOperations().getLast().isRunning());
    assertSame(account, account.getOperations().getLast().getAccount());
  }

  @Test
  void argumentsAndResultsOfAllTypesArrive() {
    Account account = store().root(Account.class);
    assertEquals(6.5, account.many((byte) 1, 2, 1.5f, 2, 'a', "abc", 1, 2, 3));
    assertEquals(1 + 2 + 'a' + 3, account.getBalance());
    assertEquals('x', account.locked('x'));
    assertEquals("x", account.getName());
  }

  @Test
  void methodsThatConflictRunAgain() throws InterruptedException {
    Account one = store().root("one", Account.class);
    Account other = store().root("other", Account.class);
    int each = 500;
    Thread thread = new Thread(() -> IntStream.range(0, each).forEach(i -> other.countUp(one)));
    thread.start();
    IntStream.range(0, each).forEach(i -> one.countUp(other));
    thread.join();
    assertEquals(2 * each, one.getBalance());
    assertEquals(2 * each, other.getBalance());
  }
}
