package io.pmstore.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.pmdk.Program;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two million new objects, a text of 100 MB and ten million elements of a list, each in one
 * transaction; then the process is killed and the store opened again. It prints times and memory.
 * -Dpmstore.large.percent=100 has it do all of that, without it two percent.
 */
@Timeout(1800)
class LargeRunsTest {
  private static final int PERCENT = Integer.getInteger("pmstore.large.percent", 2);
  private static final int ITEMS = 20_000;
  private static final int TEXT = 1_000_000;
  private static final int NUMBERS = 100_000;
  private static final int KILLED = 9;

  @TempDir Path temporary;

  /** The arguments: the directory of a store, the percentage. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) {
      int percent = Integer.parseInt(args[1]);
      PmStore store = PmStore.open(Path.of(args[0])); // not closed
      Depot depot = store.root(Depot.class);
      run(
          store,
          percent * ITEMS + " new objects",
          () -> Depot.addItems(store, depot, percent * ITEMS));
      run(
          store,
          "a text of " + percent * TEXT,
          () -> depot.setText(Depot.text(percent, percent * TEXT)));
      run(
          store,
          percent * NUMBERS + " elements of a list",
          () -> {
            for (int i = 0; i < percent * NUMBERS; i++) {
              depot.getNumbers().add(i);
            }
          });
      Runtime.getRuntime().halt(KILLED);
    }

    private static void run(PmStore store, String what, Runnable writes) {
      long before = live();
      long began = System.nanoTime();
      long[] body = new long[2];
      store.transaction(
          () -> {
            writes.run();
            body[0] = System.nanoTime();
            body[1] = live() - before;
          });
      long ended = System.nanoTime();
      System.out.printf(
          "%s: body %d ms, with its commit and a collection %d ms; held %d MiB of Java heap%n",
          what, (body[0] - began) / 1_000_000, (ended - began) / 1_000_000, body[1] >> 20);
    }

    private static long live() {
      System.gc();
      return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
  }

  /** The arguments: the directory of a store, the percentage. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) {
      int percent = Integer.parseInt(args[1]);
      PmStore.open(Path.of(args[0] + "-other")).close(); // so that classes are loaded
      long began = System.nanoTime();
      try (PmStore store = PmStore.open(Path.of(args[0]))) {
        System.out.printf("recovered in %d ms%n", (System.nanoTime() - began) / 1_000_000);
        Depot depot = store.root(Depot.class);
        assertEquals((long) percent * ITEMS, Depot.countItems(depot));
        assertEquals(Depot.text(percent, percent * TEXT), depot.getText());
        List<Integer> numbers = depot.getNumbers();
        assertEquals(percent * NUMBERS, numbers.size());
        int expected = 0;
        for (int number : numbers) {
          assertEquals(expected++, number);
        }
      }
    }
  }

  @Test
  void largeTransactionsAreThereAfterAKill() {
    Path directory = temporary.resolve("store");
    // Two million objects, each with its Java object, are what needs most.
    String memory = "-Xmx%dm".formatted(Math.max(64, PERCENT * 10));
    run(new Program(Writer.class, directory, PERCENT).with(memory), KILLED);
    run(new Program(Reader.class, directory, PERCENT).with(memory), 0);
    assertTrue(PmStore.verify(directory).isSound());
  }

  private static void run(Program program, int exit) {
    program.run(exit).forEach(line -> System.out.println("LargeRunsTest: " + line));
  }
}
