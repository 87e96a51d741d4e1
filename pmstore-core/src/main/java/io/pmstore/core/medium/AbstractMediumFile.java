package io.pmstore.core.medium;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import io.pmstore.core.memory.MappedFiles.MapException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What a file does alike on every medium. */
abstract sealed class AbstractMediumFile implements MediumFile
    permits FileMediumFile, PmemMediumFile, ReadOnlyMediumFile {
  private final PosixFile file;
  private final String name;

  AbstractMediumFile(PosixFile file) {
    this.file = file;
    this.name = file.path().getFileName().toString();
  }

  final PosixFile file() {
    return file;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final long size() throws IOException {
    return file.size();
  }

  @Override
  public final void read(long offset, byte[] target, int at, int length) throws IOException {
    file.read(offset, target, at, length);
  }

  @Override
  public void allocate(long from, long to, boolean written) throws IOException {
    if (file.size() != from) {
      file.truncate(from);
    }
    try {
      // Reserving comes first, even if all is written after it: a full disk is found out before
      // anything is.
      if (!file.reserve(from, to) || written) {
        file.zero(from, to);
      }
      file.sync();
    } catch (IOException e) {
      try {
        file.truncate(from);
      } catch (IOException truncating) {
        e.addSuppressed(truncating);
      }
      throw e;
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    file.truncate(size);
  }

  @Override
  public final void store(HeapMemory heap, long address, byte[] source, int at, int length) {
    heap.write(address, source, at, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  final MemorySegment map(long offset, long size, MappedFiles.Mode mode, Arena arena)
      throws IOException {
    long end = file.size();
    if (offset + size > end) {
      throw new IOException(
          "%s ends at %d; bytes %d to %d of it were to be mapped"
              .formatted(file.path(), end, offset, offset + size));
    }
    try {
      return MappedFiles.map(file.descriptor(), offset, size, mode, arena);
    } catch (MapException e) {
      throw new MediumException("mapping " + file.path(), e.errno(), e);
    }
  }
}
