package io.pmstore.tiered;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.DamagedHeaderCopy;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The file with the two copies of a store's header. It makes a change durable in one copy and then
 * in the other, so that either copy may be lost. After a failure it writes nothing more, because a
 * later sync could succeed although data is lost. Thread-safe.
 */
final class StoreHeaderFile implements AutoCloseable {
  static final int COPIES = 2;

  private final MediumFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile StoreHeader current;
  private @Nullable Throwable failure;
  private final @Nullable StoreHeader other;
  private final @Nullable DamagedHeaderCopy damaged;
  private @Nullable Follower follower;

  /** What notes elsewhere which header is in force. */
  interface Follower extends AutoCloseable {
    /** Gets a header of which one copy is durable; the other copy is of the header before. */
    void written(StoreHeader header) throws IOException;

    @Override
    void close() throws IOException;
  }

  private StoreHeaderFile(
      MediumFile file,
      StoreHeader current,
      @Nullable StoreHeader other,
      @Nullable DamagedHeaderCopy damaged) {
    this.file = file;
    this.current = current;
    this.other = other;
    this.damaged = damaged;
  }

  /** Sets what notes each new header, and is closed after this file. */
  void follow(Follower with) {
    follower = with;
  }

  /** Returns true if one of the whole copies that were read is as expected. */
  boolean hasCopy(Predicate<StoreHeader> expected) {
    StoreHeader second = other;
    return expected.test(current) || (second != null && expected.test(second));
  }

  /**
   * Tells of a copy that was damaged when the header was read, and that no interrupted write
   * explains. The other copy serves, so nothing is lost.
   */
  void verify(Engine.FaultVisitor faults) {
    DamagedHeaderCopy copy = damaged;
    if (copy != null) {
      faults.faultOfFile(
          "the file %s at %d".formatted(copy.file().getFileName(), copy.offset()),
          copy.fault(),
          copy.expected(current.sequence()));
    }
  }

  /** Returns the header in force. */
  StoreHeader current() {
    return current;
  }

  /**
   * Makes a header durable. The first time it also mends a damaged copy, and logs a warning then.
   */
  void update(UnaryOperator<StoreHeader> change) throws IOException {
    lock.lock();
    try {
      if (failure != null) {
        throw new IOException("an earlier change of the header failed: " + failure, failure);
      }
      long before = current.sequence();
      StoreHeader next = change.apply(current);
      for (int i = 0; i < COPIES; i++) {
        next = next.withSequence(current.sequence() + 1);
        int copy = (int) (next.sequence() % COPIES);
        file.write((long) copy * StoreHeader.SIZE, next.encode(), 0, StoreHeader.SIZE);
        file.sync();
        current = next;
        Follower with = follower;
        if (i == 0 && with != null) {
          with.written(next);
        }
      }
      if (damaged != null) {
        damaged.written(before, System.getLogger(StoreHeaderFile.class.getName()));
      }
    } catch (Throwable e) {
      failure = e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Makes durable what an earlier process has written, before one copy is overwritten. */
  void sync() throws IOException {
    file.sync();
  }

  /** Writes the header of a file that is empty, and closes the file. */
  static void create(MediumFile file, StoreHeader first) throws IOException {
    try (StoreHeaderFile made = new StoreHeaderFile(file, first, null, null)) {
      file.allocate(0, (long) COPIES * StoreHeader.SIZE, true);
      made.update(header -> header);
    }
  }

  /**
   * Reads a header. The file stays open, unless this throws.
   *
   * @param directory the store's, for messages
   */
  static StoreHeaderFile open(MediumFile file, Path directory) throws IOException {
    return orClose(file, () -> read(file, directory));
  }

  private static StoreHeaderFile read(MediumFile file, Path directory) throws IOException {
    Path name = directory.resolve(file.name());
    if (file.size() != (long) COPIES * StoreHeader.SIZE) {
      throw new StoreDamagedException(
          "%s has %d bytes; the header of a store of storage TIERED has %d. It was truncated or replaced; restore the store from a backup"
              .formatted(name, file.size(), COPIES * StoreHeader.SIZE));
    }
    byte[] first = read(file, 0);
    byte[] second = read(file, 1);
    @Nullable String firstFault = StoreHeader.fault(first);
    @Nullable String secondFault = StoreHeader.fault(second);
    if (firstFault != null && secondFault != null) {
      throw new StoreDamagedException(
          "both copies of the header in %s are damaged: at 0, %s; at %d, %s. Restore the store from a backup"
              .formatted(name, firstFault, StoreHeader.SIZE, secondFault));
    }
    StoreHeader a = firstFault == null ? decode(first, name) : null;
    StoreHeader b = secondFault == null ? decode(second, name) : null;
    if (a != null && (b == null || a.sequence() > b.sequence())) {
      return new StoreHeaderFile(file, a, b, damaged(name, a, 1, second, secondFault));
    }
    if (b == null) {
      throw new AssertionError("one copy is whole");
    }
    return new StoreHeaderFile(file, b, a, damaged(name, b, 0, first, firstFault));
  }

  /** Returns a damaged copy; null if it is whole, or a crash may explain it. */
  private static @Nullable DamagedHeaderCopy damaged(
      Path name, StoreHeader whole, int copy, byte[] bytes, @Nullable String fault) {
    return fault == null || whole.mayHaveInterrupted(bytes)
        ? null
        : new DamagedHeaderCopy(
            name,
            (long) copy * StoreHeader.SIZE,
            fault,
            (1L - copy) * StoreHeader.SIZE,
            whole.sequence());
  }

  private static byte[] read(MediumFile file, int copy) throws IOException {
    byte[] bytes = new byte[StoreHeader.SIZE];
    file.read((long) copy * bytes.length, bytes, 0, bytes.length);
    return bytes;
  }

  private static StoreHeader decode(byte[] copy, Path name) {
    int version = StoreHeader.version(copy);
    if (version != StoreHeader.VERSION) {
      throw new StoreFormatException(
          "%s has format version %d; this program knows version %d. Open it with %s"
              .formatted(
                  name,
                  version,
                  StoreHeader.VERSION,
                  version < StoreHeader.VERSION
                      ? "the version of pmstore that wrote it; this one can open a backup that it"
                          + " makes"
                      : "the version of pmstore that wrote it, or a later one"));
    }
    return StoreHeader.decode(copy);
  }

  @Override
  public void close() throws IOException {
    try (var _ = follower) {
      file.close();
    }
  }
}
