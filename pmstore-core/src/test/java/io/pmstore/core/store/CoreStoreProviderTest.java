package io.pmstore.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Core alone, as in these tests, finds neither an object layer nor a collector. */
class CoreStoreProviderTest {
  @TempDir Path directory;

  @Test
  void aMissingPartIsNamedBeforeAnythingIsTouched() {
    Path path = directory.resolve("store");
    PmStoreException opening = assertThrows(PmStoreException.class, () -> PmStore.open(path));
    assertEquals(
        "pmstore's object layer was not found beside its core; depend on io.pmstore:pmstore, which"
            + " brings both",
        opening.getMessage());
    PmStoreException verifying = assertThrows(PmStoreException.class, () -> PmStore.verify(path));
    assertEquals(
        "pmstore's collector was not found beside its core; depend on io.pmstore:pmstore, which"
            + " brings both",
        verifying.getMessage());
    assertFalse(Files.exists(path));
  }
}
