package io.pmstore.evolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport;
import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.compiled.Compiled;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store says it would make of the next version of its classes. */
class DryRunTest {
  private static final String IMPORTS = "package acme; import io.pmstore.*; import java.util.*;\n";

  private static final String FIRST =
      IMPORTS
          + """
          enum Side { BUY, SELL, HOLD }
          record Point(int x, int y) {}
          @Persistent class Account { private String owner; }
          @Persistent class Trade {
            private int quantity;
            private String fax;
            private Account account;
            private Point at;
            private int[][] grid = {{1}};
            private String[] names = {};
            public void setAt(Point at) { this.at = at; }
            public Point getAt() { return at; }
          }
          @Persistent class Gone { private int x; }
          @Persistent(root = "book") class Book {
            private List<Trade> trades = new ArrayList<>();
            private List<Side> sides = new ArrayList<>();
            private Side side;
            private Object note;
            public List<Trade> getTrades() { return trades; }
            public List<Side> getSides() { return sides; }
            public void setSide(Side side) { this.side = side; }
            public Side getSide() { return side; }
            public void setNote(Object note) { this.note = note; }
            public Object getNote() { return note; }
          }
          """;

  private static final String SECOND =
      IMPORTS
          + """
          enum Side { SELL, @FormerNames("BUY") PURCHASE, HOLD, CROSS }
          record Point(@FormerNames("x") long left, int y) {}
          @Persistent class Account { private String owner; private List<Point> points; }
          @Persistent @FormerNames("acme.Trade") @Removed("fax") class Order {
            private long quantity;
            private Account account;
            private Point at;
            private int[][] grid;
            private String[] names;
          }
          @Persistent(root = "book") class Book {
            private List<Order> trades = new ArrayList<>();
            private List<Side> sides = new ArrayList<>();
            private Side side;
            private Object note;
            public List<Side> getSides() { return sides; }
            public Side getSide() { return side; }
          }
          """;

  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void writeTheFirstVersion() throws Exception {
    path = directory.resolve("store");
    Compiled first = Compiled.of(FIRST);
    try (PmStore store = PmStore.open(path)) {
      Object book = store.root(first.loadClass("acme.Book"));
      Object trade = store.create(first.loadClass("acme.Trade"));
      call(trade, "setAt", point(first));
      list(book, "getTrades").add(trade);
      store.create(first.loadClass("acme.Account"));
      Object[] sides = first.loadClass("acme.Side").getEnumConstants();
      call(book, "setSide", sides[0]);
      list(book, "getSides").addAll(Arrays.asList(sides));
      call(book, "setNote", store.create(first.loadClass("acme.Gone")));
    }
  }

  private static Object point(Compiled classes) throws Exception {
    var constructor = classes.loadClass("acme.Point").getDeclaredConstructor(int.class, int.class);
    constructor.setAccessible(true);
    return constructor.newInstance(1, 2);
  }

  @SuppressWarnings("unchecked") // the elements are the test's own
  private static List<Object> list(Object object, String getter) throws Exception {
    return (List<Object>) call(object, getter);
  }

