package io.pmstore.core.medium;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import io.pmstore.core.memory.MappedFiles.MapException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An ordinary file. */
final class FileMediumFile extends AbstractMediumFile {
  FileMediumFile(PosixFile file) {
    super(file);
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
  public MemorySegment map(long offset, long size, Arena arena) throws IOException {
    return map(offset, size, MappedFiles.Mode.PRIVATE, arena);
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
