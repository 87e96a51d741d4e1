package io.pmstore.core.tx;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The engines that transactions are stressed on. */
public enum EngineKind {
  /** No files. */
  MEMORY {
    @Override
    Engine open(Path directory, MemoryEngine.Image image) {
      return new MemoryEngine(image, Long.MAX_VALUE);
    }
  },
  /** A heap mapped privately, whose pages checkpoints write and drop. */
  FILE {
    @Override
    Engine open(Path directory, MemoryEngine.Image image) {
      return MappedEngine.open(directory, small(Storage.FILE));
    }
  },
  /** A heap mapped shared, whose records are durable before they are applied. */
  PERSISTENT_MEMORY {
    @Override
    Engine open(Path directory, MemoryEngine.Image image) {
      return MappedEngine.open(directory, small(Storage.PERSISTENT_MEMORY));
    }
  };

  /** Opens a store: in the directory, or, if it keeps no files, in the image. */
  abstract Engine open(Path directory, MemoryEngine.Image image);

  /** The smallest log, so that it rotates often. */
  private static PmStoreOptions small(Storage storage) {
    return PmStoreOptions.defaults().storage(storage).logSegmentSize(1 << 20);
  }

  /** An engine whose files go away with it. */
  public static final class Opened implements AutoCloseable {
    private final EngineKind kind;
    private final Path directory;
    private final MemoryEngine.Image image = new MemoryEngine.Image();
    private final Engine engine;

    private Opened(EngineKind kind) throws IOException {
      this.kind = kind;
      directory = Files.createTempDirectory(TestStores.fastParent(), "pmstore-test-");
      engine = kind.open(directory, image);
    }

    /**
     * Opens the store once more, when the engine is closed.
     *
     * @return another engine, to be closed first
     */
    public Engine reopen() {
      return kind.open(directory, image);
    }

    /**
     * The engine.
     *
     * @return the engine, open
     */
    public Engine engine() {
      return engine;
    }

    @Override
    public void close() throws IOException {
      try {
        engine.close();
      } finally {
        try (Stream<Path> files = Files.walk(directory)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    }
  }

  /**
   * Opens a new store.
   *
   * @return it; closing it closes the engine and deletes its files
   * @throws IOException if the directory cannot be made
   */
  public Opened openNew() throws IOException {
    return new Opened(this);
  }
}
