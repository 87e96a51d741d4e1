package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.pmstore.core.tx.ThreadKind;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Checks that a transaction depends on everything that it has asked of a collection. */
final class PhantomCheck {
  private final TestStore store;
  private final ThreadKind threads;
  private final PersistentMap<String, Object> answers;
  private final AtomicInteger runs = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  PhantomCheck(TestStore store, ThreadKind threads) {
    this.store = store;
    this.threads = threads;
    this.answers = store.newMap();
  }

  /** A question to a collection. */
  interface Question {
    @Nullable Object ask();
  }

  /**
   * The answer is written down by a transaction; meanwhile another one, which has not seen that,
   * changes it: so that one has to come first.
   */
  void check(Question question, Runnable change) {
    String before = String.valueOf(question.ask());
    threads.run(
        () ->
            store.heap.transaction(
                () -> {
                  String answer = String.valueOf(question.ask());
                  if (runs.getAndIncrement() == 0) {
                    threads.run(
                        () ->
                            store.heap.transaction(
                                () -> {
                                  answers.put("seen by the change", answers.get("written"));
                                  change.run();
                                  return true;
                                }));
                  }
                  String again = String.valueOf(question.ask());
                  if (!again.equals(answer)) { // an exception in here could be forgotten
                    wrong.add(answer + ", then " + again);
                  }
                  answers.put("written", answer);
                  return true;
                }));
    String after = String.valueOf(question.ask());
    assertNotEquals(before, after, "the change changes the answer");
    assertEquals(2, runs.get(), "attempts");
    assertEquals(List.of(), List.copyOf(wrong));
    assertEquals(after, answers.get("written"));
    assertEquals(null, answers.get("seen by the change"));
  }
}
