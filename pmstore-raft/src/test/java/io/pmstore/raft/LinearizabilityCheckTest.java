package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.raft.LinearizabilityCheck.Kind;
import io.pmstore.raft.LinearizabilityCheck.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The checker accepts what one map can have done, and refuses each known kind of fault. */
class LinearizabilityCheckTest {
  private static final long NEVER = Long.MAX_VALUE;
  private final List<Operation> history = new ArrayList<>();

  private void get(String client, @Nullable String value, long begin, long end) {
    history.add(new Operation(client, Kind.GET, "k", null, value, false, begin, end));
  }

  private void set(String client, String value, long begin, long end) {
    history.add(new Operation(client, Kind.SET, "k", null, value, true, begin, end));
  }

  private void cas(
      String client, @Nullable String expected, String value, boolean done, long begin, long end) {
    history.add(
        new Operation(client, Kind.COMPARE_AND_SET, "k", expected, value, done, begin, end));
  }

  private void assertGood() {
    assertNull(LinearizabilityCheck.findFault(history));
  }

  private void assertBad() {
    assertNotNull(LinearizabilityCheck.findFault(history));
  }

  @Test
  void oneAfterTheOther() {
    set("a", "1", 0, 1);
    get("b", "1", 2, 3);
    cas("a", "1", "2", true, 4, 5);
    cas("a", "1", "3", false, 6, 7);
    get("b", "2", 8, 9);
    assertGood();
  }

  @Test
  void concurrentOnesInEitherOrder() {
    set("a", "1", 0, 10);
    set("b", "2", 0, 10);
    get("c", "2", 2, 3);
    get("c", "1", 4, 5);
    assertGood();
  }

  @Test
  void aStaleReadIsRefused() {
    set("a", "1", 0, 1);
    set("a", "2", 2, 3);
    get("b", "1", 4, 5);
    assertBad();
  }

  @Test
  void aReadThatGoesBackIsRefused() {
    set("a", "1", 0, 1);
    set("a", "2", 2, 10);
    get("b", "2", 3, 4);
    get("c", "1", 5, 6);
    assertBad();
  }

  @Test
  void aLostUpdateIsRefused() {
    set("a", "0", 0, 1);
    cas("a", "0", "1", true, 2, 5);
    cas("b", "0", "2", true, 2, 5);
    assertBad();
  }

  @Test
  void anAcknowledgedWriteThatIsGoneIsRefused() {
    set("a", "1", 0, 1);
    get("b", null, 2, 3);
    assertBad();
  }

  @Test
  void aValueThatNobodyWroteIsRefused() {
    set("a", "1", 0, 1);
    get("b", "x", 2, 3);
    assertBad();
  }

  @Test
  void anUnknownWriteMayHappenLateOrNever() {
    set("a", "1", 0, 1);
    set("b", "2", 2, NEVER);
    get("c", "1", 5, 6);
    get("c", "2", 7, 8);
    assertGood();
    get("c", "1", 9, 10);
    assertBad(); // it happens once
  }

  @Test
  void anUnknownWriteDoesNotHappenBeforeItBegins() {
    get("c", "2", 0, 1);
    set("b", "2", 2, NEVER);
    assertBad();
  }

  @Test
  void aFailedCompareAndSetThatHadToSucceedIsRefused() {
    set("a", "1", 0, 1);
    cas("b", "1", "2", false, 2, 3);
    assertBad();
  }

  @Test
  void randomHistoriesOfOneMapAreAccepted() {
    long seed = Cluster.seed(getClass());
    Random random = new Random(seed);
    for (int run = 0; run < 200; run++) {
      history.clear();
      String value = null;
      long time = 0;
      for (int i = 0; i < 60; i++) {
        long at = time + 10;
        long begin = at - random.nextInt(30);
        long end = random.nextInt(8) == 0 ? NEVER : at + random.nextInt(30);
        time = at;
        String next = "" + random.nextInt(5);
        switch (random.nextInt(3)) {
          case 0 -> get("c" + i, value, begin, end);
          case 1 -> {
            set("c" + i, next, begin, end);
            value = next;
          }
          default -> {
            String expected = random.nextBoolean() ? value : "" + random.nextInt(5);
            boolean done = Objects.equals(expected, value);
            cas("c" + i, expected, next, done, begin, end);
            value = done ? next : value;
          }
        }
      }
      assertGood();
    }
  }
}
