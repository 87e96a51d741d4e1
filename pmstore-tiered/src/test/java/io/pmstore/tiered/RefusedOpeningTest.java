package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.mapped.HookedMedium;
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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An opening that is refused, or fails, leaves no file of the store open. */
class RefusedOpeningTest {
  private static final PmStoreOptions OPTIONS =
      PmStoreOptions.defaults()
          .tieredPools(Storage.FILE)
          .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN);

  @TempDir Path root;

  private static TieredEngine open(Path directory, UnaryOperator<Medium> wrap) {
    return open(directory, OPTIONS, wrap);
  }

  private static TieredEngine open(
      Path directory, PmStoreOptions options, UnaryOperator<Medium> wrap) {
    return TieredOpener.open(
        directory,
        options,
        wrap,
        Spiller.BASE_POOLS,
        work -> Thread.ofPlatform().daemon().unstarted(work));
  }

  /** Returns the files of the test that this process has open. */
  private List<Path> openFiles() throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          Path file = Files.readSymbolicLink(descriptor);
          if (file.startsWith(root.toRealPath())) {
            open.add(file);
          }
        } catch (NoSuchFileException e) {
          continue; // of the listing itself, which has ended
        }
      }
    }
    return open;
  }

  @Test
  void anOpeningThatFailsAtAnyMomentLeavesNothingOpen() throws IOException {
    openingsFail(false);
  }

  /** Nor locked. */
  @Test
  void anOpeningThatFailsAtAnyMomentLeavesNothingOpenInOtherDirectories() throws IOException {
    openingsFail(true);
  }

  private void openingsFail(boolean apart) throws IOException {
    int failures = 0;
    boolean failed = true;
    while (failed) {
      Path directory = root.resolve("store" + failures);
      PmStoreOptions options =
          apart
              ? OPTIONS
                  .tieredPools(root.resolve("pools" + failures), Storage.FILE)
                  .tieredSpillDirectory(root.resolve("spills" + failures))
              : OPTIONS;
      AtomicInteger left = new AtomicInteger(failures);
      HookedMedium.Hook hook =
          (operation, file) -> {
            if (left.getAndDecrement() == 0) {
              throw new MediumException(operation + " of " + file, NativeCalls.EIO);
            }
          };
      try {
        TieredEngine engine = open(directory, options, real -> new HookedMedium(real, hook));
        left.set(-1);
        engine.close();
        failed = false;
      } catch (PmStoreException e) {
        failures++;
      }
      assertEquals(List.of(), openFiles(), "after failure " + failures);
      TieredEngine.open(directory, options).close();
    }
    assertEquals(true, failures > 20, "failures: " + failures);
  }

  @Test
  void aDamagedHeaderIsClosed() throws IOException {
    Path directory = root.resolve("store");
    TieredEngine.open(directory, OPTIONS).close();
    Files.write(directory.resolve(TieredLayout.HEADER), new byte[2 * StoreHeader.SIZE]);
    assertThrows(StoreDamagedException.class, () -> TieredEngine.open(directory, OPTIONS));
    assertThrows(StoreDamagedException.class, () -> TieredOpener.openReadOnly(directory, OPTIONS));
    assertThrows(StoreDamagedException.class, () -> TieredOpener.facts(directory));
    assertEquals(List.of(), openFiles());
  }

  /** The others are closed although one cannot be. */
  @Test
  void aFileThatCannotBeClosedKeepsNoOtherOneOpen() throws IOException {
    Path directory = root.resolve("store");
    TieredEngine engine = open(directory, Unclosable::new);
    PmStoreException e = assertThrows(PmStoreException.class, engine::close);
    assertEquals("closing images-0", String.valueOf(e.getCause()).replaceFirst(".*: ", ""));
    assertEquals(List.of(), openFiles());
    TieredEngine.open(directory, OPTIONS).close();
  }

  /** A medium whose first pool throws an exception when the engine closes it. */
  private static final class Unclosable extends ForwardingMedium {
    Unclosable(Medium medium) {
      super(medium);
    }

    @Override
    public MediumFile create(String name) throws IOException {
      return medium.create(name);
    }

    @Override
    public MediumFile open(String name) throws IOException {
      return new ForwardingMediumFile(medium.open(name)) {
        @Override
        public void close() throws IOException {
          super.close();
          if (name().equals("images-0")) {
            throw new IOException("closing images-0");
          }
        }
      };
    }
  }
}
