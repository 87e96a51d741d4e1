package io.pmstore.core.medium;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import io.pmstore.core.memory.MappedFiles.MapException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

final class FileMediumFile extends AbstractMediumFile {
  private @Nullable Arena arena; // of the mapping for relaxed writes; guarded by this
  private volatile @Nullable MemorySegment shared; // empty if the file system cannot map it

  FileMediumFile(PosixFile file) {
    super(file);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The bytes are stored to a shared mapping of the file, which is its page cache. As after
   * {@code pwrite}, the kernel keeps them if the process is killed, and {@code fdatasync} makes
   * them durable. A store takes a tenth of the time of a system call. But at the first store to a
   * page after a sync the file system records the time of the change, so the next sync writes its
   * journal too. A sync after each store therefore takes several times as long as one after {@code
   * pwrite}.
   */
  @Override
  public void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
    MemorySegment target = shared;
    if (target == null) {
      target = mapShared();
    }
    if (offset + length > target.byteSize()) {
      file().write(offset, source, at, length);
      return;
    }
    try {
      MemorySegment.copy(source, at, target, JAVA_BYTE, offset, length);
    } catch (InternalError e) {
      throw new IOException(
          "%s shrank while it was open, or its device failed".formatted(file().path()), e);
    }
  }

  private synchronized MemorySegment mapShared() throws IOException {
    MemorySegment mapped = shared;
    if (mapped == null) {
      Arena made = Arena.ofShared();
      try {
        mapped = MappedFiles.map(file().descriptor(), 0, size(), MappedFiles.Mode.SHARED, made);
        arena = made;
      } catch (MapException e) {
        made.close();
        mapped = MemorySegment.NULL;
      }
      shared = mapped;
    }
    return mapped;
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (arena != null) {
        arena.close();
        arena = null;
      }
      shared = MemorySegment.NULL;
    }
    super.close();
  }

  @Override
  public void write(long offset, byte[] source, int at, int length) throws IOException {
    file().write(offset, source, at, length);
  }

  @Override
  public void write(long offset, MemorySegment source) throws IOException {
    file().write(offset, source);
  }

  @Override
  public void sync() throws IOException {
    file().dataSync();
  }

  @Override
  MappedFiles.Mode mapMode() {
    return MappedFiles.Mode.PRIVATE;
  }

  @Override
  public void writeBack(HeapMemory heap, long address, long length) {
    throw new UnsupportedOperationException(
        "stores to a privately mapped file stay in memory; its bytes are written");
  }

  @Override
  public void release(HeapMemory heap, long address, long length) throws IOException {
    try {
      MappedFiles.dropCopies(heap.slice(address, length));
    } catch (MapException e) {
      throw new MediumException("dropping pages of " + file().path(), e.errno(), e);
    }
  }
}
