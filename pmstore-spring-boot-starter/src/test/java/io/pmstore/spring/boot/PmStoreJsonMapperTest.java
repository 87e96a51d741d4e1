package io.pmstore.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

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
}
