package io.pmstore.raft;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.PmStoreException;
import io.pmstore.Replication;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.HeapCopy;
import io.pmstore.core.memory.HeapMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * Serves states of this node's heap to other nodes, which copy them extent by extent, and computes
 * digests of the heap. A copy ends if no node has asked for a part of it for a minute. Thread-safe.
 */
final class Copies {
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int BUFFER = 1 << 16;

  private final Node node;
  private long numbers; // guarded by this
  private final ConcurrentHashMap<Long, Open> open = new ConcurrentHashMap<>();
  private boolean closed; // guarded by this

  /** A copy that another node is making. */
  private static final class Open {
    final HeapCopy copy;
    final AppliedIndexes.At at;
    volatile long used = System.nanoTime();

    Open(HeapCopy copy, AppliedIndexes.At at) {
      this.copy = copy;
      this.at = at;
    }
  }

  Copies(Node node) {
    this.node = node;
  }

  /** Answers a question of another node. */
  ByteString answer(ByteString question) {
    long number = Questions.word(question, 1);
    long kind = Questions.word(question, 0);
    if (kind == Questions.OPEN) {
      return begin();
    }
    if (kind == Questions.CLOSE) {
      close(number);
      return ByteString.EMPTY;
    }
    Open found = open.get(number);
    if (kind != Questions.EXTENT || found == null) {
      throw new PmStoreException(
          "the copy %d was asked for (%d), and is not open any more; begin another one"
              .formatted(number, kind));
    }
    found.used = System.nanoTime();
    return extent(found, (int) Questions.word(question, 2));
  }

  private ByteString begin() {
    node.heapIsCopied();
    HeapCopy copy = node.host().copy();
    try {
      AppliedIndexes.At at = node.applier().entryAt(copy.position());
      long size = copy.size();
      long segment = node.engine().logSegmentSize().orElse(node.heapOptions().logSegmentSize());
      return Questions.words(add(new Open(copy, at)), at.term(), at.index(), size, segment);
    } catch (Throwable t) {
      closeAfter(t, copy);
      throw t;
    }
  }

  private synchronized long add(Open added) {
    if (closed) { // the heap would wait for the copy before it closes
      throw new StoreClosedException("the heap is being closed; begin the copy again");
    }
    long number = ++numbers;
    open.put(number, added);
    watch(number);
    return number;
  }

  private ByteString extent(Open from, int number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment extent = arena.allocate(HeapMemory.EXTENT_SIZE, 8);
      copy(from.copy, from.at, number, extent);
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      Deflater deflater = new Deflater(Deflater.BEST_SPEED);
      try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
        byte[] buffer = new byte[BUFFER];
        for (long at = 0; at < HeapMemory.EXTENT_SIZE; at += BUFFER) {
          MemorySegment.copy(extent, ValueLayout.JAVA_BYTE, at, buffer, 0, BUFFER);
          out.write(buffer);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        deflater.end();
      }
      return ByteString.copyFrom(packed.toByteArray());
    }
  }

  /**
   * Copies an extent. The heap notes the last entry outside of the locks of the leader's
   * transactions, so the copy gets the one that it is of.
   */
  private void copy(HeapCopy from, AppliedIndexes.At at, int number, MemorySegment extent) {
    from.copyExtent(number, extent);
    if (number == 0) {
      Notes.put(extent, node.host().notes(), at);
    }
  }

  /** Computes the digest of the heap, without the zeros at its end. */
  Replication.Digest digest() {
    while (true) {
      try {
        return presentDigest();
      } catch (StoreClosedException e) {
        if (node.hasEnded()) {
          throw e;
        } // otherwise another heap takes the place of this one
      }
    }
  }

  private Replication.Digest presentDigest() {
    try (HeapCopy copy = node.host().copy();
        Arena arena = Arena.ofConfined()) {
      AppliedIndexes.At at = node.applier().entryAt(copy.position());
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      MemorySegment extent = arena.allocate(HeapMemory.EXTENT_SIZE, 8);
      byte[] buffer = new byte[BUFFER];
      byte[] none = new byte[BUFFER];
      long zeros = 0;
      int extents = (int) ((copy.size() + HeapMemory.EXTENT_SIZE - 1) >>> HeapMemory.EXTENT_SHIFT);
      for (int i = 0; i < extents; i++) {
        copy(copy, at, i, extent);
        if (i == 0) {
          extent.asSlice(0, Engine.RESERVED).fill((byte) 0); // of this node alone
        }
        for (long from = 0; from < HeapMemory.EXTENT_SIZE; from += BUFFER) {
          MemorySegment.copy(extent, ValueLayout.JAVA_BYTE, from, buffer, 0, BUFFER);
          if (Arrays.equals(buffer, none)) {
            zeros++;
            continue;
          }
          for (; zeros > 0; zeros--) {
            digest.update(none);
          }
          digest.update(buffer);
        }
      }
      return new Replication.Digest(at.index(), HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Closes a copy when nobody has asked for it for a minute or two. */
  private void watch(long number) {
    Later.run(
        IDLE_NANOS,
        () -> {
          Open watched = open.get(number);
          if (watched != null && System.nanoTime() - watched.used >= IDLE_NANOS) {
            close(number);
          } else if (watched != null) {
            watch(number);
          }
        });
  }

  private void close(long number) {
    Open closing = open.remove(number);
    if (closing != null) {
      closing.copy.close();
    }
  }

  /** Gives all copies up, and begins none until {@link #open}. */
  synchronized void close() {
    closed = true;
    giveUp();
  }

  /** Gives all copies up that are open now. */
  void giveUp() {
    open.keySet().forEach(this::close);
  }

  /** Another heap has taken the place of the former one, and other nodes may copy it. */
  synchronized void open() {
    closed = false;
  }
}
