package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Reader;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.UnreadableStore;
import io.pmstore.core.engine.mapped.commit.Phase;
import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.recovery.Recovery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A mapped heap for reading only; other processes may read it too. If the store was not closed, the
 * engine replays its log into private memory. It writes no file.
 */
public final class ReadOnlyEngine extends Reader {
  private final StoreFiles files;
  private final DirtySet replayed;
  private final boolean repairs;

  private ReadOnlyEngine(
      StoreLock storeLock, StoreFiles files, DirtySet replayed, long position, boolean repairs) {
    super(storeLock, files.memory(), new EngineState(files.directory()), position);
    this.files = files;
    this.replayed = replayed;
    this.repairs = repairs;
  }

  /**
   * Opens the store in a directory.
   *
   * @throws io.pmstore.StoreLockedException if this or another process has the store open for
   *     writing
   * @throws io.pmstore.StoreDamagedException if the header, the log or the size of a file is
   *     damaged
   * @throws io.pmstore.StoreFormatException if the directory holds no store, or one of a newer
   *     format
   * @throws io.pmstore.PmStoreException if the store cannot be opened for another reason; nothing
   *     is left open
   */
  public static ReadOnlyEngine open(Path directory) {
    return StoreOpener.openReadOnly(directory);
  }

  @Override
  public OptionalLong logSegmentSize() {
    return OptionalLong.of(files.header().current().segmentSize());
  }

  /** Recovers the heap of a store whose files are open, in memory. */
  static ReadOnlyEngine start(StoreLock storeLock, StoreFiles files) throws IOException {
    return start(storeLock, files, false);
  }

  /**
   * Does as {@link #start}, for a repair, which a damaged copy of the header does not keep from
   * what it repairs: the next opening mends it.
   */
  static ReadOnlyEngine startForRepair(StoreLock storeLock, StoreFiles files) throws IOException {
    return start(storeLock, files, true);
  }

  private static ReadOnlyEngine start(StoreLock storeLock, StoreFiles files, boolean repairs)
      throws IOException {
    DirtySet replayed = new DirtySet(files.medium().writeBackUnit());
    long next = new Recovery(files).replay(new Phase(files, replayed, null)).sequence();
    files.checks().skip(replayed);
    return new ReadOnlyEngine(storeLock, files, replayed, next - 1, repairs);
  }

  @Override
  public void verify(FaultVisitor faults) {
    checkUsable();
    if (!repairs) {
      files.header().verify(faults);
    }
    files.verify(
        new FaultVisitor() {
          @Override
          public void fault(long address, String found, String expected) {
            if (!replayed.contains(address)) { // a page that the log replaces may be half written
              faults.fault(address, found, expected);
            }
          }

          @Override
          public void compared(long end) {
            faults.compared(end);
          }
        });
  }

  @Override
  public void checkStored(long address, long length) {
    checkUsable();
    try {
      files.checks().check(address, length);
    } catch (IOException e) {
      throw UnreadableStore.exception(files.directory(), e);
    }
  }

  @Override
  public @Nullable Instant checksumsMade() {
    checkUsable();
    return files.checksumsMade();
  }

  @Override
  protected void release() throws IOException {
    files.close();
  }
}
