package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.crash.CrashBudget;
import io.pmstore.core.crash.CrashSimulator.Effort;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Without any one of the engine's barriers the simulator finds something lost or damaged. A run
 * tries one of eight parts of them, which the seed chooses; -Dpmstore.crash.budget=2 tries all.
 */
class TieredBarrierControlTest {
  private static final int RUNS_TO_FIND_BARRIERS = 3;
  private static final int RUNS_MAX = 20;
  private static final int PARTS = 8;

  // What a method does beyond what its caller needs: the same file is synced later, before the
  // header names it or is renamed.
  private static final List<String> MORE_THAN_NEEDED = List.of("allocate");

  // Missed only after a kill in the middle of a header update, or between the renaming of a new
  // store's header and the sync of the directory, or a power cut that tears both copies of the last
  // header, which few runs have: TieredEngineTest.
  private static final List<String> OF_FEW_RUNS =
      List.of(
          "sync tiered StoreHeaderFile.sync",
          "sync tiered StoreHeaderFile.update < TieredEngine.finish",
          "syncDirectory . TieredOpener.openLocked");

  private static final Effort EFFORT = new Effort(3, 16, 1, 150);

  @TempDir Path temporary;

  private int runs;

  private Path runDirectory() throws Exception {
    return Files.createDirectory(temporary.resolve("run" + runs++));
  }

  @ParameterizedTest
  @EnumSource
  void everyBarrierIsMissed(FaultModel model) throws Exception {
    // Not a new seed each time: which of the runs shows a fault is a matter of luck.
    long seed = 1;
    SortedSet<String> sites = new TreeSet<>();
    for (int i = 0; i < RUNS_TO_FIND_BARRIERS; i++) {
      Barriers barriers = Barriers.all();
      TieredCrash.commits(runDirectory(), new Disk(model, barriers), seed + i).runOnly();
      sites.addAll(barriers.passed().keySet());
    }
    sites.removeIf(site -> MORE_THAN_NEEDED.stream().anyMatch(site::startsWith));
    assertTrue(sites.size() > 6, () -> "barriers found: " + sites);
    List<String> notMissed = new ArrayList<>();
    sites.removeIf(
        site -> OF_FEW_RUNS.stream().anyMatch(site.replaceAll(":[0-9]+", "")::startsWith));
    int parts = CrashBudget.runs(1) == 1 ? PARTS : 1;
    int part = (int) Math.floorMod(TieredPowerCutTest.seed(), (long) parts);
    int number = 0;
    for (String site : sites) {
      if (number++ % parts == part && !isMissed(model, site, seed)) {
        notMissed.add(site);
      }
    }
    assertEquals(List.of(), notMissed, "nothing is lost without these barriers");
  }

  private boolean isMissed(FaultModel model, String site, long seed) throws Exception {
    for (int i = 0; i < RUNS_MAX; i++) {
      Disk disk = new Disk(model, Barriers.without(Set.of(site)));
      EngineRun run = TieredCrash.commits(runDirectory(), disk, seed + i, EFFORT);
      try {
        run.run();
      } catch (AssertionError | StoreDamagedException e) { // after a cut that was tried, or was
        System.out.printf("%s: without %s, run %d: %s%n", model, site, i, run.simulator());
        return true;
      }
    }
    return false;
  }
}
