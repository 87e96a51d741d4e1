package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that lets only named modules call native functions. */
class NativeAccessTest {
  @TempDir Path temp;

  /** Tries to open a store, and tries again. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      Path directory = Path.of(args[0]);
      for (int i = 0; i < 2; i++) {
        PmStoreException refused =
            assertThrows(
                PmStoreException.class,
                () -> MappedEngine.open(directory, PmStoreOptions.defaults()));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("--enable-native-access=ALL-UNNAMED"), message);
        assertTrue(message.contains("native access"), message);
      }
    }
  }

  @Test
  void theRefusalSaysWhichOptionIsMissing() {
    Path directory = temp.resolve("store");
    new ChildJvm(Program.class, directory)
        .withOptions("--illegal-native-access=deny")
        .within(
            "for each do shift; case $each in --enable-native-access=*) ;;"
                + " *) set -- \"$@\" \"$each\";; esac; done; exec \"$@\"")
        .run();
    assertEquals(false, Files.exists(directory));
  }
}
