package io.pmstore.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The calls of maps that this node sends to the leader. Thread-safe.
 *
 * <p>Most of the cost of a message does not depend on its size. So calls that come while a message
 * is on its way wait, and share the next one, as commits share an entry of the log ({@link
 * EntryQueue}). A call that comes alone does not wait, and none waits for longer than a time: to a
 * distant leader several messages are on their way.
 */
final class CallQueue {
  /** Sends a message. */
  interface Sending {
    /**
     * Sends calls in one message, and waits for the answers.
     *
     * @return the answer to each, in their order, also if nobody has answered
     */
    List<Answer> send(String leader, List<MapCall> calls);
  }

  /** Calls that share a message. The queue guards the lists until the message begins its way. */
  private static final class Shared {
    final String leader;
    final List<MapCall> calls = new ArrayList<>();
    final List<CompletableFuture<Answer>> answers = new ArrayList<>();
    long size;

    Shared(String leader) {
      this.leader = leader;
    }

    /** Returns true if a call to a node, of so many bytes, can share the message. */
    boolean accepts(String to, long bytes) {
      return leader.equals(to) && size + bytes <= RatisServer.RECORD_MAX;
    }

    CompletableFuture<Answer> add(MapCall call, long bytes) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      calls.add(call);
      answers.add(answer);
      size += bytes;
      return answer;
    }
  }

  private final long waitNanosMax;
  private final Sending sending;
  private int onTheirWay; // messages; guarded by this
  private @Nullable Shared waiting; // guarded by this

  /**
   * Creates an empty queue.
   *
   * @param waitNanosMax how long a call waits for others
   */
  CallQueue(long waitNanosMax, Sending sending) {
    this.waitNanosMax = waitNanosMax;
    this.sending = sending;
  }

  /** Sends a call, alone or with others, and waits for its answer. */
  Answer send(String leader, MapCall call) {
    CompletableFuture<Answer> answer = joinOrBegin(leader, call);
    if (answer == null) {
      try {
        return sending.send(leader, List.of(call)).getFirst();
      } finally {
        ended();
      }
    }
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Maps.lost(call, leader, "the thread was interrupted");
    } catch (ExecutionException e) {
      return Maps.lost(call, leader, String.valueOf(e.getCause()));
    }
  }

  /**
   * Adds a call to the message that waits, or to a new one. Returns the answer to come; or null if
   * no message is on its way, and the calling thread has to send the call now.
   */
  private @Nullable CompletableFuture<Answer> joinOrBegin(String leader, MapCall call) {
    long bytes = call.size();
    Shared full;
    Shared begun;
    CompletableFuture<Answer> answer;
    synchronized (this) {
      if (onTheirWay == 0) {
        onTheirWay++;
        return null;
      }
      full = waiting;
      if (full != null && full.accepts(leader, bytes)) {
        return full.add(call, bytes);
      }
      begun = new Shared(leader);
      answer = begun.add(call, bytes);
      waiting = begun;
      onTheirWay += full == null ? 0 : 1;
    }
    if (full != null) {
      begin(full);
    }
    try {
      Later.run(waitNanosMax, () -> stopWaiting(begun));
    } catch (OutOfMemoryError e) {
      stopWaiting(begun);
    }
    return answer;
  }

  /** Sends a message, unless another thread has begun to. */
  private void stopWaiting(Shared shared) {
    synchronized (this) {
      if (waiting != shared) {
        return;
      }
      waiting = null;
      onTheirWay++;
    }
    begin(shared);
  }

  /** The sender of a message calls this when it has the answers. Sends the message that waits. */
  private void ended() {
    Shared next;
    synchronized (this) {
      onTheirWay--;
      next = onTheirWay == 0 ? waiting : null;
      if (next != null) {
        waiting = null;
        onTheirWay++;
      }
    }
    if (next != null) {
      begin(next);
    }
  }

  /** Sends a message on a thread of its own: an interrupt of one caller is not for the others. */
  private void begin(Shared shared) {
    try {
      Thread.ofVirtual().name("pmstore-raft-calls").start(() -> send(shared));
    } catch (OutOfMemoryError e) {
      fail(shared, e);
      ended();
    }
  }

  private void send(Shared shared) {
    try {
      List<Answer> answers = sending.send(shared.leader, shared.calls);
      for (int i = 0; i < shared.answers.size(); i++) {
        shared.answers.get(i).complete(answers.get(i));
      }
    } catch (Throwable t) { // errors too: the callers wait
      fail(shared, t);
    } finally {
      ended();
    }
  }

  private static void fail(Shared shared, Throwable why) {
    shared.answers.forEach(answer -> answer.completeExceptionally(why));
  }
}
