package io.pmstore.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.pmdk.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction that does not fit into the Java heap is refused before the JVM runs out of memory,
 * at which these JVMs end; the store goes on. One that fits is not refused for its garbage.
 */
@Timeout(120)
class JavaHeapTest {
  private static final int ITEMS = 1000;

  @TempDir Path temporary;

  /** The arguments: the directory of a store. */
  static final class Refused {
    private Refused() {}

    public static void main(String[] args) {
      try (PmStore store = PmStore.open(Path.of(args[0]))) {
        Depot depot = store.root(Depot.class);
        store.transaction(
            () -> {
              depot.setText("before");
              Depot.addItems(store, depot, ITEMS);
            });
        refuse("items", () -> store.transaction(() -> Depot.addItems(store, depot, 1 << 24)));
        check(depot, ITEMS);
        refuse(
            "numbers",
            () ->
                store.transaction(
                    () -> {
                      depot.setText("lost");
                      for (int i = 0; i < 1 << 26; i++) {
                        depot.getNumbers().add(i);
                      }
                    }));
        check(depot, ITEMS);
        refuse(
            "texts",
            () ->
                store.transaction(
                    () -> {
                      Depot.addItems(store, depot, 1);
                      depot.setText("0123456789".repeat(500_000)); // 5 MB each
                      for (int i = 0; i < 40; i++) {
                        depot.setText(depot.getText() + i);
                      }
                    }));
        check(depot, ITEMS);
        store.transaction(() -> Depot.addItems(store, depot, ITEMS));
        check(depot, 2 * ITEMS);
      }
    }

    private static void refuse(String what, Runnable transaction) {
      try {
        transaction.run();
        throw new AssertionError("not refused: " + what);
      } catch (TransactionTooLargeException e) {
        String message = e.getMessage();
        if (!message.contains("-Xmx")
            || !message.matches(".*written \\d+ objects of \\d+ bytes.*")) {
          throw new AssertionError(message);
        }
        System.out.println(what + ": " + message);
      }
    }

    private static void check(Depot depot, long items) {
      assertEquals("before", depot.getText());
      assertEquals(items, Depot.countItems(depot));
      assertEquals(0, depot.getNumbers().size());
    }
  }

  /** Makes garbage beside what it writes. The arguments: the directory of a store. */
  static final class Fits {
    private static byte[] garbage = {};

    private Fits() {}

    public static void main(String[] args) {
      try (PmStore store = PmStore.open(Path.of(args[0]))) {
        Depot depot = store.root(Depot.class);
        store.transaction(
            () -> {
              for (int i = 0; i < 500_000; i++) {
                depot.getNumbers().add(i);
                garbage = new byte[1000];
              }
            });
        assertEquals(500_000, depot.getNumbers().size());
        assertEquals(1000, garbage.length);
      }
    }
  }

  /**
   * Goes on in the transaction in which a large value was refused. The arguments: the directory of
   * a store.
   */
  static final class GoesOn {
    private GoesOn() {}

    public static void main(String[] args) {
      try (PmStore store = PmStore.open(Path.of(args[0]))) {
        Depot depot = store.root(Depot.class);
        String[] texts = {"0123456789".repeat(500_000), "9876543210".repeat(500_000)};
        store.transaction(
            () -> {
              Depot.addItems(store, depot, 1);
              try {
                for (int i = 0; i < 40; i++) {
                  depot.setText(texts[i % 2]);
                }
                throw new AssertionError("not refused");
              } catch (TransactionTooLargeException e) {
                System.out.println(e.getMessage());
              }
              depot.setText("after");
              Depot.addItems(store, depot, 1);
            });
        assertEquals(2, Depot.countItems(depot));
      }
    }
  }

  /** Changes many objects while a snapshot is open. The arguments: the directory of a store. */
  static final class BesideASnapshot {
    private static final int EACH = 1000; // objects of a transaction
    private static final int AGAIN = 100; // transactions after the first that was refused

    private BesideASnapshot() {}

    public static void main(String[] args) {
      try (PmStore store = PmStore.open(Path.of(args[0]))) {
        Depot depot = store.root(Depot.class);
        for (int i = 0; i < 300; i++) {
          store.transaction(() -> Depot.addItems(store, depot, EACH));
        }
        assertTrue(store.<Boolean, RuntimeException>snapshot(() -> endsWithARefusal(store, depot)));
        assertFalse(endsWithARefusal(store, depot));
      }
    }

    /** Changes all items on a thread of its own; returns true if a transaction was refused. */
    private static boolean endsWithARefusal(PmStore store, Depot depot) {
      FutureTask<Boolean> changes =
          new FutureTask<>(
              () -> {
                Depot.Item[] next = {depot.getNewest()};
                try {
                  while (next[0] != null) {
                    next[0] = store.transaction(() -> change(next[0]));
                  }
                  return false;
                } catch (TransactionTooLargeException e) {
                  System.out.println(e.getMessage());
                  for (int i = 0; i < AGAIN; i++) {
                    assertThrows(
                        TransactionTooLargeException.class,
                        () -> store.transaction(() -> change(next[0])));
                  }
                  return true;
                }
              });
      Thread.ofPlatform().start(changes);
      try {
        return changes.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new AssertionError(e);
      }
    }

