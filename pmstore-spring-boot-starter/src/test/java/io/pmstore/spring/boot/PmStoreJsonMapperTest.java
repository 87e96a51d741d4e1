package io.pmstore.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pmstore.PmStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

class PmStoreJsonMapperTest {
  private static final AutoConfigurations JSON =
      AutoConfigurations.of(
          PmStoreAutoConfiguration.class,
          PmStoreJacksonAutoConfiguration.class,
          JacksonAutoConfiguration.class);

  @TempDir Path temp;

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(JSON)
        .withPropertyValues("pmstore.directory=" + temp.resolve("store"));
  }

  private static String json(PmStore store, JsonMapper mapper) {
    Clinic clinic = store.root(Clinic.class);
    clinic.getVisits().put("Rex", 3);
    return mapper.writeValueAsString(clinic);
  }

  @Test
  void mapperOfTheApplicationWritesPersistentObjects() {
    application()
        .run(
            context ->
                assertThat(json(context.getBean(PmStore.class), context.getBean(JsonMapper.class)))
                    .isEqualTo("{\"visits\":{\"Rex\":3}}"));
  }

  @Test
  void storeOfTheApplicationWillDo() {
    try (PmStore own = PmStore.open(temp.resolve("own"))) {
      application()
          .withPropertyValues("pmstore.enabled=false", "pmstore.jackson.snapshot=false")
          .withBean(PmStore.class, () -> own)
          .run(
              context ->
                  assertThat(json(own, context.getBean(JsonMapper.class)))
                      .isEqualTo("{\"visits\":{\"Rex\":3}}"));
    }
  }

  /** A snapshot is of one store, so the mapper refuses objects of another one, and says so. */
  @Test
  void objectsOfASecondStoreAreWrittenWithoutASnapshot() {
    ApplicationContextRunner both =
        application()
            .withBean(
                "first",
                PmStore.class,
                () -> PmStore.open(temp.resolve("first")),
                bean -> bean.setPrimary(true))
            .withBean("second", PmStore.class, () -> PmStore.open(temp.resolve("second")));
    both.run(
        context -> {
          JsonMapper mapper = context.getBean(JsonMapper.class);
          assertThat(json(context.getBean(PmStore.class), mapper))
              .isEqualTo("{\"visits\":{\"Rex\":3}}");
          assertThatThrownBy(() -> json(context.getBean("second", PmStore.class), mapper))
              .hasMessageContaining("one transaction or snapshot cannot use two stores");
        });
    both.withPropertyValues("pmstore.jackson.snapshot=false")
        .run(
            context -> {
              JsonMapper mapper = context.getBean(JsonMapper.class);
              assertThat(json(context.getBean("second", PmStore.class), mapper))
                  .isEqualTo("{\"visits\":{\"Rex\":3}}");
            });
  }

  /** The mapper waits until what it writes is durable, if the property says so. */
  @Test
  void durabilityOfWhatIsWrittenIsAProperty() {
    for (String durable : new String[] {"true", "false"}) {
      application()
          .withPropertyValues(
              "pmstore.storage=file", "pmstore.durability=1h", "pmstore.jackson.durable=" + durable)
          .run(
              context -> {
                PmStore store = context.getBean(PmStore.class);
                store.root(Clinic.class).getVisits().put("Rex", 3);
                long before = store.metrics().log().syncs().orElseThrow();
                String json = json(store, context.getBean(JsonMapper.class));
                assertThat(json).isEqualTo("{\"visits\":{\"Rex\":3}}");
                assertThat(store.metrics().log().syncs().orElseThrow() > before)
                    .isEqualTo(Boolean.parseBoolean(durable));
              });
    }
  }
}
