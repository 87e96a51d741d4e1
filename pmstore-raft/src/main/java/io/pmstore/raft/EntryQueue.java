package io.pmstore.raft;

import io.pmstore.raft.Proposal.Share;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries that this node proposes, from the first transaction that has a share in one until its
 * outcome is known. Decides when an entry begins its way. Thread-safe.
 *
 * <p>Most of the cost of an entry does not depend on its size. So commits that come while an entry
 * is on its way wait, and share the next entry, as commits of a store on one machine share a sync
 * (group commit). A commit that comes alone does not wait, and none waits for longer than a time,
 * because nodes may be far from each other.
 */
final class EntryQueue {
  private static final System.Logger LOG = System.getLogger(EntryQueue.class.getName());

  private final long waitNanosMax;
  private final Consumer<Proposal> submit;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentHashMap<Long, Proposal> open = new ConcurrentHashMap<>();
  private final ArrayDeque<Proposal> waiting = new ArrayDeque<>(); // guarded by itself
  private int onTheirWay; // guarded by waiting

  /**
   * Creates an empty queue.
   *
   * @param waitNanosMax how long an entry waits for others
   * @param submit begins the way of an entry, which no transaction joins any more; must not throw
   */
  EntryQueue(long waitNanosMax, Consumer<Proposal> submit) {
    this.waitNanosMax = waitNanosMax;
    this.submit = submit;
  }

  /**
   * Gives a transaction a share in an entry.
   *
   * @param kind of the entry
   * @param term in which the transaction was validated
   * @return the entry, which is on its way or will be
   */
  Proposal join(long kind, long term, UUID cluster, Share share) {
    Proposal joined;
    Proposal next;
    synchronized (waiting) {
      Proposal last = waiting.peekLast();
      if (last != null && last.join(share, kind, term)) {
        return last;
      }
      joined = new Proposal(kind, numbers.incrementAndGet(), term, cluster, this::ended);
      joined.join(share, kind, term);
      open.put(joined.number(), joined);
      waiting.add(joined);
      next = next();
    }
    if (next == null) {
      limitWait(joined);
    } else {
      submit.accept(next);
    }
    return joined;
  }

  /** Returns the entry that begins its way now, because no other one is on its way. */
  private @Nullable Proposal next() {
    if (onTheirWay > 0 || waiting.isEmpty()) {
      return null;
    }
    onTheirWay++;
    return waiting.poll();
  }

  private void limitWait(Proposal entry) {
    try {
      Later.run(waitNanosMax, () -> begin(entry));
    } catch (OutOfMemoryError e) {
      LOG.log(System.Logger.Level.DEBUG, "an entry waits for the end of the one before", e);
    }
  }

  private void begin(Proposal entry) {
    synchronized (waiting) {
      if (!waiting.remove(entry)) {
        return;
      }
      onTheirWay++;
    }
    submit.accept(entry);
  }

  /** Called when the outcome of an entry is known. */
  private void ended(Proposal entry) {
    open.remove(entry.number());
    Proposal next;
    synchronized (waiting) {
      if (!waiting.remove(entry)) {
        onTheirWay--;
      }
      next = next();
    }
    if (next != null) {
      submit.accept(next);
    }
  }

  /** Returns an entry by its number, unless its outcome is known. */
  @Nullable Proposal find(long number) {
    return open.get(number);
  }

  /** Returns all entries whose outcome is not known. */
  Collection<Proposal> all() {
    return open.values();
  }

  /** Returns the entries that have not begun their way. */
  List<Proposal> waiting() {
    synchronized (waiting) {
      return List.copyOf(waiting);
    }
  }
}
