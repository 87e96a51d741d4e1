package io.pmstore.core.crash;

import io.pmstore.core.crash.MediumCall.Kind;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.crash.DiskFile;
import io.pmstore.crash.SparseBytes;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An open file of a {@link RecordingMedium}. */
final class RecordingFile implements MediumFile {
  private final RecordingMedium medium;
  private final String name;
  private final DiskFile file;
  // On persistent memory: bytes that went through the kernel, or may have, from an earlier process.
  private boolean kernelSyncDue = true;

  RecordingFile(RecordingMedium medium, String name, DiskFile file) {
    this.medium = medium;
    this.name = name;
    this.file = file;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public void read(long offset, byte[] target, int at, int length) throws IOException {
    if (offset + length > file.size()) {
      throw new EOFException("%s has %d bytes".formatted(name, file.size()));
    }
    file.read(offset, target, at, length);
  }

  @Override
  public void write(long offset, byte[] source, int at, int length) throws IOException {
    medium.call(Kind.WRITE, name, offset, length);
    if (offset + length > file.size()) {
      throw new IOException("a write beyond the %d bytes of %s".formatted(file.size(), name));
    }
    medium.disk().write(file, offset, source, at, length);
    boolean mapped = false;
    for (Mapping mapping : medium.mappings()) {
      if (mapping.file() == file) {
        mapping.fileWritten(offset, length);
        mapped |= mapping.covers(offset, length);
      }
    }
    if (!mapped) {
      kernelSyncDue = true;
    } else if (medium.storesInPlace() && medium.disk().pass("flush by write", name)) {
      medium.disk().flush(file, offset, length);
    }
  }

  @Override
  public void write(long offset, MemorySegment source) throws IOException {
    byte[] bytes = source.toArray(ValueLayout.JAVA_BYTE);
    write(offset, bytes, 0, bytes.length);
  }

  @Override
  public void sync() throws IOException {
    medium.call(Kind.SYNC, name, 0, 0);
    boolean kernel = !medium.storesInPlace() || kernelSyncDue;
    kernelSyncDue = false;
    long begin = medium.disk().clock();
    medium.call(Kind.SYNC, name, 0, 0);
    if (!medium.disk().pass("sync", name)) {
      return;
    }
    if (kernel) {
      medium.disk().settle(file, begin);
    }
    if (medium.storesInPlace()) {
      medium.disk().fence();
    }
  }

  @Override
  public void allocate(long from, long to, boolean written) throws IOException {
    medium.call(Kind.ALLOCATE, name, from, to - from);
    medium.disk().resize(file, from);
    long half = from + ((to - from) / 2 & -SparseBytes.PAGE);
    medium.disk().resize(file, half);
    medium.call(Kind.ALLOCATE, name, half, to - half);
    medium.disk().resize(file, to);
    medium.call(Kind.ALLOCATE, name, to, 0);
    if (medium.disk().pass("allocate", name)) {
      medium.disk().settleGrowth(file, from);
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    medium.call(Kind.TRUNCATE, name, size, file.size() - size);
    medium.disk().resize(file, size);
    for (Mapping mapping : medium.mappings()) {
      if (mapping.file() == file) {
        mapping.truncated(size);
      }
    }
  }

  @Override
  public MemorySegment map(long offset, long size, long space, Arena arena) throws IOException {
    if (offset + size > file.size()) {
      throw new IOException("a mapping beyond the %d bytes of %s".formatted(file.size(), name));
    }
    Mapping mapping = new Mapping(file, offset, space, !medium.storesInPlace());
    medium.mappings().add(mapping);
    return mapping.bytes(arena, () -> medium.mappings().remove(mapping));
  }

  @Override
  public void mapMore(MemorySegment space, long offset, long from, long to) throws IOException {
    if (offset + to > file.size()) {
      throw new IOException("a mapping beyond the %d bytes of %s".formatted(file.size(), name));
    }
    // A mapping shows what is written to the file, wherever that is.
  }

  @Override
  public void populate(MemorySegment mapped) {
    if (mapped.byteSize() % 4096 != 0) {
      throw new IllegalArgumentException(mapped + " is not whole pages");
    }
  }

  @Override
  public void store(HeapMemory heap, long address, byte[] source, int at, int length) {
    if (address + length > file.size()) {
      medium.faults().add("a store at %d, beyond the file".formatted(address));
    }
    medium.callThatCannotFail(Kind.STORE, name, address, length);
    heap.write(address, source, at, length);
    forEachMapping(address, length, Mapping::stored);
    if (!medium.isCut() && (medium.storesInPlace() || medium.kernelWrites())) {
      medium.disk().write(file, address, source, at, length);
    }
  }

  @Override
  public void writeBack(HeapMemory heap, long address, long length) {
    checkUnit(address, length);
    if (!medium.storesInPlace()) {
      throw new IllegalStateException("on this medium pages are written");
    }
    medium.callThatCannotFail(Kind.WRITE_BACK, name, address, length);
    if (!medium.isCut() && medium.disk().pass("flush", name)) {
      medium.disk().flush(file, address, length);
    }
  }

  @Override
  public void release(HeapMemory heap, long address, long length) throws IOException {
    checkUnit(address, length);
    medium.call(Kind.RELEASE, name, address, length);
    if (!medium.storesInPlace()) {
      forEachMapping(
          address,
          length,
          (mapping, from, n) -> {
            long lost = mapping.release(from, n);
            if (lost >= 0) {
              medium.faults().add("the page at %d was released but never written".formatted(lost));
            }
          });
    }
  }

  private void checkUnit(long address, long length) {
    if (address % medium.writeBackUnit() != 0 || length % medium.writeBackUnit() != 0) {
      throw new IllegalArgumentException(
          "%d bytes at %d are no multiples of %d"
              .formatted(length, address, medium.writeBackUnit()));
    }
  }

  @FunctionalInterface
  private interface PartAction {
    void accept(Mapping mapping, long address, long length);
  }

  private void forEachMapping(long address, long length, PartAction action) {
    for (Mapping mapping : medium.mappings()) {
      if (mapping.file() == file) {
        long from = Math.max(address, mapping.offset());
        long n = mapping.overlap(from, address + length - from);
        if (n > 0) {
          action.accept(mapping, from, n);
        }
      }
    }
  }

  @Override
  public void close() {}
}
