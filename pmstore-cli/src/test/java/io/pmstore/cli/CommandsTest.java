package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.cli.command.PmCommand;
import io.pmstore.cli.market.Exchange;
import io.pmstore.cli.market.Market;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Screen;
import io.pmstore.core.heap.HeapWalk;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.store.HeapAccess;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each command says of a healthy store. */
class CommandsTest {
  /** Ten million for {@link #collectionsAndSearchesArePaged}, say. */
  private static final int LARGE = Integer.getInteger("pmstore.cli.large", 50_000);

  @TempDir static Path temp;
  private static Path dir;

  @BeforeAll
  static void fill() throws Exception {
    dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 100);
    }
  }

  private static void assertHas(String text, String... lines) {
    for (String line : lines) {
      assertTrue(
          Pattern.compile(line, Pattern.MULTILINE).matcher(text).find(), line + " in\n" + text);
    }
  }

  @Test
  void infoIsOneScreen() {
    String text = Cli.ok("info", dir);
    assertTrue(text.lines().count() <= 24, text);
    assertHas(
        text,
        "^identity +[0-9a-f-]{36}$",
        "^state +closed$",
        "^format +version 1, engine mapped, storage FILE$",
        "^epoch +2 ",
        "^heap +\\d+\\.\\d+ [KM]iB$",
        "^  live .* objects of 11 classes",
        "^  exchange +io\\.pmstore\\.cli\\.market\\.Exchange @\\d+$");
    assertHas(Cli.ok("info", dir, "--json"), "\"closed\" : true", "\"epoch\" : 2");
  }

  @Test
  void infoFollowsLinks() throws Exception {
    Path parts = Files.createDirectory(temp.resolve("parts"));
    for (String name : List.of("heap", "lock", "log-0", "log-1", "log-2", "log-3", "sums")) {
      Files.createSymbolicLink(parts.resolve(name), dir.resolve(name));
    }
    Path whole = Files.createSymbolicLink(temp.resolve("whole"), dir);
    String files =
        Cli.ok("info", dir)
            .lines()
            .filter(line -> line.startsWith("files"))
            .findAny()
            .orElseThrow();
    assertTrue(files.contains("heap "), files);
    for (Path link : List.of(parts, whole)) {
      String text = Cli.ok("info", link);
      assertTrue(text.contains(files), text);
      assertFalse(text.contains("1970-01-01"), text);
    }
  }

  @Test
  void verifySaysThatAStoreIsSound() {
    assertHas(Cli.ok("verify", dir), "^sound$", "io\\.pmstore\\.cli\\.market\\.Order +100 objects");
    assertHas(Cli.ok("verify", dir, "--json"), "\"sound\" : true", "\"faultCount\" : 0");
  }

  @Test
  void classesCountsObjects() {
    String text = Cli.ok("classes", dir);
    assertHas(
        text,
        "^class +objects +bytes +mean +share",
        "^io\\.pmstore\\.cli\\.market\\.Order +100 +[\\d,]+ +\\d+ ",
        "^java\\.lang\\.String\\[\\] +3 ",
        "^\\(collections and pmstore's own\\)");
    assertFalse(text.contains("pmstore.map.entry"));
    assertHas(Cli.ok("classes", dir, "--all"), "^pmstore\\.map\\.entry +\\d+ ");
  }

  @Test
  void showFollowsPaths() {
    assertHas(Cli.ok("show", dir), "^exchange  Exchange @\\d+$");
    assertHas(
        Cli.ok("show", dir, "exchange.orders[17]"),
        "^exchange.orders\\[17\\]  io\\.pmstore\\.cli\\.market\\.Order @\\d+, \\d+ B$",
        "^  account   Account @\\d+$",
        "^  price     17\\.50$",
        "^  reports   list of 2 @\\d+$",
        "^  side      SELL$",
        "^  symbol    \"S17\"$");
    assertEquals(
        "exchange.orders[17].reports[1].price.amount  BigDecimal  1.25\n",
        Cli.ok("show", dir, "exchange.orders[17].reports[1].price.amount"));
    assertHas(Cli.ok("show", dir, "exchange.bySide[SELL].side"), "SELL$");
    assertHas(Cli.ok("show", dir, "exchange.bySymbol[S3].symbol"), "\"S3\"$");
    assertHas(Cli.ok("show", dir, "exchange.tags[\"tag 7\"]"), "\"tag 7\"$");
    assertHas(Cli.ok("show", dir, "exchange.queue[0]"), "\"q0\"$");
    assertHas(Cli.ok("show", dir, "exchange.queue", "--offset", 50), "^  none: there are 40$");
    assertHas(Cli.ok("show", dir, "exchange.board[2].name"), "\"customer 9\"$");
    assertHas(Cli.ok("show", dir, "exchange.best.value.name"), "\"customer 0\"$");
    assertHas(Cli.ok("show", dir, "exchange.byNameReversed[#0].name"), "\"customer 9\"$");
    assertHas(Cli.ok("show", dir, "exchange.kinds.named[v14]"), "\"naïve, and longer than");
  }

  @Test
  void calendarsZonesAndAddressesAreShownAsTheyAreSought() throws Exception {
    List<String> texts =
        List.of(
            "scoped/fe80:0:0:0:0:0:0:1%7",
            "80 unresolved example.invalid",
            "443 resolved /192.0.2.1",
            "DIRECT",
            "SOCKS 1080 unresolved proxy.invalid",
            "America/Sao_Paulo",
            "rules 3600000,1800000,0,2,-1,1,0,0,9,-1,1,0,0 a zone",
            "2026-03-01T09:30:00Z gregory lenient 2 4 -12219292800000 Europe/Berlin",
            "2026-03-01T09:30:00Z buddhist strict 2 4 -12219292800000 Europe/Berlin",
            "2026-03-01T09:30:00Z japanese strict 2 4 - Europe/Berlin");
    int first = Market.everyKind().size() - texts.size();
    for (int i = 0; i < texts.size(); i++) {
      String path = "named[v" + (first + i) + "]";
      assertHas(Cli.ok("show", dir, "exchange.kinds." + path), Pattern.quote(texts.get(i)) + "$");
      assertHas(Cli.ok("find", dir, "Kinds", "--where", path + "=" + texts.get(i)), "^@\\d+");
    }
  }

  @Test
  void anObjectOfEachShapeIsShownByItsAddressAlsoPmstoresOwn() {
    Map<Integer, Long> firsts = new TreeMap<>();
    try (HeapAccess access = HeapAccess.open(dir, PmStoreOptions.defaults().readOnly(true))) {
      HeapWalk walk =
          new HeapWalk(
              access.heap(),
              0,
              (home, header) -> firsts.putIfAbsent(ObjectLayout.shapeId(header), home));
      while (walk.step()) {}
    }
    assertTrue(firsts.size() > 15, firsts::toString);
    for (long address : firsts.values()) {
      for (List<String> more : List.of(List.<String>of(), List.of("--json"))) {
        String shown =
            Cli.ok(Stream.concat(Stream.of("show", dir, "@" + address), more.stream()).toArray());
        assertTrue(shown.contains("" + address) && !shown.contains("damaged"), shown);
      }
    }
  }

  @Test
  void noNodeOfALargeCollectionIsShownAsDamaged() throws Exception {
    Path large = temp.resolve("nodes");
    try (PmStore store = PmStore.open(large, Market.options())) {
      Market.fill(store, 1000);
      Market.fillLarge(store, 1000);
    }
    Map<String, Long> innerNodes = new TreeMap<>();
    try (OpenedStore store = OpenedStore.open(large)) {
      HeapWalk walk =
          new HeapWalk(
              store.heap(),
              0,
              (home, header) -> {
                if (ObjectLayout.shapeId(header) != ObjectLayout.SHAPE_CORE
                    && store.generic().at(home) instanceof GenericObject object) {
                  Map<String, Object> values = object.valuesOrDamage();
                  values.forEach(
                      (name, value) ->
                          assertFalse(
                              value instanceof GenericDamage,
                              () -> object + "." + name + ": " + value));
                  boolean isInner = object.className().endsWith(".node");
                  if (isInner && values.toString().contains(object.className())) {
                    innerNodes.put(object.className(), home);
                  }
                }
              });
      while (walk.step()) {}
    }
    assertTrue(innerNodes.containsKey("pmstore.map.node"), innerNodes::toString);
    assertTrue(innerNodes.containsKey("pmstore.list.node"), innerNodes::toString);
    innerNodes.forEach(
        (name, address) -> {
          String shown = Cli.ok("show", large, "@" + address);
          assertHas(shown, "^@" + address + "  " + name + " @", "^  at\\d+ +node @\\d+$");
          assertFalse(shown.contains("damaged"), shown);
          assertHas(Cli.ok("show", large, "@" + address, "--json"), "\"" + name + "\"");
        });
  }

  @Test
  void showGoesDeeperWhenAsked() {
    String text = Cli.ok("show", dir, "exchange.orders[17]", "--depth", 3);
    assertHas(text, "^ +name  \"customer 7\"$", "^ +\\[1\\]  Report @", "^ +time   2026-03-01T");
    assertHas(
        Cli.ok("show", dir, "exchange.orders[17]", "--json", "--depth", 2),
        "\"@class\" : \"io\\.pmstore\\.cli\\.market\\.Order\"",
        "\"price\" : \"17\\.50\"",
        "\"name\" : \"customer 7\"");
  }

  @Test
  void aPathThatLeadsNowhereSaysWhatIsThere() {
    for (List<String> wrong :
        List.of(
            List.of("exchange.orderz", "which has no .orderz; its properties are [accounts, "),
            List.of("exchange.orders[1000]", "no key [1000]; it has 100 keys"),
            List.of("exchange.queue[40]", "has 40 elements"),
            List.of("exchange.name.x", "a value without parts"),
            List.of("exchange.kinds.nothing.x", "is null"),
            List.of("nowhere", "no root \"nowhere\"; its roots are [exchange]"),
            List.of("@16", "heap address 16"),
            List.of("@7", "heap address 7"))) {
      Cli.Result result = Cli.run("show", dir, wrong.getFirst());
      result.expect(3);
      assertEquals(1, result.err().lines().count(), result.err());
      assertTrue(result.err().contains(wrong.getLast()), result.err());
    }
  }

  @Test
  void findFiltersObjects() {
    assertEquals(4, Cli.ok("find", dir, "Order", "--where", "symbol=S7").lines().count());
    assertEquals("100\n", Cli.ok("find", dir, "io.pmstore.cli.market.Order", "--count"));
    assertEquals(
        "10\n", Cli.ok("find", dir, "Order", "--count", "--where", "account.name=customer 3"));
    assertEquals(
        "1\n",
        Cli.ok("find", dir, "Order", "--count", "--where", "side=BUY", "--where", "quantity=5"));
    assertEquals("none\n", Cli.ok("find", dir, "Order", "--where", "price=1"));
    Cli.Result unknown = Cli.run("find", dir, "Nothing");
    unknown.expect(3);
    assertTrue(unknown.err().contains("its classes are"), unknown.err());
    assertTrue(
        Cli.run("find", dir, "Order", "--where", "colour=red")
            .err()
            .contains("no property colour"));
  }

  @Test
  void whyShowsTheShortestPathAndWhatItKeeps() {
    assertHas(
        Cli.ok("why", dir, "exchange.orders"),
        "^exchange +Exchange @",
        "^exchange\\.orders +map of 100 @",
        "^it alone keeps \\d+ objects");
    String report = Cli.ok("why", dir, "exchange.orders[32].reports[1]");
    assertHas(
        report,
        "^exchange\\.orders\\[32\\]\\.reports +list of 2",
        "^exchange\\.orders\\[32\\]\\.reports\\[1\\] +Report @",
        "^it alone keeps 2 objects"); // and its price
    Matcher address = Pattern.compile("Report @(\\d+)").matcher(report);
    assertTrue(address.find());
    assertEquals(report, Cli.ok("why", dir, address.group(1)));
    assertHas(
        Cli.ok("why", dir, address.group(1), "--json"),
        "\"reachable\" : true",
        "\"retainedObjects\" : 2");
    assertTrue(Cli.run("why", dir, "exchange.name").err().contains("is a value"));
  }

  /** Each line of a path has the path from the root, so that all of them would be quadratic. */
  @Test
  void whyNamesTheEndsOfAPathOfThousandsOfObjects() throws Exception {
    Path deep = temp.resolve("deep");
    try (PmStore store = PmStore.open(deep, Market.options())) {
      List<Object> nested = new ArrayList<>(List.of("the innermost"));
      for (int i = 1; i < 3000; i++) {
        nested = new ArrayList<>(List.of(nested));
      }
      store.root(Exchange.class).getKinds().setAny(nested);
    }
    String innermost = Cli.ok("show", deep, "exchange.kinds.any" + "[0]".repeat(2999) + "[0]");
    assertHas(innermost, "\"the innermost\"");
    String target = "exchange.kinds.any" + "[0]".repeat(2999);
    String report = Cli.ok("why", deep, target);
    assertEquals(1002, report.lines().count());
    assertHas(
        report,
        "^exchange\\.kinds\\.any(\\[0\\]){497} +list of 1 @",
        "^\\.\\.\\. 2,002 objects between$",
        "^@\\d+ +list of 1 @",
        "^@\\d+(\\[0\\]){499} +list of 1 @");
    Matcher end = Pattern.compile("^(@\\d+(\\[0\\]){499}) ", Pattern.MULTILINE).matcher(report);
    assertTrue(end.find());
    assertHas(Cli.ok("show", deep, end.group(1) + "[0]"), "\"the innermost\"");
    assertHas(Cli.ok("why", deep, target, "--json"), "\"omitted\" : 2002");
  }

  @Test
  void logShowsCommits() {
    String text = Cli.ok("log", dir, "--limit", 1000);
    assertHas(
        text, "^position +epoch", "applied .*Order \\d+", "the store was closed, so none has to");
    String page = Cli.ok("log", dir, "--limit", 3, "--from", 5);
    assertEquals(6, page.lines().count(), page);
    assertHas(page, "^ +5 ", "^for more: --from 8$");
    assertEquals(3 + 1, Cli.ok("log", dir, "--limit", 3, "--json").lines().count());
  }

  /** A commit may have more records than a page. */
  @Test
  void logIsPagedInsideACommitToo() {
    List<String> all = Cli.ok("log", dir, "--limit", 1000, "--json").lines().toList();
    assertTrue(all.stream().anyMatch(record -> record.contains("\"part\":1,")), all::toString);
    List<String> paged = new ArrayList<>();
    for (String from = "0"; from != null; ) {
      List<String> page =
          Cli.ok("log", dir, "--limit", 1, "--from", from, "--json").lines().toList();
      paged.add(page.getFirst());
      assertTrue(paged.size() <= all.size(), "--from " + from + " again and again");
      Matcher next = Pattern.compile("^\\{\"@next\":\"([0-9.]+)\"\\}$").matcher(page.getLast());
      from = next.find() ? next.group(1) : null;
    }
    assertEquals(all, paged);
    String twoParts = Cli.ok("log", dir, "--limit", 1, "--from", "2.1");
    assertHas(twoParts, "^ +2\\.1 ", "^for more: --from ");
  }

  @Test
  void diffTellsWhatHasChanged() throws Exception {
    Path before = temp.resolve("before");
    Path after = temp.resolve("after");
    Path live = temp.resolve("live");
    try (PmStore store = PmStore.open(live, Market.options())) {
      Market.fill(store, 30);
      store.backup(before);
      Exchange exchange = store.root(Exchange.class);
      exchange.getOrders().get(7L).setQuantity(4711);
      exchange.getTags().add("new tag");
      store.transaction(
          () ->
              exchange
                  .getOrders()
                  .put(
                      99L,
                      new io.pmstore.cli.market.Order(
                          "NEW", 1, "1", io.pmstore.cli.market.Side.BUY, null)));
      store.backup(after);
    }
    String text = Cli.run("diff", before, after).expect(1);
    assertHas(
        text,
        "^io\\.pmstore\\.cli\\.market\\.Order +29 +1 +1 +0$",
        "^changed @\\d+ +Order @\\d+ +quantity: 8 -> 4711$",
        "^added @\\d+ +Order @\\d+$",
        "40 -> 41 elements: 1 added, first \"new tag\", 0 changed, 0 removed$",
        "30 -> 31 elements: 1 added, first 99 = Order");
    assertHas(Cli.run("diff", before, after, "--json").expect(1), "\"same\" : false");
    Cli.ok("diff", after, after);
    Path other = temp.resolve("other");
    try (PmStore store = PmStore.open(other)) {
      Object _ = store.root("account", io.pmstore.cli.market.Account.class);
    }
    Cli.Result refused = Cli.run("diff", before, other);
    refused.expect(3);
    assertTrue(refused.err().contains("not copies of one store"), refused.err());
  }

  @Test
  void outputThatCannotBeWrittenIsAnError() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("no space left");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    StringWriter err = new StringWriter();
    Screen screen = new Screen(new PrintWriter(full), new PrintWriter(err), false, 100);
    assertEquals(3, PmCommand.run(screen, "export", dir.toString()));
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(err.toString().contains("could not be written"), err.toString());
  }

  @Test
  void theCommandLineIsExplained() {
    String help = Cli.ok("--help");
    for (String command :
        List.of(
            "info",
            "verify",
            "classes",
            "show",
            "find",
            "why",
            "diff",
            "export",
            "import",
            "backup",
            "compact",
            "repair",
            "remove-root",
            "upgrade",
            "log",
            "shell")) {
      assertHas(help, "^  " + command);
      assertTrue(Cli.ok(command, "--help").contains("DIR"), command);
    }
    Cli.Result unknown = Cli.run("frobnicate", dir);
    unknown.expect(2);
    assertEquals(1, unknown.err().lines().count(), unknown.err());
    assertTrue(Cli.run("show").err().contains("Missing required parameter"));
  }

  @Test
  void aWrongCommandLineExitsWithTwoAndTouchesNoStore() {
    Path absent = temp.resolve("never made");
    for (List<Object> wrong :
        List.<List<Object>>of(
            List.of("show", absent, "exchange", "--depth", -1),
            List.of("show", absent, "exchange", "--depth", 0),
            List.of("show", absent, "exchange", "--limit", 0),
            List.of("show", absent, "exchange", "--offset", -1),
            List.of("show", absent, "exchange", "--limit", "many"),
            List.of("find", absent, "Order", "--where", "x"),
            List.of("find", absent, "Order", "--where", "=x"),
            List.of("find", absent, "Order", "--where", "a..b=1"),
            List.of("find", absent, "Order", "--where", "@7.price=1"),
            List.of("find", absent, "Order", "--limit", 0),
            List.of("find", absent, "Order", "--from", -8),
            List.of("log", absent, "--limit", 0),
            List.of("log", absent, "--from", -1),
            List.of("log", absent, "--from", "2."),
            List.of("diff", absent, absent, "--limit", -1),
            List.of("upgrade", absent),
            List.of("upgrade", absent, "--dry-run", "--class", "shop.Item"),
            List.of("show", absent, "exchange.orders[x"),
            List.of("show", absent, ""),
            List.of("show", absent, "@x"),
            List.of("why", absent, "exchange..x"))) {
      Cli.Result result = Cli.run(wrong.toArray());
      assertEquals(2, result.code(), wrong + ": " + result);
      assertEquals("", result.out());
      assertEquals(1, result.err().lines().count(), result.err());
      String help = "; try pm " + wrong.getFirst() + " --help";
      assertTrue(result.err().strip().endsWith(help), result.err());
    }
    assertHas(
        Cli.run("show", dir, "exchange", "--limit", -3).err(), "--limit is -3; .* at least 1");
    Cli.ok("diff", dir, dir, "--limit", 0);
  }

  @Test
  void findRefusesWhatNoObjectCanHave() {
    for (List<String> wrong :
        List.of(
            List.of("quantity=abc", "abc is no int"),
            List.of("quantity=null", "null is no int"),
            List.of("quantity=99999999999", "99999999999 is no int"),
            List.of("price=cheap", "cheap is no BigDecimal"),
            List.of("side=HOLD", "HOLD is no Side, .*BUY.*SELL"),
            List.of("account=Ann", "Ann is no object; .*account=@"),
            List.of("account.colour=red", "no \\.colour; its properties are .*name"),
            List.of("\"colour\"=red", "no property colour; its properties are \\[account, "),
            List.of("colour.x=red", "no property colour; its properties are \\[account, "))) {
      Cli.Result result = Cli.run("find", dir, "Order", "--where", wrong.getFirst());
      assertEquals(3, result.code(), wrong + ": " + result);
      assertEquals(1, result.err().lines().count(), result.err());
      assertHas(result.err(), wrong.getLast());
    }
    for (String none :
        List.of("quantity=-1", "account=null", "price=1e9", "symbol=null", "account.name=nobody")) {
      assertEquals("none\n", Cli.ok("find", dir, "Order", "--where", none), none);
    }
    assertEquals("1\n", Cli.ok("find", dir, "Order", "--count", "--where", "quantity=018"));
    assertEquals("1\n", Cli.ok("find", dir, "Order", "--count", "--where", "price=17.5"));
  }

  @Test
  void findRefusesWhatIsNoRecordOrArray() {
    for (List<String> wrong :
        List.of(
            List.of("Report", "price=5", "5 is no Money, .*price\\.\\w+="),
            List.of("Report", "order.reports[0].price=5", "5 is no Money"),
            List.of("Exchange", "lines=5", "5 is no String\\[\\], .*lines\\[0\\]="),
            List.of("Exchange", "board=x", "x is no Account\\[\\]"))) {
      Cli.Result result = Cli.run("find", dir, wrong.getFirst(), "--where", wrong.get(1));
      assertEquals(3, result.code(), wrong + ": " + result);
      assertHas(result.err(), wrong.getLast());
    }
    String shown = Cli.ok("find", dir, "Report", "--limit", 1);
    Matcher price = Pattern.compile("price=(Money\\[.*\\])  ").matcher(shown);
    assertTrue(price.find(), shown);
    assertHas(Cli.ok("find", dir, "Report", "--where", "price=" + price.group(1)), "^@\\d+");
    assertEquals("none\n", Cli.ok("find", dir, "Report", "--where", "price=null"));
  }

  @Test
  void collectionsAndSearchesArePaged() throws Exception {
    Path large = temp.resolve("large");
    try (PmStore store = PmStore.open(large, Market.options())) {
      Market.fillLarge(store, LARGE);
    }
    String last =
        Cli.ok("show", large, "exchange.kinds.values", "--offset", LARGE - 5, "--limit", 10);
    assertEquals(7, last.lines().count(), last);
    assertHas(last, "\\[" + (LARGE - 1) + "\\] +Account @");
    assertHas(
        Cli.ok("show", large, "exchange.kinds.values[" + (LARGE - 2) + "].name"),
        "\"account " + (LARGE - 2) + "\"");
    Set<String> seen = new HashSet<>();
    String from = "0";
    int pages = 0;
    for (Matcher next = null; next == null || next.find(); pages++) {
      from = next == null ? from : next.group(1);
      String page = Cli.ok("find", large, "Account", "--limit", LARGE / 10, "--from", from);
      Matcher account = Pattern.compile("^@(\\d+)", Pattern.MULTILINE).matcher(page);
      while (account.find()) {
        assertTrue(seen.add(account.group(1)), "shown twice: " + account.group());
      }
      next = Pattern.compile("--from (\\d+)").matcher(page);
    }
    assertEquals(LARGE, seen.size());
    assertTrue(pages >= 10);
    String why = Cli.ok("why", large, "exchange.kinds.values[" + LARGE / 2 + "]");
    assertHas(why, "^exchange\\.kinds\\.values\\[" + LARGE / 2 + "\\] +Account @");
    assertHas(Cli.ok("classes", large), "Account +" + "%,d".formatted(LARGE) + " ");
    assertHas(Cli.ok("log", large, "--limit", 3), "^3 records shown", "^for more: --from ");
  }
}
