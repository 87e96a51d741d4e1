package io.pmstore.spring.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import io.pmstore.PmStore;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Objects of enhanced classes have the JSON of plain ones. The build runs this class in a JVM of
 * its own, with the agent of pmstore-enhance.
 */
@EnabledIfSystemProperty(
    named = "pmstore.enhanced",
    matches = "true",
    disabledReason = "this JVM has no agent")
class EnhancedJsonTest {
  @TempDir Path temp;

  @Test
  void fieldsAndGettersShowWhatTheStoreHas() {
    JsonMapper ordinary = JsonMapper.builder().build();
    String expected = ordinary.writeValueAsString(Keeper.of("Ana"));
    assertThat(expected).contains("\"phone\":\"Ana's\"", "\"shifts\":[1,2]");
    try (PmStore store = PmStore.open(temp.resolve("store"))) {
      JsonMapper mapper = PmStoreJackson.configure(JsonMapper.builder(), store).build();
      Zoo zoo = store.root(Zoo.class);
      zoo.keeper = Keeper.of("Ana");
      assertThat(zoo.keeper).isInstanceOf(EnhancedObject.class);
      assertThat(PersistentObject.isPersistent(zoo.keeper)).isTrue();
      assertThat(mapper.writeValueAsString(zoo.keeper)).isEqualTo(expected);
      assertThat(mapper.writeValueAsString(Keeper.of("Ana"))).isEqualTo(expected);
    }
    try (PmStore store = PmStore.open(temp.resolve("store"))) {
      JsonMapper mapper = PmStoreJackson.configure(JsonMapper.builder(), store).build();
      Keeper read = store.root(Zoo.class).keeper;
      assertThat(mapper.writeValueAsString(read)).isEqualTo(expected);
      Keeper made = mapper.readValue(expected, Keeper.class);
      assertThat(PersistentObject.isPersistent(made)).isFalse();
      assertThat(mapper.writeValueAsString(made)).isEqualTo(expected);
    }
  }

  @Test
  void jsonThatUpdatesAnObjectIsStored() {
    try (PmStore store = PmStore.open(temp.resolve("store"))) {
      JsonMapper mapper = PmStoreJackson.configure(JsonMapper.builder(), store).build();
      Keeper keeper = Keeper.of("Ana");
      store.root(Zoo.class).keeper = keeper;
      store.transaction(
          () ->
              mapper
                  .readerForUpdating(keeper)
                  .readValue("{\"phone\":\"1\",\"age\":30,\"shifts\":[3]}"));
    }
    try (PmStore store = PmStore.open(temp.resolve("store"))) {
      JsonMapper mapper = PmStoreJackson.configure(JsonMapper.builder(), store).build();
      assertThat(mapper.writeValueAsString(store.root(Zoo.class).keeper))
          .contains("\"phone\":\"1\"", "\"age\":30", "\"name\":\"Ana\"", "\"shifts\":[3]");
    }
  }
}
