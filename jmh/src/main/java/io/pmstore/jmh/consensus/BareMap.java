package io.pmstore.jmh.consensus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.jmh.consensus.versions.Change;
import io.pmstore.jmh.consensus.versions.Structure;
import io.pmstore.jmh.consensus.versions.VersionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A structure alone, on persistent memory. For one thread. */
interface BareMap extends AutoCloseable {
  void insert(List<String> keys) throws IOException;

  @Nullable Object read(String key);

  void delete(List<String> keys) throws IOException;

  @Override
  void close() throws IOException;

  /** Makes a structure of the thesis, durable at every so many changes. */
  static BareMap versions(Path directory, Structure structure, int persistEvery, long regionBytes)
      throws IOException {
    Files.createDirectories(directory);
    VersionStore store =
        VersionStore.open(new PmemMedium(directory), structure, regionBytes, persistEvery);
    return new BareMap() {
      private long entry;

      @Override
      public void insert(List<String> keys) throws IOException {
        for (String key : keys) {
          store.write(1, entry, List.of(Change.set(key, key.getBytes(UTF_8))));
          store.apply(1, entry++);
        }
      }

      @Override
      public @Nullable Object read(String key) {
        return store.get(key).orElse(null);
      }

      @Override
      public void delete(List<String> keys) throws IOException {
        for (String key : keys) {
          store.removeNow(key);
        }
      }

      @Override
      public void close() throws IOException {
        store.close();
      }
    };
  }

  /** Makes a collection of pmstore; keys that come together are of one transaction. */
  static BareMap pmstore(Path directory, boolean sorted) {
    PmStore store =
        PmStore.open(directory, PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY));
    StructureMaps root = store.root(StructureMaps.class);
    Map<String, String> map = sorted ? root.getSorted() : root.getHashed();
    return new BareMap() {
      @Override
      public void insert(List<String> keys) {
        store.transaction(() -> keys.forEach(key -> map.put(key, key)));
      }

      @Override
      public @Nullable Object read(String key) {
        return map.get(key);
      }

      @Override
      public void delete(List<String> keys) {
        store.transaction(() -> keys.forEach(map::remove));
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }
}
