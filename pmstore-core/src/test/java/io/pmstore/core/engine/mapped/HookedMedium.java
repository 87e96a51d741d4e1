package io.pmstore.core.engine.mapped;

import io.pmstore.core.medium.ForwardingMedium;
import io.pmstore.core.medium.ForwardingMediumFile;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A medium around another one. It calls a hook before each change. */
public final class HookedMedium extends ForwardingMedium {
  /** What changes, or makes changes durable. */
  public enum Operation {
    CREATE,
    RENAME,
    DELETE,
    SYNC_DIRECTORY,
    WRITE,
    WRITE_PAGES,
    WRITE_RELAXED,
    SYNC,
    ALLOCATE,
    TRUNCATE,
    MAP,
    STORE,
    WRITE_BACK,
    RELEASE;

    /** Whether it can fail: stores and their write-back are instructions of the processor. */
    boolean canFail() {
      return this != STORE && this != WRITE_BACK;
    }
  }

  /** Is told of an operation, and can have it fail. */
  @FunctionalInterface
  public interface Hook {
    /**
     * @param operation what is about to be done
     * @param file to which file
     * @throws IOException instead of doing it
     */
    void before(Operation operation, String file) throws IOException;
  }

  private final Hook hook;

  public HookedMedium(Medium medium, Hook hook) {
    super(medium);
    this.hook = hook;
  }

  @Override
  public MediumFile create(String name) throws IOException {
    hook.before(Operation.CREATE, name);
    return new HookedFile(medium.create(name));
  }

  @Override
  public MediumFile open(String name) throws IOException {
    return new HookedFile(medium.open(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    hook.before(Operation.RENAME, from);
    medium.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    hook.before(Operation.DELETE, name);
    medium.delete(name);
  }

  @Override
  public void syncDirectory() throws IOException {
    hook.before(Operation.SYNC_DIRECTORY, ".");
    medium.syncDirectory();
  }

  private final class HookedFile extends ForwardingMediumFile {
    HookedFile(MediumFile file) {
      super(file);
    }

    @Override
    public void write(long offset, byte[] source, int at, int length) throws IOException {
      try {
        hook.before(Operation.WRITE, name());
      } catch (IOException e) {
        // A write that fails has often done a part of its work.
        file.write(offset, source, at, length / 2);
        throw e;
      }
      file.write(offset, source, at, length);
    }

    @Override
    public void write(long offset, MemorySegment source) throws IOException {
      try {
        hook.before(Operation.WRITE_PAGES, name());
      } catch (IOException e) {
        file.write(offset, source.asSlice(0, source.byteSize() / 2));
        throw e;
      }
      file.write(offset, source);
    }

    @Override
    public void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
      try {
        hook.before(Operation.WRITE_RELAXED, name());
      } catch (IOException e) {
        file.writeRelaxed(offset, source, at, length / 2);
        throw e;
      }
      file.writeRelaxed(offset, source, at, length);
    }

    @Override
    public void sync() throws IOException {
      hook.before(Operation.SYNC, name());
      file.sync();
    }

    @Override
    public void allocate(long from, long to, boolean written) throws IOException {
      hook.before(Operation.ALLOCATE, name());
      file.allocate(from, to, written);
    }

    @Override
    public void truncate(long size) throws IOException {
      hook.before(Operation.TRUNCATE, name());
      file.truncate(size);
    }

    @Override
    public MemorySegment map(long offset, long size, long space, Arena arena) throws IOException {
      hook.before(Operation.MAP, name());
      return file.map(offset, size, space, arena);
    }

    @Override
    public void mapMore(MemorySegment space, long offset, long from, long to) throws IOException {
      hook.before(Operation.MAP, name());
      file.mapMore(space, offset, from, to);
    }

    @Override
    public void store(HeapMemory heap, long address, byte[] source, int at, int length) {
      beforeInstruction(Operation.STORE);
      file.store(heap, address, source, at, length);
    }

    @Override
    public void writeBack(HeapMemory heap, long address, long length) {
      beforeInstruction(Operation.WRITE_BACK);
      file.writeBack(heap, address, length);
    }

    private void beforeInstruction(Operation operation) {
      try {
        hook.before(operation, name());
      } catch (IOException e) {
        throw new AssertionError(operation + " cannot fail", e);
      }
    }

    @Override
    public void release(HeapMemory heap, long address, long length) throws IOException {
      hook.before(Operation.RELEASE, name());
      file.release(heap, address, length);
    }
  }
}