    private static Depot.Item change(Depot.Item first) {
      Depot.Item item = first;
      for (int i = 0; i < EACH && item != null; i++) {
        item.setNumber(-item.getNumber());
        item = item.getNext();
      }
      return item;
    }
  }

  /**
   * Removes all keys of a large map, in one operation, which is refused, and perhaps in parts. The
   * arguments: the directory of a store; how many keys a part has, or 0.
   */
  static final class Removes {
    private static final int KEYS = 400_000;
    private static final int EACH = 10_000; // keys of a transaction that adds

    private Removes() {}

    public static void main(String[] args) {
      int part = Integer.parseInt(args[1]);
      try (PmStore store = PmStore.open(Path.of(args[0]))) {
        Map<Integer, Integer> places = store.root(Depot.class).getPlaces();
        for (int next = places.size(); next < KEYS; next += EACH) {
          int first = next;
          store.transaction(
              () -> {
                for (int key = first; key < first + EACH; key++) {
                  places.put(key, -key);
                }
              });
        }
        Refused.refuse("keys", () -> places.keySet().removeIf(key -> true));
        assertEquals(KEYS, places.size());
        for (int next = 0; part > 0 && next < KEYS; next += part) {
          int first = next;
          store.transaction(
              () -> {
                for (int key = first; key < first + part; key++) {
                  places.remove(key);
                }
              });
        }
        assertEquals(part > 0 ? 0 : KEYS, places.size());
      }
    }
  }

  @Test
  void theRemovalOfManyKeysIsRefusedAndCanBeMadeInParts() {
    Path directory = temporary.resolve("store");
    List<String> atCommit =
        new Program(Removes.class, directory, 0)
            .with("-Xmx48m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseG1GC")
            .run();
    System.out.println(String.join("\n", atCommit));
    List<String> before =
        new Program(Removes.class, directory, 5000)
            .with("-Xmx17m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC")
            .run();
    assertTrue(
        String.join("\n", before).matches("(?s).*operation on more than \\d+ elements.*"),
        () -> String.join("\n", before));
    assertTrue(PmStore.verify(directory).isSound());
  }

  @Test
  void smallTransactionsBesideASnapshotAreRefusedBeforeTheJavaHeapIsFull() {
    Path directory = temporary.resolve("store");
    List<String> lines =
        new Program(BesideASnapshot.class, directory)
            .with("-Xmx64m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseG1GC", "-Xlog:gc")
            .run();
    assertTrue(
        String.join("\n", lines).contains("end the snapshots"), () -> String.join("\n", lines));
    long collections = lines.stream().filter(line -> line.contains("System.gc()")).count();
    assertTrue(
        collections < BesideASnapshot.AGAIN, () -> collections + " collections, expected few");
    assertTrue(PmStore.verify(directory).isSound());
  }

  @Test
  void aJvmThatIgnoresSystemGcRefusesTheSame() {
    Path directory = temporary.resolve("store");
    new Program(Refused.class, directory)
        .with("-Xmx64m", "-XX:+DisableExplicitGC", "-XX:+UseSerialGC")
        .run();
    assertTrue(PmStore.verify(directory).isSound());
    new Program(Fits.class, directory)
        .with("-Xmx48m", "-XX:+DisableExplicitGC", "-XX:+UseSerialGC")
        .run();
  }

  @Test
  void aTransactionThatGoesOnAfterARefusalKeepsWhatItMakesThen() {
    Path directory = temporary.resolve("store");
    List<String> lines =
        new Program(GoesOn.class, directory)
            .with("-Xmx64m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseG1GC")
            .run();
    assertTrue(String.join("\n", lines).contains("split the transaction"));
    assertEquals(List.of(), PmStore.verify(directory).faults());
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      assertEquals("after", depot.getText());
      Depot.addItems(store, depot, ITEMS); // into space that is free
      assertEquals(ITEMS + 2, Depot.countItems(depot));
      assertEquals("after", depot.getText());
    }
  }

  @Test
  void aTransactionThatIsLargerThanTheJavaHeapIsRefusedAndTheStoreGoesOn() {
    Path directory = temporary.resolve("store");
    List<String> lines =
        new Program(Refused.class, directory)
            .with("-Xmx64m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseG1GC")
            .run();
    System.out.println(String.join("\n", lines));
    assertTrue(PmStore.verify(directory).isSound());
    new Program(Fits.class, directory)
        .with("-Xmx48m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC")
        .run();
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(2 * ITEMS, Depot.countItems(store.root(Depot.class)));
    }
  }
}
