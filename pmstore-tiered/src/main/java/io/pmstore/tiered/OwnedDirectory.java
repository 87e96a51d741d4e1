package io.pmstore.tiered;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreLockedException;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.LockFile;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.NativeCalls;
import io.pmstore.tiered.MarkLayout.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory of pools or files, apart from the store's own, while the store is open. A copy of the
 * store's directory names it too, so it has a lock of its own: on the mark, and on the directory
 * for those that find no mark. It admits one writer or any number of readers, like {@link
 * io.pmstore.core.engine.StoreLock}.
 *
 * <p>The mark also says which header has written here last. So a copy that is opened later than the
 * other one is refused.
 */
final class OwnedDirectory implements AutoCloseable {
  // The directories that this class loader has locked for writing; for messages only.
  private static final Set<Object> WRITTEN_HERE = ConcurrentHashMap.newKeySet();

  private final Path store;
  private final DirectoryOwner owner;
  private final @Nullable AccessRights rights;
  private @Nullable LockFile markLock;
  private @Nullable LockFile directoryLock;
  private @Nullable MediumFile mark;
  private @Nullable Object key;

  private OwnedDirectory(Path store, DirectoryOwner owner, @Nullable AccessRights rights) {
    this.store = store;
    this.owner = owner;
    this.rights = rights;
  }

  /**
   * Locks a directory, without waiting. Changes nothing.
   *
   * @param store the store's directory, for messages
   * @param rights of a mark that is made here; null to read only
   * @throws StoreLockedException if the store is open by another copy of its directory
   */
  static OwnedDirectory lock(Path store, DirectoryOwner owner, @Nullable AccessRights rights)
      throws IOException {
    OwnedDirectory locked = new OwnedDirectory(store, owner, rights);
    try {
      locked.lock();
      return locked;
    } catch (Throwable e) {
      closeAfter(e, locked);
      throw e;
    }
  }

  private void lock() throws IOException {
    if (Files.exists(markPath())) {
      lockMark();
    }
    if (!lockDirectory() && markLock == null && rights == null) {
      throw new IOException(
          "there is no file %s, and the directory cannot be locked instead".formatted(markPath()));
    }
    if (rights != null) {
      key = identity();
      if (key != null) {
        WRITTEN_HERE.add(key);
      }
    }
  }

  private void lockMark() throws IOException {
    LockFile opened =
        rights == null ? LockFile.openForReading(markPath()) : LockFile.open(markPath(), rights);
    markLock = opened;
    if (opened.tryLock(rights == null)) {
      return;
    }
    if (rights != null && opened.isLockedByReaders()) {
      throw openForReading();
    }
    @Nullable Object identity = identity();
    if (identity != null && WRITTEN_HERE.contains(identity)) {
      throw open("already in this process", "close it first");
    }
    String pid = opened.text();
    throw open(
        "in another process (%s)"
            .formatted(
                pid.isEmpty() ? "which has not yet written its process id" : "process id " + pid),
        "close it there first");
  }

  /** Returns false if the file system does not support locks on directories. */
  private boolean lockDirectory() throws IOException {
    LockFile opened = LockFile.openDirectory(directory());
    directoryLock = opened;
    boolean locked;
    try {
      locked = opened.tryLock(rights == null);
    } catch (IOException e) {
      return false;
    }
    if (!locked) {
      throw rights != null && opened.tryLock(true)
          ? openForReading()
          : open("already", "close it where it is open");
    }
    return true;
  }

  private StoreLockedException openForReading() {
    return open("for reading, in this process or another", "close it there first");
  }

  private StoreLockedException open(String how, String advice) {
    return new StoreLockedException(
        "store %s is open %s, by another copy of its directory, which also has its pools or files in %s; %s"
            .formatted(store, how, directory(), advice));
  }

  private @Nullable Object identity() throws IOException {
    return Files.readAttributes(directory(), BasicFileAttributes.class).fileKey();
  }

  Path directory() {
    return owner.directory();
  }

  private Path markPath() {
    return directory().resolve(owner.mark());
  }

  /** Returns which header wrote last here, or null. */
  @Nullable Entry entry() throws IOException {
    if (!Files.exists(markPath())) {
      return null;
    }
    try (MediumFile file = owner.open()) {
      return MarkLayout.read(file);
    }
  }

  /**
   * Checks that no other copy of the store's header has written here since the header did. Changes
   * nothing.
   *
   * @param recorded true if the header names this directory; else the files have been moved here,
   *     and an older mark may have been left behind
   */
  void check(StoreHeaderFile header, boolean recorded) throws IOException {
    @Nullable Entry entry = entry();
    if (entry == null
        || header.hasCopy(entry::isOf)
        || (!recorded && entry.sequence() < header.current().sequence())) {
      return;
    }
    throw new StoreDamagedException(
        "the pools or files in %s are not those that the store in %s has written: header %d was the last to write there, as the file %s says, and this store has header %d. %s, or restore the store from a backup"
            .formatted(
                directory(),
                store,
                entry.sequence(),
                owner.mark(),
                header.current().sequence(),
                entry.sequence() < header.current().sequence()
                    ? "They were replaced by earlier ones, or another copy of the store's directory"
                        + " has changed them; put the right ones back"
                    : "Another copy of the store's directory has changed them; open that one"));
  }

  /** Makes the directory the store's, and notes the header in the mark if it is not there. */
  void claim(StoreHeader current) throws IOException {
    owner.claim();
    if (markLock == null) {
      lockMark();
    }
    MediumFile file = owner.open();
    mark = file;
    if (file.size() < MarkLayout.SIZE) {
      file.allocate(file.size(), MarkLayout.SIZE, true);
    }
    MarkLayout.writeText(file, NativeCalls.processId());
    @Nullable Entry entry = MarkLayout.read(file);
    if (entry == null || !entry.isOf(current)) {
      MarkLayout.write(file, Entry.of(current));
    }
  }

  /** Notes a header whose first copy is durable. */
  void written(StoreHeader header) throws IOException {
    MediumFile file = mark;
    if (file != null) {
      MarkLayout.write(file, Entry.of(header));
    }
  }

  /** Gives the lock back. A second call does nothing. */
  @Override
  public void close() throws IOException {
    if (key != null) {
      WRITTEN_HERE.remove(key);
      key = null;
    }
    try (var _ = directoryLock;
        var _ = markLock;
        var _ = mark) {
      directoryLock = null;
      markLock = null;
      mark = null;
    }
  }
}
