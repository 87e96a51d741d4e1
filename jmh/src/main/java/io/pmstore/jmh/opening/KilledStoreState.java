package io.pmstore.jmh.opening;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The files of a store that was killed with a full log; each invocation has a copy of them. */
@State(Scope.Benchmark)
public abstract class KilledStoreState {
  /** How many objects the store has, any of which the log may change. */
  @Param("5000000")
  public int recoveredObjects;

  /**
   * The size of a log segment, in MiB. Three are full when a store is killed; three of these have
   * what four of the default size have.
   */
  @Param("43")
  public int logSegmentMib;

  private final boolean cold;
  private TemporaryDirectory directory;
  private Path killed;
  private Path copy;
  private long expected;
  private @Nullable PmStore opened;
  private long read;

  KilledStoreState(boolean cold) {
    this.cold = cold;
  }

  abstract Storage storage();

  /** Creates a store and keeps a copy of its files as a kill would leave them. */
  @Setup
  public void create() throws IOException {
    directory = TemporaryDirectory.create(storage());
    killed = Files.createDirectory(directory.path().resolve("killed"));
    Path scratch = directory.path().resolve("scratch");
    expected = FullLog.create(scratch, killed, storage(), recoveredObjects, logSegmentMib << 20);
    TemporaryDirectory.delete(scratch);
  }

  /** Copies the files. */
  @Setup(Level.Invocation)
  public void copy() throws IOException {
    copy = Files.createDirectory(directory.path().resolve("copy"));
    FullLog.copy(killed, copy);
    if (cold) {
      for (Path file : FullLog.files(copy)) {
        PageCache.drop(file);
      }
    }
  }

  final long openAndRead() {
    PmStore store = PmStore.open(copy, PmStoreOptions.defaults().storage(storage()));
    opened = store;
    read = Population.firstRead(store);
    return read;
  }

  /** Reads all bytes of the log, with their checksum. */
  final long readLog() throws IOException {
    CRC32C checksum = new CRC32C();
    ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
    for (Path file : FullLog.files(copy)) {
      if (!file.getFileName().toString().startsWith("log")) {
        continue;
      }
      try (FileChannel channel = FileChannel.open(file)) {
        while (channel.read(bytes.clear()) >= 0) {
          checksum.update(bytes.flip());
        }
      }
    }
    return checksum.getValue();
  }

  /** Closes the store, if it was opened, and deletes the copy. */
  @TearDown(Level.Invocation)
  public void close() {
    if (opened != null) {
      opened.close();
      opened = null;
      if (read != expected) {
        throw new IllegalStateException(
            "the last commit wrote " + expected + "; after the recovery " + read + " is there");
      }
    }
    TemporaryDirectory.delete(copy);
  }

  /** Deletes the files. */
  @TearDown
  public void delete() {
    directory.close();
  }

  /** In the page cache. */
  @State(Scope.Benchmark)
  public static class Warm extends KilledStoreState {
    @Param({"FILE", "PERSISTENT_MEMORY"})
    public Storage storage;

    /** Called by JMH. */
    public Warm() {
      super(false);
    }

    @Override
    Storage storage() {
      return storage;
    }
  }

  /** Only on the disk. */
  @State(Scope.Benchmark)
  public static class Cold extends KilledStoreState {
    /** Called by JMH. */
    public Cold() {
      super(true);
    }

    @Override
    Storage storage() {
      return Storage.FILE;
    }
  }
}
