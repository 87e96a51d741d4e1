package io.pmstore.gc.collect;

import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.gc.trace.MarkBits;
import java.lang.invoke.VarHandle;

/**
 * Frees unmarked objects, from the start of the heap to its end at the time marking ended.
 *
 * <p>It looks up the objects of a batch only after the previous batch was freed. An address that
 * was freed together with an earlier object may be in use again by then; the new object is marked.
 * Only the collector frees unmarked objects, so once looked up they stay as they are.
 */
final class Sweeper {
  /** The most objects that one transaction frees. */
  static final int BATCH = 256;

  /** The most bytes that one transaction frees: large objects are overwritten in parts. */
  private static final long ROOM = 64L << 20;

  /** The bytes of the heap that one step examines: 1 MiB. */
  private static final long STEP = 64L << ExtentLayout.CHUNK_SHIFT;

  /** The bytes between two releases of empty chunks: 16 MiB. */
  private static final long RELEASE_EVERY = 16L << 20;

  private final Reclamation reclamation;
  private final MarkBits marks;
  private final long since;
  private final long end;

  private long next; // the chunk at which the next step begins
  private long kept;
  private long freedUpTo; // where to release chunks next, because something was freed; or 0

  private final long[] unreached = new long[BATCH];
  private int count;
  private long room; // the bytes that this step may still free
  private long keptInChunk;
  private boolean full;

  /**
   * Prepares a sweep.
   *
   * @param since the position of a commit after which no transaction reached an unmarked object
   * @param end the size of the heap then
   */
  Sweeper(Reclamation reclamation, MarkBits marks, long since, long end) {
    this.reclamation = reclamation;
    this.marks = marks;
    this.since = since;
    this.end = end;
  }

  /** Returns the number of marked objects. */
  long kept() {
    return kept;
  }

  /** Examines some chunks and frees the unmarked objects there, at most one batch. */
  Progress step() {
    long first = next;
    long keptBefore = kept;
    count = 0;
    room = ROOM;
    full = false;
    while (next < end && next - first < STEP && !full) {
      keptInChunk = 0;
      reclamation.forEachAllocated(next, this::look);
      if (!full) {
        kept += keptInChunk;
        next += ExtentLayout.CHUNK_SIZE;
      }
    }
    leaveOutNewlyMarked();
    if (count > 0) {
      if (!reclamation.freeUnreached(unreached, count, since)) {
        next = first;
        kept = keptBefore;
        return Progress.WAITS;
      }
      freedUpTo = freedUpTo == 0 ? next + RELEASE_EVERY : freedUpTo;
    }
    boolean done = next >= end;
    if (freedUpTo != 0 && (done || next >= freedUpTo)) {
      reclamation.releaseEmptyChunks();
      freedUpTo = 0;
    }
    return done ? Progress.DONE : Progress.MORE;
  }

  private void look(long object, long header, int bytes) {
    if (marks.get(object)) {
      keptInChunk++;
    } else if (count < BATCH && bytes <= room) {
      unreached[count++] = object;
      room -= bytes;
    } else {
      full = true;
    }
  }

  /**
   * A commit marks a new object before it allocates it. This step read the bitmap before the marks,
   * so only marks read after this fence include every object found.
   */
  private void leaveOutNewlyMarked() {
    VarHandle.loadLoadFence();
    int unmarked = 0;
    for (int i = 0; i < count; i++) {
      if (!marks.get(unreached[i])) {
        unreached[unmarked++] = unreached[i];
      }
    }
    count = unmarked;
  }
}
