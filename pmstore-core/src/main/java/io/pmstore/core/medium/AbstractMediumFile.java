package io.pmstore.core.medium;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import io.pmstore.core.memory.MappedFiles.MapException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The common code of the files of all media. */
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
      // Allocate first, even if zeros are written afterwards: a full disk is detected before
      // anything is written.
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
  public final void populate(MemorySegment mapped) {
    if (mapMode() == MappedFiles.Mode.SHARED) {
      MappedFiles.populate(mapped);
    }
  }

  @Override
  public final void store(HeapMemory heap, long address, byte[] source, int at, int length) {
    heap.write(address, source, at, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Returns how changes made in mapped memory reach the file. */
  abstract MappedFiles.Mode mapMode();

  @Override
  public MemorySegment map(long offset, long size, long space, Arena arena) throws IOException {
    checkInside(offset, size);
    try {
      if (size == space) {
        return MappedFiles.map(file.descriptor(), offset, size, mapMode(), arena);
      }
      MemorySegment reserved = MappedFiles.reserve(space, arena);
      MappedFiles.mapOver(file.descriptor(), offset, reserved.asSlice(0, size), mapMode());
      return reserved;
    } catch (MapException e) {
      throw new MediumException("mapping " + file.path(), e.errno(), e);
    }
  }

  @Override
  public void mapMore(MemorySegment space, long offset, long from, long to) throws IOException {
    checkInside(offset, to);
    try {
      MappedFiles.mapOver(
          file.descriptor(), offset + from, space.asSlice(from, to - from), mapMode());
    } catch (MapException e) {
      throw new MediumException("mapping " + file.path(), e.errno(), e);
    }
  }

  private void checkInside(long offset, long size) throws IOException {
    long end = file.size();
    if (offset + size > end) {
      throw new IOException(
          "%s ends at %d; bytes %d to %d of it were to be mapped"
              .formatted(file.path(), end, offset, offset + size));
    }
  }
}
