package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.cli.market.Exchange;
import io.pmstore.cli.market.Market;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of docs/tool.md run and print what the page says, numbers and times apart. With
 * {@code -Dpmstore.cli.document=write} the page gets what they print.
 */
class DocumentTest {
  private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "../docs/tool.md");
  private static final String COMMAND = "$ ./pm ";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|((?:[^\\s\"]|\"[^\"]*\")+)");

  @TempDir Path temp;

  @Test
  void theExamplesPrintWhatThePageSays() throws Exception {
    Map<String, Path> stores =
        Map.of(
            "data", temp.resolve("data"),
            "monday", temp.resolve("monday"),
            "tuesday", temp.resolve("tuesday"));
    try (PmStore store = PmStore.open(stores.get("data"), Market.options())) {
      Market.fill(store, 100);
    }
    Path live = temp.resolve("live");
    try (PmStore store = PmStore.open(live, Market.options())) {
      Market.fill(store, 100);
      store.backup(stores.get("monday"));
      Exchange exchange = store.root(Exchange.class);
      exchange.getOrders().get(7L).setQuantity(500);
      exchange.getTags().add("new");
      store.backup(stores.get("tuesday"));
    }
    List<String> page = Files.readAllLines(PAGE);
    List<String> written = new ArrayList<>();
    int commands = 0;
    for (int i = 0; i < page.size(); ) {
      String line = page.get(i++);
      written.add(line);
      if (!line.startsWith(COMMAND)) {
        continue;
      }
      commands++;
      List<String> expected = new ArrayList<>();
      while (!page.get(i).startsWith(COMMAND) && !page.get(i).startsWith("```")) {
        expected.add(page.get(i++));
      }
      List<String> found = run(line.substring(COMMAND.length()), stores);
      if (expected.contains("...")) {
        written.addAll(expected);
        assertFollows(line, expected, found);
      } else {
        written.addAll(found);
        if (!"write".equals(System.getProperty("pmstore.cli.document"))) {
          assertEquals(masked(expected), masked(found), line);
        }
      }
    }
    assertTrue(commands >= 12, "only " + commands + " examples");
    if ("write".equals(System.getProperty("pmstore.cli.document"))) {
      Files.write(PAGE, written);
    }
  }

  private List<String> run(String command, Map<String, Path> stores) {
    List<Object> args = new ArrayList<>();
    Matcher words = WORD.matcher(command);
    while (words.find()) {
      String word = words.group(1) != null ? words.group(1) : words.group(2).replace("\"", "");
      args.add(stores.containsKey(word) ? stores.get(word) : word);
    }
    Cli.Result result = Cli.run(args.toArray());
    assertTrue(result.code() <= 1 && result.err().isEmpty(), command + ": " + result.err());
    return result
        .out()
        .replace(temp.toAbsolutePath().normalize().toString(), "/home/ann")
        .lines()
        .toList();
  }

  /** Requires the expected lines in their order; {@code ...} stands for any lines, or any rest. */
  private static void assertFollows(String command, List<String> expected, List<String> found) {
    int at = 0;
    for (String line : expected) {
      if (line.equals("...")) {
        continue;
      }
      String start = masked(List.of(line.replaceAll("\\.\\.\\.$", ""))).getFirst();
      while (at < found.size() && !masked(found.subList(at, at + 1)).getFirst().startsWith(start)) {
        at++;
      }
      assertTrue(at < found.size(), command + " prints no " + line);
    }
  }

  /** Numbers, bars and what depends on their widths are not compared. */
  private static List<String> masked(List<String> lines) {
    return lines.stream()
        .map(
            line ->
                line.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID")
                    .replaceAll("[▏▎▍▌▋▊▉█]+", "")
                    .replaceAll("\\d[\\d,.:-]*", "N")
                    .replaceAll("[KMG]iB", "B")
                    .replaceAll("\\s+", " "))
        .toList();
  }
}
