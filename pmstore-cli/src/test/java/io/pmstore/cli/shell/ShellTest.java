package io.pmstore.cli.shell;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.cli.market.Market;
import io.pmstore.cli.store.OpenedStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The prompt: the words of a line, its end, and completion of paths. */
class ShellTest {
  @TempDir Path temp;
  private OpenedStore store;

  @BeforeEach
  void open() throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore filled = PmStore.open(dir, Market.options())) {
      Market.fill(filled, 30);
    }
    store = OpenedStore.open(dir);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void pathsAreCompletedByWhatIsThere() {
    PathCompleter completer = new PathCompleter(store, List.of("show"), List.of("Order"));
    assertEquals(List.of("exchange"), completer.paths(""));
    assertEquals(List.of("exchange"), completer.paths("ex"));
    assertEquals(List.of("exchange.orders"), completer.paths("exchange.or"));
    assertEquals(
        List.of("exchange.byName", "exchange.byNameReversed"), completer.paths("exchange.byN"));
    assertTrue(completer.paths("exchange.orders[").contains("exchange.orders[17]"));
    assertEquals(List.of("exchange.orders[17]"), completer.paths("exchange.orders[17"));
    assertEquals(List.of("exchange.orders[17].price"), completer.paths("exchange.orders[17].pr"));
    assertTrue(completer.paths("exchange.tags[").contains("exchange.tags[\"tag 7\"]"));
    assertEquals(List.of("exchange.bySide[SELL]"), completer.paths("exchange.bySide[S"));
    assertEquals(List.of(), completer.paths("exchange.nothing."));
    assertEquals(List.of(), completer.paths("exchange.name."));
    assertEquals(List.of(), completer.paths("nowhere["));
  }

  @Test
  void linesAreCommandsUntilExit() throws Exception {
    List<String[]> run = new ArrayList<>();
    String input = "show exchange.orders[17]\n\nfind Order --where 'account.name=a b'\nexit\nno\n";
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (Terminal terminal =
        new DumbTerminal(
            "test",
            Terminal.TYPE_DUMB,
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            output,
            StandardCharsets.UTF_8)) {
      Shell shell =
          new Shell(
              store,
              List.of("show"),
              List.of(),
              (screen, words) -> {
                run.add(words);
                return run.size();
              });
      assertEquals(2, shell.run(terminal));
    }
    assertEquals(2, run.size());
    assertArrayEquals(new String[] {"show", "exchange.orders[17]"}, run.getFirst());
    assertArrayEquals(new String[] {"find", "Order", "--where", "account.name=a b"}, run.getLast());
  }
}
