package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first object of an enhanced class finds the code that examines classes prepared: the JVM has
 * loaded it while the store was opened, as for generated classes.
 */
class FirstObjectTest {
  private static final String NAME = "desk.Main";
  private static final String SOURCE =
      """
      package desk;

      import io.pmstore.Persistent;
      import io.pmstore.PmStore;
      import java.nio.file.Path;
      import java.util.*;

      public class Main {
        @Persistent(root = "desk")
        public static class Desk {
          private String name = "new";
          private long count;
          private double price;
          private boolean open;
          private Map<Long, String> texts = new HashMap<>();

          public String getName() { return name; }
          public void setName(String name) { this.name = name; }
          public long getCount() { return count; }
          public void add(long more) { count += more; }
          public Map<Long, String> getTexts() { return texts; }
          public boolean isOpen() { return open; }
          public void setPrice(double price) { this.price = price; }
        }

        public static void main(String[] arguments) {
          try (PmStore store = PmStore.open(Path.of(arguments[0]))) {
            System.out.println("the store is open");
            Desk desk = store.create(Desk.class);
            System.out.println("the object is made");
            desk.add(7);
            System.out.println("count " + desk.getCount());
          }
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void theCodeThatExaminesClassesIsLoadedWhenTheStoreIsOpen() throws Exception {
    Path classes = ClassDirectory.compile(directory, NAME, SOURCE);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    String output =
        AgentJarTest.run(
            "-Xlog:class+load:stdout",
            "-cp",
            enhanced + File.pathSeparator + System.getProperty("java.class.path"),
            NAME,
            directory.resolve("store").toString());
    assertTrue(output.contains("count 7"), output);
    List<String> lines = output.lines().toList();
    List<String> between =
        lines.subList(lines.indexOf("the store is open"), lines.indexOf("the object is made"));
    assertTrue(between.stream().anyMatch(line -> line.contains(" desk.Main$Desk ")), output);
    assertEquals(
        List.of(),
        between.stream().filter(line -> line.contains(" io.pmstore.proxy.bean.")).toList());
  }
}
