package io.pmstore.jmh.consensus;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The collections of pmstore that stand beside the structures of the thesis. */
@Persistent(root = "structures")
public class StructureMaps {
  private Map<String, String> hashed = new HashMap<>();
  private SortedMap<String, String> sorted = new TreeMap<>();

  /** Creates empty maps; the store does that. */
  public StructureMaps() {}

  /** Returns the hash map. */
  public Map<String, String> getHashed() {
    return hashed;
  }

  /** Sets the hash map. */
  public void setHashed(Map<String, String> hashed) {
    this.hashed = hashed;
  }

  /** Returns the sorted map. */
  public SortedMap<String, String> getSorted() {
    return sorted;
  }

  /** Sets the sorted map. */
  public void setSorted(SortedMap<String, String> sorted) {
    this.sorted = sorted;
  }
}
