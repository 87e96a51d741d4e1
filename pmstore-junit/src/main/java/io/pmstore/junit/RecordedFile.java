package io.pmstore.junit;

import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.crash.DiskFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An open file of a {@link RecordedMedium}. */
final class RecordedFile implements MediumFile {
  private final RecordedMedium medium;
  private final MediumFile file;
  private final DiskFile noted;

  RecordedFile(RecordedMedium medium, MediumFile file, DiskFile noted) {
    this.medium = medium;
    this.file = file;
    this.noted = noted;
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public void read(long offset, byte[] target, int at, int length) throws IOException {
    file.read(offset, target, at, length);
  }

  @Override
  public void write(long offset, byte[] source, int at, int length) throws IOException {
    medium.change(
        () -> file.write(offset, source, at, length),
        () -> medium.disk().write(noted, offset, source, at, length));
  }

  @Override
  public void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
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
    medium.sync(file::sync, begin -> medium.disk().settle(noted, begin));
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
    medium.change(() -> file.truncate(size), () -> medium.disk().resize(noted, size));
  }

  @Override
  public MemorySegment map(long offset, long size, long space, Arena arena) throws IOException {
    return file.map(offset, size, space, arena);
  }

  @Override
  public void mapMore(MemorySegment space, long offset, long from, long to) throws IOException {
    file.mapMore(space, offset, from, to);
  }

  @Override
  public void store(HeapMemory heap, long address, byte[] source, int at, int length) {
    file.store(heap, address, source, at, length); // memory of the process, which no crash leaves
  }

  @Override
  public void writeBack(HeapMemory heap, long address, long length) {
    file.writeBack(heap, address, length);
  }

  @Override
  public void release(HeapMemory heap, long address, long length) throws IOException {
    file.release(heap, address, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
