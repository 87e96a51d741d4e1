package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.cli.market.Account;
import io.pmstore.cli.market.Grade;
import io.pmstore.cli.market.Part;
import io.pmstore.cli.market.SpecialPart;
import io.pmstore.cli.market.Tag;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An import refuses what the declared types of the exported classes do not allow. */
class ImportedTypesTest {
  @TempDir static Path temp;
  private static Path dir;
  private static String export;

  @BeforeAll
  static void fill() throws Exception {
    dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir)) {
      store.transaction(
          () -> {
            Part part = store.root("part", Part.class);
            part.setNext(new SpecialPart());
            part.getNext().setName("next");
            part.setAccount(new Account("Ann"));
            part.setNames(new SpecialPart(), new Tag("t"), Grade.BAD);
            part.setParts(new Part[] {part, part.getNext(), null});
          });
    }
    export = Cli.ok("export", dir, "--format", "jsonl");
  }

  @Test
  void whatTheDeclaredTypesAllowIsImported() throws Exception {
    Path copy = temp.resolve("copy");
    Cli.ok("import", copy, Files.writeString(temp.resolve("whole.jsonl"), export));
    assertEquals(export, Cli.ok("export", copy, "--format", "jsonl"));
    try (PmStore store = PmStore.open(copy)) {
      Part part = store.root("part", Part.class);
      assertInstanceOf(SpecialPart.class, part.getNext());
      assertInstanceOf(SpecialPart.class, part.getNamed());
      assertEquals(new Tag("t"), part.getOther());
      assertEquals(Grade.BAD, part.getThird());
      assertEquals(3, part.getParts().length);
      assertEquals("Ann", part.getAccount().getName());
    }
  }

  /** Edits the one line of the object that has a text; in the new text {@code ^} is the old one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what has a type of its own
        "name   | \"part\"            | {\"@long\":5}            | a value of class java.lang.Long"
            + " | java.lang.String",
        "name   | \"part\"            | true                     | a value of class"
            + " java.lang.Boolean | java.lang.String",
        "name   | \"part\"            | 5                        | the number 5       |"
            + " java.lang.String",
        "name   | \"part\"            | {\"@ref\":1}             | an object of class"
            + " io.pmstore.cli.market.Part | java.lang.String",
        "name   | \"part\"            | {\"@int[]\":[1]}         | a value of class int[] |"
            + " java.lang.String",
        "data   | {\"@int[]\":[1,2]}  | {\"@long[]\":[1,2]}      | a value of class long[] | int[]",
        "data   | {\"@int[]\":[1,2]}  | {\"@int[]\":[1,true]}    | \"true\" is no     | Integer",
        "data   | {\"@int[]\":[1,2]}  | [1,2]                    | START_ARRAY        | a value",
        "ratio  | 0.5                 | 1e999                    | 1e999              |"
            + " java.lang.Double",
        "ratio  | 0.5                 | -1e999                   | 1e999              |"
            + " java.lang.Double",
        "share  | 0.25                | 1e39                     | 1e39               |"
            + " java.lang.Float",
        "count  | 7                   | true                     | a value of class"
            + " java.lang.Boolean | long",
        "count  | 7                   | {\"@int\":5}             | a value of class"
            + " java.lang.Integer | long",
        "count  | 7                   | null                     | null               | long",
        "count  | 7                   | {\"@ref\":1}             | an object of class | long",
        "count  | 7                   | 7.5                      | \"7.5\" is no      |"
            + " java.lang.Long",
        "flag   | true                | 1                        | \"1\" is no        |"
            + " java.lang.Boolean",
        "letter | \"x\"               | 5                        | the number 5       | char",
        "boxed  | 8                   | false                    | a value of class"
            + " java.lang.Boolean | java.lang.Long",
        "at     | \"1970-01-01T00:00:00Z\" | {\"@duration\":\"PT1S\"} | a value of class"
            + " java.time.Duration | java.time.Instant",
        "number | 6                   | {\"@uuid\":\"00000000-0000-0001-0000-000000000003\"} |"
            + " java.util.UUID | java.lang.Number",
        // enums and records
        "side   | \"BUY\"             | true                     | a value of class"
            + " java.lang.Boolean | io.pmstore.cli.market.Side",
        "side   | \"BUY\"             |"
            + " {\"@enum\":\"io.pmstore.cli.market.Grade\",\"name\":\"BAD\"} |"
            + " io.pmstore.cli.market.Grade | io.pmstore.cli.market.Side",
        "side   | \"BUY\"             | {\"@ref\":1}             | an object of class |"
            + " io.pmstore.cli.market.Side",
        "price  | ~                   | {\"@record\":\"io.pmstore.cli.market.Tag\",\"text\":\"t\"}"
            + " | io.pmstore.cli.market.Tag | io.pmstore.cli.market.Money",
        "price  | ~                   |"
            + " {\"@record\":\"io.pmstore.cli.market.Money\",\"currency\":\"EUR\"} | no amount |"
            + " null",
        "price  | ~                   |"
            + " {\"@record\":\"io.pmstore.cli.market.Money\",\"currency\":\"EUR\",\"currency\":\"USD\",\"amount\":null}"
            + " | currency | twice",
        "price  | ~                   |"
            + " {\"@record\":\"io.pmstore.cli.market.Money\",\"currency\":{\"@long\":1},\"amount\":null}"
            + " | java.lang.Long | java.lang.String",
        "price  | ~                   | {\"@ref\":1}             | an object of class |"
            + " io.pmstore.cli.market.Money",
        "price  | ~                   | \"EUR\"                  | java.lang.String   |"
            + " io.pmstore.cli.market.Money",
        "third  | ~                   | \"text\"                 | java.lang.String   |"
            + " io.pmstore.cli.market.Named",
        "optional | ~                 | \"text\"                 | java.lang.String   |"
            + " java.util.Optional",
        // references
        "next   | ~                   | {\"@ref\":ACCOUNT}       | an object of class"
            + " io.pmstore.cli.market.Account | io.pmstore.cli.market.Part",
        "next   | ~                   | {\"@ref\":LIST}          | a list             |"
            + " io.pmstore.cli.market.Part",
        "next   | ~                   | \"text\"                 | java.lang.String   |"
            + " io.pmstore.cli.market.Part",
        "account| ~                   | {\"@ref\":1}             | an object of class"
            + " io.pmstore.cli.market.Part | io.pmstore.cli.market.Account",
        "map    | ~                   | {\"@ref\":LIST}          | a list             |"
            + " java.util.Map",
        "list   | ~                   | {\"@ref\":MAP}           | a map              |"
            + " java.util.List",
        "collection | ~               | {\"@ref\":MAP}           | a map              |"
            + " java.util.Collection",
        // arrays
        "lines  | ~                   | {\"@array\":\"[Ljava.lang.String;\",\"elements\":[5]} |"
            + " java.lang.Integer | java.lang.String",
        "lines  | ~                   | {\"@array\":\"[Ljava.lang.Object;\",\"elements\":[]} |"
            + " java.lang.Object[] | java.lang.String[]",
        "parts  | ~                   |"
            + " {\"@array\":\"[Lio.pmstore.cli.market.Part;\",\"elements\":[{\"@ref\":ACCOUNT}]} |"
            + " Account | io.pmstore.cli.market.Part",
        "objects| ~                   | {\"@ref\":LIST}          | a list             |"
            + " java.lang.Object[]",
        // what is given twice, or not at all
        "name   | \"part\"            | \"part\",\"name\":\"b\"  | name               | twice",
        "count  | \"count\":7,        | `` | no count | ",
      })
  void aValueOfAnotherTypeIsRefused(
      String property, String old, String edited, String found, String expected) throws Exception {
    String line = line("\"@id\":1,");
    String before = edited.isEmpty() ? old : "\"" + property + "\":" + value(line, property);
    if (!edited.isEmpty() && !old.equals("~")) {
      assertEquals("\"" + property + "\":" + old, before);
    }
    assertTrue(line.contains(before), line);
    String after = edited.isEmpty() ? "" : "\"" + property + "\":" + numbered(edited);
    refuse(export.replace(line, line.replace(before, after)), lineNumber(line), found, expected);
  }

  @Test
  void anIdThatIsGivenTwiceIsRefused() throws Exception {
    String line = line("\"name\":\"Ann\"");
    refuse(export + line.replace("Ann", "Eve") + "\n", export.lines().count() + 1, "@id", "twice");
  }

  @Test
  void aShapeOfAnotherClassIsRefused() throws Exception {
    String line = line("\"name\":\"Ann\"");
    String shape = export.replaceAll("(?s).*\"shape\":(\\d+),\"class\":\"[a-z.]*Tag\".*", "$1");
    refuse(
        export.replace(line, line.replace("Account\",", "Account\",\"@shape\":" + shape + ",")),
        lineNumber(line),
        "market.Tag",
        "market.Account");
  }

  @Test
  void aRootThatIsGivenTwiceIsRefused() throws Exception {
    refuse(
        export.replace("{\"part\":{\"@ref\":1}}", "{\"part\":{\"@ref\":1},\"part\":null}"),
        1,
        "part",
        "twice");
  }

  /** The import keeps the addresses of objects by their ids. */
  @Test
  void anIdThatIsTooLargeForTheFileIsRefused() throws Exception {
    String id = "{\"@id\":" + id("\"name\":\"Ann\"") + ",";
    String edited = export.replace(id, "{\"@id\":2147483000,");
    refuse(edited, lineNumber(line("\"name\":\"Ann\"")), "@id 2147483000", "expected 1 to ");
  }

  private static void refuse(String text, long line, String found, String expected)
      throws Exception {
    assertFalse(text.equals(export));
    Path target = temp.resolve("none" + System.nanoTime());
    Cli.Result result =
        Cli.run("import", target, Files.writeString(temp.resolve("edited.jsonl"), text));
    assertEquals(3, result.code(), result::toString);
    assertFalse(Files.exists(target));
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().contains("before line " + line + ", "), result.err() + " not " + line);
    assertTrue(result.err().contains(found), result.err());
    assertTrue(expected == null || result.err().contains(expected), result.err());
    assertFalse(result.err().contains("should not happen"), result.err());
  }

  private static String numbered(String edited) {
    return edited
        .replace("ACCOUNT", id("\"name\":\"Ann\""))
        .replace("LIST", id("\"@collection\":\"list\""))
        .replace("MAP", id("\"@collection\":\"map\""));
  }

  private static String id(String text) {
    return line(text).replaceAll("^\\{\"@id\":(\\d+),.*", "$1");
  }

  private static String line(String text) {
    return export.lines().skip(1).filter(line -> line.contains(text)).findFirst().orElseThrow();
  }

  private static long lineNumber(String line) {
    return export.lines().toList().indexOf(line) + 1L;
  }

  /** Returns the text of the value of a property: up to the comma outside of parentheses. */
  private static String value(String text, String property) {
    String name = "\"" + property + "\":";
    String line = text.replace("\"[L", "\"(L"); // parentheses in texts do not count
    int from = line.indexOf(name) + name.length();
    int depth = 0;
    int at = from;
    for (; depth > 0 || (line.charAt(at) != ',' && line.charAt(at) != '}'); at++) {
      depth += "{[".indexOf(line.charAt(at)) >= 0 ? 1 : "}]".indexOf(line.charAt(at)) >= 0 ? -1 : 0;
    }
    return line.substring(from, at).replace("\"(L", "\"[L");
  }
}
