package io.pmstore.core.crash;

import io.pmstore.core.crash.MediumCall.Kind;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import io.pmstore.crash.SparseBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A process's access to a {@link Disk}: a medium without real files. It reports each call to a
 * listener before the call takes effect, which then happens at once.
 *
 * <p>{@link #cut} ends the process: nothing that it does afterwards reaches the disk.
 */
public final class RecordingMedium implements Medium {
  /** What a call's exception says after {@link #cut}. */
  static final String CUT = "the process was ended by the test";

  private final Disk disk;
  private final Path directory;
  private final MediumCall.Listener listener;
  private final List<Mapping> mappings = new CopyOnWriteArrayList<>(); // unmapped by any thread
  private final List<String> faults = new ArrayList<>();
  private final boolean inPlace;
  private boolean kernelWrites;
  private boolean cut;

  /**
   * Creates a medium.
   *
   * @param disk what it writes to
   * @param directory its name, for messages
   * @param listener told of each call
   */
  public RecordingMedium(Disk disk, Path directory, MediumCall.Listener listener) {
    this.disk = disk;
    this.directory = directory;
    this.listener = listener;
    this.inPlace = disk.model() == FaultModel.PERSISTENT_MEMORY;
  }

  /**
   * Breaks the write-ahead rule on purpose: the kernel writes each stored page to its file at once,
   * as if the heap of a {@link FaultModel#FILE} store was mapped shared.
   */
  public void letKernelWriteStoredPages() {
    kernelWrites = true;
  }

  /** Ends the process: no call has an effect any more; those that can fail do. */
  public void cut() {
    cut = true;
  }

  /**
   * What the program did that no medium allows.
   *
   * @return descriptions; empty if all is well
   */
  public List<String> faults() {
    return faults;
  }

  /**
   * The pages of 4096 bytes of a file that are mapped and may hold something else than zeros.
   *
   * @param file the name of the file
   * @return their offsets
   */
  public Set<Long> usedPages(String file) {
    Set<Long> pages = new TreeSet<>();
    for (Mapping mapping : mappings) {
      if (mapping.file() == disk.names().get(file)) {
        mapping.addUsedPages(pages);
      }
    }
    return pages;
  }

  Disk disk() {
    return disk;
  }

  List<Mapping> mappings() {
    return mappings;
  }

  boolean kernelWrites() {
    return kernelWrites;
  }

  boolean isCut() {
    return cut;
  }

  /** Tells of a call; throws if the process has ended. */
  void call(Kind kind, String file, long offset, long length) throws IOException {
    checkNotCut();
    listener.before(new MediumCall(kind, file, offset, length));
    checkNotCut(); // others ran meanwhile
  }

  void callThatCannotFail(Kind kind, String file, long offset, long length) {
    if (!cut) {
      listener.before(new MediumCall(kind, file, offset, length));
    }
  }

  private void checkNotCut() throws IOException {
    if (cut) {
      throw new IOException(CUT);
    }
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public boolean storesInPlace() {
    return inPlace;
  }

  @Override
  public int writeBackUnit() {
    return inPlace ? disk.model().unit() : SparseBytes.PAGE;
  }

  @Override
  public SortedSet<String> list() throws IOException {
    checkNotCut();
    return disk.list();
  }

  @Override
  public MediumFile create(String name) throws IOException {
    call(Kind.CREATE, name, 0, 0);
    return new RecordingFile(this, name, disk.create(name));
  }

  @Override
  public MediumFile open(String name) throws IOException {
    checkNotCut();
    return new RecordingFile(this, name, disk.find(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    call(Kind.RENAME, from, 0, 0);
    disk.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    call(Kind.DELETE, name, 0, 0);
    disk.delete(name);
  }

  @Override
  public void syncDirectory() throws IOException {
    call(Kind.SYNC_DIRECTORY, ".", 0, 0);
    long begin = disk.clock();
    call(Kind.SYNC_DIRECTORY, ".", 0, 0);
    if (disk.pass("syncDirectory", ".")) {
      disk.settleNames(begin);
    }
  }
}
