package io.pmstore.junit;

import io.pmstore.core.medium.ForwardingMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.crash.Disk;
import io.pmstore.crash.DiskFile;
import io.pmstore.crash.FaultModel;
import java.io.IOException;
import java.util.SortedSet;

/**
 * A process's access to files, of which a {@link Disk} notes what is durable. {@link #cut} ends the
 * process: no later call has an effect. Thread-safe: the disk's monitor guards the disk.
 */
final class RecordedMedium extends ForwardingMedium {
  private final Disk disk;
  private final Runnable beforeChange;
  private volatile boolean cut;

  /**
   * Creates the access.
   *
   * @param medium a file's or persistent memory, which decides what a power cut leaves of files
   * @param disk has what the directory has; another medium of it may share it
   * @param beforeChange called before each change, with the disk's monitor held
   */
  RecordedMedium(Medium medium, Disk disk, Runnable beforeChange) {
    super(medium);
    this.disk = disk;
    this.beforeChange = beforeChange;
  }

  void cut() {
    cut = true;
  }

  Disk disk() {
    return disk;
  }

  void checkNotCut() throws IOException {
    if (cut) {
      throw new IOException("the test has killed this store");
    }
  }

  /** A change of the disk. */
  @FunctionalInterface
  interface Change {
    void make() throws IOException;
  }

  /** Makes a change, and then notes it. */
  void change(Change real, Change noted) throws IOException {
    synchronized (disk) {
      checkNotCut();
      beforeChange.run();
    }
    real.make();
    synchronized (disk) {
      noted.make();
    }
  }

  /** Notes a change that cannot fail: a store to memory, which is made even after {@link #cut}. */
  void store(Runnable real, Runnable noted) {
    synchronized (disk) {
      if (!cut) {
        beforeChange.run();
      }
    }
    real.run();
    synchronized (disk) {
      noted.run();
    }
  }

  /** Notes that a thread is about to flush what is in the lines of a range. */
  void flush(DiskFile file, long offset, long length) {
    synchronized (disk) {
      disk.flush(file, offset, length);
    }
  }

  /** The changes that a sync makes durable are those that were noted before it began. */
  void sync(Change real, SyncNote noted) throws IOException {
    long begin;
    synchronized (disk) {
      checkNotCut();
      beforeChange.run();
      begin = disk.clock();
    }
    real.make();
    synchronized (disk) {
      beforeChange.run();
      noted.settle(begin);
    }
  }

  /** Notes a sync. */
  @FunctionalInterface
  interface SyncNote {
    void settle(long begin);
  }

  @Override
  public SortedSet<String> list() throws IOException {
    checkNotCut();
    return medium.list();
  }

  @Override
  public MediumFile create(String name) throws IOException {
    MediumFile[] made = new MediumFile[1];
    change(() -> made[0] = medium.create(name), () -> made[0] = recorded(made[0], name, true));
    return made[0];
  }

  @Override
  public MediumFile open(String name) throws IOException {
    checkNotCut();
    MediumFile file = medium.open(name);
    synchronized (disk) {
      return recorded(file, name, false);
    }
  }

  private FaultModel model() {
    return storesInPlace() ? FaultModel.PERSISTENT_MEMORY : FaultModel.FILE;
  }

  private RecordedFile recorded(MediumFile file, String name, boolean isNew) throws IOException {
    return new RecordedFile(this, file, isNew ? disk.create(name, model()) : disk.find(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    change(() -> medium.rename(from, to), () -> disk.rename(from, to));
  }

  @Override
  public void delete(String name) throws IOException {
    change(() -> medium.delete(name), () -> disk.delete(name));
  }

  @Override
  public void syncDirectory() throws IOException {
    sync(medium::syncDirectory, disk::settleNames);
  }
}
