package io.pmstore.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PmStoreMetricsTest {
  @TempDir Path temp;

  @Test
  void storeHasMeters() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PmStoreAutoConfiguration.class,
                PmStoreMetricsAutoConfiguration.class,
                MetricsAutoConfiguration.class))
        .withBean(MeterRegistry.class, () -> registry)
        .withPropertyValues("pmstore.directory=" + temp.resolve("store"))
        .run(
            context -> {
              PmStore store = context.getBean(PmStore.class);
              FunctionCounter commits =
                  registry
                      .get("pmstore.transactions")
                      .tag("store", "pmStore")
                      .tag("outcome", "committed")
                      .functionCounter();
              double before = commits.count();
              store.root(Clinic.class).getVisits().put("Rex", 1);
              TimeUnit.MILLISECONDS.sleep(20); // what is read within 10 ms is one state
              assertThat(commits.count()).isGreaterThan(before);
            });
    assertThat(registry.getMeters()).noneMatch(m -> m.getId().getName().startsWith("pmstore."));
  }

  @Test
  void withoutARegistryThereAreNone() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PmStoreAutoConfiguration.class, PmStoreMetricsAutoConfiguration.class))
        .withPropertyValues("pmstore.directory=" + temp.resolve("store"))
        .run(context -> assertThat(context).doesNotHaveBean("pmstoreMeters"));
  }
}
