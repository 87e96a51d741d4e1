package io.pmstore.raft;

import io.pmstore.PmStoreException;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.raft.events.HeapCopyEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the heap of a node by a copy of the leader's, in three steps. A thread of this class
 * writes the copy beside the heap, and then holds the store's calls back until no snapshot of the
 * heap is open. The copy takes the place of the heap when Ratis is about to continue its log from
 * there. If the heap were newer than the log, Ratis could vote, and lead, without entries that the
 * heap has. Ratis neither votes nor answers during the last step, so that waits for nobody.
 *
 * <p>While Ratis waits for a copy, it refuses entries. It learns that the copy is complete only if
 * a leader asks for the copy again, and the next leader might have no reason to ask. So this class
 * answers each question soon: with a copy that may take the place of the heap at once, or with a
 * failure, after which the leader asks again. Thread-safe.
 */
final class CopyInstall {
  private static final System.Logger LOG = System.getLogger(CopyInstall.class.getName());
  private static final long THREAD_SECONDS_MAX = 30;
  private static final long ANSWER_MILLIS_MAX = 1_000;

  /** How long calls are held back for the end of those that run: at first, and at most. */
  private static final long HOLD_MILLIS = 500;

  private static final long HOLD_MILLIS_MAX = 4_000;

  /** How many election timeouts they wait for the leader to ask, which is two elections. */
  private static final int HELD_TIMEOUTS = 4;

  private final Node node;
  private final NodeFiles files;
  private final EngineProvider heaps;
  private final AtomicReference<@Nullable Made> ready = new AtomicReference<>();
  private final Held held;
  private volatile long wanted; // the entry with which the log of the leader begins
  private volatile boolean waiting;
  private @Nullable CompletableFuture<Void> making; // guarded by this
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("pmstore-raft-copy").factory());

  /** A copy that was made, and may take the place of the heap. */
  private record Made(String source, CopyFetch.Fetched copy, @Nullable HeapCopyEvent event) {
    /** Returns true if the log may go on behind the copy with an entry, or an earlier one. */
    boolean reaches(long first) {
      return copy.at().index() + 1 >= first;
    }
  }

  CopyInstall(Node node, NodeFiles files, EngineProvider heaps) {
    this.node = node;
    this.files = files;
    this.heaps = heaps;
    this.held =
        new Held(
            () -> node.host().release(),
            node.settings().electionTimeout().multipliedBy(HELD_TIMEOUTS).toNanos());
  }

  /**
   * Answers the leader, which has no entries before {@code first}: by the last entry of a copy that
   * may take the place of the heap, or by a failure within a second. In the first case Ratis puts
   * the copy in place before it does anything else.
   */
  CompletableFuture<AppliedIndexes.At> asked(RoleInfoProto role, long first) {
    wanted = first;
    Made made = ready.get();
    if (made != null && made.reaches(first) && held.extend()) {
      return CompletableFuture.completedFuture(made.copy().at());
    }
    String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
    String address = role.getFollowerInfo().getLeaderInfo().getId().getAddress();
    PmStoreException notYet = // Ratis logs the message
        new PmStoreException(
            waiting
                ? "the copy of the heap of %s waits for snapshots that are open".formatted(leader)
                : "the heap of %s is being copied; this goes on".formatted(leader));
    CompletableFuture<AppliedIndexes.At> answer = new CompletableFuture<>();
    try {
      var _ =
          making(leader, address)
              .whenComplete(
                  (done, thrown) -> answer.completeExceptionally(thrown == null ? notYet : thrown));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(e); // the node is closed
    }
    Later.run(
        TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS_MAX),
        () -> answer.completeExceptionally(notYet));
    return answer;
  }

  private synchronized CompletableFuture<Void> making(String leader, String address) {
    CompletableFuture<Void> running = making;
    if (running == null || running.isDone()) {
      held.end(); // the copy is made anew, or waits again
      running =
          CompletableFuture.runAsync(() -> make(leader, address), thread)
              .whenComplete(
                  (done, thrown) -> {
                    if (thrown != null && !node.isClosing()) {
                      LOG.log(
                          System.Logger.Level.WARNING,
                          node.settings().id()
                              + ": the heap of "
                              + leader
                              + " was not copied; tried again",
                          thrown);
                    }
                  });
      making = running;
    }
    return running;
  }

  /** Returns true while a copy is being made, or waits to take its place. */
  synchronized boolean isMaking() {
    return ready.get() != null || (making != null && !making.isDone());
  }

  /** Returns true while a copy waits for snapshots or backups that are open. */
  boolean isWaiting() {
    return waiting;
  }

  private void make(String leader, String address) {
    Made made = ready.get();
    if (made == null || !made.reaches(wanted)) {
      ready.set(null); // its files are about to be deleted
      HeapCopyEvent event = node.recorder().heapCopy();
      CopyFetch.Fetched copy =
          new CopyFetch(node, leader, address).into(heaps, files, node.heapOptions().groupAccess());
      made = new Made(leader, copy, event);
      ready.set(made);
    }
    hold(made);
  }

  /**
   * Holds the calls of the store back, unless the copy becomes too old before that succeeds. Each
   * try takes twice as long as the one before it, for snapshots that overlap all the time.
   */
  private void hold(Made made) {
    waiting = true;
    try {
      long millis = HOLD_MILLIS;
      for (boolean isHeld = false; !isHeld && made.reaches(wanted); ) {
        node.copies().giveUp();
        isHeld = node.host().holdBack(TimeUnit.MILLISECONDS.toNanos(millis));
        if (isHeld) {
          held.begin();
        } else {
          millis = Math.min(2 * millis, HOLD_MILLIS_MAX);
          LOG.log(
              System.Logger.Level.INFO,
              node.settings().id()
                  + ": the copy of the heap of "
                  + made.source()
                  + " has waited for snapshots that were open; tried again");
        }
      }
    } finally {
      waiting = false;
    }
  }

  /**
   * Puts the copy in the place of the heap, if there is one and it is newer. Waits for nobody after
   * {@link #asked} has returned the copy.
   *
   * @return true if there is one
   */
  boolean putInPlace() {
    Made made = ready.getAndSet(null);
    if (made == null) {
      return false;
    }
    held.keep();
    try {
      replaceHeap(made);
    } finally {
      held.end();
    }
    return true;
  }

  private void replaceHeap(Made made) {
    CopyFetch.Fetched copy = made.copy();
    node.applier()
        .replace(
            copy.at(),
            () -> {
              files.replaceHeap();
              return heaps.open(files.heap(), node.heapOptions());
            },
            () ->
                node.recorder()
                    .ended(
                        made.event(),
                        made.source(),
                        copy.heapBytes(),
                        copy.transferredBytes(),
                        copy.at().index()));
    try {
      thread.execute(this::deleteOldHeap);
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "closed; the next opening deletes the old heap", e);
    }
  }

  /** Deletes the heap that was replaced: of a large one this may take long. */
  private void deleteOldHeap() {
    try {
      files.deleteOldHeap();
    } catch (Throwable t) {
      node.failed(t);
    }
  }

  /** Gives up the copy that is being made; when the method returns, its files are left alone. */
  void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(THREAD_SECONDS_MAX, TimeUnit.SECONDS)) {
        LOG.log(
            System.Logger.Level.WARNING,
            node.settings().id() + ": the copying of another node's heap does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
