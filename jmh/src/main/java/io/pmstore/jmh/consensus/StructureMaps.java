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

  public Map<String, String> getHashed() {
    return hashed;
  }

  public SortedMap<String, String> getSorted() {
    return sorted;
  }
}
