package io.pmstore.core.tx;

import io.pmstore.core.events.Recorder;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of a store's transactions for JDK Flight Recorder.
 *
 * <p>A transaction that conflicts knows the lock, not the object: a lock table has no addresses. So
 * from the first conflict of a recording on, commits note the address of each object that they
 * change under its lock.
 *
 * <p>Thread-safe.
 */
public final class TransactionEvents {
  private volatile String store = "";
  private volatile LongFunction<String> className = object -> "";
  private volatile @Nullable LockedObjects changed;

  /** The address of the object that was changed last under each lock. */
  private static final class LockedObjects implements ChangeReader {
    private final long[] addresses = new long[LockTable.size()];

    @Override
    public void changed(ChangeSet set, int object) {
      long address = set.address(object);
      addresses[LockTable.index(address)] = address; // a race gives one of two, as good as any
    }
  }

  /**
   * Sets what events say about the store.
   *
   * @param directory of the store
   * @param classNames returns the name of the class of the object at an address, or an empty text
   */
  public void of(String directory, LongFunction<String> classNames) {
    store = directory;
    className = classNames;
  }

  String store() {
    return store;
  }

  /** Notes what a commit has changed, if conflicts are recorded. */
  void committed(ChangeSet changes) {
    LockedObjects noted = changed;
    if (noted != null) {
      changes.forEach(noted);
    }
  }

  /**
   * Records a conflict.
   *
   * @param lock of what was changed, or -1 if that is not known
   * @param failedAttempts of the transaction
   */
  void conflict(int lock, int failedAttempts) {
    if (!Recorder.isInitialized()) {
      return;
    }
    LockedObjects noted = changed;
    if (noted == null) {
      changed = noted = new LockedObjects();
    }
    long object = lock < 0 ? 0 : noted.addresses[lock];
    Recorder.conflict(store, object == 0 ? "" : className.apply(object), failedAttempts);
  }
}
