package io.pmstore.spring.boot;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;

/** A root of the tests. */
@Persistent(root = "clinic")
public class Clinic {
  private final Map<String, Integer> visits = new HashMap<>();

  public Map<String, Integer> getVisits() {
    return visits;
  }
}
