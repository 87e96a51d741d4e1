package io.pmstore.raft;

import io.pmstore.raft.Proposal.Share;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries that this node proposes, from the first transaction that has a share in one until its
 * outcome is known. Decides when an entry begins its way. Thread-safe.
 *
 * <p>Most of the cost of an entry does not depend on its size. So commits that come while as many
 * entries are on their way as is useful ({@link EntryLimit}) wait, and share the next entry, as
 * commits of a store on one machine share a sync (group commit). A commit that comes alone does not
 * wait, and none waits for longer than a time.
 */
final class EntryQueue {
  private static final System.Logger LOG = System.getLogger(EntryQueue.class.getName());

  private final long waitNanosMax;
  private final Consumer<Proposal> submit;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentHashMap<Long, Proposal> open = new ConcurrentHashMap<>();
  private final ArrayDeque<Proposal> waiting = new ArrayDeque<>(); // guarded by itself
  private final Map<Proposal, Way> onTheirWay = new HashMap<>(); // guarded by waiting
  private final EntryLimit limit = new EntryLimit(); // guarded by waiting

  /**
   * Set when an error may have left an entry behind that nobody begins, or that happens after its
   * transaction was rolled back. There may be no stack or memory left, and setting a field needs
   * neither. Never reset.
   */
  volatile boolean lost;

  /**
   * The way of an entry.
   *
   * @param begun when, on the clock of System.nanoTime
   * @param together how many entries were on their way then, with this one
   */
  private record Way(long begun, int together) {}

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
    boolean isNew = false;
    synchronized (waiting) {
      joined = waiting.peekLast();
      if (joined == null || !joined.join(share, kind, term)) {
        isNew = true;
        joined = new Proposal(kind, numbers.incrementAndGet(), term, cluster, this::ended);
        joined.join(share, kind, term);
        open.put(joined.number(), joined);
        waiting.add(joined);
      }
      next = next(); // an error may have kept the thread that made it from this
    }
    boolean isBegun = false;
    try {
      submit(next);
      if (isNew && next != joined) { // it waits
        limitWait(joined);
      }
      isBegun = true;
    } finally {
      if (!isBegun) {
        lost = true;
      }
    }
    return joined;
  }

  /** Returns the next entry if it may begin its way now. */
  private @Nullable Proposal next() {
    return onTheirWay.size() < limit.get() ? begun(waiting.peek()) : null;
  }

  /**
   * Sends an entry on its way. This method allocates before it takes the entry out of the queue: if
   * memory ends, the entry goes on waiting.
   */
  private @Nullable Proposal begun(@Nullable Proposal entry) {
    if (entry != null) {
      onTheirWay.put(entry, new Way(System.nanoTime(), onTheirWay.size() + 1));
      waiting.remove(entry);
    }
    return entry;
  }

  private void limitWait(Proposal entry) {
    try {
      Later.run(waitNanosMax, () -> begin(entry));
    } catch (OutOfMemoryError e) {
      LOG.log(System.Logger.Level.DEBUG, "an entry waits for the end of the one before", e);
    }
  }

  private void begin(Proposal entry) {
    Proposal begun;
    synchronized (waiting) {
      begun = begun(waiting.contains(entry) ? entry : null);
    }
    submit(begun);
  }

  private void submit(@Nullable Proposal begun) {
    if (begun != null) {
      submit.accept(begun);
    }
  }

  /** Called when the outcome of an entry is known. Begins as many others as there is room for. */
  private void ended(Proposal entry) {
    open.remove(entry.number());
    Proposal next;
    synchronized (waiting) {
      Way way = onTheirWay.remove(entry);
      if (way == null) {
        waiting.remove(entry);
      } else if (entry.isCommitted()) {
        limit.took(System.nanoTime() - way.begun(), way.together());
      }
      next = next();
    }
    while (next != null) {
      submit(next);
      synchronized (waiting) {
        next = next();
      }
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
