package io.pmstore.spring.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** No byte leaves the mapper before what it shows is durable, if that is asked for. */
class DurableJsonTest {
  private static final Durability RELAXED = Durability.relaxed(Duration.ofHours(1));

  @TempDir Path temp;

  private PmStore open(Durability durability) {
    return PmStore.open(
        temp, PmStoreOptions.defaults().storage(Storage.FILE).durability(durability));
  }

  /** Counts the bytes, and notes how many syncs the store had made before the first one. */
  private static final class Client extends OutputStream {
    private final PmStore store;
    private long bytes;
    private long syncs;

    Client(PmStore store) {
      this.store = store;
    }

    @Override
    public void write(int b) {
      write(new byte[1], 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      if (bytes == 0) {
        assertThat(store.inTransaction()).as("a part leaves inside the snapshot").isTrue();
        syncs = syncs(store);
      }
      bytes += length;
    }
  }

  private static long syncs(PmStore store) {
    return store.metrics().log().syncs().orElseThrow();
  }

  /** Commits a long list that is not durable, writes it, and tells whether it was durable first. */
  private static boolean isDurableBeforeTheFirstByte(PmStore store, JsonMapper mapper) {
    List<String> list = store.newList();
    store.transaction(
        RELAXED,
        () -> {
          for (int i : IntStream.range(0, 10_000).toArray()) {
            list.add("element " + i);
          }
        });
    long before = syncs(store);
    Client client = new Client(store);
    mapper.writeValue(client, list);
    assertThat(client.bytes).isGreaterThan(100_000);
    return client.syncs > before;
  }

  /**
   * A mapper that waits does so each time. One that does not may meet a sync of the store's own.
   */
  private static boolean neverWaits(PmStore store, JsonMapper mapper) {
    return IntStream.range(0, 20).anyMatch(i -> !isDurableBeforeTheFirstByte(store, mapper));
  }

  private static JsonMapper mapper(PmStore store) {
    return PmStoreJackson.configure(JsonMapper.builder(), store).build();
  }

  private static JsonMapper mapper(PmStore store, boolean durable) {
    return PmStoreJackson.configure(JsonMapper.builder(), store, durable).build();
  }

  @Test
  void aStoreThatSyncsShowsWhatIsDurable() {
    try (PmStore store = open(Durability.SYNC)) {
      assertThat(isDurableBeforeTheFirstByte(store, mapper(store))).isTrue();
      assertThat(neverWaits(store, mapper(store, false))).isTrue();
    }
  }

  @Test
  void aRelaxedStoreDoesSoIfItIsAskedTo() {
    try (PmStore store = open(RELAXED)) {
      assertThat(neverWaits(store, mapper(store))).isTrue();
      assertThat(isDurableBeforeTheFirstByte(store, mapper(store, true))).isTrue();
    }
  }

  @Test
  void aMapperWaitsForNothingIfAllIsDurable() {
    try (PmStore store = open(Durability.SYNC)) {
      List<String> list = store.newList();
      list.add("x");
      long before = syncs(store);
      assertThat(mapper(store).writeValueAsString(list)).isEqualTo("[\"x\"]");
      assertThat(syncs(store)).isEqualTo(before);
    }
  }
}
