package io.pmstore.raft;

import io.pmstore.core.engine.EngineProvider;
import io.pmstore.raft.events.HeapCopyEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;

/** Replaces the heap of a node by a copy of the leader's. */
final class CopyInstall {
  private static final System.Logger LOG = System.getLogger(CopyInstall.class.getName());

  private final Node node;
  private final NodeFiles files;
  private final EngineProvider heaps;
  private final Executor executor;

  CopyInstall(Node node, NodeFiles files, EngineProvider heaps, Executor executor) {
    this.node = node;
    this.files = files;
    this.heaps = heaps;
    this.executor = executor;
  }

  /** Begins; the answer is the last entry that the heap has then. */
  CompletableFuture<AppliedIndexes.At> begin(RoleInfoProto role) {
    String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
    String address = role.getFollowerInfo().getLeaderInfo().getId().getAddress();
    return CompletableFuture.supplyAsync(() -> install(leader, address), executor)
        .whenComplete(
            (at, thrown) -> {
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
  }

  private AppliedIndexes.At install(String leader, String address) {
    HeapCopyEvent copying = node.recorder().heapCopy();
    CopyFetch.Fetched copy =
        new CopyFetch(node, leader, address).into(heaps, files, node.heapOptions().groupAccess());
    return node.applier()
        .replace(
            copy.at(),
            () -> {
              AppliedIndexes.At noted = putInPlace();
              node.recorder()
                  .ended(
                      copying,
                      leader,
                      copy.heapBytes(),
                      copy.transferredBytes(),
                      copy.at().index());
              return noted;
            });
  }

  private AppliedIndexes.At putInPlace() {
    node.engine().detach();
    node.host()
        .replace(
            () -> {
              files.replaceHeap();
              return node.openedOn(heaps.open(files.heap(), node.heapOptions()));
            });
    return Notes.read(node.engine().memory(), node.host().notes());
  }
}
