package io.pmstore.core.engine.mapped.checkpoint;

import static java.util.Objects.requireNonNull;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.commit.Phase;
import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.recovery.Recovery;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The heap while its log is replayed. Whenever the dirty set reaches a limit, its pages are written
 * to the file and dropped from memory, so that replaying a large log needs little memory. The log
 * stays until the next checkpoint: after a crash recovery replays it again, over the pages that
 * were written.
 */
public final class ReplayedPages implements WriteSet.RangeVisitor {
  private final StoreFiles files;
  private final long bytesMax;
  private final Phase phase;

  /**
   * Prepares a replay into a store's memory.
   *
   * @param bytesMax the most dirty bytes in memory
   */
  public ReplayedPages(StoreFiles files, long bytesMax) {
    this.files = files;
    this.bytesMax = bytesMax;
    this.phase = new Phase(files, new DirtySet(files.medium().writeBackUnit()), null);
  }

  /** Replays the log; returns its end. */
  public LogPosition replay() throws IOException {
    try {
      LogPosition end = new Recovery(files).replay(this);
      files.checks().skip(phase.dirty());
      return end;
    } catch (UncheckedIOException e) {
      throw requireNonNull(e.getCause());
    }
  }

  /** Returns the phase whose dirty set has the changes that the file may lack. */
  public Phase phase() {
    return phase;
  }

  @Override
  public void range(long address, byte[] source, int offset, int length) {
    phase.range(address, source, offset, length);
    if (phase.dirty().bytes() >= bytesMax) {
      try {
        files.checks().skip(phase.dirty());
        write();
        phase.dirty().clear();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Writes the changes to the file and drops their pages from memory. They are durable after the
   * next sync.
   */
  void write() throws IOException {
    WriteBack.of(files).write(phase.dirty(), WriteBack.ALONE);
    if (!files.medium().storesInPlace()) {
      HeapMemory memory = files.memory();
      phase.dirty().forEachRun((at, size) -> files.heap().release(memory, at, size));
    }
  }
}
