package io.pmstore.jmh.tpcb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.workload.TestSeed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Customers come as the standard says. */
final class TransferTest {
  private static final int DRAWS = 200_000;

  private final SplittableRandom random = new SplittableRandom(TestSeed.next("TransferTest"));

  @Test
  void accountsTellersAndAmountsAreDrawnAsTheStandardSays() {
    TpcbSize size = new TpcbSize(4, 50);
    int[] tellers = new int[size.tellers()];
    int[] awayBranches = new int[size.branches()];
    int[] accounts = new int[size.accounts()];
    long sum = 0;
    long max = Long.MIN_VALUE;
    long min = Long.MAX_VALUE;
    for (int i = 0; i < DRAWS; i++) {
      Transfer transfer = Transfer.next(random, size);
      assertEquals(transfer.teller() / 10, transfer.branch());
      tellers[transfer.teller()]++;
      accounts[transfer.account()]++;
      int distance = Math.floorMod(transfer.account() / 50 - transfer.branch(), 4);
      awayBranches[distance]++;
      sum += transfer.delta();
      max = Math.max(max, transfer.delta());
      min = Math.min(min, transfer.delta());
    }
    check(awayBranches[0], 0.85, "at home");
    for (int distance = 1; distance < 4; distance++) {
      check(awayBranches[distance], 0.05, "away");
    }
    for (int count : tellers) {
      check(count, 1.0 / tellers.length, "a teller");
    }
    for (int count : accounts) {
      check(count, 1.0 / accounts.length, "an account");
    }
    assertTrue(max > 999_000 && max <= 999_999, "largest amount " + max);
    assertTrue(min < -999_000 && min >= -999_999, "smallest amount " + min);
    assertTrue(Math.abs(sum / DRAWS) < 10_000, "mean amount " + sum / DRAWS);
  }

  @Test
  void aSingleBranchHasAllAccounts() {
    TpcbSize size = new TpcbSize(1, 3);
    for (int i = 0; i < 1000; i++) {
      assertTrue(Transfer.next(random, size).account() < 3);
    }
  }

  private static void check(int count, double probability, String what) {
    double sigma = Math.sqrt(DRAWS * probability * (1 - probability));
    assertTrue(Math.abs(count - DRAWS * probability) < 6 * sigma, () -> what + ": " + count);
  }
}
