package io.pmstore.raft;

import static java.util.Objects.requireNonNull;

import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.WriteSet;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Applies the entries of the Raft log to the heap of a node, one after the other, and knows the
 * last entry that the heap has. Nothing else changes the heap. Thread-safe.
 */
final class Applier {
  private final Node node;
  private final Mutex applying = new Mutex();
  private final Signal signal = new Signal();
  private volatile @Nullable AppliedIndexes applied; // written under applying
  private volatile long index = -1; // of the last entry that has changed the heap
  private volatile @Nullable Thread thread;
  private @Nullable String birth; // of the empty heap, until the first entry is applied

  Applier(Node node) {
    this.node = node;
  }

  /** Begins with a heap, which has an entry and all before it. */
  void start(AppliedIndexes.At last) {
    try (var _ = applying.hold()) {
      applied = new AppliedIndexes(node.engine().position(), last);
      index = last.index();
      if (last.index() >= 0) {
        checkCluster();
      }
      birth = last.index() < 0 ? node.copies().digest().sha256() : null;
    }
  }

  /** Returns the digest of the empty heap, or null once an entry was applied. */
  @Nullable String birth() {
    return birth;
  }

  /** Returns the index of the last entry that has changed the heap. */
  long index() {
    return index;
  }

  /**
   * Waits until the heap has an entry.
   *
   * @return false if it has not when the time is over, or the node has ended
   */
  boolean awaitIndex(long wanted, long nanos) throws InterruptedException {
    return signal.await(() -> index >= wanted || node.hasEnded(), nanos) && index >= wanted;
  }

  /** Wakes those that wait, because the node has ended or its role has changed. */
  void wake() {
    signal.changed();
  }

  /** Waits for the next entry that is applied, for a change of the leader, or for a time. */
  void awaitSign(long nanos) throws InterruptedException {
    signal.awaitNext(nanos);
  }

  /** Returns true if the calling thread is applying an entry. */
  boolean isApplying() {
    return Thread.currentThread().equals(thread);
  }

  /** Applies the next entry of the log. Called in the order of the log, on each node. */
  void apply(long term, long at, ByteString logged) {
    try (var _ = applying.hold()) {
      Throwable before = node.failure();
      if (before != null) {
        throw new StoreFailedException("an earlier entry was not applied: " + before, before);
      }
      AppliedIndexes indexes = requireNonNull(applied);
      if (at <= indexes.at(Long.MAX_VALUE).index()) {
        return; // a copy of another node's heap has it
      }
      node.proposals().passed(term);
      node.operation().heard();
      Entry entry = Entry.decode(logged);
      Proposal own = node.proposals().of(entry);
      if (entry.term() != term) {
        if (!entry.isRevoked()) {
          node.recorder().stale(at, term, entry.term());
        }
        if (own != null) {
          own.refuse(Proposal.TOO_LATE);
        }
        return; // validated against another state; no node applies it
      }
      node.guard().joinOf("the log", entry.cluster());
      thread = Thread.currentThread();
      try {
        AppliedIndexes.At changed = new AppliedIndexes.At(term, at);
        indexes.add(() -> change(entry, changed, own), changed);
        birth = null;
      } finally {
        thread = null;
      }
    }
    signal.changed();
  }

  private long change(Entry entry, AppliedIndexes.At at, @Nullable Proposal own) {
    WriteSet record;
    if (entry.kind() == Entry.BIRTH) {
      checkBirth(entry);
      record = new WriteSet();
      Notes.putCluster(record, node.host().notes(), entry.cluster());
    } else {
      record = WriteSet.decode(entry.record());
    }
    Notes.put(record, node.host().notes(), at);
    record.setRelaxed();
    if (own == null || !own.claim()) {
      long position = node.host().apply(record);
      index = at.index();
      return position;
    }
    try {
      long position = node.engine().inner().commit(record); // its transactions hold the locks
      index = at.index(); // before anyone learns of it
      own.committed(position);
      return position;
    } catch (Throwable t) {
      own.failed(t);
      throw t;
    }
  }

  /** Checks that the heap is of the cluster of the node. */
  private void checkCluster() {
    node.guard().joinOf("the heap", Notes.cluster(node.engine().memory(), node.host().notes()));
  }

  private void checkBirth(Entry entry) {
    String theirs = new String(entry.record(), StandardCharsets.UTF_8);
    String mine = birth;
    if (mine != null && !mine.equals(theirs)) {
      throw new PmStoreException(
          "the empty heap of the node %s has the digest %s, and that of the node which led first %s; open all nodes with the same version of pmstore and the same options"
              .formatted(node.settings().id(), mine, theirs));
    }
  }

  /** Makes what is applied durable; returns the last entry of it. */
  AppliedIndexes.At makeDurable() {
    try (var _ = applying.hold()) {
      Engine inner = node.engine().inner();
      long position = inner.position();
      inner.sync(position);
      return requireNonNull(applied).at(position);
    }
  }

  /**
   * Returns the entry that the commit at a position comes from. The caller has a snapshot of the
   * heap open, so {@link #replace} may be waiting for it.
   */
  AppliedIndexes.At entryAt(long position) {
    return requireNonNull(applied).at(position);
  }

  /**
   * Puts a copy in the place of the heap, if the copy is newer.
   *
   * @param copied the last entry that the copy has
   * @param putInPlace puts its files in place, and opens them
   * @param done called when the copy has taken the place of the heap
   * @throws StoreClosedException if the store is closed first; nothing has happened
   */
  void replace(AppliedIndexes.At copied, Supplier<Engine> putInPlace, Runnable done) {
    applying.lock();
    try {
      AppliedIndexes.At here = requireNonNull(applied).at(Long.MAX_VALUE);
      if (copied.index() <= here.index()) {
        return;
      }
      node.host()
          .replace(
              () -> {
                RaftEngine opened = node.openedOn(putInPlace.get());
                applied = new AppliedIndexes(opened.position(), copied); // before anyone sees it
                return opened;
              });
      AppliedIndexes.At noted = Notes.read(node.engine().memory(), node.host().notes());
      if (!noted.equals(copied)) {
        throw new IllegalStateException(
            "a copy is of the entry %s, and its heap says %s".formatted(copied, noted));
      }
      checkCluster();
      index = copied.index();
      birth = null;
      done.run();
    } catch (StoreClosedException e) {
      throw e; // before anything was replaced
    } catch (Throwable t) {
      node.failed(t);
      throw t;
    } finally {
      applying.unlock();
    }
    signal.changed();
  }
}
