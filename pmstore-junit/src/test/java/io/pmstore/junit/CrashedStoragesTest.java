package io.pmstore.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.medium.PmemMedium;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Kills and power cuts, as a user's tests have them, on each storage that allows them. */
class CrashedStoragesTest {
  private static final int TEXT_LENGTH = 100_000;
  private static final int SEGMENT_SIZE = 1 << 20;

  /** The root: the sum and the number of texts belong together. */
  @Persistent(root = "archive")
  public static class Archive {
    private final List<String> texts = new ArrayList<>();
    private long sum;

    public List<String> getTexts() {
      return texts;
    }

    public long getSum() {
      return sum;
    }

    public void setSum(long sum) {
      this.sum = sum;
    }
  }

  /** Returns true if libpmem is installed, which persistent memory needs. */
  static boolean hasPmem() {
    return PmemMedium.hasLibrary();
  }

  private static void add(PmStore store, Durability durability, String text) {
    Archive archive = store.root(Archive.class);
    store.transaction(
        durability,
        () -> {
          archive.getTexts().add(text);
          archive.setSum(archive.getSum() + 1);
        });
  }

  private static long sum(PmStore store) {
    Archive archive = store.root(Archive.class);
    assertEquals(archive.getSum(), archive.getTexts().size());
    return archive.getSum();
  }

  /** What holds on every storage. */
  abstract static class OnAnyStorage {
    abstract TestStore store();

    @Test
    void aKillTakesNothing() {
      add(store(), Durability.SYNC, "one");
      store().kill();
      add(store(), Durability.relaxed(Duration.ofSeconds(30)), "two");
      store().kill();
      assertEquals(2, sum(store()));
      store().reopen();
      assertEquals(2, sum(store()));
    }

    @Test
    void imagesOfAllMomentsHoldWhatWasAcknowledged() throws Exception {
      store().root(Archive.class);
      AtomicLong acknowledged = new AtomicLong();
      List<Long> promises = new ArrayList<>();
      store()
          .crashDuring(
              () -> {
                for (int i = 0; i < 200; i++) {
                  add(store(), Durability.SYNC, "text " + i);
                  acknowledged.incrementAndGet();
                }
              },
              acknowledged::get,
              (image, promised) -> {
                long sum = sum(image);
                assertTrue(sum == promised || sum == promised + 1, sum + " of " + promised);
                promises.add(promised);
              });
      assertTrue(promises.stream().distinct().count() > 10, promises::toString);
      assertEquals(200, sum(store()));
    }

    @Test
    void imagesDuringCheckpointsHoldWhatWasAcknowledged() throws Exception {
      store().root(Archive.class);
      String text = "x".repeat(TEXT_LENGTH);
      long before = store().metrics().checkpoints().count();
      AtomicLong acknowledged = new AtomicLong();
      store()
          .crashDuring(
              () -> {
                while (store().metrics().checkpoints().count() < before + 2) {
                  add(store(), Durability.SYNC, text);
                  acknowledged.incrementAndGet();
                }
              },
              acknowledged::get,
              (image, promised) -> {
                assertTrue(sum(image) >= promised, sum(image) + " of " + promised);
                for (String found : image.root(Archive.class).getTexts()) {
                  assertEquals(text, found);
                }
              });
    }

    /** Returns how many of a durable and a relaxed transaction a power cut may leave. */
    List<Long> leftOfTwo() {
      return List.of(1L, 2L);
    }

    @Test
    void aPowerCutTakesWhatIsNotDurable() {
      add(store(), Durability.SYNC, "durable");
      add(store(), Durability.relaxed(Duration.ofSeconds(30)), "perhaps not yet");
      List<Long> found = new ArrayList<>();
      store().crash(image -> found.add(sum(image)));
      assertEquals(leftOfTwo(), found.stream().distinct().sorted().toList());
    }

    @Test
    void aPowerCutTakesNothingThatASyncHasMadeDurable() {
      add(store(), Durability.relaxed(Duration.ofSeconds(30)), "one");
      add(store(), Durability.relaxed(Duration.ofSeconds(30)), "two");
      store().sync();
      store().crash(image -> assertEquals(2, sum(image)));
      assertThrows(IllegalStateException.class, () -> store().transaction(() -> store().sync()));
      add(store(), Durability.relaxed(Duration.ofSeconds(30)), "three");
      store().snapshot(() -> store().sync());
      store().crash(image -> assertEquals(3, sum(image)));
    }

    @Test
    void whatShouldBeOneTransactionIsFound() {
      Archive archive = store().root(Archive.class);
      AssertionError failed =
          assertThrows(
              AssertionError.class,
              () ->
                  store()
                      .crashDuring(
                          () -> {
                            for (int i = 0; i < 30; i++) {
                              archive.getTexts().add("text");
                              archive.setSum(archive.getSum() + 1);
                            }
                          },
                          () -> 0,
                          (image, none) -> sum(image)));
      assertTrue(failed.getMessage().contains("a crash image fails"), failed.getMessage());
    }
  }

  /** The options of a store on persistent memory, with a log that is full soon. */
  static final class OfPersistentMemory implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults()
          .storage(Storage.PERSISTENT_MEMORY)
          .logSegmentSize(SEGMENT_SIZE);
    }
  }

  @Nested
  @EnabledIf("io.pmstore.junit.CrashedStoragesTest#hasPmem")
  class OnPersistentMemory extends OnAnyStorage {
    @TempStore(crashes = true, options = OfPersistentMemory.class)
    TestStore store;

    @Override
    TestStore store() {
      return store;
    }

    @Override
    List<Long> leftOfTwo() {
      return List.of(2L); // every acknowledged transaction is durable there
    }
  }

  /** The options of a store with small pools, which are on files. */
  static final class OfTiers implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults()
          .storage(Storage.TIERED)
          .tieredPools(Storage.FILE)
          .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN);
    }
  }

  @Nested
  class OnTiers extends OnAnyStorage {
    @TempStore(crashes = true, options = OfTiers.class)
    TestStore store;

    @Override
    TestStore store() {
      return store;
    }
  }

  /** The same, with pools on persistent memory: its spills are on files. */
  static final class OfTiersOnPmem implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return new OfTiers().get().tieredPools(Storage.PERSISTENT_MEMORY);
    }
  }

  @Nested
  @EnabledIf("io.pmstore.junit.CrashedStoragesTest#hasPmem")
  class OnTiersWithPmem extends OnAnyStorage {
    @TempStore(crashes = true, options = OfTiersOnPmem.class)
    TestStore store;

    @Override
    TestStore store() {
      return store;
    }

    @Override
    List<Long> leftOfTwo() {
      return List.of(2L); // every acknowledged transaction is durable there
    }
  }

  /** The options of a store of files, with a log that is full soon. */
  static final class OfFiles implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return new OfPersistentMemory().get().storage(Storage.FILE);
    }
  }

  @Nested
  class OnFiles extends OnAnyStorage {
    @TempStore(crashes = true, options = OfFiles.class)
    TestStore store;

    @Override
    TestStore store() {
      return store;
    }
  }
}
