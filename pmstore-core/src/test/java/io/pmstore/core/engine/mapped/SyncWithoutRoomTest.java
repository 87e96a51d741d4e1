package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFailedException;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.NativeCalls;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sync that finds no room may have lost what was written, so it is no mere want of room. */
class SyncWithoutRoomTest {
  @Test
  void theStoreFailsIfAGrowthCannotBeSynced(@TempDir Path directory) {
    AtomicBoolean isFull = new AtomicBoolean();
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (operation == HookedMedium.Operation.ALLOCATE && isFull.get()) {
            throw MediumException.ofSync(file, NativeCalls.ENOSPC); // as the end of an allocation
          }
        };
    MappedEngine engine =
        StoreOpener.open(
            directory,
            PmStoreOptions.defaults().storage(Storage.FILE),
            real -> new HookedMedium(real, hook),
            work -> Thread.ofPlatform().daemon().unstarted(work));
    isFull.set(true);
    PmStoreException e =
        assertThrows(PmStoreException.class, () -> engine.grow(4 * HeapMemory.EXTENT_SIZE));
    assertTrue(e instanceof StoreFailedException, e::toString);
    assertThrows(StoreFailedException.class, engine::position);
    isFull.set(false);
    engine.close();
    MappedEngine.open(directory, PmStoreOptions.defaults()).close();
  }

  @Test
  void aFileAtItsLimitNamesTheLimit() {
    String message = new MediumException("writing a file", NativeCalls.EFBIG).getMessage();
    assertTrue(String.valueOf(message).contains("ulimit -f"), message);
  }

  @Test
  void onlyAnotherCallCanFindNoRoom() {
    for (int errno : new int[] {NativeCalls.ENOSPC, NativeCalls.EDQUOT, NativeCalls.EFBIG}) {
      assertTrue(new MediumException("writing a file", errno).noRoom());
      assertFalse(MediumException.ofSync("a file", errno).noRoom());
    }
  }
}
