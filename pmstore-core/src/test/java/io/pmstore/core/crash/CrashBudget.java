package io.pmstore.core.crash;

/**
 * The length of crash tests: -Dpmstore.crash.budget=n makes them try about n times as much as by
 * default.
 */
public final class CrashBudget {
  private static final int FACTOR = Integer.getInteger("pmstore.crash.budget", 1);

  private CrashBudget() {}

  /**
   * Scales a number of runs.
   *
   * @param runs how many there are by default
   * @return how many to make
   */
  public static int runs(int runs) {
    return runs * FACTOR;
  }
}
