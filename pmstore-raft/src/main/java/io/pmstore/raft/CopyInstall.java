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
 * Replaces the heap of a node by a copy of the leader's, in two steps: the copy is made beside the
 * heap, and takes its place when Ratis is about to have its log go on from there. A heap that is
 * newer than the log would have Ratis vote, and lead, with entries that the log has not.
 * Thread-safe.
 */
final class CopyInstall {
  private static final System.Logger LOG = System.getLogger(CopyInstall.class.getName());
  private static final long THREAD_SECONDS_MAX = 30;

  private final Node node;
  private final NodeFiles files;
  private final EngineProvider heaps;
  private final AtomicReference<@Nullable Made> ready = new AtomicReference<>();
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

  /** Begins to copy; the answer is the last entry that the copy has. */
  CompletableFuture<AppliedIndexes.At> begin(RoleInfoProto role) {
    String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
    String address = role.getFollowerInfo().getLeaderInfo().getId().getAddress();
    CompletableFuture<AppliedIndexes.At> made;
    try {
      made = CompletableFuture.supplyAsync(() -> make(leader, address), thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e); // the node is closed
    }
    return made.whenComplete(
        (at, thrown) -> {
          if (thrown != null && !node.isClosing()) {
            LOG.log(
                System.Logger.Level.WARNING,
                node.settings().id() + ": the heap of " + leader + " was not copied; tried again",
                thrown);
          }
        });
  }

  private AppliedIndexes.At make(String leader, String address) {
    ready.set(null);
    HeapCopyEvent event = node.recorder().heapCopy();
    CopyFetch.Fetched copy =
        new CopyFetch(node, leader, address).into(heaps, files, node.heapOptions().groupAccess());
    if (!leader.equals(node.leadership().leaderId())) {
      // Ratis takes a copy when the leader asks for it again. Another one might never do.
      throw new PmStoreException(
          "the node %s does not lead any more; the heap of the next leader is copied instead, if it is needed"
              .formatted(leader));
    }
    ready.set(new Made(leader, copy, event));
    return copy.at();
  }

  /**
   * Puts the copy in the place of the heap, if there is one.
   *
   * @return the last entry that the heap has now, or null without a copy
   */
  AppliedIndexes.@Nullable At putInPlace() {
    Made made = ready.getAndSet(null);
    if (made == null) {
      return null;
    }
    CopyFetch.Fetched copy = made.copy();
    return node.applier()
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
