package io.pmstore.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.pmstore.PmStore;
import io.pmstore.micrometer.PmStoreMetrics;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Publishes the metrics of the application's stores as meters, if the application has Micrometer.
 * The tag {@code store} has the name of the store's bean.
 */
@AutoConfiguration(
    after = PmStoreAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, PmStoreMetrics.class})
@ConditionalOnBean({PmStore.class, MeterRegistry.class})
public final class PmStoreMetricsAutoConfiguration {
  @Bean
  StoreMeters pmstoreMeters(Map<String, PmStore> stores) {
    return new StoreMeters(
        stores.entrySet().stream()
            .map(store -> new PmStoreMetrics(store.getValue(), store.getKey()))
            .toList());
  }

  /**
   * The meters of all stores. Spring closes this bean, which removes the meters, before the stores.
   */
  static final class StoreMeters implements MeterBinder, AutoCloseable {
    private final List<PmStoreMetrics> all;

    StoreMeters(List<PmStoreMetrics> all) {
      this.all = all;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
      all.forEach(metrics -> metrics.bindTo(registry));
    }

    @Override
    public void close() {
      all.forEach(PmStoreMetrics::close);
    }
  }
}
