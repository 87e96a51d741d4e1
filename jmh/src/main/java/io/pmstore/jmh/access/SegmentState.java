package io.pmstore.jmh.access;

import io.pmstore.Storage;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A mapped file, used by hand. */
@State(Scope.Benchmark)
public class SegmentState {
  private static final long SIZE = 1 << 16;

  /** How many objects are accessed in turn; a power of two. */
  @Param({Access.ONE, Access.MANY})
  public int objects;

  private TemporaryDirectory directory;
  private MediumFile file;
  private Arena arena;
  MemorySegment segment;
  long[] addresses;
  int mask;

  /** Maps the file. */
  @Setup
  public void map() throws IOException {
    directory = TemporaryDirectory.create(Storage.FILE);
    file = new FileMedium(directory.path()).create("mapped");
    file.allocate(0, SIZE, false);
    arena = Arena.ofShared();
    segment = file.map(0, SIZE, arena);
    addresses = new long[objects];
    mask = objects - 1;
    for (int i = 0; i < objects; i++) {
      addresses[i] = 32L * i;
    }
  }

  /** Unmaps the file. */
  @TearDown
  public void unmap() throws IOException {
    arena.close();
    file.close();
    directory.close();
  }
}
