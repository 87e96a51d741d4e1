package io.pmstore.jmh.workload;

import java.time.Duration;

/** How long it takes until a store can be used, for the estimates of steps. */
public final class StoreTime {
  private static final Duration FOR_MOST = Duration.ofMillis(2500);
  private static final Duration WITH_A_SERVER = Duration.ofSeconds(9);

  private StoreTime() {}

  /**
   * The time of a JVM to start, of a store to be opened, loaded and closed.
   *
   * @param deployment the store
   * @return about how long
   */
  public static Duration toOpen(Deployment deployment) {
    return deployment.kind() == StoreKind.POSTGRES ? WITH_A_SERVER : FOR_MOST;
  }
}
