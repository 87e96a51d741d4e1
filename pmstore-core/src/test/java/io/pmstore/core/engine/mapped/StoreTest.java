package io.pmstore.core.engine.mapped;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeaderFile;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;

/**
 * Support for tests of a store's files. The stores are in memory, because the tests open many and
 * no test can cut the power.
 */
public abstract class StoreTest extends EngineFixture {
  /** Threads of an engine that do nothing: no checkpoint and no change of the log in between. */
  protected static final ThreadFactory NO_BACKGROUND = work -> new Thread(() -> {});

  @Override
  protected Engine open(Path directory) {
    return MappedEngine.open(directory, small(Storage.FILE));
  }

  @Override
  protected Path parent() {
    return TestStores.fastParent();
  }

  @Override
  protected void copyAsAfterKill(Path from, Path to) throws IOException {
    super.copyAsAfterKill(from, to);
    Files.createFile(to.resolve(StoreLayout.LOCK));
  }

  protected static PmStoreOptions small(Storage storage) {
    return PmStoreOptions.defaults().storage(storage).logSegmentSize(1 << 20);
  }

  /** Opens a store whose every change of a file a hook is told of. */
  protected static MappedEngine openHooked(
      Path directory, PmStoreOptions options, HookedMedium.Hook hook) {
    return openHooked(directory, options, hook, MappedEngine.THREADS);
  }

  protected static MappedEngine openHooked(
      Path directory, PmStoreOptions options, HookedMedium.Hook hook, ThreadFactory threads) {
    return StoreOpener.open(directory, options, medium -> new HookedMedium(medium, hook), threads);
  }

  /** Returns a thread like the one that runs an engine's background work. */
  protected static Thread backgroundThread(Runnable task) {
    return MappedEngine.THREADS.newThread(task);
  }

  /** Deletes a directory without directories in it. */
  protected static void remove(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  protected static void writeTo(Path file, long offset, byte... bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), offset);
    }
  }

  protected static byte[] readFrom(Path file, long offset, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, offset + bytes.position()) < 0) {
          throw new IOException(file + " ends before " + (offset + length));
        }
      }
      return bytes.array();
    }
  }

  /** Fills the log of a store until all of its segments have the size that they grow to. */
  protected static void growLog(MappedEngine engine, Path directory, long segmentSize) {
    engine.grow(1 << 20);
    for (int i = 0;
        logs(directory).stream().anyMatch(log -> log.toFile().length() < segmentSize);
        i++) {
      commit(engine, START, i);
      commit(engine, START + 8, new long[1000]);
    }
    engine.verify((address, found, expected) -> {}); // after a checkpoint
  }

  protected static HeapHeader header(Path directory) throws IOException {
    try (MediumFile heap = new FileMedium(directory).open(StoreLayout.HEAP)) {
      return HeapHeaderFile.read(heap, directory).current();
    }
  }

  protected static Storage engineStorage(Path directory) throws IOException {
    return header(directory).storage();
  }

  protected static List<Path> logs(Path directory) {
    return IntStream.range(0, StoreLayout.LOG_SEGMENTS)
        .mapToObj(i -> directory.resolve(StoreLayout.log(i)))
        .toList();
  }
}
