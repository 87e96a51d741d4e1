package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** Entries that do not disturb each other may be many; those that do are few. */
class EntryLimitTest {
  private static final long MILLISECOND = 1_000_000;
  private static final int ENTRIES = 10_000;

  private final EntryLimit limit = new EntryLimit();

  /** As many entries as may are on their way, in turn. Returns how many there are on average. */
  private double mean(IntToLongFunction nanos) {
    Deque<Integer> together = new ArrayDeque<>();
    long sum = 0;
    for (int i = 0; i < ENTRIES; i++) {
      while (together.size() < limit.get()) {
        together.add(together.size() + 1);
      }
      int entry = together.remove();
      limit.took(nanos.applyAsLong(entry), entry);
      sum += i < ENTRIES / 2 ? 0 : limit.get(); // once it has learnt
    }
    return sum / (ENTRIES / 2.0);
  }

  @Test
  void entriesBetweenDistantNodesAreMany() {
    assertMany(mean(_ -> 30 * MILLISECOND));
  }

  @Test
  void entriesThatWaitForOneProcessorAreFew() {
    assertFew(mean(together -> together * MILLISECOND / 2));
  }

  @Test
  void entriesAreAsManyAsTheProcessorsHaveWorkFor() {
    // Eight are served at a time; more wait.
    double mean = mean(together -> Math.max(8, together) * MILLISECOND / 8);
    assertTrue(mean > 7 && mean < 10, () -> mean + " entries");
  }

  @Test
  void timesThatVaryDoNotKeepEntriesFew() {
    long seed = Cluster.seed(getClass());
    Random random = new Random(seed);
    double mean = mean(_ -> (long) (MILLISECOND * random.nextDouble(1, 1.5)));
    assertTrue(mean > 4, () -> mean + " entries");
  }

  @Test
  void theLimitFollowsChanges() {
    assertMany(mean(_ -> MILLISECOND));
    assertFew(mean(together -> together * MILLISECOND));
    assertMany(mean(_ -> 20 * MILLISECOND));
    assertMany(mean(_ -> 30 * MILLISECOND));
    assertMany(mean(_ -> MILLISECOND));
  }

  @Test
  void entriesThatAreNeverAloneAreMany() {
    int many = 0;
    for (int i = 0; i < ENTRIES; i++) {
      limit.took(30 * MILLISECOND, Math.max(15, limit.get())); // they begin when they have waited
      many += limit.get() > 15 ? 1 : 0;
    }
    assertTrue(many > ENTRIES * 0.8, limit.get() + " entries, more than 15 after " + many);
  }

  private static void assertMany(double entries) {
    assertTrue(entries > 0.8 * EntryLimit.MAX, () -> entries + " entries");
  }

  private static void assertFew(double entries) {
    assertTrue(entries < 3, () -> entries + " entries");
  }

  @Test
  void oneThreadDoesNotRaiseTheLimitForLater() {
    for (int i = 0; i < ENTRIES; i++) {
      limit.took(MILLISECOND, 1);
      assertTrue(limit.get() <= 2, () -> limit.get() + " entries");
    }
  }
}
