package io.pmstore.core.medium;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A file that is open for reading only and mapped privately: stores stay in memory. */
final class ReadOnlyMediumFile extends AbstractMediumFile {
  ReadOnlyMediumFile(PosixFile file) {
    super(file);
  }

  private UnsupportedOperationException refused() {
    return new UnsupportedOperationException(file().path() + " is open for reading only");
  }

  @Override
  public void write(long offset, byte[] source, int at, int length) {
    throw refused();
  }

  @Override
  public void write(long offset, MemorySegment source) {
    throw refused();
  }

  /**
   * Makes durable what other processes wrote: a reader must not show data that a power cut can
   * still remove.
   */
  @Override
  public void sync() throws IOException {
    try {
      file().dataSync();
    } catch (MediumException e) {
      // A read-only file system, such as squashfs, has nothing to sync and returns an error.
      if (e.errno() != NativeCalls.EINVAL && e.errno() != NativeCalls.EROFS) {
        throw e;
      }
    }
  }

  @Override
  public void allocate(long from, long to, boolean written) {
    throw refused();
  }

  @Override
  public void truncate(long size) {
    throw refused();
  }

  @Override
  MappedFiles.Mode mapMode() {
    return MappedFiles.Mode.PRIVATE;
  }

  @Override
  public void writeBack(HeapMemory heap, long address, long length) {
    throw refused();
  }

  @Override
  public void release(HeapMemory heap, long address, long length) {
    throw refused();
  }
}
