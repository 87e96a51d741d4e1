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
 * Replaces the heap of a node by a copy of the leader's, in two steps. First it writes the copy
 * beside the heap. The copy takes the place of the heap when Ratis is about to continue its log
 * from there. If the heap were newer than the log, Ratis could vote, and lead, without entries that
 * the heap has.
 *
 * <p>While Ratis waits for a copy, it refuses entries. It learns that the copy is complete only if
 * a leader asks for the copy again, and the next leader might have no reason to ask. So this class
 * answers each question soon: with a copy that is complete already, or with a failure, after which
 * the leader asks again. Thread-safe.
 */
final class CopyInstall {
  private static final System.Logger LOG = System.getLogger(CopyInstall.class.getName());
  private static final long THREAD_SECONDS_MAX = 30;
  private static final long ANSWER_MILLIS_MAX = 1_000;

  private final Node node;
  private final NodeFiles files;
  private final EngineProvider heaps;
  private final AtomicReference<@Nullable Made> ready = new AtomicReference<>();
  private @Nullable CompletableFuture<Void> making; // guarded by this
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("pmstore-raft-copy").factory());

  /** A copy that was made, and may take the place of the heap. */
  private record Made(String source, CopyFetch.Fetched copy, @Nullable HeapCopyEvent event) {}

  CopyInstall(Node node, NodeFiles files, EngineProvider heaps) {
    this.node = node;
    this.files = files;
    this.heaps = heaps;
  }

  /**
   * Answers the leader, which has no entries before {@code first}: by the last entry of a copy that
   * is ready, or by a failure within a second.
   */
  CompletableFuture<AppliedIndexes.At> asked(RoleInfoProto role, long first) {
    Made made = ready.get();
    if (made != null && made.copy().at().index() + 1 >= first) {
      return CompletableFuture.completedFuture(made.copy().at());
    }
    String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
    String address = role.getFollowerInfo().getLeaderInfo().getId().getAddress();
    PmStoreException notYet = // Ratis logs the message
        new PmStoreException("the heap of %s is being copied; this goes on".formatted(leader));
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
      ready.set(null); // its files are about to be deleted
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

  private void make(String leader, String address) {
    HeapCopyEvent event = node.recorder().heapCopy();
    ready.set(
        new Made(
            leader,
            new CopyFetch(node, leader, address)
                .into(heaps, files, node.heapOptions().groupAccess()),
            event));
  }

  /**
   * Puts the copy in the place of the heap, if there is one and it is newer.
   *
   * @return true if there is one
   */
  boolean putInPlace() {
    Made made = ready.getAndSet(null);
    if (made == null) {
      return false;
    }
    CopyFetch.Fetched copy = made.copy();
    node.applier()
        .replace(
            copy.at(),
            () -> {
              files.replaceHeap();
              return heaps.open(files.heap(), node.heapOptions());
            },
            () -> {
              files.deleteOldHeap();
              node.recorder()
                  .ended(
                      made.event(),
                      made.source(),
                      copy.heapBytes(),
                      copy.transferredBytes(),
                      copy.at().index());
            });
    return true;
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
