package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * Shows the health of the application's stores in {@code /actuator/health}, as {@code pmstore}. The
 * property {@code management.health.pmstore.enabled} turns this off.
 */
@AutoConfiguration(after = PmStoreAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(PmStore.class)
@ConditionalOnEnabledHealthIndicator("pmstore")
public final class PmStoreHealthAutoConfiguration
    extends CompositeHealthContributorConfiguration<PmStoreHealthIndicator, PmStore> {
  /** Called by Spring. */
  public PmStoreHealthAutoConfiguration() {
    super(PmStoreHealthIndicator::new);
  }

  @Bean
  @ConditionalOnMissingBean(name = {"pmstoreHealthIndicator", "pmstoreHealthContributor"})
  HealthContributor pmstoreHealthContributor(Map<String, PmStore> stores) {
    return createContributor(stores);
  }
}
