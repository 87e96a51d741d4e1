package io.pmstore.tiered;

import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Reader;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.memory.DramHeap;
import java.io.IOException;

/** The heap of a store that is open for reading only, loaded into memory. Writes no file. */
final class ReadOnlyTieredEngine extends Reader {
  private final TieredFiles files;
  private final DramHeap heap;

  private ReadOnlyTieredEngine(
      StoreLock storeLock, TieredFiles files, DramHeap heap, long position) {
    super(storeLock, heap.memory(), new EngineState(files.directory()), position);
    this.files = files;
    this.heap = heap;
  }

  /** Loads a store whose files are open. */
  static ReadOnlyTieredEngine start(StoreLock storeLock, TieredFiles files) throws IOException {
    DramHeap heap = new DramHeap(files.directory(), BlockIndex.EXTENTS_MAX);
    try {
      int extents = files.header().current().extents();
      heap.checkRoom(extents);
      heap.grow(extents);
      files.header().sync(); // what is shown must not be lost by a power cut
      for (int i = 0; i < TieredLayout.POOLS; i++) {
        files.pool(i).sync();
      }
      Recovery recovery = new Recovery(files, heap.memory());
      recovery.run();
      return new ReadOnlyTieredEngine(storeLock, files, heap, recovery.position());
    } catch (Throwable e) {
      heap.clear();
      heap.close();
      throw e;
    }
  }

  @Override
  public void verify(FaultVisitor faults) {
    checkUsable();
    files.header().verify(faults);
  }

  @Override
  protected void release() throws IOException {
    try {
      files.close();
    } finally {
      heap.close();
    }
  }
}
