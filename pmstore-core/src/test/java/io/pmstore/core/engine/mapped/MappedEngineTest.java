package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.WriteSet;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MappedEngineTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void whatWasCommittedIsThereAfterReopening(Storage storage) {
    PmStoreOptions options =
        PmStoreOptions.defaults().storage(storage).logSegmentSize(1 << 20);
    Path store = directory.resolve("a/b");
    WriteSet writes = new WriteSet();
    try (MappedEngine engine = MappedEngine.open(store, options)) {
      engine.grow(20 << 20);
      long start = System.nanoTime();
      for (int i = 0; i < 50_000; i++) {
        writes.clear();
        writes.putLong(8192 + 8L * i, i);
        writes.add(18 << 20, 2);
        assertEquals(i + 1, engine.commit(writes));
        if (i % 1000 == 0) {
          engine.sync(i + 1);
        }
      }
      System.out.println(storage + " " + (System.nanoTime() - start) / 50_000 + " ns/commit");
    }
    try (MappedEngine engine = MappedEngine.open(store, options)) {
      for (int i = 0; i < 50_000; i++) {
        assertEquals(i, engine.memory().getLong(8192 + 8L * i));
      }
      assertEquals(100_000, engine.memory().getLong(18 << 20));
      assertEquals(50_000, engine.position());
    }
  }
}
