package io.pmstore.tiered;

import io.pmstore.core.medium.ForwardingMedium;
import io.pmstore.core.medium.ForwardingMediumFile;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A medium that can have no room, or fail. */
final class FullMedium extends ForwardingMedium {
  /** What does not work, and what was done; several media may share it. */
  static final class Faults {
    volatile boolean isFull;
    volatile @Nullable IOException failure;
    final List<String> calls = new CopyOnWriteArrayList<>();
  }

  private final Faults faults;

  FullMedium(Medium real, Faults faults) {
    super(real);
    this.faults = faults;
  }

  @Override
  public MediumFile create(String name) throws IOException {
    return new FullFile(medium.create(name));
  }

  @Override
  public MediumFile open(String name) throws IOException {
    return new FullFile(medium.open(name));
  }

  private final class FullFile extends ForwardingMediumFile {
    FullFile(MediumFile file) {
      super(file);
    }

    private void check(String call) throws IOException {
      faults.calls.add(call + " " + name());
      IOException thrown = faults.failure;
      if (thrown != null) {
        throw thrown;
      }
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
    public void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
      check("write");
      file.writeRelaxed(offset, source, at, length);
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
  }
}
