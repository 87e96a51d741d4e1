package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.cli.market.Exchange;
import io.pmstore.cli.market.Market;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on stores that are in use, killed, damaged or absent, on each storage. */
class StatesTest {
  private static final int ORDERS = 60;

  @TempDir Path temp;

  private Path store(Storage storage) throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options().storage(storage))) {
      Market.fill(store, ORDERS);
    }
    return dir;
  }

  /** The commands that read, with their arguments behind the directory. */
  private static final List<List<String>> READING =
      List.of(
          List.of("info"),
          List.of("verify"),
          List.of("classes"),
          List.of("show"),
          List.of("show", "exchange.orders[7].reports[0]"),
          List.of("find", "Order", "--where", "symbol=S3"),
          List.of("why", "exchange.orders[7]"),
          List.of("export"),
          List.of("upgrade", "--dry-run"));

  private static Cli.Result run(Path dir, List<String> command, String... more) {
    Object[] args = new Object[command.size() + 1 + more.length];
    args[0] = command.getFirst();
    args[1] = dir;
    for (int i = 1; i < command.size(); i++) {
      args[i + 1] = command.get(i);
    }
    System.arraycopy(more, 0, args, command.size() + 1, more.length);
    return Cli.run(args);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "TIERED", "LLPL"})
  void everyStorageIsRead(Storage storage) throws Exception {
    Path dir = store(storage);
    Map<String, String> before = StoreFiles.digests(dir);
    for (List<String> command : READING) {
      String text = run(dir, command).expect(0);
      assertFalse(text.isBlank(), command::toString);
      if (!command.equals(List.of("export"))) {
        String json = run(dir, command, "--json").expect(0);
        assertTrue(json.startsWith("{") || json.startsWith("["), json);
      }
    }
    if (storage != Storage.LLPL) { // PMDK writes to a pool in order to open it
      assertEquals(before, StoreFiles.digests(dir));
    }
    Path backup = temp.resolve("backup");
    Cli.ok("backup", dir, backup);
    assertTrue(Cli.ok("info", backup).contains("storage FILE"));
    String orders = Cli.ok("show", dir, "exchange.orders", "--limit", ORDERS);
    assertEquals(orders, Cli.ok("show", backup, "exchange.orders", "--limit", ORDERS));
    assertTrue(Cli.ok("diff", dir, backup).contains("no differences"));
  }

  @Test
  void aKilledStoreIsReadAsTheNextOpeningRecoversIt() throws Exception {
    Path dir = store(Storage.FILE);
    Path image = temp.resolve("image");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Exchange exchange = store.root(Exchange.class);
      exchange.getOrders().get(7L).setQuantity(4711);
      StoreFiles.copy(dir, image);
    }
    Map<String, String> before = StoreFiles.digests(image);
    assertTrue(Cli.ok("info", image).contains("not closed"));
    assertTrue(Cli.ok("info", image, "--json").contains("\"closed\" : false"));
    assertTrue(Cli.ok("show", image, "exchange.orders[7].quantity").contains("4711"));
    String log = Cli.ok("log", image, "--limit", "100000");
    assertTrue(log.contains("to replay") && log.contains("Order 1"), log);
    for (List<String> command : READING) {
      run(image, command).expect(0);
    }
    assertEquals(before, StoreFiles.digests(image));
    Path backup = temp.resolve("backup");
    Cli.ok("backup", image, backup);
    assertTrue(Cli.ok("info", backup).contains("closed"));
    Cli.ok("diff", image, backup);
    Cli.ok("compact", image); // opens it for writing, and so recovers it
    assertTrue(Cli.ok("info", image).contains("state       closed"));
    assertTrue(Cli.ok("show", image, "exchange.orders[7].quantity").contains("4711"));
    Cli.ok("verify", image);
  }

  @Test
  void theLogOfATieredStoreIsItsImages() throws Exception {
    Path dir = store(Storage.TIERED);
    Path image = temp.resolve("image");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      store.root(Exchange.class).getOrders().get(7L).setQuantity(4711);
      StoreFiles.copy(dir, image);
    }
    Map<String, String> before = StoreFiles.digests(image);
    List<String> lines = Cli.ok("log", image, "--limit", "100000", "--json").lines().toList();
    assertTrue(lines.getFirst().contains("\"position\":"), lines::toString);
    assertTrue(lines.size() > 2, lines::toString);
    // The last one: what the store does in the background may come behind it.
    String change =
        lines.stream().filter(line -> line.contains("market.Order\"")).toList().getLast();
    assertTrue(change.matches(".*market\\.Order\":[12][,}].*"), change); // or a part of a second
    assertTrue(change.contains("images-") && change.contains("to load"), change);
    String position = change.replaceAll(".*\"position\":(\\d+).*", "$1");
    String shown = Cli.ok("log", image, "--from", position);
    assertTrue(shown.contains("Order ") && shown.contains("each opening loads "), shown);
    assertTrue(shown.lines().count() < lines.size(), shown);
    assertEquals(before, StoreFiles.digests(image));
  }

  @Test
  void theLogOfATieredStoreBeginsWithItsSpills() throws Exception {
    Path dir = temp.resolve("store");
    PmStoreOptions small =
        Market.options()
            .storage(Storage.TIERED)
            .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN);
    try (PmStore store = PmStore.open(dir, small)) {
      Market.fill(store, 4_000);
    }
    List<String> lines = Cli.ok("log", dir, "--limit", "100000").lines().toList();
    String first = lines.get(1);
    assertTrue(first.contains("spill-1 @0") || first.contains("base-"), first);
    Matcher orders = Pattern.compile(" Order ([\\d,]+)").matcher(first);
    assertTrue(orders.find() && Integer.parseInt(orders.group(1).replace(",", "")) > 500, first);
    assertTrue(lines.stream().anyMatch(line -> line.contains(" images-")), lines::toString);
    String page = Cli.ok("log", dir, "--limit", "1");
    assertTrue(page.contains("for more: --from "), page);
  }

  @Test
  void aPoolOfPmdkHasNoLogAndTheToolSaysSo() throws Exception {
    Cli.Result refused = Cli.run("log", store(Storage.LLPL));
    refused.expect(3);
    assertEquals(1, refused.err().lines().count(), refused.err());
    assertTrue(refused.err().contains("engine llpl keeps no record"), refused.err());
  }

  @Test
  void aStoreInUseIsRefusedInOneLine() throws Exception {
    Path dir = store(Storage.FILE);
    try (PmStore _ = PmStore.open(dir, Market.options())) {
      for (List<String> command : READING) {
        Cli.Result result = run(dir, command);
        result.expect(3);
        assertEquals(1, result.err().lines().count(), result.err());
        assertTrue(result.err().contains("open"), result.err());
      }
      String info = Cli.run("info", dir).out();
      assertTrue(info.contains("in use") && !info.contains("killed"), info);
      Cli.Result traced = Cli.run("show", dir, "--stacktrace");
      assertTrue(traced.err().contains("\tat io.pmstore."), traced.err());
      Cli.Result json = Cli.run("show", dir, "--json");
      assertTrue(
          json.err().startsWith("{\"error\":") && json.err().contains("StoreLockedException"),
          json.err());
    }
  }

  @Test
  void twoReadersReadAStore() throws Exception {
    Path dir = store(Storage.FILE);
    try (PmStore _ = PmStore.open(dir, Market.options().readOnly(true))) {
      Cli.ok("show", dir, "exchange");
      Cli.ok("log", dir);
    }
  }

  @Test
  void damageOfAPageIsFoundByVerify() throws Exception {
    Path dir = store(Storage.FILE);
    long order = address(Cli.ok("show", dir, "exchange.orders[7]"));
    StoreFiles.flip(dir.resolve("heap"), order + 16, 1);
    Cli.Result verified = Cli.run("verify", dir);
    verified.expect(1);
    assertTrue(verified.out().contains("fault"), verified.out());
    String json = Cli.run("verify", dir, "--json").expect(1);
    assertTrue(json.contains("\"sound\" : false") && json.contains("\"faults\""), json);
  }

  @Test
  void anExportOfADamagedPageIsRefused() throws Exception {
    Path dir = store(Storage.FILE);
    long order = address(Cli.ok("show", dir, "exchange.orders[7]"));
    Path file = temp.resolve("export.json");
    Cli.ok("export", dir, "-o", file);
    String whole = Files.readString(file);
    Files.delete(file);
    String symbol = "\"S7\"";
    byte[] heap = Files.readAllBytes(dir.resolve("heap"));
    int at = (int) order;
    while (heap[at] != 'S' || heap[at + 1] != '7') {
      at++;
    }
    StoreFiles.flip(dir.resolve("heap"), at, 1); // 'S' becomes a character of two bytes, or wrong
    Cli.Result refused = Cli.run("export", dir, "-o", file);
    refused.expect(3);
    assertEquals(1, refused.err().lines().count(), refused.err());
    assertTrue(refused.err().contains("1 page: ") && refused.err().contains("--damaged"));
    assertFalse(Files.exists(file));
    assertEquals("", Cli.run("export", dir).expect(3));
    Cli.Result damaged = Cli.run("export", dir, "--damaged", "-o", file);
    damaged.expect(1);
    assertTrue(damaged.err().contains("1 page with a wrong checksum"), damaged.err());
    String read = Files.readString(file);
    assertTrue(whole.contains(symbol) && !read.equals(whole), read);
    assertEquals(whole.lines().count(), read.lines().count());
  }

  @Test
  void anExportThatFailsLeavesNoFileUnlessItMayLeaveOutDamage() throws Exception {
    Path dir = store(Storage.FILE);
    long order = address(Cli.ok("show", dir, "exchange.orders[7]"));
    StoreFiles.flip(dir.resolve("heap"), order, 4); // its shape
    Path file = temp.resolve("export.json");
    for (int i = 0; i < 2; i++) {
      Cli.Result result = Cli.run("export", dir, "-o", file);
      result.expect(3);
      assertTrue(result.err().contains("restore"), result.err());
      assertFalse(Files.exists(file));
    }
    Cli.Result damaged = Cli.run("export", dir, "--damaged", "--format", "jsonl", "-o", file);
    damaged.expect(1);
    Path copy = temp.resolve("copy");
    Cli.ok("import", copy, file);
    assertTrue(Cli.ok("show", copy, "exchange.orders[8].symbol").contains("S8"));
    assertTrue(Cli.ok("show", copy, "exchange.orders[7]").contains("null"));
    Files.writeString(file, "of somebody else");
    Cli.run("export", copy, "-o", file).expect(3);
    assertEquals("of somebody else", Files.readString(file));
  }

  @Test
  void aDirectoryThatMayNotBeReadIsNoAbsentStore() throws Exception {
    Path dir = store(Storage.FILE);
    Set<PosixFilePermission> all = Files.getPosixFilePermissions(dir);
    Files.setPosixFilePermissions(dir, Set.of());
    try {
      assumeFalse(Files.isReadable(dir), "root may read everything");
      List<List<String>> commands = new ArrayList<>(READING);
      commands.add(List.of("backup", temp.resolve("to").toString()));
      for (List<String> command : commands) {
        Cli.Result result = run(dir, command);
        result.expect(3);
        assertTrue(result.err().contains("AccessDenied"), command + ": " + result.err());
        assertFalse(result.err().contains("no store"), result.err());
      }
    } finally {
      Files.setPosixFilePermissions(dir, all);
    }
  }

  @Test
  void aPathThatLeadsNowhereIsNoAbsentStore() throws Exception {
    Path loop = temp.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    List<List<String>> commands = new ArrayList<>(READING);
    commands.add(List.of("backup", temp.resolve("to").toString()));
    commands.add(List.of("log"));
    commands.add(List.of("compact"));
    commands.add(List.of("repair"));
    commands.add(List.of("remove-root", "exchange"));
    for (List<String> command : commands) {
      Cli.Result result = run(loop, command);
      result.expect(3);
      assertTrue(result.err().contains("symbolic links"), command + ": " + result.err());
    }
  }

  @Test
  void damageOfAReferenceEndsACommandInOneLine() throws Exception {
    Path dir = store(Storage.FILE);
    long order = address(Cli.ok("show", dir, "exchange.orders[7]"));
    StoreFiles.flip(dir.resolve("heap"), order, 4); // its shape
    Cli.run("verify", dir).expect(1);
    for (List<String> command :
        List.of(
            List.of("show", "exchange.orders[7]"),
            List.of("classes"),
            List.of("export"),
            List.of("find", "Order", "--count"),
            List.of("why", "exchange.orders[8]"))) {
      Cli.Result result = run(dir, command);
      if (result.code() != 0) {
        result.expect(3);
        assertEquals(1, result.err().lines().count(), result.err());
        assertTrue(result.err().contains("restore"), result.err());
      }
    }
    run(dir, List.of("show", "exchange.orders[7]")).expect(3);
    assertTrue(Cli.ok("show", dir, "exchange.orders[8].symbol").contains("S8"));
  }

  @Test
  void whatCountsObjectsTellsThatItCannotCountOne() throws Exception {
    Path dir = store(Storage.FILE);
    long order = address(Cli.ok("show", dir, "exchange.orders[7]"));
    StoreFiles.flip(dir.resolve("heap"), order, 4); // its shape
    for (List<String> command :
        List.of(List.of("info"), List.of("classes"), List.of("upgrade", "--dry-run"))) {
      Cli.Result result = run(dir, command);
      result.expect(3);
      assertEquals(1, result.err().lines().count(), result.err());
      assertTrue(result.err().contains("heap address " + order), result.err());
      assertFalse(result.out().contains("all objects"), result.out());
    }
    Cli.Result found = Cli.run("find", dir, "Order", "--count");
    assertEquals(ORDERS - 1 + "\n", found.expect(0));
    assertTrue(found.err().contains("left out"), found.err());
    assertTrue(found.err().contains(": 1 object, the first one @" + order), found.err());
    String json = Cli.run("info", dir, "--json").expect(3);
    assertTrue(json.contains("liveObjects") && json.contains("\"error\""), json);
  }

  @Test
  void aDamagedObjectIsShownAsSuchWithWhatCanBeRead() throws Exception {
    Path dir = store(Storage.FILE);
    String whole = Cli.ok("show", dir, "exchange.orders[7]");
    long order = address(whole);
    StoreFiles.flip(dir.resolve("heap"), order + 5, 51); // all but its shape and flags
    String shown = Cli.ok("show", dir, "exchange.orders[7]");
    assertFalse(shown.contains("MiB, "), shown);
    assertTrue(shown.lines().findFirst().orElseThrow().contains("damaged: its header"), shown);
    assertEquals(whole.lines().count(), shown.lines().count(), shown);
    for (String property : List.of("account", "price", "quantity", "reports", "side", "symbol")) {
      assertTrue(Pattern.compile("(?m)^  " + property + " ").matcher(shown).find(), shown);
    }
    for (String property : List.of("account", "reports", "side")) {
      assertTrue(Pattern.compile("(?m)^  " + property + " +damaged").matcher(shown).find(), shown);
    }
    String json = Cli.ok("show", dir, "exchange.orders[7]", "--json");
    assertTrue(json.contains("\"@damaged\"") && json.contains("\"quantity\""), json);
    String list = Cli.ok("show", dir, "exchange.orders", "--depth", "2", "--limit", ORDERS);
    assertTrue(list.contains("damaged") && list.contains("\"S8\""), list);
    String found = Cli.ok("find", dir, "Order", "--limit", ORDERS);
    assertTrue(found.contains("damaged") && found.contains("\"S8\""), found);
    Cli.Result part = Cli.run("show", dir, "exchange.orders[7].side");
    part.expect(3);
    assertTrue(part.err().contains("restore"), part.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"side=BUY", "account.name=customer 3", "account=@184320"})
  void findCountsTheObjectsThatItCannotRead(String condition) throws Exception {
    Path dir = store(Storage.FILE);
    List<String> find = List.of("find", "Order", "--where", condition, "--limit", "" + ORDERS);
    Cli.Result whole = run(dir, find);
    whole.expect(0);
    assertEquals("", whole.err());
    long first = Long.MAX_VALUE;
    for (int order : List.of(12, 13, 14)) {
      long address = address(Cli.ok("show", dir, "exchange.orders[" + order + "]"));
      StoreFiles.flip(dir.resolve("heap"), address + 5, 51); // all but its shape and flags
      first = Math.min(first, address);
    }
    for (String more : List.of("--count", "--json")) {
      Cli.Result found = run(dir, find, more);
      found.expect(0);
      assertEquals(1, found.err().lines().count(), found.err());
      assertTrue(found.err().contains("left out") && found.err().contains(": 3 objects"));
      assertTrue(found.err().contains("the first one @" + first + ": "), found.err());
    }
    Cli.Result all = run(dir, List.of("find", "Order", "--count"));
    assertEquals(ORDERS + "\n", all.expect(0));
    assertEquals("", all.err());
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "TIERED"})
  void aMissingFileThatHasTheHeaderIsNamed(Storage storage) throws Exception {
    Path dir = store(storage);
    String header = storage == Storage.FILE ? "heap" : "tiered";
    Files.delete(dir.resolve(header));
    for (List<String> command : READING) {
      Cli.Result result = run(dir, command);
      result.expect(3);
      assertEquals(1, result.err().lines().count(), result.err());
      assertTrue(result.err().contains(header) && result.err().contains("backup"), result.err());
      assertFalse(result.err().contains("errno"), result.err());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4096})
  void aDamagedCopyOfTheHeaderIsToldByVerifyUntilAWriterHasMendedIt(long copy) throws Exception {
    Path dir = store(Storage.FILE);
    StoreFiles.flip(dir.resolve("heap"), copy, 8);
    for (List<String> command : READING) {
      run(dir, command).expect(command.equals(List.of("verify")) ? 1 : 0);
    }
    String verified = Cli.run("verify", dir).expect(1);
    assertTrue(verified.contains("page of the heap file at " + copy + ": "), verified);
    assertTrue(verified.contains("next opening for writing"), verified);
    assertTrue(Cli.run("verify", dir, "--json").expect(1).contains("\"faultCount\" : 1"));
    Cli.ok("compact", dir); // opens it for writing
    assertTrue(Cli.ok("verify", dir).startsWith("sound"));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8192})
  void soIsOneOfATieredStore(long copy) throws Exception {
    Path dir = store(Storage.TIERED);
    StoreFiles.flip(dir.resolve("tiered"), copy + 24, 1); // in the store's id
    String verified = Cli.run("verify", dir).expect(1);
    assertTrue(verified.contains("the file tiered at " + copy + ": "), verified);
    assertTrue(verified.contains("next opening for writing"), verified);
    assertTrue(Cli.run("verify", dir, "--json").expect(1).contains("\"faultCount\" : 1"));
    Cli.ok("compact", dir); // opens it for writing
    assertTrue(Cli.ok("verify", dir).startsWith("sound"));
  }

  @Test
  void aDamagedHeaderIsRefused() throws Exception {
    Path dir = store(Storage.FILE);
    StoreFiles.flip(dir.resolve("heap"), 0, 8192);
    for (List<String> command : READING) {
      Cli.Result result = run(dir, command);
      result.expect(3);
      assertEquals(1, result.err().lines().count(), result.err());
    }
  }

  @Test
  void damageOfTheLogIsToldByInfoBesideWhatIsKnown() throws Exception {
    Path dir = store(Storage.FILE);
    Files.delete(dir.resolve("log-1"));
    Cli.Result info = Cli.run("info", dir);
    info.expect(3);
    assertTrue(info.out().contains("identity"), info.out());
    assertTrue(info.err().contains("log-1"), info.err());
  }

  @Test
  void whatIsNoStoreIsRefusedAndNothingIsMade() throws Exception {
    Path absent = temp.resolve("absent");
    for (List<String> command : READING) {
      run(absent, command).expect(3);
    }
    run(absent, List.of("compact")).expect(3);
    run(absent, List.of("remove-root", "x")).expect(3);
    run(absent, List.of("backup", temp.resolve("b").toString())).expect(3);
    run(absent, List.of("log")).expect(3);
    assertFalse(Files.exists(absent));
  }

  @Test
  void garbageIsKeptByNothing() throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options().gcInBackground(false))) {
      Market.fill(store, ORDERS);
      Exchange exchange = store.root(Exchange.class);
      store.transaction(
          () -> {
            exchange.setOrders(new java.util.HashMap<>());
            exchange.getByQuantity().clear();
            exchange.getBySymbol().clear();
            exchange.getBySide().clear();
            exchange.getAccounts().forEach(account -> account.setLast(null));
          });
    }
    String found = Cli.ok("find", dir, "Order", "--limit", "1");
    Matcher address = Pattern.compile("@(\\d+)  ").matcher(found);
    assertTrue(address.find(), found);
    assertTrue(Cli.run("why", dir, address.group(1)).expect(1).contains("garbage"));
    assertTrue(
        Cli.run("why", dir, address.group(1), "--json")
            .expect(1)
            .contains("\"reachable\" : false"));
    String compacted = Cli.ok("compact", dir, "--gc");
    assertTrue(compacted.contains("gave back"), compacted);
    assertTrue(Cli.ok("find", dir, "Order").contains("none"));
  }

  @Test
  void lostFilesAreMadeAnewWhereThatLosesNothing() throws Exception {
    Path dir = store(Storage.FILE);
    assertTrue(Cli.ok("repair", dir).contains("no file is lost, and nothing was changed"));
    Files.delete(dir.resolve("log-1"));
    Files.write(dir.resolve("sums"), new byte[8]);
    Cli.Result refused = Cli.run("verify", dir);
    refused.expect(3);
    assertTrue(refused.err().contains("pm repair"), refused.err());
    String repaired = Cli.ok("repair", dir);
    assertTrue(repaired.contains("log-1") && repaired.contains("sums.replaced-1"), repaired);
    assertTrue(Cli.ok("verify", dir).startsWith("sound"));

    Files.delete(dir.resolve("log-0"));
    String json = Cli.ok("repair", dir, "--json");
    assertTrue(json.contains("log-0\"") && json.contains("\"checksumsMade\" : 0"), json);

    Files.delete(dir.resolve("log-0"));
    Files.delete(dir.resolve("heap"));
    Map<String, String> before = StoreFiles.digests(dir);
    Cli.Result heap = Cli.run("repair", dir);
    heap.expect(3);
    assertEquals(1, heap.err().lines().count(), heap.err());
    assertTrue(heap.err().contains("no file 'heap'"), heap.err());
    assertEquals(before, StoreFiles.digests(dir));
    Cli.run("repair", temp.resolve("absent")).expect(3);
    assertFalse(Files.exists(temp.resolve("absent")));
  }

  @Test
  void aRootIsRemovedWithoutItsClass() throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, ORDERS);
      store.root("former", Exchange.class);
    }
    Cli.Result refused = Cli.run("remove-root", dir, "never");
    refused.expect(3);
    assertTrue(refused.err().contains("the roots are [exchange, former]"), refused.err());
    assertEquals(
        "removed root exchange, an object of " + Exchange.class.getName(),
        Cli.ok("remove-root", dir, "exchange").strip());
    assertTrue(Cli.ok("remove-root", dir, "former", "--json").contains("\"root\" : \"former\""));
    Cli.ok("compact", dir, "--gc");
    assertTrue(Cli.ok("info", dir).contains("none"));
    assertTrue(Cli.ok("find", dir, "Order").contains("none"));
    Cli.ok("verify", dir);
    try (PmStore store = PmStore.open(dir, Market.options())) {
      assertTrue(store.root(Exchange.class).getOrders().isEmpty());
    }
  }

  private static long address(String shown) {
    Matcher matcher = Pattern.compile(" @(\\d+)").matcher(shown);
    assertTrue(matcher.find(), shown);
    return Long.parseLong(matcher.group(1));
  }
}
