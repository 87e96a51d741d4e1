package io.pmstore.jmh.consensus.versions;

import java.util.function.LongConsumer;

/** Finds records by key and index. Addresses are those of records in the region; 0 is none. */
public interface VersionIndex {
  /** Adds a record that is in no index yet. */
  void add(VersionKey key, long record);

  /** Removes a record that is there; the caller frees it. */
  void remove(VersionKey key);

  /** Returns a version's record. */
  long find(VersionKey key);

  /** Returns the record of the newest version of a key whose index is not larger. */
  long floor(VersionKey key);

  /** Calls for each record, in any order. */
  void forEach(LongConsumer record);

  /** Returns where the durable part begins, for {@link RegionHeader#root}. */
  long root();
}
