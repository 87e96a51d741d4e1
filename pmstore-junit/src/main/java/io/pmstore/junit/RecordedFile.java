package io.pmstore.junit;

import io.pmstore.core.medium.ForwardingMediumFile;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.crash.DiskFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An open file of a {@link RecordedMedium}.
 *
 * <p>On an ordinary file it notes writes and syncs; what is stored in memory of the process is not
 * noted, because no crash leaves it. On persistent memory that memory is the file, so it notes
 * stores, the lines that are flushed and, with a sync, the fence; bytes that are not mapped go
 * through the kernel, and the next sync includes the kernel's.
 */
final class RecordedFile extends ForwardingMediumFile {
  private final RecordedMedium medium;
  private final DiskFile noted;
  private final List<Range> mapped = new CopyOnWriteArrayList<>();
  // True at first: an earlier process may have left bytes in the page cache.
  private volatile boolean kernelSyncDue = true;

  /** Bytes that are mapped, from an offset to one behind them. */
  private record Range(long from, long to) {}

  RecordedFile(RecordedMedium medium, MediumFile file, DiskFile noted) {
    super(file);
    this.medium = medium;
    this.noted = noted;
  }

  @Override
  public void write(long offset, byte[] source, int at, int length) throws IOException {
    boolean flushed = medium.storesInPlace() && isMapped(offset, offset + length);
    kernelSyncDue |= !flushed;
    medium.change(
        () -> file.write(offset, source, at, length),
        () -> {
          medium.disk().write(noted, offset, source, at, length);
          if (flushed) {
            medium.disk().flush(noted, offset, length);
          }
        });
  }

  private boolean isMapped(long from, long to) {
    return mapped.stream().anyMatch(range -> from >= range.from && to <= range.to);
  }

  @Override
  public void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
    if (medium.storesInPlace()) {
      write(offset, source, at, length);
      return;
    }
    medium.change(
        () -> file.writeRelaxed(offset, source, at, length),
        () -> medium.disk().write(noted, offset, source, at, length));
  }

  @Override
  public void write(long offset, MemorySegment source) throws IOException {
    byte[] bytes = source.toArray(ValueLayout.JAVA_BYTE); // it may change meanwhile
    write(offset, bytes, 0, bytes.length);
  }

  @Override
  public void sync() throws IOException {
    boolean kernel = !medium.storesInPlace() || kernelSyncDue;
    kernelSyncDue = false;
    medium.sync(
        file::sync,
        begin -> {
          if (kernel) {
            medium.disk().settle(noted, begin);
          }
          medium.disk().fence();
        });
  }

  @Override
  public void allocate(long from, long to, boolean written) throws IOException {
    medium.change(
        () -> file.allocate(from, to, written),
        () -> {
          medium.disk().resize(noted, from);
          medium.disk().resize(noted, to);
          medium.disk().settleGrowth(noted, from);
        });
  }

  @Override
  public void truncate(long size) throws IOException {
    medium.change(
        () -> file.truncate(size),
        () -> {
          medium.disk().resize(noted, size);
          mapped.removeIf(range -> range.from >= size);
        });
  }

  @Override
  public MemorySegment map(long offset, long size, long space, Arena arena) throws IOException {
    MemorySegment bytes = file.map(offset, size, space, arena);
    mapped.add(new Range(offset, offset + size));
    return bytes;
  }

  @Override
  public void mapMore(MemorySegment space, long offset, long from, long to) throws IOException {
    file.mapMore(space, offset, from, to);
    mapped.add(new Range(offset, offset + to));
  }

  @Override
  public void store(HeapMemory heap, long address, byte[] source, int at, int length) {
    if (!medium.storesInPlace()) {
      file.store(heap, address, source, at, length);
      return;
    }
    medium.store(
        () -> file.store(heap, address, source, at, length),
        () -> medium.disk().write(noted, address, source, at, length));
  }

  @Override
  public void writeBack(HeapMemory heap, long address, long length) {
    medium.flush(noted, address, length); // before: it covers what was noted until now
    file.writeBack(heap, address, length);
  }
}
