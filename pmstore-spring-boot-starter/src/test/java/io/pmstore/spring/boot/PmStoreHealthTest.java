package io.pmstore.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.pmstore.PmStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PmStoreHealthTest {
  @TempDir Path temp;

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PmStoreAutoConfiguration.class, PmStoreHealthAutoConfiguration.class))
        .withPropertyValues("pmstore.directory=" + temp.resolve("store"));
  }

  @Test
  void openStoreIsUpAndClosedOneIsDown() {
    application()
        .run(
            context -> {
              HealthIndicator health =
                  context.getBean("pmstoreHealthContributor", HealthIndicator.class);
              assertThat(health.health().getStatus()).isEqualTo(Status.UP);
              context.getBean(PmStore.class).close();
              assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
              assertThat(health.health().getDetails().get("error").toString())
                  .contains("StoreClosedException");
            });
  }

  @Test
  void eachOfSeveralStoresIsShown() {
    application()
        .withBean("one", PmStore.class, () -> PmStore.open(temp.resolve("1")))
        .withBean("two", PmStore.class, () -> PmStore.open(temp.resolve("2")))
        .run(
            context ->
                assertThat(
                        context.getBean(CompositeHealthContributor.class).stream()
                            .map(CompositeHealthContributor.Entry::name))
                    .containsExactlyInAnyOrder("one", "two"));
  }

  @Test
  void healthCanBeTurnedOff() {
    application()
        .withPropertyValues("management.health.pmstore.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("pmstoreHealthContributor"));
  }
}
