package io.pmstore.core.medium;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A file on persistent memory. Bytes that are mapped are stored and flushed. Bytes that are not, as
 * in a new file, are written through the kernel, and the next sync includes the kernel's.
 */
final class PmemMediumFile extends AbstractMediumFile {
  private record Mapping(long offset, MemorySegment bytes) {
    boolean covers(long from, long to) {
      return from >= offset && to <= offset + bytes.byteSize();
    }
  }

  private final List<Mapping> mappings = new CopyOnWriteArrayList<>();
  // True at first: an earlier process may have left bytes in the page cache.
  private volatile boolean kernelSyncDue = true;

  PmemMediumFile(PosixFile file) {
    super(file);
  }

  @Override
  public void write(long offset, byte[] source, int at, int length) throws IOException {
    Mapping mapping = mapping(offset, length);
    if (mapping == null) {
      kernelSyncDue = true;
      file().write(offset, source, at, length);
    } else {
      write(mapping, offset, source, at, length);
    }
  }

  /** Every commit comes here, so no segment is made. */
  private void write(Mapping mapping, long offset, byte[] source, int at, int length)
      throws IOException {
    long target = offset - mapping.offset;
    try {
      MemorySegment.copy(source, at, mapping.bytes, JAVA_BYTE, target, length);
    } catch (InternalError e) {
      throw shrank(e);
    }
    // By address: a segment would be locked and unlocked, and an atomic instruction waits for the
    // lines that were flushed before it.
    PmemLibrary.flush(mapping.bytes.address() + target, length);
  }

  @Override
  public void write(long offset, MemorySegment source) throws IOException {
    MemorySegment target = mapped(offset, source.byteSize());
    if (target == null) {
      kernelSyncDue = true;
      if (source.isNative()) {
        file().write(offset, source);
      } else {
        byte[] bytes = source.toArray(JAVA_BYTE);
        file().write(offset, bytes, 0, bytes.length);
      }
      return;
    }
    try {
      target.copyFrom(source);
    } catch (InternalError e) {
      throw shrank(e);
    }
    PmemLibrary.flush(target);
  }

  /** Returns the mapped bytes of a part of the file, or null if it is not mapped as a whole. */
  private @Nullable MemorySegment mapped(long offset, long length) {
    Mapping mapping = mapping(offset, length);
    return mapping == null ? null : mapping.bytes.asSlice(offset - mapping.offset, length);
  }

  private @Nullable Mapping mapping(long offset, long length) {
    for (Mapping mapping : mappings) {
      if (mapping.covers(offset, offset + length)) {
        return mapping;
      }
    }
    return null;
  }

  private IOException shrank(InternalError cause) {
    return new IOException("%s shrank while it was open".formatted(file().path()), cause);
  }

  @Override
  public void sync() throws IOException {
    if (kernelSyncDue) {
      kernelSyncDue = false;
      file().dataSync();
    }
    PmemLibrary.drain();
  }

  @Override
  public void truncate(long size) throws IOException {
    super.truncate(size);
    mappings.removeIf(mapping -> mapping.offset >= size);
  }

  @Override
  MappedFiles.Mode mapMode() {
    return MappedFiles.Mode.SHARED;
  }

  @Override
  public MemorySegment map(long offset, long size, long space, Arena arena) throws IOException {
    MemorySegment bytes = super.map(offset, size, space, arena);
    mappings.add(new Mapping(offset, bytes.asSlice(0, size)));
    return bytes;
  }

  @Override
  public void mapMore(MemorySegment space, long offset, long from, long to) throws IOException {
    super.mapMore(space, offset, from, to);
    // The longer mapping first, so that bytes in both are found at any time.
    mappings.addFirst(new Mapping(offset, space.asSlice(0, to)));
    mappings.removeIf(mapping -> mapping.offset == offset && mapping.bytes.byteSize() == from);
  }

  @Override
  public void writeBack(HeapMemory heap, long address, long length) {
    for (long at = address; at < address + length; ) {
      long end =
          Math.min(address + length, (at & -HeapMemory.EXTENT_SIZE) + HeapMemory.EXTENT_SIZE);
      PmemLibrary.flush(heap.slice(at, end - at));
      at = end;
    }
  }

  @Override
  public void release(HeapMemory heap, long address, long length) {
    // The memory is the file: there are no private copies.
  }
}
