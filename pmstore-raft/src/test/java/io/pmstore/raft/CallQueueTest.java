package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.raft.Answer.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that share a message to the leader. */
@Timeout(60)
class CallQueueTest {
  private static final long LONG = TimeUnit.MINUTES.toNanos(10);
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(1);

  /** A message that was sent, and waits until the test answers it. */
  private record Sent(
      Thread sender, String leader, List<MapCall> calls, CompletableFuture<Boolean> answered) {
    /** Answers each call with its key. */
    void answer() {
      answered.complete(true);
    }

    List<String> keys() {
      return calls.stream().map(MapCall::key).toList();
    }
  }

  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
  private final List<Sent> taken = new ArrayList<>();
  private final List<Thread> callers = new ArrayList<>();

  private List<Answer> send(String leader, List<MapCall> calls) {
    Sent message =
        new Sent(Thread.currentThread(), leader, List.copyOf(calls), new CompletableFuture<>());
    sent.add(message);
    if (!message.answered.join()) {
      throw new IllegalStateException("lost");
    }
    return calls.stream().map(call -> new Answer(Ending.DONE, call.key())).toList();
  }

  private Sent take() throws InterruptedException {
    Sent message = sent.take();
    taken.add(message);
    return message;
  }

  @AfterEach
  void end() throws InterruptedException {
    while (callers.stream().anyMatch(Thread::isAlive)) {
      taken.forEach(Sent::answer);
      Sent more = sent.poll(1, TimeUnit.MILLISECONDS);
      if (more != null) {
        taken.add(more);
      }
    }
  }

  private static MapCall set(String key) {
    return set(key, "v");
  }

  private static MapCall set(String key, String value) {
    return new MapCall(MapCall.Operation.SET, "map", key, value, null);
  }

  /** Calls on a thread of its own, and returns when that waits. */
  private CompletableFuture<Answer> call(CallQueue queue, String leader, MapCall call) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    answer.complete(queue.send(leader, call));
                  } catch (Throwable t) {
                    answer.completeExceptionally(t);
                  }
                });
    callers.add(caller);
    while (caller.isAlive()
        && caller.getState() != Thread.State.WAITING
        && caller.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return answer;
  }

  private CompletableFuture<Answer> call(CallQueue queue, String key) {
    return call(queue, "a", set(key));
  }

  /** Makes calls that share a message, adds their answers to come, and returns the message. */
  private Sent share(CallQueue queue, List<CompletableFuture<Answer>> answers, String... keys)
      throws InterruptedException {
    call(queue, "first");
    Sent alone = take();
    for (String key : keys) {
      answers.add(call(queue, key));
    }
    assertTrue(sent.isEmpty(), "they wait");
    alone.answer();
    return take();
  }

  @Test
  void aCallThatComesAloneIsSentByItsOwnThread() throws Exception {
    CallQueue queue = new CallQueue(LONG, this::send);
    for (String key : List.of("1", "2")) {
      CompletableFuture<Answer> answer = call(queue, key);
      Sent message = take();
      assertEquals(List.of(key), message.keys());
      assertEquals(callers.getLast(), message.sender);
      message.answer();
      assertEquals(new Answer(Ending.DONE, key), answer.get());
      callers.getLast().join();
    }
  }

  @Test
  void callsThatComeWhileAMessageIsOnItsWayShareTheNext() throws Exception {
    CallQueue queue = new CallQueue(LONG, this::send);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    Sent together = share(queue, answers, "2", "3", "4");
    assertEquals(List.of("2", "3", "4"), together.keys());
    together.answer();
    for (int i = 0; i < 3; i++) {
      assertEquals(new Answer(Ending.DONE, "" + (i + 2)), answers.get(i).get());
    }
  }

  @Test
  void noCallWaitsForLong() throws Exception {
    CallQueue queue = new CallQueue(SHORT, this::send);
    call(queue, "1");
    Sent stuck = take();
    CompletableFuture<Answer> second = call(queue, "2");
    Sent next = take(); // although nobody has answered the first
    assertEquals(List.of("2"), next.keys());
    next.answer();
    assertEquals("2", second.get().text());
    stuck.answer();
  }

  @Test
  void afterMessagesThatOverlapTheNextIsSentAtOnce() throws Exception {
    CallQueue queue = new CallQueue(SHORT, this::send);
    CompletableFuture<Answer> first = call(queue, "1");
    Sent one = take();
    CompletableFuture<Answer> second = call(queue, "2");
    Sent two = take();
    one.answer();
    two.answer();
    first.get();
    second.get();
    callers.getFirst().join();
    two.sender.join();
    call(queue, "3");
    assertEquals(callers.getLast(), take().sender, "it does not wait for anything");
  }

  @Test
  void aMessageHasOneLeaderAndLimitedSize() throws Exception {
    CallQueue queue = new CallQueue(LONG, this::send);
    call(queue, "1");
    take();
    call(queue, "2");
    call(queue, "b", set("3"));
    assertEquals(List.of("2"), take().keys(), "the next one has another leader");
    String large = "x".repeat(RatisServer.RECORD_MAX - 100);
    call(queue, "b", set("4", large));
    Sent third = take();
    assertEquals("b", third.leader);
    assertEquals(List.of("3"), third.keys(), "there is no room for both");
  }

  @Test
  void callersOfAMessageThatIsLostHearIt() throws Exception {
    CallQueue queue = new CallQueue(LONG, this::send);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    Sent together = share(queue, answers, "2", "3");
    together.answered.complete(false);
    for (CompletableFuture<Answer> each : answers) {
      assertEquals(Ending.UNKNOWN, each.get().ending());
      assertTrue(String.valueOf(each.get().text()).contains("lost"), each::toString);
    }
    together.sender.join();
    call(queue, "4");
    assertEquals(callers.getLast(), take().sender, "the queue goes on");
  }

  @Test
  void anInterruptIsForItsCallerOnly() throws Exception {
    CallQueue queue = new CallQueue(LONG, this::send);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    Sent together = share(queue, answers, "2", "3");
    Thread interrupted = callers.get(1); // of the second call
    interrupted.interrupt();
    assertEquals(Ending.UNKNOWN, answers.get(0).get().ending());
    assertNotEquals(interrupted, together.sender);
    together.answer();
    assertEquals(new Answer(Ending.DONE, "3"), answers.get(1).get());
  }

  @Test
  void callsAndAnswersOfAMessageKeepTheirTextsAndOrder() {
    List<MapCall> calls =
        List.of(
            set("a", "\u00e9"),
            new MapCall(MapCall.Operation.COMPARE_AND_SET, "m", "\ud800", "", "\u4e00"),
            new MapCall(MapCall.Operation.SIZE, "m", "", null, null));
    assertEquals(calls, MapCall.decode(MapCall.encode(calls)));
    for (MapCall call : calls) {
      long size = MapCall.encode(List.of(call)).size();
      assertTrue(size <= call.size() && call.size() < size + 32, size + " for " + call.size());
    }
    List<Answer> answers =
        List.of(new Answer(Ending.DONE, null), new Answer(Ending.FAILED, "\ud83d\ude00"));
    assertEquals(answers, Answer.decodeAll(Answer.encode(answers)));
  }
}
