package io.pmstore.core.space;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the space of the heap: slots of size classes in chunks, and runs of chunks for large
 * objects.
 *
 * <p>A reservation lives in memory only. The commit that uses it writes the chunk's descriptor and
 * sets the slot's bit, as a blind delta, so that transactions never conflict over space. Threads
 * are spread over stripes, each with a current chunk per size class.
 *
 * <p>Opening reads nothing: an extent's chunk table is read when space in it is wanted for the
 * first time, the last extent first, and the heap grows only when all have been read.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Allocator {
  static final int STRIPES = 16;

  private final Engine engine;
  private final HeapMemory memory;
  private final Stripe[] stripes = new Stripe[STRIPES];

  // Guarded by the monitor of this: chunks that no stripe owns.
  private final ChunkMap free = new ChunkMap();
  private final ArrayDeque<Chunk>[] partial;
  private final LongStack[] unread;
  private int unreadExtents;

  /** The current chunks of the threads that share a stripe. */
  private static final class Stripe {
    final ReentrantLock lock = new ReentrantLock(); // held while a chunk is replaced
    final AtomicReferenceArray<@Nullable Chunk> current =
        new AtomicReferenceArray<>(SizeClasses.COUNT);
  }

  /**
   * Creates the allocator of a store.
   *
   * @param engine whose space it hands out
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic type
  public Allocator(Engine engine) {
    this.engine = engine;
    this.memory = engine.memory();
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
    partial = new ArrayDeque[SizeClasses.COUNT];
    unread = new LongStack[SizeClasses.COUNT];
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      partial[i] = new ArrayDeque<>();
      unread[i] = new LongStack();
    }
    unreadExtents = (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
  }

  /**
   * Sets space aside for an object. Its contents are undefined.
   *
   * @param size of the object in bytes, header included, at most {@link ObjectLayout#SIZE_MAX}
   * @return the reservation; to be committed or released
   * @throws io.pmstore.StoreFullException if the store cannot grow
   */
  public Reservation reserve(int size) {
    if (size > SizeClasses.SIZE_MAX) {
      return reserveRun(size);
    }
    int sizeClass = SizeClasses.of(size);
    Stripe stripe = stripes[(int) Thread.currentThread().threadId() & (STRIPES - 1)];
    Chunk chunk = stripe.current.get(sizeClass);
    long address = chunk == null ? 0 : chunk.tryReserve();
    return address == 0 ? reserveWithNext(stripe, sizeClass) : new Reservation(address, chunk, 0);
  }

  private Reservation reserveWithNext(Stripe stripe, int sizeClass) {
    stripe.lock.lock();
    try {
      while (true) {
        Chunk chunk = stripe.current.get(sizeClass);
        if (chunk != null) {
          long address = chunk.reserve();
          if (address != 0) {
            return new Reservation(address, chunk, 0);
          }
        }
        stripe.current.set(sizeClass, nextChunk(sizeClass));
      }
    } finally {
      stripe.lock.unlock();
    }
  }

  /**
   * Gives a reservation back whose transaction was rolled back.
   *
   * @param reservation the reservation
   */
  public void release(Reservation reservation) {
    Chunk chunk = reservation.chunk();
    if (chunk == null) {
      synchronized (this) {
        free.add(reservation.address(), reservation.runChunks());
      }
    } else if (chunk.release(reservation.address())) {
      synchronized (this) {
        partial[chunk.sizeClass].push(chunk);
      }
    }
  }

  /**
   * Adds to a write set what makes a reservation permanent.
   *
   * @param reservation the reservation
   * @param writes of the transaction that uses it
   */
  public void commit(Reservation reservation, WriteSet writes) {
    long address = reservation.address();
    Chunk chunk = reservation.chunk();
    if (chunk == null) {
      writes.setBits(
          ExtentLayout.descriptorAddress(address),
          ExtentLayout.runDescriptor(reservation.runChunks()));
      return;
    }
    if (!chunk.isDescribed()) {
      writes.setBits(
          ExtentLayout.descriptorAddress(address), ExtentLayout.slotsDescriptor(chunk.sizeClass));
    }
    writes.setBits(chunk.bitmapAddress(address), chunk.bitmapBit(address));
  }

  /**
   * Notes that the write set with a reservation was committed.
   *
   * @param reservation the reservation
   */
  public void committed(Reservation reservation) {
    Chunk chunk = reservation.chunk();
    if (chunk != null && !chunk.isDescribed()) {
      chunk.setDescribed();
    }
  }

  private Reservation reserveRun(int size) {
    int chunks = (size + ExtentLayout.CHUNK_SIZE - 1) >>> ExtentLayout.CHUNK_SHIFT;
    synchronized (this) {
      return new Reservation(takeChunks(chunks), null, chunks);
    }
  }

  private synchronized Chunk nextChunk(int sizeClass) {
    Chunk released = partial[sizeClass].poll();
    if (released != null) {
      return released;
    }
    // Each chunk of the store is looked at once; few at a time, so that no allocation pays for a
    // store full of full chunks.
    for (int i = 0; i < 8 && !unread[sizeClass].isEmpty(); i++) {
      Chunk chunk = Chunk.load(unread[sizeClass].pop(), sizeClass, memory);
      if (chunk.free() > 0) {
        return chunk;
      }
    }
    return Chunk.fresh(takeChunks(1), sizeClass);
  }

  /** Takes free chunks that lie side by side. Called with the monitor held. */
  private long takeChunks(int chunks) {
    while (true) {
      long address = free.take(chunks);
      if (address != 0) {
        return address;
      }
      if (unreadExtents > 0) {
        readTable(--unreadExtents);
      } else {
        grow();
      }
    }
  }

  private void grow() {
    int extents = (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
    int more = Math.clamp(extents / 8, 1, 16);
    engine.grow((long) (extents + more) << HeapMemory.EXTENT_SHIFT);
    int now = (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
    for (int i = now - 1; i >= extents; i--) {
      readTable(i);
    }
  }

  private void readTable(int extent) {
    int first = extent == 0 ? ExtentLayout.SUPERBLOCK_CHUNK + 1 : 1;
    int freeFrom = first;
    int chunk = first;
    while (chunk < ExtentLayout.CHUNKS) {
      long address = ExtentLayout.chunkAddress(extent, chunk);
      long descriptor = memory.getLong(ExtentLayout.descriptorAddress(address));
      int kind = ExtentLayout.kind(descriptor);
      int length = 1;
      if (kind != ExtentLayout.KIND_FREE) {
        addFree(extent, freeFrom, chunk);
        ExtentLayout.check(descriptor, address);
        if (kind == ExtentLayout.KIND_SLOTS) {
          unread[ExtentLayout.sizeClass(descriptor)].push(address);
        } else {
          length = ExtentLayout.runChunks(descriptor);
        }
        freeFrom = chunk + length;
      }
      chunk += length;
    }
    addFree(extent, freeFrom, ExtentLayout.CHUNKS);
  }

  private void addFree(int extent, int from, int to) {
    if (to > from) {
      free.add(ExtentLayout.chunkAddress(extent, from), to - from);
    }
  }
}
