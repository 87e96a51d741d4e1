package io.pmstore.core.engine.mapped.header;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.DamagedHeaderCopy;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.mapped.header.HeapHeader.Decoded;
import io.pmstore.core.medium.IoAction;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The two header copies at the start of a heap file, and all syncs of that file. Syncs run one at a
 * time and never after a failed one, because a sync beside or after a failed one could succeed
 * although data is lost. Thread-safe.
 *
 * <p>Every header is written to one copy, made durable, and then written to the other: if either
 * copy is lost later, the other still has the checkpoint position.
 */
public final class HeapHeaderFile {
  private final MediumFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile HeapHeader current;
  private @Nullable Throwable failure;
  private final @Nullable DamagedHeaderCopy damaged;

  private HeapHeaderFile(MediumFile file, HeapHeader current, @Nullable DamagedHeaderCopy damaged) {
    this.file = file;
    this.current = current;
    this.damaged = damaged;
  }

  /**
   * Tells of a copy that was damaged when the header was read, and that no interrupted write
   * explains. The other copy serves, so nothing is lost.
   */
  public void verify(Engine.FaultVisitor faults) {
    DamagedHeaderCopy copy = damaged;
    if (copy != null) {
      faults.fault(copy.offset(), copy.fault(), copy.expected(current.sequence()));
    }
  }

  /** Returns the header in force. */
  public HeapHeader current() {
    return current;
  }

  private void alone(IoAction operation) throws IOException {
    lock.lock();
    try {
      if (failure != null) {
        throw new IOException(
            "an earlier change of the file '%s' failed: %s".formatted(file.name(), failure),
            failure);
      }
      operation.run();
    } catch (Throwable e) {
      failure = e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Makes durable what was written to the heap file, or written back by this thread. */
  public void sync() throws IOException {
    alone(file::sync);
  }

  /**
   * Makes a header durable. The first time it also mends a damaged copy, and logs a warning then.
   *
   * @param change returns it for the header in force
   */
  public void update(UnaryOperator<HeapHeader> change) throws IOException {
    alone(() -> write(change.apply(current)));
  }

  /**
   * Grows the file, with space allocated on the device, durably.
   *
   * @throws MediumException with {@link MediumException#noRoom()} if there is no room; nothing has
   *     changed then, and the file stays usable
   */
  public void allocate(long size) throws IOException {
    lock.lock();
    try {
      alone(() -> file.allocate(current.heapSize(), size, false));
    } catch (MediumException e) {
      // Without room no sync has failed, so what was written before is not lost.
      failure = e.noRoom() ? null : e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Truncates the file to the heap size of the header in force, which is durable in both copies.
   */
  public void truncate() throws IOException {
    alone(() -> file.truncate(current.heapSize()));
  }

  private void write(HeapHeader header) throws IOException {
    long before = current.sequence();
    for (int i = 0; i < HeapHeaderLayout.COPIES; i++) {
      HeapHeader next = header.withSequence(current.sequence() + 1);
      file.write(
          HeapHeaderLayout.offset(next.sequence()), next.encode(), 0, HeapHeaderLayout.COPY_SIZE);
      file.sync();
      current = next;
    }
    if (damaged != null) {
      damaged.written(before, System.getLogger(HeapHeaderFile.class.getName()));
    }
  }

  /** Writes the header of a heap file that has none. */
  public static void create(MediumFile file, HeapHeader first) throws IOException {
    new HeapHeaderFile(file, first.withSequence(0), null).update(header -> header);
  }

  /**
   * Reads the header of a heap file.
   *
   * @param directory the store's, for messages
   */
  public static HeapHeaderFile read(MediumFile file, Path directory) throws IOException {
    Path path = directory.resolve(file.name());
    String name = path.toString();
    long size = file.size();
    if (size < (long) HeapHeaderLayout.COPIES * HeapHeaderLayout.COPY_SIZE) {
      throw new StoreDamagedException(
          "%s has %d bytes; a heap file starts with %d bytes of header. It was truncated, or is no pmstore heap; restore the directory from a backup, or choose another one"
              .formatted(name, size, HeapHeaderLayout.COPIES * HeapHeaderLayout.COPY_SIZE));
    }
    byte[] firstBytes = readCopy(file, 0);
    byte[] secondBytes = readCopy(file, 1);
    Decoded first = HeapHeader.decode(firstBytes, 0);
    Decoded second = HeapHeader.decode(secondBytes, 1);
    if (first instanceof Decoded.Valid(HeapHeader a)
        && second instanceof Decoded.Valid(HeapHeader b)) {
      if (!a.store().equals(b.store())) {
        throw new StoreDamagedException(
            "%s has header copies of two stores, %s and %s; restore the directory from a backup"
                .formatted(name, a.store(), b.store()));
      }
      return new HeapHeaderFile(file, a.sequence() > b.sequence() ? a : b, null);
    }
    if (first instanceof Decoded.Valid(HeapHeader a)) {
      return new HeapHeaderFile(file, a, damaged(path, a, 1, secondBytes, second));
    }
    if (second instanceof Decoded.Valid(HeapHeader b)) {
      return new HeapHeaderFile(file, b, damaged(path, b, 0, firstBytes, first));
    }
    throw refuse(name, first, second);
  }

  private static byte[] readCopy(MediumFile file, int slot) throws IOException {
    byte[] copy = new byte[HeapHeaderLayout.COPY_SIZE];
    file.read(HeapHeaderLayout.offset(slot), copy, 0, copy.length);
    return copy;
  }

  private static @Nullable DamagedHeaderCopy damaged(
      Path path, HeapHeader whole, int slot, byte[] copy, Decoded decoded) {
    return whole.mayHaveInterrupted(copy)
        ? null
        : new DamagedHeaderCopy(
            path,
            HeapHeaderLayout.offset(slot),
            describe(decoded),
            HeapHeaderLayout.offset(slot + 1L),
            whole.sequence());
  }

  private static RuntimeException refuse(String name, Decoded first, Decoded second) {
    if (first instanceof Decoded.Foreign(long a) && second instanceof Decoded.Foreign) {
      return new StoreFormatException(
          ("%s starts with the bytes %016x; a pmstore heap starts with %016x. It is not a pmstore"
                  + " store, or its header was overwritten; choose another directory, or restore"
                  + " this one from a backup")
              .formatted(
                  name, Long.reverseBytes(a), Long.reverseBytes(HeapHeaderLayout.MAGIC_VALUE)));
    }
    if (first instanceof Decoded.OtherVersion(int a)
        && second instanceof Decoded.OtherVersion(int b)
        && a == b) {
      return new StoreFormatException(
          ("%s has format version %d; this program knows version %d. Open it with the version of"
                  + " pmstore that wrote it, or a later one")
              .formatted(name, a, HeapHeaderLayout.VERSION_VALUE));
    }
    return new StoreDamagedException(
        ("%s: both copies of its header are damaged: at 0, %s; at %d, %s. Restore the directory"
                + " from a backup")
            .formatted(name, describe(first), HeapHeaderLayout.COPY_SIZE, describe(second)));
  }

  private static String describe(Decoded copy) {
    return switch (copy) {
      case Decoded.Valid valid -> "whole";
      case Decoded.Foreign(long magic) -> "starts with %016x".formatted(Long.reverseBytes(magic));
      case Decoded.OtherVersion(int version) -> "format version " + version;
      case Decoded.Damaged(String how) -> how;
    };
  }
}
