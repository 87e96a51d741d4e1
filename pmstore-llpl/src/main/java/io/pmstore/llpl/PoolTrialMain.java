package io.pmstore.llpl;

import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.TransactionException;
import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The program of {@link PoolTrial}'s process. It opens a pool, mapped privately, and makes PMDK
 * execute once each operation that a store needs. If this process survives that, the process of the
 * store will too.
 */
final class PoolTrialMain {
  private static final String BUSY = "flock";
  private static final int BUSY_TRIES = 100;
  private static final int BUSY_MS = 100;
  private static final long PAGE = 4096;
  private static final long CACHE_LINE = 64;
  private static final int TRIED_MAX = 4096; // of the extents, spread over all
  private static final int ZONE_MAGIC = 0xC3F0A2D2;

  private PoolTrialMain() {}

  /**
   * Tries a pool.
   *
   * @param arguments the store's directory
   * @throws Exception if nothing can be said of the pool
   */
  public static void main(String[] arguments) throws Exception {
    endWithParent();
    NativeLibraries.load();
    System.out.println(PoolTrial.BEGUN);
    String refused = refusal(new PoolFiles(Path.of(arguments[0])));
    System.out.println(
        refused == null ? PoolTrial.SOUND : PoolTrial.REFUSED + refused.replace('\n', ' '));
    Runtime.getRuntime().halt(0);
  }

  /** An orphan would keep PMDK's lock on the pool. */
  private static void endWithParent() {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (InputStream parent = System.in) {
                parent.transferTo(OutputStream.nullOutputStream());
              } catch (IOException e) {
                // as good as its end
              }
              Runtime.getRuntime().halt(1);
            });
  }

  /** What is wrong with a pool, or null. */
  private static @Nullable String refusal(PoolFiles files)
      throws IOException, InterruptedException {
    try {
      PoolHeader header = files.check();
      try (PoolSet set = header.growing() ? files.writeSet(header) : null) {
        LlplPool pool = open(files, set);
        PoolRoot root = PoolRoot.open(pool, header, files.pool(), Arena.global());
        checkZones(files, header, root);
        rehearse(pool, root);
        pool.close();
      }
      return null;
    } catch (PmStoreException e) {
      return e.getMessage();
    } catch (HeapException | TransactionException e) {
      return "%s is damaged: PMDK fails in it (%s); restore it from a backup"
          .formatted(files.pool(), e.getMessage());
    }
  }

  /** PMDK takes a zone without a header for an empty one, and gives it out again. */
  private static void checkZones(PoolFiles files, PoolHeader header, PoolRoot root)
      throws IOException {
    try (PoolParts parts = PoolParts.open(files.pool(), header)) {
      for (int i = 0; i < root.extentCount(); i++) {
        long at = PoolSpace.zoneHeader(root.handle(i));
        int magic =
            ByteBuffer.wrap(parts.read(at, Integer.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (magic != ZONE_MAGIC) {
          throw new StoreDamagedException(
              "%s is damaged: its zone at %d starts with %08x, not %08x; restore it from a backup"
                  .formatted(files.pool(), at, magic, ZONE_MAGIC));
        }
      }
    }
  }

  /** Waits for the trial of a process that was killed: it ends soon after. */
  private static LlplPool open(PoolFiles files, @Nullable PoolSet set) throws InterruptedException {
    for (int i = 1; ; i++) {
      try {
        return OpenPool.openPool(files, set);
      } catch (PmStoreException e) {
        if (i == BUSY_TRIES || !e.toString().contains(BUSY)) {
          throw e;
        }
        Thread.sleep(BUSY_MS);
      }
    }
  }

  /**
   * A transaction that needs undo log, in each extent, but no more than there always is; then all
   * extents but one go and come again.
   */
  private static void rehearse(LlplPool pool, PoolRoot root) {
    int extents = root.extentCount();
    int step = 1 + extents / TRIED_MAX;
    long undo = Math.min(root.undoMax(), PoolSpace.UNDO_ALWAYS) / 2 / (1 + extents / step);
    long pages = Math.max(1, undo / PAGE);
    long length = Math.min(PAGE, undo) / 2 & -CACHE_LINE;
    pool.transaction(
        () -> {
          for (int i = 0; i < extents; i += step) {
            for (long page = 0; page < pages; page++) {
              root.addToTransaction(i, page * PAGE, length);
            }
          }
        });
    root.removeExtents(1);
    root.addExtents(extents);
  }
}
