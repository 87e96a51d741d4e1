package io.pmstore.core.tx.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The check finds what is wrong with a history, and nothing else. */
class HistoryCheckTest {
  private final List<Attempt> history = new ArrayList<>();

  private static Event add(String object, long element) {
    return new Event.Added(object, element);
  }

  private static Event list(String object, Long... elements) {
    return new Event.Read(object, Arrays.asList(elements), true);
  }

  private static Event set(String object, Long... elements) {
    return new Event.Read(object, Arrays.asList(elements), false);
  }

  private static Event look(String object, long element, boolean found) {
    return new Event.Probed(object, element, found);
  }

  private Attempt attempt(long from, long to, Event... events) {
    Attempt attempt = new Attempt("T" + history.size(), from).committed(to);
    for (Event event : events) {
      attempt.did(event);
    }
    history.add(attempt);
    return attempt;
  }

  private void assertFound(String name) {
    List<String> found = HistoryCheck.check(history);
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().startsWith(name), found::toString);
  }

  private void assertGood() {
    assertEquals(List.of(), HistoryCheck.check(history));
  }

  @Test
  void concurrentOnesMayComeInEitherOrder() {
    attempt(0, 10, list("x"), add("x", 1L), list("x", 1L));
    attempt(0, 10, list("x", 1L), add("x", 2L), add("y", 3L), look("y", 3L, true));
    attempt(0, 10, set("y"), list("x", 1L), look("y", 3L, false));
    attempt(11, 12, list("x", 1L, 2L), set("y", 3L), look("y", 4L, false));
    assertGood();
  }

  @Test
  void dirtyWrite() {
    attempt(0, 10, add("x", 1L), add("y", 1L));
    attempt(0, 10, add("x", 2L), add("y", 2L));
    attempt(11, 12, list("x", 1L, 2L));
    attempt(11, 12, list("y", 2L, 1L));
    assertFound("G0");
  }

  @Test
  void writesBetweenThoseOfAnother() {
    attempt(0, 10, add("x", 1L), add("x", 3L));
    attempt(0, 10, add("x", 2L));
    attempt(11, 12, list("x", 1L, 2L, 3L));
    assertFound("G0");
  }

  @Test
  void abortedRead() {
    history.add(new Attempt("aborted", 0).did(add("x", 1L)).rolledBack(10));
    attempt(0, 10, list("x", 1L));
    assertFound("G1a");
  }

  @Test
  void abortedLook() {
    history.add(new Attempt("aborted", 0).did(add("x", 1L)).rolledBack(10));
    attempt(0, 10, look("x", 1L, true));
    assertFound("G1a");
  }

  @Test
  void intermediateRead() {
    attempt(0, 10, add("x", 1L), add("x", 2L));
    attempt(0, 10, list("x", 1L));
    assertFound("G-single");
  }

  @Test
  void circularInformationFlow() {
    attempt(0, 10, add("x", 1L), set("y", 2L));
    attempt(0, 10, add("y", 2L), set("x", 1L));
    assertFound("G1c");
  }

  @Test
  void readSkew() {
    attempt(0, 10, add("x", 1L), add("y", 2L));
    attempt(0, 10, list("x"), list("y", 2L));
    assertFound("G-single");
  }

  @Test
  void readSkewOfOneThatWasRolledBack() {
    attempt(0, 10, add("x", 1L), add("y", 2L));
    history.add(new Attempt("aborted", 0).did(list("x")).did(list("y", 2L)).rolledBack(10));
    assertFound("G-single");
  }

  @Test
  void lostUpdate() {
    attempt(0, 10, list("x"), add("x", 1L));
    attempt(0, 10, list("x"), add("x", 2L));
    attempt(11, 12, list("x", 1L, 2L));
    assertFound("G-single");
  }

  @Test
  void writeSkew() {
    attempt(0, 10, list("x"), add("y", 1L));
    attempt(0, 10, list("y"), add("x", 2L));
    assertFound("G2");
  }

  @Test
  void writeSkewOverAKeyThatIsNotThere() {
    attempt(0, 10, look("x", 2L, false), add("y", 1L));
    attempt(0, 10, look("y", 1L, false), add("x", 2L));
    assertFound("G2");
  }

  @Test
  void readOnlyAnomaly() {
    attempt(0, 30, list("x"), list("y"), add("x", 2L));
    attempt(5, 10, list("y"), add("y", 1L));
    attempt(11, 12, list("x"), list("y", 1L));
    assertFound("G2");
  }

  @Test
  void staleRead() {
    attempt(0, 10, add("x", 1L));
    attempt(11, 12, list("x"));
    assertFound("not in the order of time");
  }

  @Test
  void whatWasCommittedAndIsGone() {
    attempt(0, 10, add("x", 1L));
    attempt(0, 10, add("x", 2L));
    attempt(11, 12, list("x", 2L));
    assertFound("not in the order of time");
  }

  @Test
  void whatNobodyWrote() {
    attempt(0, 10, list("x", 1L));
    assertFound("nobody wrote 1 of x");
  }

  @Test
  void whatCameTwice() {
    attempt(0, 10, add("x", 1L));
    attempt(0, 10, list("x", 1L, 1L));
    assertFound("an element of x came twice");
  }

  @Test
  void twoOrders() {
    attempt(0, 10, add("x", 1L));
    attempt(0, 10, add("x", 2L));
    attempt(0, 10, list("x", 1L, 2L));
    attempt(0, 10, list("x", 2L));
    assertFound("two orders of x");
  }

  @Test
  void whatCannotBeReadTwice() {
    attempt(0, 10, add("x", 1L));
    attempt(0, 10, set("x"), set("x", 1L));
    assertFound("a read of x was not repeatable");
  }

  @Test
  void aLookThatSaysAnotherThingThanARead() {
    attempt(0, 10, add("x", 1L));
    attempt(0, 10, set("x"), look("x", 1L, true));
    assertFound("a look at 1 of x");
  }

  @Test
  void ownAdditionsThatAreNotThere() {
    attempt(0, 10, add("x", 1L), list("x"));
    assertFound("an attempt does not see its own additions");
  }

  @Test
  void oneElementIsAddedOnce() {
    attempt(0, 10, add("x", 1L), add("x", 1L));
    assertThrows(IllegalArgumentException.class, () -> HistoryCheck.check(history));
  }

  /**
   * Histories of transactions each of which takes effect at one moment between its begin and its
   * end are good; and with one read changed, where no two overlap, they are bad.
   */
  @Test
  void randomHistories() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("HistoryCheckTest: -Dpmstore.seed=" + seed);
    for (int round = 0; round < 200; round++) {
      Random random = new Random(seed + round);
      String what = "round " + round;
      assertEquals(List.of(), HistoryCheck.check(random(random, 40, -1)), what);
      assertEquals(List.of(), HistoryCheck.check(random(random, 0, -1)), what);
      assertFalse(HistoryCheck.check(random(random, 0, random.nextInt(10, 40))).isEmpty(), what);
    }
  }

  /**
   * A history of 50 attempts at 5 objects.
   *
   * @param overlap how much earlier they may begin, and later end, than at their moment
   * @param wrong which of them reads something else than what is there, at the first object that
   *     has something; or -1
   */
  private static List<Attempt> random(Random random, int overlap, int wrong) {
    List<Attempt> attempts = new ArrayList<>();
    List<List<Long>> state = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      state.add(new ArrayList<>());
    }
    state.getFirst().add(0L);
    attempts.add(new Attempt("T0", 0).did(add("list 0", 0)).committed(1));
    long element = 0;
    for (int i = 1; i < 50; i++) {
      long at = 10L * i;
      Attempt attempt = new Attempt("T" + i, at - random.nextInt(overlap + 1));
      attempts.add(attempt);
      boolean commits = random.nextInt(5) > 0;
      if (i == wrong) {
        List<Long> read = new ArrayList<>(state.getFirst());
        read.removeLast();
        attempt.did(new Event.Read("list 0", read, true));
      }
      List<List<Long>> own = new ArrayList<>();
      state.forEach(elements -> own.add(new ArrayList<>(elements)));
      for (int n = random.nextInt(4); n >= 0; n--) {
        int object = i == wrong ? random.nextInt(1, 5) : random.nextInt(5);
        boolean ordered = object < 3;
        String name = (ordered ? "list " : "set ") + object;
        List<Long> elements = own.get(object);
        switch (random.nextInt(3)) {
          case 0 -> {
            elements.add(++element);
            attempt.did(add(name, element));
          }
          case 1 -> {
            List<Long> read = new ArrayList<>(elements);
            if (!ordered) {
              Collections.shuffle(read, random);
            }
            attempt.did(new Event.Read(name, read, ordered));
          }
          default -> {
            long one = random.nextLong(element + 2);
            attempt.did(look(name, one, elements.contains(one)));
          }
        }
      }
      long ended = at + 1 + random.nextInt(overlap + 1);
      if (commits) {
        attempt.committed(ended);
        state = own;
      } else {
        attempt.rolledBack(ended);
      }
    }
    Collections.shuffle(attempts, random);
    return attempts;
  }
}
