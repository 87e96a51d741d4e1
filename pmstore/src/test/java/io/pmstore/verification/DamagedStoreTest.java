package io.pmstore.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.StoreDamagedException;
import io.pmstore.verification.VerifyTest.Exchange;
import io.pmstore.verification.VerifyTest.Order;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program meets in a store one of whose pages is damaged. */
class DamagedStoreTest {
  private static final long MARK = 0x5EED_0FA1_1BAD_F00DL;

  @TempDir Path directory;

  private Path store() {
    return directory.resolve("store");
  }

  /** Damages free space on the page of an order: its contents stay readable, and right. */
  @BeforeEach
  void damage() throws IOException {
    try (PmStore store = PmStore.open(store())) {
      VerifyTest.fill(store);
      store.root(Exchange.class).getOrders().get(7L).setQuantity(MARK);
    }
    Path heap = store().resolve("heap");
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(heap)).order(ByteOrder.LITTLE_ENDIAN);
    int quantity = 8192;
    while (bytes.getLong(quantity) != MARK) {
      quantity += 8;
    }
    bytes.put(quantity, (byte) 0x0C);
    Files.write(heap, bytes.array());
  }

  @Test
  void itIsReadAndNotWrittenAndStaysAFault() {
    try (PmStore store = PmStore.open(store())) {
      Exchange exchange = store.root(Exchange.class);
      Order damaged = exchange.getOrders().get(7L);
      StoreDamagedException e =
          assertThrows(StoreDamagedException.class, () -> damaged.setLive(true));
      assertTrue(e.getMessage().contains("page at"), e.getMessage());
      assertTrue(e.getMessage().contains("PmStore.verify"), e.getMessage());
      assertFalse(damaged.isLive(), "nothing was changed");
      assertEquals("symbol of 7", damaged.getSymbol());
      assertEquals(200, exchange.getOrders().size());
      assertThrows(
          StoreDamagedException.class,
          () -> store.transaction(() -> exchange.getValues().add("new")));
      assertEquals(VerifyTest.valuesOfEveryType(), exchange.getValues());
    }
    assertFalse(PmStore.verify(store()).isSound());
  }

  @Test
  void aBackupRefusesIt() throws IOException {
    Path backup = directory.resolve("backup");
    try (PmStore store = PmStore.open(store())) {
      assertThrows(StoreDamagedException.class, () -> store.backup(backup));
      assertEquals(200, store.root(Exchange.class).getOrders().size());
    }
    try (var files = Files.list(backup)) {
      assertEquals(1, files.count(), "the lock file");
    }
    assertFalse(PmStore.verify(store()).isSound());
  }
}
