package io.pmstore.jmh.suite;

import java.util.List;

/** All suites. */
public final class Suites {
  private Suites() {}

  /**
   * The suites, in the order they run.
   *
   * @return all of them
   */
  public static List<Suite> all() {
    return List.of();
  }
}
