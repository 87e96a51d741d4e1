package io.pmstore.proxy.collection;

import io.pmstore.ClassRefusedException;
import io.pmstore.PmStoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries of a map or set that are not where their keys' hashes in this JVM lead.
 *
 * <p>An entry is where its key's hash code led when it was put. A {@code hashCode} of a user's
 * class need not return the same in the next JVM: that of an enum or a {@link Class} differs in
 * each, and the method may have changed, come or gone. So an entry that an earlier JVM put can be a
 * <em>stray</em> in this one. It stays where it is; this class keeps, in memory only, the stored
 * hash of each stray under its current hash. So nothing is rewritten, and read-only stores and
 * snapshots work alike.
 *
 * <p>The search for strays runs when it first matters in this JVM: when a key is not found under
 * its own hash and users' code takes part in that hash. It visits each entry once, in short reads
 * apart from the current transaction. Threads that search at the same time share their progress,
 * and none waits for another.
 *
 * <p>No stray is missed, because an entry that this JVM puts is no stray, and every other entry is
 * removed in one of three ways. It is found under its own hash: then it is no stray. It is found
 * here: then all strays are known. Or {@code clear} removes it, and searches for the strays first.
 * So the strays that exist when the search begins are all that any view can show, however old its
 * snapshot. Knowing a stray that was removed does no harm.
 *
 * <p>On a node of a replicated store, entries of other JVMs come later too. While the node follows,
 * each look-up goes through the entries of its own view. When it leads, what was found before it
 * followed last is void, and {@link #isCurrent} false.
 *
 * <p>Thread-safe.
 */
final class StrayEntries {
  /** How many entries one read visits. */
  private static final int BATCH = 256;

  /** The findings for a map or set of at least so many entries outlive its Java object. */
  private static final int LARGE = 1024;

  private static final int PAIRS_MIN = 8;
  private static final long[] NO_PAIRS = {0};

  private final CollectionSpace space;
  private final HashTrie trie;
  private final long changes; // by other JVMs, when this search began
  // All hashes before it were searched. At END, nothing here changes any more.
  private volatile long position;
  // The findings of another Java object of the same map or set.
  private volatile @Nullable StrayEntries known;

  // Open addressing: the current hash in the upper half, the stored one in the lower. The two
  // differ, so no pair is 0.
  private long[] pairs = NO_PAIRS;
  private int count;
  private long entries;

  StrayEntries(CollectionSpace space, HashTrie trie) {
    this.space = space;
    this.trie = trie;
    this.changes = space.heap().replica().changes();
  }

  /** Returns false if other JVMs may have put entries since the search began. */
  boolean isCurrent() {
    return changes == space.heap().replica().changes();
  }

  /** Notes that this JVM has put all entries. */
  void areNone() {
    position = HashTrie.END;
  }

  /**
   * Returns the entry of a key that is not under its own hash, or 0. Runs inside a transaction or a
   * consistent read.
   */
  long find(long map, @Nullable Object key, int hash) {
    if (space.heap().replica().isFollowing()) {
      return lookThrough(map, key);
    }
    StrayEntries all = findAll(map);
    int mask = all.pairs.length - 1;
    for (int i = hash & mask; all.pairs[i] != 0; i = (i + 1) & mask) {
      if ((int) (all.pairs[i] >>> Integer.SIZE) == hash) {
        long entry = trie.findOfHash(map, key, (int) all.pairs[i]);
        if (entry != 0) {
          return entry;
        }
      }
    }
    return 0;
  }

  /** Returns the entry of a key among all that the present view shows, or 0. */
  private long lookThrough(long map, @Nullable Object key) {
    long[] found = {0};
    trie.visit(
        map,
        0,
        entry -> {
          if (isOf(entry, key)) {
            found[0] = entry;
          }
          return found[0] == 0;
        });
    return found[0];
  }

  private boolean isOf(long entry, @Nullable Object key) {
    try {
      return !trie.entries().hasLastingHash(entry) && trie.entries().hasKey(entry, key);
    } catch (RuntimeException e) {
      checkIsOfKey(e);
      return false;
    }
  }

  /** Throws a failure again, unless it comes from a key that no look-up finds. */
  private static void checkIsOfKey(RuntimeException e) {
    if (e instanceof PmStoreException && !(e instanceof ClassRefusedException)) {
      throw e;
    }
  }

  /** Finds all strays, unless that has been done. Returns the findings. */
  StrayEntries findAll(long map) {
    if (position == HashTrie.END) {
      StrayEntries other = known;
      return other == null ? this : other;
    }
    StrayEntries other = space.strayEntries().get(map);
    if (other == null || !other.isCurrent()) {
      for (long from = position; from != HashTrie.END; from = position) {
        lookAt(map, from);
      }
      if (count > 0 || entries >= LARGE) {
        space.strayEntries().put(map, this);
      }
      return this;
    }
    known = other;
    position = HashTrie.END;
    return other;
  }

  /** Searches a batch of entries. */
  private void lookAt(long map, long from) {
    List<Long> found = new ArrayList<>();
    int[] seen = new int[1];
    long next =
        space
            .heap()
            .readApart(
                () -> {
                  found.clear();
                  seen[0] = 0;
                  return trie.visit(
                      map,
                      from,
                      entry -> {
                        lookAt(entry, found);
                        return ++seen[0] < BATCH;
                      });
                });
    advance(from, next, seen[0], found);
  }

  private synchronized void advance(long from, long next, int seen, List<Long> found) {
    if (position == from) { // else another thread was faster
      found.forEach(this::add);
      entries += seen;
      position = next;
    }
  }

  private void lookAt(long entry, List<Long> found) {
    if (trie.entries().hasLastingHash(entry)) {
      return;
    }
    int stored = trie.entries().hashOf(entry);
    int today;
    try {
      today = trie.hash(trie.entries().key(entry));
    } catch (RuntimeException e) {
      checkIsOfKey(e);
      return; // no look-up finds such a key, and those of other keys must not fail
    }
    if (today != stored) {
      found.add((long) today << Integer.SIZE | Integer.toUnsignedLong(stored));
    }
  }

  private void add(long pair) {
    if (2 * (count + 1) > pairs.length) {
      long[] old = pairs;
      pairs = new long[Math.max(PAIRS_MIN, 2 * old.length)];
      Arrays.stream(old).filter(p -> p != 0).forEach(this::put);
    }
    if (put(pair)) {
      count++;
    }
  }

  private boolean put(long pair) {
    int mask = pairs.length - 1;
    int i = (int) (pair >>> Integer.SIZE) & mask;
    while (pairs[i] != 0 && pairs[i] != pair) {
      i = (i + 1) & mask;
    }
    boolean isNew = pairs[i] == 0;
    pairs[i] = pair;
    return isNew;
  }
}
