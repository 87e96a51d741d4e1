package org.example.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import io.pmstore.TransactionTooLargeException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on an engine that pmstore does not name does what every store does. */
class ImageStoreTest {
  @TempDir Path parent;
  private Path directory = Path.of("");

  private static final PmStoreOptions IMAGES = PmStoreOptions.defaults().engine(ImageProvider.NAME);

  @BeforeEach
  void chooseDirectory() {
    directory = parent.resolve("store");
  }

  /** A root. */
  @Persistent(root = "notes")
  public static class Notes {
    private Map<String, Integer> counts = new HashMap<>();

    public Map<String, Integer> getCounts() {
      return counts;
    }

    public void setCounts(Map<String, Integer> counts) {
      this.counts = counts;
    }
  }

  @AfterEach
  void forget() {
    ImageProvider.forget();
  }

  private PmStore write() {
    try (PmStore store = PmStore.open(directory, IMAGES)) {
      store.transaction(() -> store.root(Notes.class).getCounts().put("a", 1));
      store.gc();
      assertThrows(StoreLockedException.class, () -> PmStore.open(directory));
    }
    return PmStore.open(directory); // the directory names the engine
  }

  @Test
  void objectsAreKeptVerifiedAndBackedUp() {
    Path backup = parent.resolve("backup");
    try (PmStore store = write()) {
      assertEquals(Map.of("a", 1), store.root(Notes.class).getCounts());
      assertEquals(1, directory.toFile().list().length, "no other engine has made a file");
      store.backup(backup);
    }
    assertTrue(PmStore.verify(directory, PmStoreOptions.defaults()).isSound());
    assertTrue(PmStore.verify(directory, IMAGES).isSound());
    try (PmStore store = PmStore.open(backup, PmStoreOptions.defaults().storage(Storage.FILE))) {
      assertEquals(Map.of("a", 1), store.root(Notes.class).getCounts());
    }
  }

  @Test
  void itsRefusalsAreItsOwn() {
    write().close();
    String repair =
        assertThrows(StoreFormatException.class, () -> PmStore.repair(directory)).getMessage();
    assertTrue(repair.contains("an image, which cannot be repaired"), repair);
    String other =
        assertThrows(
                StoreFormatException.class,
                () -> PmStore.open(directory, PmStoreOptions.defaults().storage(Storage.FILE)))
            .getMessage();
    assertTrue(
        other.contains("has a store of the engine images, and Storage.FILE was asked for"), other);
  }

  @Test
  void itTakesSettings() {
    PmStoreOptions small =
        PmStoreOptions.defaults()
            .engine(ImageProvider.NAME, Map.of(ImageProvider.COMMIT_MAX, "20000"));
    try (PmStore store = PmStore.open(directory, small)) {
      Notes notes = store.root(Notes.class);
      store.transaction(() -> notes.getCounts().put("a", 1));
      assertThrows(
          TransactionTooLargeException.class,
          () -> store.transaction(() -> notes.getCounts().put("b".repeat(30_000), 1)));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> PmStore.open(directory, small.engine(ImageProvider.NAME, Map.of("colour", "red"))));
  }

  @Test
  void aStoreOfAnotherEngineIsRefused() {
    PmStore.open(directory).close();
    String refusal =
        String.valueOf(
            assertThrows(StoreFormatException.class, () -> PmStore.open(directory, IMAGES))
                .getMessage());
    assertTrue(
        refusal.contains(
            "has a store of the engine mapped, and the engine images was asked for; open it with"
                + " PmStoreOptions.engine(\"mapped\")"),
        refusal);
  }
}
