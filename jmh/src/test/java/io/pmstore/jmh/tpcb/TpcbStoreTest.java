package io.pmstore.jmh.tpcb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.StoreKind;
import io.pmstore.jmh.workload.TestDirectories;
import io.pmstore.jmh.workload.TestSeed;
import io.pmstore.oms.targets.UnavailableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every store does the transaction, all of it or nothing, for several threads too. */
final class TpcbStoreTest {
  private static final TpcbSize SIZE = new TpcbSize(3, 20);
  private static final int TRANSFERS = 100;
  private static final int TRANSFERS_OF_A_THREAD = 50;

  private final SplittableRandom random = new SplittableRandom(TestSeed.next("TpcbStoreTest"));
  private long deltas;
  private long done;

  static Stream<Deployment> stores() {
    return Stream.of(
        Deployment.inMemory(4),
        new Deployment(StoreKind.PMSTORE, "file", "sync", 4),
        new Deployment(StoreKind.PMSTORE, "pmem", "relaxed", 4),
        new Deployment(StoreKind.PMSTORE_LLPL, "pmem", "sync", 4),
        new Deployment(StoreKind.SQLITE, "pmem", "sync", 4),
        new Deployment(StoreKind.SQLITE, "file", "relaxed", 1),
        new Deployment(StoreKind.POSTGRES, "file", "sync", 4));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void addsUp(Deployment deployment) throws Exception {
    skip(deployment.missing());
    try (TestDirectories directories = new TestDirectories()) {
      Path directory = directories.directory(deployment.medium());
      try (TpcbStore store = open(deployment, directory)) {
        store.load();
        assertEquals(Totals.of(0, 0), store.totals());
        transferAlone(store);
        // Plain objects are so quick that threads seldom meet.
        transferTogether(
            store,
            deployment.threads(),
            deployment.stored() ? TRANSFERS_OF_A_THREAD : 1000 * TRANSFERS_OF_A_THREAD);
        assertEquals(Totals.of(deltas, done), store.totals());
        Transfer nobodys = new Transfer(SIZE.accounts(), 0, 0, 5);
        assertThrows(IllegalStateException.class, () -> store.transfer(nobodys, 1));
        if (deployment.kind() != StoreKind.POSTGRES) { // in one statement the account comes first
          Transfer byNobody = new Transfer(0, SIZE.tellers(), 0, 5);
          assertThrows(RuntimeException.class, () -> store.transfer(byNobody, 1));
        }
        assertEquals(Totals.of(deltas, done), store.totals());
      }
      // A server takes seconds to start again; its step does so and compares.
      if (deployment.stored() && deployment.kind() != StoreKind.POSTGRES) {
        try (TpcbStore store = open(deployment, directory)) {
          assertEquals(Totals.of(deltas, done), store.totals());
        }
      }
    }
  }

  private static TpcbStore open(Deployment deployment, Path directory) throws Exception {
    try {
      return TpcbStores.open(deployment, directory, SIZE);
    } catch (UnavailableException e) {
      skip(e.getMessage());
      throw e;
    }
  }

  private static void skip(String missing) {
    if (missing != null) {
      System.err.println("SKIPPED: a store of TPC-B: " + missing);
      Assumptions.abort(missing);
    }
  }

  /** Each transaction shows the new balance of its account. */
  private void transferAlone(TpcbStore store) throws Exception {
    Map<Integer, Long> balances = new HashMap<>();
    for (int i = 0; i < TRANSFERS; i++) {
      Transfer transfer = Transfer.next(random, SIZE);
      long balance = balances.merge(transfer.account(), transfer.delta(), Long::sum);
      assertEquals(balance, store.transfer(transfer, 1_700_000_000_000L));
      deltas += transfer.delta();
      done++;
    }
  }

  private void transferTogether(TpcbStore store, int threads, int transfers) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom own = random.split();
        all.add(
            executor.submit(
                () -> {
                  long sum = 0;
                  for (int i = 0; i < transfers; i++) {
                    Transfer transfer = Transfer.next(own, SIZE);
                    store.transfer(transfer, 1_700_000_000_000L);
                    sum += transfer.delta();
                  }
                  return sum;
                }));
      }
      for (Future<Long> one : all) {
        deltas += one.get();
        done += transfers;
      }
    }
  }
}
