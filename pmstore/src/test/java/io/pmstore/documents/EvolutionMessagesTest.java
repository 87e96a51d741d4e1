package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages that docs/evolution.md shows are those that a program gets. */
class EvolutionMessagesTest {
  private static final Path PAGE = Path.of("..", "docs", "evolution.md");
  private static final Pattern MESSAGE =
      Pattern.compile("(?:<!-- message: (\\S+) -->\\s*)?```text\\n(.*?)```", Pattern.DOTALL);
  private static final String QTY = "@Persistent class Order { private int qty = 7; }";
  private static final String ID = "@Persistent class Order { private long id = 1; }";
  private static final String PRICE =
      "@Persistent class Order { private String price = \"1.50\"; }";
  private static final String CENTS =
      """
      @Persistent class Order {
        private long price;
        public String toString() { return "" + price; }
      }
      """;
  private static final String LEGS =
      "@Persistent class Order { private List<String> legs = List.of(); }";
  private static final String SIDES =
      """
      enum Side { BUY, SELL, HOLD }
      @Persistent class Order {
        private Side side = Side.HOLD;
        public String toString() { return "" + side; }
      }
      """;

  @TempDir Path directory;

  static List<String> documented() throws IOException {
    return List.copyOf(blocks().keySet());
  }

  private static Map<String, String> blocks() throws IOException {
    Map<String, String> blocks = new LinkedHashMap<>();
    Matcher block = MESSAGE.matcher(Files.readString(PAGE));
    while (block.find()) {
      blocks.put(String.valueOf(block.group(1)), block.group(2));
    }
    return blocks;
  }

  @ParameterizedTest
  @MethodSource("documented")
  void aMessageIsTheRealOne(String name) throws IOException {
    String message = message(name);
    assertEquals(words(message), words(blocks().get(name)), message);
  }

  /** The page has shorter lines, and the addresses of another store. */
  private static List<String> words(String text) {
    return List.of(text.strip().replaceAll("(address |@)\\d+", "$1N").split("\\s+"));
  }

  private String message(String name) {
    return switch (name) {
      case "removed" -> refusal(ID.replace("}", "private String fax = \"7\"; }"), ID);
      case "renamed" -> refusal(QTY, QTY.replace("int qty", "int quantity"));
      case "both" ->
          refusal(
              QTY.replace("}", "private int quantity = 8; }"),
              QTY.replace("int qty", "@FormerNames(\"qty\") int quantity"));
      case "retyped" -> refusal(PRICE, CENTS);
      case "elements" -> refusal(LEGS, LEGS.replace("String", "Integer"));
      case "function-missing" -> {
        earlier(PRICE);
        uses(CENTS, cents((old, order) -> 150L));
        yield refused(CENTS, PmStoreOptions.defaults());
      }
      case "misfit" -> {
        earlier(PRICE);
        yield refused(CENTS, cents((old, order) -> old.get("price")));
      }
      case "snapshot" -> inSnapshot();
      case "newer" -> {
        earlier(ID);
        uses(ID.replace("}", "private int rank; }"), PmStoreOptions.defaults());
        yield refused(ID, PmStoreOptions.defaults());
      }
      case "class" -> classNotFound();
      case "abstract" -> refusal(ID, ID.replace("class", "abstract class"));
      case "constant" -> refusal(SIDES, SIDES.replace(", HOLD", "").replace("HOLD", "SELL"));
      case "constant-found" ->
          refusal(
              SIDES,
              "@Removed(\"HOLD\") "
                  + SIDES.replace(", HOLD", "").replace("Side.HOLD", "Side.SELL"));
      case "report" -> report();
      default -> throw new AssertionError("the page shows a message that no test makes: " + name);
    };
  }

  private static PmStoreOptions cents(Migration.Function<Object> function) {
    return PmStoreOptions.defaults().migrations(Migration.of("shop.Order", "price", function));
  }

  private String inSnapshot() {
    earlier(ID);
    String after =
        ID.replace(
            "}", "private List<String> notes; public String toString() { return \"\" + notes; } }");
    Migration notes =
        Migration.of("shop.Order", "notes", (old, order) -> new ArrayList<>(List.of("x")));
    return looksAt(
        PmStoreOptions.defaults().migrations(notes),
        store ->
            assertThrows(
                    PmStoreException.class,
                    () -> store.snapshot(() -> root(store, after).toString()))
                .getMessage());
  }

  private String classNotFound() {
    String book =
        """
        @Persistent class Order {
          private Object latest;
          public String toString() { return "" + latest; }
        }
        @Persistent class %s {}
        """;
    earlier(
        book.formatted("Trade")
            .replace("private Object latest;", "private Object latest = new Trade();"));
    return refused(
        book.formatted("Deal")
            .replace(
                "@Persistent class Deal", "@Persistent @FormerNames(\"shop.Trade\") class Deal"),
        PmStoreOptions.defaults());
  }

  private String report() {
    earlier(
        """
        enum Side { BUY, SELL, HOLD }
        @Persistent class Order {
          private String symbol;
          private int qty;
          private String fax;
          private Side side = Side.BUY;
        }
        """);
    String after =
        """
        enum Side { SELL, @FormerNames("BUY") PURCHASE, HOLD }
        record Venue(String name) {}
        @Persistent @Removed("fax") class Order {
          private String symbol;
          @FormerNames("qty") private long quantity;
          private Side side;
          private Venue venue;
        }
        """;
    Path store = directory.resolve("store");
    return PmStore.dryRun(store, EarlierVersion.load("shop", after, "Order")).toString();
  }

  private String refusal(String before, String after) {
    earlier(before);
    return refused(after, PmStoreOptions.defaults());
  }

  private void earlier(String source) {
    EarlierVersion.store(directory.resolve("store"), "shop", source, "Order");
  }

  /** Has the store know the classes of a later version. */
  private void uses(String source, PmStoreOptions options) {
    looksAt(options, store -> String.valueOf(root(store, source).getClass()));
  }

  private String refused(String source, PmStoreOptions options) {
    return looksAt(
        options,
        store ->
            assertThrows(PmStoreException.class, () -> root(store, source).toString())
                .getMessage());
  }

  private String looksAt(PmStoreOptions options, Function<PmStore, String> looks) {
    try (PmStore store = PmStore.open(directory.resolve("store"), options)) {
      return looks.apply(store);
    }
  }

  private static Object root(PmStore store, String source) {
    return store.root("it", EarlierVersion.load("shop", source, "Order"));
  }
}
