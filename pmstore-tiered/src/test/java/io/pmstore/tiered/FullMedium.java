package io.pmstore.tiered;

import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A medium that can have no room, or fail. */
final class FullMedium implements Medium {
  /** What does not work, and what was done; several media may share it. */
  static final class Faults {
    volatile boolean isFull;
    volatile @Nullable IOException failure;
    final List<String> calls = new CopyOnWriteArrayList<>();
  }

  private final Medium real;
  private final Faults faults;

  FullMedium(Medium real, Faults faults) {
    this.real = real;
    this.faults = faults;
  }

  @Override
  public Path directory() {
    return real.directory();
  }

  @Override
  public boolean storesInPlace() {
    return real.storesInPlace();
  }

  @Override
  public int writeBackUnit() {
    return real.writeBackUnit();
  }

  @Override
  public SortedSet<String> list() throws IOException {
    return real.list();
  }

  @Override
  public MediumFile create(String name) throws IOException {
    return new FullFile(real.create(name));
  }

  @Override
  public MediumFile open(String name) throws IOException {
    return new FullFile(real.open(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    real.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    real.delete(name);
  }

  @Override
  public void syncDirectory() throws IOException {
    real.syncDirectory();
  }

  private final class FullFile implements MediumFile {
    private final MediumFile file;

    FullFile(MediumFile file) {
      this.file = file;
    }

    private void check(String call) throws IOException {
      faults.calls.add(call + " " + name());
      IOException thrown = faults.failure;
      if (thrown != null) {
        throw thrown;
      }
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
      check("write");
      file.write(offset, source, at, length);
    }

    @Override
    public void write(long offset, MemorySegment source) throws IOException {
      check("write");
      file.write(offset, source);
    }

    @Override
    public void sync() throws IOException {
      check("sync");
      file.sync();
    }

    @Override
    public void allocate(long from, long to, boolean written) throws IOException {
      if (faults.isFull) {
        throw new MediumException("allocating " + name(), NativeCalls.ENOSPC);
      }
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
}
