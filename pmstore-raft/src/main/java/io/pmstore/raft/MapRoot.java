package io.pmstore.raft;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;

/**
 * The root object of a {@link io.pmstore.ReplicatedMap}. Transactions on the leader and snapshots
 * on any node may use it like any other persistent object.
 */
@Persistent
public class MapRoot {
  private Map<String, String> entries = new HashMap<>();

  /** Creates an empty map; the store does that. */
  public MapRoot() {}

  /**
   * Returns the entries of the map.
   *
   * @return the entries, as a collection of the store
   */
  public Map<String, String> getEntries() {
    return entries;
  }

  /**
   * Sets the entries of the map.
   *
   * @param entries without nulls
   */
  public void setEntries(Map<String, String> entries) {
    this.entries = entries;
  }
}
