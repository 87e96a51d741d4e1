package io.pmstore.jmh.consensus.versions;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.core.engine.Mutex;
import io.pmstore.core.medium.Medium;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A map with several versions of each key, on a {@link Region}: the thesis' replacement for a log.
 * An entry of the log is written when it is appended, rolled back when the log drops it, and
 * applied when a majority has it; only what is applied is visible.
 *
 * <p>What was written is durable after every {@code persistEvery}-th entry, or after {@link
 * #persist}. A crash leaves the state of a moment when it was: of the entries behind, the log's
 * other replicas still have the versions, and {@link #restore} takes them.
 *
 * <p>A version that a newer one has replaced stays until {@link #collect}, because a replica that
 * lags may need it. Thread-safe.
 */
public final class VersionStore implements AutoCloseable {
  private final Mutex lock = new Mutex();
  private final Region region;
  private final VersionIndex index;
  private final int persistEvery;

  // All below are guarded by the lock.
  private final TreeMap<Long, List<VersionKey>> unconfirmed = new TreeMap<>();
  private final ArrayDeque<Replaced> replaced = new ArrayDeque<>();
  private long term;
  private long applied;
  private long last;
  private int written; // entries since the last persist

  /** A version that is not visible any more from the entry {@code by} on. */
  private record Replaced(VersionKey key, long by) {}

  private VersionStore(Region region, VersionIndex index, int persistEvery) {
    this.region = region;
    this.index = index;
    this.persistEvery = persistEvery;
    RegionHeader header = region.header();
    term = header.term();
    applied = header.applied();
    last = header.last();
    findUnfinished();
  }

  /**
   * Opens a store; makes it at the first time.
   *
   * @param capacity bytes of a new one's region
   * @param persistEvery how many entries may wait to be durable, with the one that makes them so
   */
  public static VersionStore open(
      Medium medium, Structure structure, long capacity, int persistEvery) throws IOException {
    Region region = Region.open(medium, capacity);
    return orClose(region, () -> new VersionStore(region, structure.open(region), persistEvery));
  }

  private void findUnfinished() {
    TreeMap<VersionKey, Long> confirmed = new TreeMap<>();
    index.forEach(
        record -> {
          VersionKey key = Records.key(region, record);
          if (key.index() > applied) {
            unconfirmed.computeIfAbsent(key.index(), none -> new ArrayList<>()).add(key);
          } else {
            confirmed.put(key, record);
          }
        });
    List<Replaced> found = new ArrayList<>();
    VersionKey visible = null;
    for (VersionKey key : confirmed.keySet()) {
      if (Records.has(region, index.find(key), Records.FAILED)) {
        found.add(new Replaced(key, key.index()));
        continue;
      }
      if (visible != null && visible.sameKey(key)) {
        found.add(new Replaced(visible, key.index()));
      }
      visible = key;
    }
    found.sort(Comparator.comparingLong(Replaced::by));
    replaced.addAll(found);
  }

  /** Returns the term of the last applied entry that is durable. */
  public long durableTerm() {
    return region.header().term();
  }

  /** Returns the index of the last applied entry that is durable, -1 if there is none. */
  public long durableApplied() {
    return region.header().applied();
  }

  /** Returns the index of the last entry that was written, -1 if there is none. */
  public long last() {
    try (var _ = lock.hold()) {
      return last;
    }
  }

  // ---- the log's events

  /**
   * Writes the versions of an entry. Those of entries at or behind it, which a crash may have left,
   * are rolled back first.
   */
  public void write(long entryTerm, long entry, List<Change> changes) throws IOException {
    try (var _ = lock.hold()) {
      if (rollBack(entry)) {
        persist();
      }
      add(entryTerm, entry, changes);
      if (++written >= persistEvery) {
        persist();
      }
    }
  }

  /** Writes the versions of an entry that a crash had lost here. */
  public void restore(long entryTerm, long entry, List<Change> changes) throws IOException {
    try (var _ = lock.hold()) {
      add(entryTerm, entry, changes);
      persist();
    }
  }

  private void add(long entryTerm, long entry, List<Change> changes) {
    List<VersionKey> keys = new ArrayList<>(changes.size());
    for (Change change : changes) {
      VersionKey key = VersionKey.of(change.key(), entry);
      index.add(key, Records.write(region, key, entryTerm, change));
      keys.add(key);
    }
    unconfirmed.put(entry, keys);
    last = Math.max(last, entry);
  }

  /** Rolls back all entries from one on, durably. None of them was applied. */
  public void truncate(long from) throws IOException {
    try (var _ = lock.hold()) {
      if (rollBack(from)) {
        persist();
      }
    }
  }

  private boolean rollBack(long from) {
    if (from <= applied) {
      throw new IllegalStateException(
          "the entry %d is to be rolled back, and %d was applied".formatted(from, applied));
    }
    if (last < from) {
      return false;
    }
    for (List<VersionKey> keys : unconfirmed.tailMap(from, true).descendingMap().values()) {
      keys.reversed().forEach(this::drop);
    }
    unconfirmed.tailMap(from, true).clear();
    last = unconfirmed.isEmpty() ? applied : unconfirmed.lastKey();
    return true;
  }

  private void drop(VersionKey key) {
    long record = index.find(key);
    index.remove(key);
    region.free(record, Records.size(region, record));
  }

  /** Returns true if the versions of an entry of a term are here, and not applied. */
  public boolean isWritten(long entryTerm, long entry) {
    try (var _ = lock.hold()) {
      List<VersionKey> keys = unconfirmed.get(entry);
      return keys != null && Records.term(region, index.find(keys.getFirst())) == entryTerm;
    }
  }

  /**
   * Makes an entry visible, which is written. Returns false if it is a compare-and-set that has
   * found another value.
   */
  public boolean apply(long entryTerm, long entry) {
    try (var _ = lock.hold()) {
      List<VersionKey> keys = unconfirmed.remove(entry);
      if (keys == null) {
        throw new IllegalStateException("the entry %d is applied, and not here".formatted(entry));
      }
      boolean done = true;
      for (VersionKey key : keys) {
        done &= confirm(key);
      }
      applied(entryTerm, entry);
      return done;
    }
  }

  private boolean confirm(VersionKey key) {
    long record = index.find(key);
    long before = visible(key.at(key.index() - 1));
    if (Records.has(region, record, Records.CONDITIONAL)) {
      byte[] found = before == 0 ? null : Records.value(region, before);
      boolean fits = Records.fits(Records.change(region, record).expected(), found);
      Records.setFailed(region, record, !fits);
      if (!fits) {
        replaced.add(new Replaced(key, key.index()));
        return false;
      }
    }
    if (before != 0) {
      replaced.add(new Replaced(Records.key(region, before), key.index()));
    }
    return true;
  }

  /** Returns the record that is visible at an index. */
  private long visible(VersionKey at) {
    long record = index.floor(at);
    while (record != 0 && Records.has(region, record, Records.FAILED)) {
      record = index.floor(at.at(Records.key(region, record).index() - 1));
    }
    return record;
  }

  /** Notes that an entry without versions was applied. */
  public void applied(long entryTerm, long entry) {
    try (var _ = lock.hold()) {
      term = entryTerm;
      applied = entry;
      last = Math.max(last, entry);
    }
  }

  // ---- reading

  /** Returns the value of a key, as of the last applied entry. */
  public Optional<byte[]> get(String key) {
    try (var _ = lock.hold()) {
      long record = visible(VersionKey.of(key, applied));
      return record == 0 ? Optional.empty() : Optional.of(Records.value(region, record));
    }
  }

  /** Returns what an entry changes for a key, or null if that is not here. */
  public @Nullable Change change(String key, long entry) {
    try (var _ = lock.hold()) {
      long record = index.find(VersionKey.of(key, entry));
      return record == 0 ? null : Records.change(region, record);
    }
  }

  // ---- durability and space

  /** Makes everything durable that was written and applied. Returns the last applied index. */
  public long persist() throws IOException {
    try (var _ = lock.hold()) {
      region.persist(term, applied, last, index.root());
      written = 0;
      return applied;
    }
  }

  /** Makes durable what waits for that. */
  public void persistWaiting() throws IOException {
    try (var _ = lock.hold()) {
      if (written > 0) {
        persist();
      }
    }
  }

  /**
   * Removes versions that were replaced before an entry.
   *
   * @param before the first entry that a replica may still ask for. What the durable state shows
   *     stays
   */
  public void collect(long before) {
    try (var _ = lock.hold()) {
      long bound = Math.min(before, durableApplied() + 1);
      for (Replaced first = replaced.peek();
          first != null && first.by() < bound;
          first = replaced.peek()) {
        drop(first.key());
        replaced.remove();
      }
    }
  }

  /** Removes the newest visible version of a key; for the measurement of the structure alone. */
  public void removeNow(String key) throws IOException {
    try (var _ = lock.hold()) {
      long record = visible(VersionKey.of(key, applied));
      if (record == 0) {
        throw new IllegalArgumentException("there is no " + key);
      }
      drop(Records.key(region, record));
      if (++written >= persistEvery) {
        persist();
      }
    }
  }

  /** Returns how many bytes of the region are in use. */
  public long usedBytes() {
    try (var _ = lock.hold()) {
      return region.usedBytes();
    }
  }

  /** Closes the store. What was not persisted is lost, as in a crash. */
  @Override
  public void close() throws IOException {
    try (var _ = lock.hold()) {
      region.close();
    }
  }
}
