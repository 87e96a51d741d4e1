package io.pmstore.core.medium;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A file of a {@link ForwardingMedium}, which forwards to another file. */
public abstract class ForwardingMediumFile implements MediumFile {
  protected final MediumFile file;

  protected ForwardingMediumFile(MediumFile file) {
    this.file = file;
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
    file.write(offset, source, at, length);
  }

  @Override
  public void write(long offset, MemorySegment source) throws IOException {
    file.write(offset, source);
  }

  @Override
  public void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
    file.writeRelaxed(offset, source, at, length);
  }

  @Override
  public void sync() throws IOException {
    file.sync();
  }

  @Override
  public void allocate(long from, long to, boolean written) throws IOException {
    file.allocate(from, to, written);
  }

  @Override
  public void truncate(long size) throws IOException {
    file.truncate(size);
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
  public void populate(MemorySegment mapped) {
    file.populate(mapped);
  }

  @Override
  public void store(HeapMemory heap, long address, byte[] source, int at, int length) {
    file.store(heap, address, source, at, length);
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
