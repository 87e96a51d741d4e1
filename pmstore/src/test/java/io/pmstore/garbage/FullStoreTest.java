package io.pmstore.garbage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFullException;
import io.pmstore.VerificationReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is full, as a pool of fixed size is soon, and what is removed from it. */
class FullStoreTest {
  private static final int BATCH = 1000;

  @TempDir Path directory;

  /** The root. */
  @Persistent(root = "depot")
  public static class Depot {
    private List<Small> small = new ArrayList<>();
    private List<String> texts = new ArrayList<>();

    public List<Small> getSmall() {
      return small;
    }

    public List<String> getTexts() {
      return texts;
    }
  }

  /** An object of one size class. */
  @Persistent
  public static class Small {
    private long a;
    private long b;
    private long c;

    public void fill(long n) {
      a = n;
      b = n + 1;
      c = n + 2;
    }

    public long sum() {
      return a + b + c;
    }
  }

  private PmStore open() {
    return PmStore.open(
        directory,
        PmStoreOptions.defaults()
            .storage(Storage.LLPL)
            .llplPoolSize(PmStoreOptions.LLPL_POOL_SIZE_MIN)
            .gcInBackground(false));
  }

  private static StoreFullException fill(PmStore store, Depot depot) {
    return assertThrows(
        StoreFullException.class,
        () -> {
          while (true) {
            store.transaction(
                () -> {
                  for (int i = 0; i < BATCH; i++) {
                    Small small = store.create(Small.class);
                    small.fill(depot.getSmall().size());
                    depot.getSmall().add(small);
                  }
                });
          }
        });
  }

  /** Removes all, while there are Java objects for them, as a loop over them makes. */
  private static int empty(PmStore store, Depot depot) {
    List<Small> seen = new ArrayList<>(depot.getSmall());
    store.transaction(() -> depot.getSmall().clear());
    assertEquals(3L * seen.size(), seen.getLast().sum());
    return seen.size();
  }

  @Test
  void whatIsRemovedMakesRoomForAsMuchAgain() {
    try (PmStore store = open()) {
      Depot depot = store.root(Depot.class);
      StoreFullException full = fill(store, depot);
      assertTrue(full.getMessage().contains("store.gc()"), full::getMessage);
      int removed = empty(store, depot);
      store.gc();
      fill(store, depot);
      assertTrue(depot.getSmall().size() >= removed - BATCH, () -> "" + depot.getSmall().size());
    }
    verify();
  }

  /** Also where the chunks were emptied before the store was opened, and nobody has read them. */
  @Test
  void whatIsRemovedMakesRoomForObjectsOfOtherSizes() {
    try (PmStore store = open()) {
      Depot depot = store.root(Depot.class);
      fill(store, depot);
      empty(store, depot);
    }
    try (PmStore store = open()) {
      Depot depot = store.root(Depot.class);
      String text = "t".repeat(3_000_000);
      assertThrows(StoreFullException.class, () -> fillWithTexts(store, depot, text, 5));
      store.gc();
      fillWithTexts(store, depot, text, 5);
      assertEquals(5, depot.getTexts().size());
      assertEquals(text, depot.getTexts().getLast());
    }
    verify();
  }

  private static void fillWithTexts(PmStore store, Depot depot, String text, int upTo) {
    while (depot.getTexts().size() < upTo) {
      store.transaction(() -> depot.getTexts().add(text));
    }
  }

  private void verify() {
    VerificationReport report = PmStore.verify(directory);
    assertTrue(report.isSound(), report::toString);
  }
}
