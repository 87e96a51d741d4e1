package io.pmstore.jmh.workload;

import java.time.Duration;

/** How long it takes until a store can be used, for the estimates of steps. */
public final class StoreTime {
  private static final Duration FOR_MOST = Duration.ofSeconds(1);
  private static final Duration WITH_A_SERVER = Duration.ofSeconds(5);
  private static final int ROWS_PER_SECOND = 50_000;
  private static final int SYNCED_PMDK_ROWS_PER_SECOND = 3_000;

  private StoreTime() {}

  /**
   * The time of a JVM to start, of a store to be opened, loaded and closed.
   *
   * @param rows how many rows, records or objects are loaded
   * @return about how long
   */
  public static Duration toOpen(Deployment deployment, long rows) {
    Duration start = deployment.kind() == StoreKind.POSTGRES ? WITH_A_SERVER : FOR_MOST;
    int perSecond =
        deployment.forcesPersistentMemory() ? ROWS_PER_SECOND : SYNCED_PMDK_ROWS_PER_SECOND;
    return start.plusMillis(rows * 1_000 / perSecond);
  }
}
