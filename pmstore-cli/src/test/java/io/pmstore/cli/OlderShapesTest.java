package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that two versions of a program have written: objects of two shapes. */
class OlderShapesTest {
  private static final int ITEMS = 10;

  @TempDir Path temp;
  private Path dir;
  private Path first;
  private Path second;

  @BeforeEach
  void fill() throws Exception {
    dir = temp.resolve("store");
    first = compile("one", "int price;", "Color color = Color.RED;", "RED, GREEN");
    second = compile("two", "long price;", "String note = \"new\";", "GREEN, RED, BLUE");
    use(
        first,
        (store, shop) -> {
          for (int i = 0; i < ITEMS; i++) {
            call(shop, "add", int.class, i);
          }
        });
    use(second, (store, shop) -> call(shop, "add", int.class, ITEMS));
  }

  private Path compile(String name, String price, String other, String colors) throws Exception {
    Path source = Files.createDirectories(temp.resolve(name + "-source/shop"));
    Path classes = Files.createDirectories(temp.resolve(name));
    String removed = name.equals("two") ? "@io.pmstore.Removed(\"color\") " : "";
    Files.writeString(
        source.resolve("Color.java"), "package shop; public enum Color { " + colors + " }");
    Files.writeString(
        source.resolve("Item.java"),
        """
        package shop;
        @io.pmstore.Persistent %spublic class Item {
          private %s
          private %s
          public long price() { return NAME; }
          public void price(int newPrice) { NAME = newPrice; }
          %s
        }
        """
            .formatted(
                removed,
                price,
                other,
                name.equals("one") ? "@Override public int hashCode() { return 7; }" : "")
            .replace("NAME", price.substring(price.indexOf(' ') + 1, price.length() - 1)));
    Files.writeString(
        source.resolve("Shop.java"),
        """
        package shop;
        @io.pmstore.Persistent(root = "shop") public class Shop {
          private java.util.List<Item> items = new java.util.ArrayList<>();
          private java.util.Map<Color, Item> byColor = new java.util.HashMap<>();
          private java.util.Set<Item> known = new java.util.HashSet<>();
          public void add(int price) {
            Item item = new Item();
            item.price(price);
            items.add(item);
            byColor.put(Color.values()[price %% Color.values().length], items.get(items.size() - 1));
            known.add(items.get(items.size() - 1));
          }
          public boolean knowsAll() {
            return known.containsAll(items) && !known.addAll(items);
          }
          public long total() {
            long total = 0;
            for (Item item : items) {
              total += item.price();
            }
            return total;
          }
          public int colors() {
            int found = 0;
            for (Color color : Color.values()) {
              found += byColor.containsKey(color) ? 1 : 0;
            }
            return found;
          }
        }
        """
            .formatted());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int code =
        compiler.run(
            null,
            null,
            null,
            "-d",
            classes.toString(),
            "-cp",
            classPath(),
            source.resolve("Color.java").toString(),
            source.resolve("Item.java").toString(),
            source.resolve("Shop.java").toString());
    assertEquals(0, code);
    return classes;
  }

  private static String classPath() throws Exception {
    return Path.of(PmStore.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }

  private interface Use {
    void use(PmStore store, Object shop) throws Exception;
  }

  private void use(Path classes, Use use) throws Exception {
    use(dir, classes, use);
  }

  private static void use(Path dir, Path classes, Use use) throws Exception {
    try (URLClassLoader loader =
            new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, OlderShapesTest.class.getClassLoader());
        PmStore store =
            PmStore.open(dir, PmStoreOptions.defaults().classes(loader.loadClass("shop.Item")))) {
      use.use(store, store.root(loader.loadClass("shop.Shop")));
    }
  }

  private static Object call(Object shop, String name) throws Exception {
    return shop.getClass().getMethod(name).invoke(shop);
  }

  private static Object call(Object shop, String name, Class<?> type, Object argument)
      throws Exception {
    return shop.getClass().getMethod(name, type).invoke(shop, argument);
  }

  @Test
  void olderObjectsAreShownAsTheyAre() throws Exception {
    String classes = Cli.ok("classes", dir);
    assertTrue(classes.contains("current 1, 1 version old 10"), classes);
    String old = Cli.ok("show", dir, "shop.items[3]");
    assertTrue(old.contains("of an older shape"), old);
    assertTrue(old.contains("color  RED") && old.contains("price  3"), old);
    String current = Cli.ok("show", dir, "shop.items[" + ITEMS + "]");
    assertTrue(current.contains("note   \"new\"") && !current.contains("older"), current);
    assertEquals("10\n", Cli.ok("find", dir, "Item", "--count", "--where", "color=RED"));
    assertEquals("1\n", Cli.ok("find", dir, "Item", "--count", "--where", "note=new"));
  }

  @Test
  void everyCommandReadsOlderShapes() throws Exception {
    String item = "shop.items[3]";
    assertTrue(Cli.ok("info", dir).contains("closed"));
    assertTrue(Cli.ok("verify", dir).startsWith("sound"));
    assertTrue(Cli.ok("why", dir, item).contains(item));
    assertTrue(Cli.ok("export", dir).contains("@id"));
    assertTrue(Cli.ok("log", dir).contains("Item"));
    Path backup = temp.resolve("backup-of-older-shapes");
    Cli.ok("backup", dir, backup);
    assertTrue(Cli.ok("diff", dir, backup).contains("no differences"));
    assertEquals(Cli.ok("show", dir, item), Cli.ok("show", backup, item));
  }

  @Test
  void theDryRunCountsAndReports() throws Exception {
    String counted = Cli.ok("upgrade", dir, "--dry-run");
    assertTrue(counted.lines().anyMatch(line -> line.matches("shop\\.Item +11 +10 .*")), counted);
    String report = Cli.ok("upgrade", dir, "--dry-run", "--class-path", second);
    assertTrue(report.contains("UNCHANGED shop.Item"), report);
    Path third = compile("three", "long amount;", "int x;", "RED, GREEN");
    String refused = Cli.run("upgrade", dir, "--dry-run", "-cp", third).expect(1);
    assertTrue(refused.contains("REFUSED shop.Item"), refused);
    assertTrue(
        Cli.run("upgrade", dir, "--dry-run", "-cp", third, "--json")
            .expect(1)
            .contains("\"compatible\" : false"));
    Cli.run("upgrade", dir).expect(2);
    Cli.run("upgrade", dir, "--dry-run", "-cp", temp.resolve("absent")).expect(3);
  }

  @Test
  void anUpgradeRewritesOldObjects() {
    assertEquals("upgraded 10 objects\n", Cli.ok("upgrade", dir, "-cp", second));
    String all = Cli.ok("upgrade", dir, "--dry-run");
    assertTrue(all.startsWith("all objects have the newest shape"), all);
  }

  @Test
  void anImportKeepsShapes() throws Exception {
    Path file = temp.resolve("export.jsonl");
    for (String format : List.of("json", "jsonl")) {
      Cli.ok("export", dir, "--format", format, "-o", file);
      Path copy = temp.resolve("copy-" + format);
      Cli.ok("import", copy, file);
      assertTrue(Cli.ok("classes", copy).contains("current 1, 1 version old 10"));
      use(
          copy,
          second,
          (store, shop) -> {
            assertEquals(55L, call(shop, "total"));
            assertEquals(2, call(shop, "colors"));
            assertEquals(true, call(shop, "knowsAll"), "keys that had a hashCode");
          });
      Files.delete(file);
    }
  }
}
