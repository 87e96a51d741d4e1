package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An opening that is refused, or fails, leaves no file of the store open or mapped. */
class RefusedOpeningTest {
  private static final PmStoreOptions OPTIONS = PmStoreOptions.defaults().storage(Storage.FILE);

  @TempDir Path root;

  /** Returns the files of the test that this process has open or mapped. */
  private List<String> openFiles() throws IOException {
    String prefix = root.toRealPath().toString();
    List<String> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          String file = Files.readSymbolicLink(descriptor).toString();
          if (file.startsWith(prefix)) {
            open.add(file);
          }
        } catch (NoSuchFileException e) {
          continue; // of the listing itself, which has ended
        }
      }
    }
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains(prefix)) {
        open.add(line);
      }
    }
    return open;
  }

  @Test
  void anOpeningThatFailsAtAnyMomentLeavesNothingOpen() throws IOException {
    int failures = 0;
    boolean failed = true;
    while (failed) {
      Path directory = root.resolve("store" + failures);
      AtomicInteger left = new AtomicInteger(failures);
      HookedMedium.Hook hook =
          (operation, file) -> {
            if (operation.canFail() && left.getAndDecrement() == 0) {
              throw new MediumException(operation + " of " + file, NativeCalls.EIO);
            }
          };
      try {
        MappedEngine engine =
            StoreOpener.open(
                directory,
                OPTIONS,
                real -> new HookedMedium(real, hook),
                work -> Thread.ofPlatform().daemon().unstarted(work));
        left.set(-1);
        engine.close();
        failed = false;
      } catch (PmStoreException e) {
        failures++;
      }
      assertEquals(List.of(), openFiles(), "after failure " + failures);
      MappedEngine.open(directory, OPTIONS).close();
    }
    assertTrue(failures > 20, "failures: " + failures);
  }

  @Test
  void aDamagedHeaderIsClosed() throws IOException {
    Path directory = root.resolve("store");
    MappedEngine.open(directory, OPTIONS).close();
    Path heap = directory.resolve(StoreLayout.HEAP);
    byte[] bytes = Files.readAllBytes(heap);
    Arrays.fill(bytes, 0, Math.min(bytes.length, 16384), (byte) 7);
    Files.write(heap, bytes);
    assertThrows(PmStoreException.class, () -> MappedEngine.open(directory, OPTIONS));
    assertThrows(PmStoreException.class, () -> StoreOpener.openReadOnly(directory));
    assertThrows(PmStoreException.class, () -> StoreOpener.facts(directory));
    assertEquals(List.of(), openFiles());
  }
}
