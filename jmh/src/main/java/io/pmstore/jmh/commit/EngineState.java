package io.pmstore.jmh.commit;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A mapped engine on persistent memory, without a heap on it; for one thread. */
@State(Scope.Benchmark)
public class EngineState {
  private final WriteSet writes = new WriteSet();
  private final byte[] words = new byte[24];
  private TemporaryDirectory directory;
  private Engine engine;

  @Setup
  public void open() throws IOException {
    directory = TemporaryDirectory.create(Storage.PERSISTENT_MEMORY);
    engine =
        MappedEngine.open(
            directory.path().resolve("store"),
            PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY));
    engine.grow(HeapMemory.EXTENT_SIZE);
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    engine.close();
    directory.close();
  }

  long commit(long n) {
    words[0] = (byte) n;
    writes.put(Engine.RESERVED, words, 0, words.length);
    long position = engine.commit(writes);
    engine.sync(position);
    writes.clear();
    return position;
  }
}
