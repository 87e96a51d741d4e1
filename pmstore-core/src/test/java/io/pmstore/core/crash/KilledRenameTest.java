package io.pmstore.core.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.crash.MediumCall.Kind;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.TestStores;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process is killed between the renaming of a log segment and the sync of the directory. The next
 * one commits to the renamed segment, and then the power is cut.
 */
class KilledRenameTest extends StoreTest {
  private static final int CUTS = 16;
  private static final long SEGMENT_SIZE = 2 << 20;
  private static final long[] LARGER_THAN_THE_LOG = new long[150_000];
  private static final long ACKNOWLEDGED = 7;

  private int stores;

  @ParameterizedTest
  @EnumSource
  void nothingAcknowledgedIsLost(FaultModel model) throws IOException {
    assertEquals(0, lost(model, Barriers.all()));
  }

  /** The positive control: some power cut shows that an opening does not sync the names. */
  @ParameterizedTest
  @EnumSource
  void theSyncAtTheOpeningIsMissed(FaultModel model) throws IOException {
    Barriers all = Barriers.all();
    lost(model, all);
    Set<String> opening =
        all.passed().keySet().stream()
            .filter(site -> site.startsWith("syncDirectory . StoreOpener.openLocked"))
            .collect(Collectors.toSet());
    assertTrue(
        lost(model, Barriers.without(opening)) > 0, () -> "nothing is lost without " + opening);
  }

  /** After how many of the power cuts the acknowledged value is not there. */
  private int lost(FaultModel model, Barriers barriers) throws IOException {
    int lost = 0;
    for (int renamed = 1; renamed <= StoreLayout.LOG_SEGMENTS; renamed++) {
      Disk disk = new Disk(model, barriers);
      killAfterRename(disk, renamed);
      OpenStore next = open(disk, call -> {});
      next.engine().sync(commit(next.engine(), START, ACKNOWLEDGED));
      next.kill();
      for (int cut = 0; cut < CUTS; cut++) {
        if (valueAfterCut(disk, cut) != ACKNOWLEDGED) {
          lost++;
        }
      }
    }
    return lost;
  }

  /** Returns 0 of a store that is refused. */
  private long valueAfterCut(Disk disk, long cut) throws IOException {
    OpenStore store;
    try {
      store = open(disk.cutPower(cut), call -> {});
    } catch (StoreDamagedException e) {
      return 0;
    }
    long value = store.engine().memory().getLong(START);
    store.kill();
    return value;
  }

  /** Commits to a new store, in a process that is killed just after so many renamings. */
  private void killAfterRename(Disk disk, int renamed) throws IOException {
    AtomicReference<OpenStore> opened = new AtomicReference<>();
    AtomicInteger renamings = new AtomicInteger();
    OpenStore store =
        open(
            disk,
            call -> {
              if (opened.get() != null
                  && call.kind() == Kind.SYNC_DIRECTORY
                  && renamings.incrementAndGet() == 2 * renamed - 1) { // a sync is two calls
                opened.get().medium().cut();
              }
            });
    opened.set(store);
    assertThrows(
        StoreFailedException.class, () -> commit(store.engine(), START + 8, LARGER_THAN_THE_LOG));
    store.kill();
  }

  private OpenStore open(Disk disk, MediumCall.Listener listener) throws IOException {
    RecordingMedium medium = new RecordingMedium(disk, directory("store" + stores++), listener);
    return OpenStore.open(
        TestStores.opener(SEGMENT_SIZE), medium, medium.directory(), work -> new Thread(() -> {}));
  }
}
