package io.pmstore.gc.collect;

import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.gc.trace.MarkBits;
import java.lang.invoke.VarHandle;

/**
 * Frees what is not marked, from the start of the heap to where it ended when the marking did.
 *
 * <p>The objects of a batch are looked up when the batch before them has been freed: what was freed
 * with something else may have been given out again by then, and is marked if so. Nobody but the
 * collector frees unmarked objects, so from then on they stay what they are.
 */
final class Sweeper {
  /** How many objects are freed in one transaction. */
  static final int BATCH = 256;

  /** How many bytes at most: those of large objects are written over in parts. */
  private static final long ROOM = 64L << 20;

  /** How much of the heap is looked at in one step, in bytes: 1 MiB. */
  private static final long STEP = 64L << ExtentLayout.CHUNK_SHIFT;

  /** After how many bytes chunks that have become empty are given back: 16 MiB. */
  private static final long RELEASE_EVERY = 16L << 20;

  private final Reclamation reclamation;
  private final MarkBits marks;
  private final long since;
  private final long end;

  private long next; // the chunk where the next step begins
  private long kept;
  private long freedUpTo; // where something was freed since chunks were given back, or 0

  private final long[] unreached = new long[BATCH];
  private int count;
  private long room; // how many bytes more are freed in the step
  private long keptInChunk;
  private boolean full;

  /**
   * Prepares a sweep.
   *
   * @param since the position of a commit after which nothing reached what is not marked
   * @param end where the heap ended then
   */
  Sweeper(Reclamation reclamation, MarkBits marks, long since, long end) {
    this.reclamation = reclamation;
    this.marks = marks;
    this.since = since;
    this.end = end;
  }

  /** How many objects were found marked. */
  long kept() {
    return kept;
  }

  /** Looks at some chunks and frees what is not marked there, as far as one batch goes. */
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
   * A commit marks what it makes before it is allocated; only behind this fence is that so for who
   * reads the bitmap before the marks.
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
