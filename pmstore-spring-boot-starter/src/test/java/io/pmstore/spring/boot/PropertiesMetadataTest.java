package io.pmstore.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Editors know every property and what it is for. */
class PropertiesMetadataTest {
  @Test
  void everyPropertyIsDescribed() throws Exception {
    Map<String, String> described = new TreeMap<>();
    try (InputStream in =
        PmStoreProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      JsonNode metadata = JsonMapper.shared().readTree(in);
      for (JsonNode property : metadata.get("properties")) {
        described.put(property.get("name").asString(), property.path("description").asString(""));
      }
    }
    assertThat(described)
        .containsKeys(
            "pmstore.enabled",
            "pmstore.directory",
            "pmstore.storage",
            "pmstore.durability",
            "pmstore.read-only",
            "pmstore.writes-outside-transactions",
            "pmstore.log-segment-size",
            "pmstore.llpl-pool-size",
            "pmstore.group-access",
            "pmstore.ready-timeout",
            "pmstore.packages",
            "pmstore.engine.name",
            "pmstore.engine.settings",
            "pmstore.gc.in-background",
            "pmstore.gc.before-opening",
            "pmstore.tiered.pool-size",
            "pmstore.tiered.pool-directory",
            "pmstore.tiered.pool-storage",
            "pmstore.tiered.spill-directory",
            "pmstore.jackson.snapshot",
            "pmstore.jackson.durable");
    assertThat(described).doesNotContainValue("");
  }
}
