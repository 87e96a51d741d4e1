package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.ForwardingMedium;
import io.pmstore.core.medium.ForwardingMediumFile;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
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

/** An opening that is refused or fails, and a close that fails, leave no file open or mapped. */
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

  /** A medium whose files throw when they have been closed. */
  private static final class Unclosable extends ForwardingMedium {
    private final AtomicInteger left; // closes until one throws

    Unclosable(Medium real, AtomicInteger left) {
      super(real);
      this.left = left;
    }

    @Override
    public MediumFile create(String name) throws IOException {
      return new UnclosableFile(medium.create(name));
    }

    @Override
    public MediumFile open(String name) throws IOException {
      return new UnclosableFile(medium.open(name));
    }

    private final class UnclosableFile extends ForwardingMediumFile {
      UnclosableFile(MediumFile file) {
        super(file);
      }

      @Override
      public void close() throws IOException {
        super.close();
        if (left.getAndDecrement() == 0) {
          throw new IllegalStateException("closing " + name());
        }
      }
    }
  }

  @Test
  void aCloseThatFailsAtAnyFileLeavesNothingOpen() throws IOException {
    Path directory = root.resolve("store");
    MappedEngine.open(directory, OPTIONS).close();
    int failures = 0;
    boolean failed = true;
    while (failed) {
      AtomicInteger left = new AtomicInteger(-1);
      MappedEngine engine =
          StoreOpener.open(
              directory,
              OPTIONS,
              real -> new Unclosable(real, left),
              work -> Thread.ofPlatform().daemon().unstarted(work));
      left.set(failures);
      try {
        engine.close();
        failed = false;
      } catch (IllegalStateException e) {
        failures++;
      }
      assertEquals(List.of(), openFiles(), "after failure " + failures);
    }
    assertTrue(failures > 3, "failures: " + failures);
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
