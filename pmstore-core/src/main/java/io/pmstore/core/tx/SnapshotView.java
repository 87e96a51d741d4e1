package io.pmstore.core.tx;

import io.pmstore.core.memory.HeapMemory;
import java.lang.invoke.VarHandle;

/**
 * The view of a snapshot's body: every object as it was at the snapshot's position.
 *
 * <p>A read takes the value from the heap if the object's lock has a version up to that position.
 * Otherwise it looks, after the heap, for the before-image that a commit may have kept: commits
 * keep these before they change the heap. So no read waits for a commit.
 */
final class SnapshotView extends View {
  private final HeapMemory memory;
  private final LockTable locks;
  private final OpenSnapshot snapshot;
  private final BeforeImages images;
  private final long position;
  private long newestSeen;

  SnapshotView(
      Transactions transactions, HeapMemory memory, LockTable locks, OpenSnapshot snapshot) {
    super(transactions);
    this.memory = memory;
    this.locks = locks;
    this.snapshot = snapshot;
    this.images = snapshot.images();
    this.position = snapshot.position();
  }

  /** Returns the position of the newest commit that the body may have seen changes of. */
  long newestSeen() {
    return newestSeen;
  }

  @Override
  public long getLong(long object, int offset) {
    int lock = LockTable.index(object);
    long word = locks.word(lock);
    long value = memory.getLong(object + offset);
    if (isOld(lock, word)) {
      return value;
    }
    BeforeImage image = images.find(object, position);
    snapshot.checkNotEnded();
    return image == null ? value : image.word(offset);
  }

  @Override
  public void read(long object, int offset, byte[] target, int length) {
    int lock = LockTable.index(object);
    long word = locks.word(lock);
    memory.read(object + offset, target, 0, length);
    if (isOld(lock, word)) {
      return;
    }
    BeforeImage image = images.find(object, position);
    snapshot.checkNotEnded();
    if (image != null) {
      image.read(offset, target, length);
    }
  }

  @Override
  public long beginRead(long object) {
    if (object == 0) {
      return NO_VERSION;
    }
    long word = locks.word(LockTable.index(object));
    return LockTable.isLocked(word) || LockTable.version(word) > position ? NO_VERSION : word;
  }

  @Override
  public boolean endRead(long object, long begun) {
    return isOld(LockTable.index(object), begun);
  }

  @Override
  public long counter(long object, int offset) {
    // A counter has a lock and before-images of its own; that of the object is for its end.
    int own = LockTable.index(object + offset);
    int lock = LockTable.index(object);
    long ownWord = locks.word(own);
    long word = locks.word(lock);
    long value = memory.getLong(object + offset);
    boolean old = isOld(own, ownWord);
    if (isOld(lock, word) && old) {
      return value;
    }
    BeforeImage image = images.findCounter(object, offset, position);
    snapshot.checkNotEnded();
    return image == null ? value : image.word((int) (object + offset - image.address()));
  }

  /**
   * Returns true if what was read from the heap, after the word of its lock, is the state at the
   * snapshot's position.
   */
  private boolean isOld(int lock, long word) {
    VarHandle.loadLoadFence();
    boolean old =
        !LockTable.isLocked(word)
            && LockTable.version(word) <= position
            && locks.word(lock) == word;
    newestSeen = Math.max(newestSeen, old ? LockTable.version(word) : position);
    return old;
  }

  @Override
  public boolean hasMade(long object) {
    return false;
  }

  @Override
  public boolean isBefore(long commit) {
    return position < commit;
  }

  /**
   * Returns true: no object that a snapshot shows is freed while it is open, except on a replica,
   * where the object layer knows of it.
   */
  @Override
  public boolean mayBePinned(long object) {
    return true;
  }
}
