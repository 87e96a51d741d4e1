package io.pmstore.raft;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.core.engine.BackupTarget;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.zip.InflaterInputStream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Copies the heap of another node into a new store beside the present one, durably. */
final class CopyFetch {
  private final Node node;
  private final String source;
  private final String address;
  private long transferred;

  /**
   * A copy that was made.
   *
   * @param at the last entry that it has
   * @param heapBytes its size
   * @param transferredBytes what was carried over the network
   */
  record Fetched(AppliedIndexes.At at, long heapBytes, long transferredBytes) {}

  CopyFetch(Node node, String source, String address) {
    this.node = node;
    this.source = source;
    this.address = address;
  }

  /** Makes the copy. */
  Fetched into(EngineProvider heaps, NodeFiles files, GroupAccess group) {
    try (RaftClient client = node.peers().newClient(source, address)) {
      NodeFiles.deleteTree(files.newHeap());
      ByteString opened = ask(client, Questions.of(Questions.OPEN, 0, 0));
      long copy = Questions.word(opened, 0);
      try (BackupTarget target = heaps.backupTo(files.newHeap(), group)) {
        target.write(
            Questions.word(opened, 4),
            Questions.word(opened, 3),
            (extent, bytes) -> fetch(client, copy, extent, bytes),
            null);
      }
      node.peers().ask(client, source, Questions.of(Questions.CLOSE, copy, 0));
      return new Fetched(
          new AppliedIndexes.At(Questions.word(opened, 1), Questions.word(opened, 2)),
          Questions.word(opened, 3),
          transferred);
    } catch (IOException e) {
      throw new PmStoreException(
          "the heap of the node %s could not be copied: %s; it is tried again".formatted(source, e),
          e);
    }
  }

  private void fetch(RaftClient client, long copy, int extent, MemorySegment bytes) {
    try {
      ByteString packed = ask(client, Questions.of(Questions.EXTENT, copy, extent));
      transferred += packed.size();
      unpack(packed, extent, bytes);
    } catch (IOException e) {
      throw new PmStoreException(
          "the part %d of the heap of the node %s could not be copied: %s; it is tried again"
              .formatted(extent, source, e),
          e);
    }
  }

  /** Asks until the source answers, or another node is known to lead, whose heap is to be had. */
  private ByteString ask(RaftClient client, ByteString question) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return node.peers().ask(client, source, question);
      } catch (IOException e) {
        String leader = node.leadership().otherLeaderId();
        boolean leads = leader == null || leader.equals(source);
        if (!leads || attempt == Peers.ATTEMPTS || node.hasEnded()) {
          throw e;
        }
      }
      try {
        node.applier().awaitSign(TimeUnit.MILLISECONDS.toNanos(Peers.BETWEEN_MILLIS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the node is being closed");
      }
    }
  }

  private static void unpack(ByteString packed, int extent, MemorySegment bytes)
      throws IOException {
    try (InflaterInputStream in = new InflaterInputStream(packed.newInput())) {
      byte[] buffer = new byte[1 << 16];
      long at = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (at + n > HeapMemory.EXTENT_SIZE) {
          throw new IOException("the part " + extent + " is longer than an extent");
        }
        MemorySegment.copy(buffer, 0, bytes, ValueLayout.JAVA_BYTE, at, n);
        at += n;
      }
      if (at != HeapMemory.EXTENT_SIZE) {
        throw new IOException("the part " + extent + " ends after " + at + " bytes");
      }
    }
  }
}
