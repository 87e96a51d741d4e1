package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.ChildJvm;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that may open no more files, wherever in an opening it needs one. */
class OpenFilesTest {
  private static final int NEEDED_MAX = 40;

  @TempDir Path temp;

  /** Opens a store with no free descriptor, then with one more each time. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException {
      Path temp = Path.of(args[0]);
      loadClasses(temp);
      Deque<FileInputStream> fillers = new ArrayDeque<>();
      fill(fillers);
      int refusals = 0;
      Path directory = temp.resolve("store");
      for (String message = refusal(directory); !message.isEmpty(); message = refusal(directory)) {
        assertTrue(message.contains("ulimit -n"), message);
        refusals++;
        assertTrue(refusals < NEEDED_MAX, message);
        fillers.pop().close();
      }
      assertTrue(refusals > 5, "refused " + refusals + " times");
      for (FileInputStream filler : fillers) {
        filler.close();
      }
      assertEquals("", refusal(directory));
    }

    /** Loads what an opening and a refusal need, because loading a class needs a descriptor. */
    private static void loadClasses(Path temp) throws IOException {
      assertEquals("", refusal(temp.resolve("other")));
      Files.createDirectories(temp.resolve("locked").resolve("lock"));
      assertTrue(refusal(temp.resolve("locked")).contains("cannot lock"));
      Path file = Files.createFile(temp.resolve("file"));
      assertTrue(refusal(file.resolve("store")).contains("cannot be opened"));
    }

    private static void fill(Deque<FileInputStream> fillers) throws IOException {
      try {
        while (true) {
          fillers.push(new FileInputStream("/dev/null"));
        }
      } catch (FileNotFoundException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("Too many open files"), e.getMessage());
      }
    }

    private static String refusal(Path directory) {
      try {
        MappedEngine.open(directory, PmStoreOptions.defaults()).close();
        return "";
      } catch (PmStoreException e) {
        return String.valueOf(e.getMessage());
      }
    }
  }

  @Test
  void theRefusalNamesTheLimit() {
    new ChildJvm(Program.class, temp).within("ulimit -n 100; exec \"$@\"").run();
  }
}
