package io.pmstore.llpl;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFullException;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.MediumException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes an open pool larger, part by part. This class decides when PMDK grows a pool, because a
 * pool that PMDK has grown on a full disk cannot be opened afterwards. Guarded by the engine's
 * lock, except {@link #hasRoom}.
 *
 * <pre>
 *   part.new                  being allocated             after a kill the next opening deletes it
 *   N.pmem                    allocated and durable       the same
 *   N.pmem      PMDK's size   added to the pool by PMDK   the next opening writes the mark
 *   N.pmem.     PMDK's size   marked                      a part of the pool
 * </pre>
 */
final class PoolGrowth {
  /** The part that is being made, in the directory of the parts. */
  static final String NEW_PART = "part.new";

  private final Path directory;
  private final PoolHeader header;
  private final AccessRights rights;
  private final LlplPool pool;
  private final @Nullable PoolSet set;
  private final int zonesMax;
  private int parts;
  private long size;
  private @Nullable PartMark mark;
  private @Nullable String stopped;
  private volatile long undoRoom;

  /**
   * The growth of a pool.
   *
   * @param pool just opened
   * @param parts it consists of
   * @param set its directory; null for a pool that does not grow
   * @param files of the store
   */
  PoolGrowth(
      LlplPool pool, PoolHeader header, PoolParts parts, @Nullable PoolSet set, PoolFiles files) {
    directory = files.pool();
    rights = files.rights();
    this.header = header;
    this.pool = pool;
    this.set = set;
    this.parts = parts.partCount();
    size = parts.size();
    mark = parts.missingMark(header);
    zonesMax = set == null ? 0 : ZoneMap.zonesMax(PoolSpace.zones(size));
    noteSize(PoolSpace.UNDO_ALWAYS);
    tryToWriteMark();
  }

  private void noteSize(long undo) {
    undoRoom = size == header.poolSize() ? Long.MAX_VALUE : undo;
  }

  /** Whether a transaction of so many bytes of snapshots has room, as the pool's largest has. */
  boolean hasRoom(long undo) {
    return undo <= undoRoom;
  }

  /**
   * Makes the pool large enough, if it is not.
   *
   * @param extents how many are to fit, at most as many as fit into the largest pool
   * @param undo the bytes of snapshots that one transaction is to have room for beside them
   * @throws StoreFullException if there is no room for the files; nothing has changed but the size
   */
  void makeRoom(int extents, long undo) {
    if (size < header.poolSize()) {
      long room = Math.max(undo, undoRoom);
      long wanted = Math.min(header.poolSize(), PoolSpace.sizeFor(extents, room));
      while (size < wanted) {
        addPart(wanted);
      }
      noteSize(room);
    }
  }

  /**
   * Makes the pool larger, because PMDK found no room where there should be some. Returns false if
   * it cannot get larger.
   */
  boolean growMore() {
    if (size == header.poolSize()) {
      return false;
    }
    addPart(size + 1);
    noteSize(undoRoom);
    return true;
  }

  private void addPart(long wanted) {
    long next = PoolSpace.next(size, wanted, header.poolSize());
    checkPossible(next);
    try {
      addPart(new PartMark(header.uuid(), parts, next - size));
    } catch (MediumException e) {
      if (!e.noRoom()) {
        throw failed(e);
      }
      throw new StoreFullException(
          "the pool %s cannot grow by %d bytes to %d: %s. Nothing is lost; free some space on its file system"
              .formatted(directory, next - size, next, e.getMessage()),
          e);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void checkPossible(long next) {
    if (stopped != null) {
      throw stopped(stopped);
    }
    if (PoolSpace.zones(next) > zonesMax) {
      throw new StoreFullException(
          "the pool %s of %d bytes cannot grow further while it is open; close the store and open it again, with the C library's own malloc"
              .formatted(directory, size));
    }
  }

  private StoreFullException stopped(String why) {
    return new StoreFullException(
        "the pool %s cannot grow: PMDK did not take a new part (%s); close the store and open it again"
            .formatted(directory, why));
  }

  private PmStoreException failed(IOException e) {
    return new PmStoreException("the pool %s cannot grow: %s".formatted(directory, e), e);
  }

  private void addPart(PartMark part) throws IOException {
    PoolSet open = Objects.requireNonNull(set);
    Path file = PoolParts.file(directory, part.number());
    Path made = directory.resolve(NEW_PART);
    PoolParts.make(made, part.length(), rights);
    writeMark(); // of the part before: only the last may be without
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    open.sync();
    if (!pool.extend(part.length())) {
      stopped = Pmdk.error();
      Files.delete(file);
      throw stopped(stopped);
    }
    parts++;
    size += part.length();
    mark = part;
    tryToWriteMark();
  }

  /** Without room for it, it is written before the next part, or by the next opening. */
  private void tryToWriteMark() {
    try {
      writeMark();
    } catch (IOException e) {
      System.getLogger(PoolGrowth.class.getName())
          .log(
              System.Logger.Level.WARNING, "the last part of " + directory + " has no mark yet", e);
    }
  }

  private void writeMark() throws IOException {
    PartMark missing = mark;
    if (missing != null) {
      missing.write(PoolParts.file(directory, missing.number()));
      mark = null;
    }
  }
}