  private static Object call(Object object, String name, Object... arguments) throws Exception {
    for (Method method : object.getClass().getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
        method.setAccessible(true);
        return method.invoke(object, arguments);
      }
    }
    throw new AssertionError(name + " of " + object.getClass());
  }

  private Map<String, List<Object>> files() throws IOException {
    Map<String, List<Object>> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(path)) {
      for (Path file : all.toList()) {
        List<Object> facts = new ArrayList<>();
        if (Files.isRegularFile(file)) {
          FileTime modified = Files.getLastModifiedTime(file);
          facts.add(modified);
          facts.add(Arrays.hashCode(Files.readAllBytes(file)));
        }
        contents.put(path.relativize(file).toString(), facts);
      }
    }
    return contents;
  }

  private EvolutionReport dryRun(String source, String... names) throws Exception {
    Compiled classes = Compiled.of(source);
    List<Class<?>> given = new ArrayList<>();
    for (String name : names) {
      given.add(classes.loadClass(name));
    }
    Map<String, List<Object>> before = files();
    EvolutionReport report = PmStore.dryRun(path, given.toArray(Class<?>[]::new));
    assertEquals(before, files(), "nothing is touched");
    return report;
  }

  private static ClassChange change(EvolutionReport report, String name) {
    return report.classes().stream()
        .filter(change -> change.className().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(report));
  }

  @Test
  void whatTheNextVersionDoesIsShownAsATable() throws Exception {
    EvolutionReport report = dryRun(SECOND, "acme.Book");
    assertTrue(report.isCompatible());
    report.assertCompatible();
    assertEquals(
        """
        CHANGED acme.Account
              in the store           | in the class
              java.lang.String owner | java.lang.String owner
            +                        | java.util.List<acme.Point> points
        CHANGED acme.Book
              in the store                      | in the class
              java.lang.Object note             | java.lang.Object note
              acme.Side side                    | acme.Side side
              java.util.List<acme.Side> sides   | java.util.List<acme.Side> sides
            ~ java.util.List<acme.Trade> trades | java.util.List<acme.Order> trades
        CHANGED acme.Order, in the store acme.Trade
              in the store             | in the class
              acme.Account account     | acme.Account account
              acme.Point at            | acme.Point at
              int[][] grid             | int[][] grid
              java.lang.String[] names | java.lang.String[] names
            ~ int quantity             | long quantity
            - java.lang.String fax     |
        CHANGED acme.Point
              in the store | in the class
            ~ int x        | long left
              int y        | int y
        CHANGED acme.Side
              in the store | in the class
              SELL         | SELL
            ~ BUY          | PURCHASE
              HOLD         | HOLD
            +              | CROSS
        in the store, but neither given nor reachable from what was given:
          acme.Gone\
        """,
        report.toString());
  }

  @Test
  void theSameVersionIsUnchanged() throws Exception {
    EvolutionReport report = dryRun(FIRST, "acme.Book", "acme.Gone");
    assertEquals(6, report.classes().size());
    for (ClassChange change : report.classes()) {
      assertEquals(Verdict.UNCHANGED, change.verdict(), report::toString);
    }
    assertEquals(List.of(), report.unseen());
  }

  @Test
  void whatIsRefusedFailsAnAssertion() throws Exception {
    EvolutionReport report =
        dryRun(
            FIRST
                .replace("private String fax;", "")
                .replace("private String owner;", "private int owner;")
                .replace("class Gone { private int x; }", "final class Gone {}"),
            "acme.Book",
            "acme.Gone");
    assertFalse(report.isCompatible());
    assertEquals(Verdict.REFUSED, change(report, "acme.Trade").verdict());
    assertEquals(Verdict.NEEDS_MIGRATION, change(report, "acme.Account").verdict());
    assertEquals(Verdict.REFUSED, change(report, "acme.Gone").verdict());
    String message = assertThrows(AssertionError.class, report::assertCompatible).getMessage();
    for (String part :
        List.of(
            "the store does not fit these classes",
            "REFUSED acme.Trade\n  class acme.Trade does not fit what this store has of it",
            "@Removed(\"fax\")",
            "! java.lang.String owner | int owner",
            "it is final")) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void aClassThatTheStoreHasNotIsNew() throws Exception {
    EvolutionReport report =
        dryRun(IMPORTS + "@Persistent class Fresh { private int x; }", "acme.Fresh");
    assertEquals(Verdict.NEW, change(report, "acme.Fresh").verdict());
    assertEquals(
        List.of("acme.Account", "acme.Book", "acme.Gone", "acme.Point", "acme.Side", "acme.Trade"),
        report.unseen());
  }

  @Test
  void whereNoStoreIsNoneIsMade() {
    Path nowhere = directory.resolve("nowhere");
    assertThrows(StoreFormatException.class, () -> PmStore.dryRun(nowhere));
    assertFalse(Files.exists(nowhere));
  }

  @Test
  void aPoolOfLlplIsRefused() {
    PmStoreOptions llpl = PmStoreOptions.defaults().storage(Storage.LLPL).llplPoolSize(128L << 20);
    Path pool = directory.resolve("pool");
    try {
      PmStore.open(pool, llpl).close();
    } catch (PmStoreException e) {
      assumeTrue(!e.getMessage().contains("libpmem"), e.getMessage());
      throw e;
    }
    PmStoreException e = assertThrows(PmStoreException.class, () -> PmStore.dryRun(pool));
    assertTrue(String.valueOf(e.getMessage()).contains("PMDK writes to a pool"), e.getMessage());
  }

  @Test
  void constantsAreReadUnderTheirNewNames() throws Exception {
    Compiled second = Compiled.of(SECOND);
    try (PmStore store = PmStore.open(path)) {
      Object book = store.root(second.loadClass("acme.Book"));
      assertEquals("PURCHASE", String.valueOf(call(book, "getSide")));
      assertEquals("[PURCHASE, SELL, HOLD]", String.valueOf(call(book, "getSides")));
    }
  }

  @Test
  void aRenamedEnumIsFoundThroughTheArgumentsOfTypes() throws Exception {
    Compiled renamed =
        Compiled.of(
            FIRST
                .replace("enum Side", "@FormerNames(\"acme.Side\") enum Direction")
                .replace("<Side>", "<Direction>")
                .replace("Side side", "Direction side")
                .replace("Side getSide", "Direction getSide"));
    try (PmStore store = PmStore.open(path)) {
      Object book = store.root(renamed.loadClass("acme.Book"));
      assertEquals("[BUY, SELL, HOLD]", String.valueOf(call(book, "getSides")));
      assertEquals("acme.Direction", list(book, "getSides").getFirst().getClass().getName());
    }
  }

  @Test
  void aRemovedConstantThatIsReadIsNamed() throws Exception {
    Compiled shorter =
        Compiled.of(FIRST.replace("enum Side { BUY,", "@Removed(\"BUY\") enum Side {"));
    try (PmStore store = PmStore.open(path)) {
      Object book = store.root(shorter.loadClass("acme.Book"));
      List<Object> sides = list(book, "getSides");
      assertEquals("SELL", String.valueOf(sides.get(1)));
      ClassRefusedException e = assertThrows(ClassRefusedException.class, () -> sides.get(0));
      assertTrue(
          String.valueOf(e.getMessage()).contains("found constant BUY of enum acme.Side"),
          e.getMessage());
    }
  }

  @Test
  void ofTwoClassesOfOneNameTheSecondIsRefused() throws Exception {
    try (PmStore store = PmStore.open(path)) {
      store.create(Compiled.of(FIRST).loadClass("acme.Account"));
      store.create(Compiled.of(FIRST).loadClass("acme.Account"));
      Class<?> other = Compiled.of(SECOND).loadClass("acme.Account");
      ClassRefusedException e =
          assertThrows(ClassRefusedException.class, () -> store.create(other));
      assertTrue(
          String.valueOf(e.getMessage()).contains("two classes of the name acme.Account"),
          e.getMessage());
    }
  }

  @Test
  void aStoreThatIsOnlyReadTakesAChangedClassAndStaysAsItIs() throws Exception {
    Compiled second = Compiled.of(SECOND.replace("Object note;", "Object note; private int more;"));
    Map<String, List<Object>> before = files();
    try (PmStore store = PmStore.open(path, PmStoreOptions.defaults().readOnly(true))) {
      Object book = store.root(second.loadClass("acme.Book"));
      assertTrue(second.loadClass("acme.Book").isInstance(book));
      assertEquals("[PURCHASE, SELL, HOLD]", String.valueOf(call(book, "getSides")));
    }
    assertEquals(before, files());
  }
}
