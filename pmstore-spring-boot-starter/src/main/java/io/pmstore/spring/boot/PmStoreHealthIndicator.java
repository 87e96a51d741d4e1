package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import io.pmstore.ReadConsistency;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import java.util.Objects;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports the health of a store. The status is down once the store is closed or has failed. The
 * status of a node of a replicated store is out of service while the node is not {@linkplain
 * ReplicationStatus#ready ready}. The indicator reads no object and asks no other node. Safe for
 * use by any number of threads.
 */
public final class PmStoreHealthIndicator extends AbstractHealthIndicator {
  private final PmStore store;

  /**
   * Creates an indicator.
   *
   * @param store the store whose health it reports
   */
  public PmStoreHealthIndicator(PmStore store) {
    super("the store does not work");
    this.store = Objects.requireNonNull(store, "store");
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    store.snapshot(ReadConsistency.LOCAL, () -> true);
    builder.up();
    store.replication().map(Replication::status).ifPresent(status -> addTo(builder, status));
  }

  private static void addTo(Health.Builder builder, ReplicationStatus status) {
    builder
        .withDetail("node", status.id())
        .withDetail("role", status.role())
        .withDetail("leader", status.leader().orElse("none"))
        .withDetail("lag", status.committed() - status.applied())
        .withDetail("ageMs", status.age().toMillis());
    if (!status.ready()) {
      builder.outOfService();
    }
  }
}
