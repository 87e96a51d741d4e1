package io.pmstore.core.space;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
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

  private static final byte[] EMPTY_BITMAP = new byte[ExtentLayout.SLOTS_OFFSET];

  private final Engine engine;
  private final HeapMemory memory;
  private final Stripe[] stripes = new Stripe[STRIPES];

  // Guarded by the monitor of this: chunks that no stripe owns.
  private final ChunkMap free = new ChunkMap();
  private final ArrayDeque<Chunk>[] partial;
  private final LongStack[] unread;
  private final LoadedChunks loaded = new LoadedChunks();

  // Chunks that have become empty; some have been used again, or are there twice.
  private final ConcurrentLinkedQueue<Chunk> empty = new ConcurrentLinkedQueue<>();
  private final BitSet readExtents = new BitSet();

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
    } else {
      release(chunk, reservation.address());
    }
  }

  private void release(Chunk chunk, long slotAddress) {
    switch (chunk.release(slotAddress)) {
      case TO_BE_LISTED -> list(chunk);
      case EMPTY -> empty.add(chunk);
      case NOTHING -> {} // as most times
    }
  }

  private synchronized void list(Chunk chunk) {
    partial[chunk.sizeClass].push(chunk);
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
    int slot = ExtentLayout.slot(address, chunk.sizeClass);
    writes.setBits(ExtentLayout.bitmapAddress(address, slot), ExtentLayout.bitmapBit(slot));
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
    for (Chunk c = partial[sizeClass].poll(); c != null; c = partial[sizeClass].poll()) {
      if (c.takeListed()) {
        return c;
      }
    }
    // Each chunk of the store is looked at once; few at a time, so that no allocation pays for a
    // store full of full chunks.
    for (int i = 0; i < 8 && !unread[sizeClass].isEmpty(); i++) {
      Chunk chunk = load(unread[sizeClass].pop(), sizeClass);
      if (chunk != null && chunk.takeUnlisted()) {
        return chunk;
      }
    }
    Chunk chunk = Chunk.fresh(takeChunks(1), sizeClass);
    loaded.add(chunk);
    return chunk;
  }

  /**
   * The chunk at an address. Nothing in it is reserved or freed before it is loaded, so its bitmap
   * is still when it is read.
   *
   * @return null if it is no chunk of the size class any more
   */
  private @Nullable Chunk load(long address, int sizeClass) {
    if (address >= memory.size()) {
      return null;
    }
    Chunk chunk = loaded.find(address);
    if (chunk == null) {
      long descriptor = memory.getLong(ExtentLayout.descriptorAddress(address));
      if (ExtentLayout.kind(descriptor) != ExtentLayout.KIND_SLOTS
          || ExtentLayout.sizeClass(descriptor) != sizeClass) {
        return null;
      }
      chunk = Chunk.load(address, sizeClass, memory);
      loaded.add(chunk);
    }
    return chunk.sizeClass == sizeClass ? chunk : null;
  }

  // ---- giving back

  /**
   * Says whether an object is at an address, according to the tables and bitmaps as they are now.
   *
   * @param address any number
   * @return true if a used slot or run starts there
   */
  public boolean isAllocated(long address) {
    return ExtentLayout.isAllocated(address, memory.size(), memory::getLong);
  }

  /**
   * The bytes that an object takes.
   *
   * @param object its address
   * @return those of its slot or run
   */
  public int room(long object) {
    long descriptor = memory.getLong(ExtentLayout.descriptorAddress(object));
    return ExtentLayout.kind(descriptor) == ExtentLayout.KIND_RUN
        ? ExtentLayout.runChunks(descriptor) << ExtentLayout.CHUNK_SHIFT
        : SizeClasses.size(ExtentLayout.sizeClass(descriptor));
  }

  /**
   * Adds to a write set what frees an object. Its space can be reserved again once {@link #freed}
   * was called.
   *
   * @param object its address; the caller sees to it that it is allocated when the write set is
   *     committed
   * @param writes of the transaction that frees it
   */
  public void free(long object, WriteSet writes) {
    long descriptorAddress = ExtentLayout.descriptorAddress(object);
    long descriptor = memory.getLong(descriptorAddress);
    if (ExtentLayout.kind(descriptor) == ExtentLayout.KIND_RUN) {
      synchronized (this) {
        read(extent(object));
      }
      writes.clearBits(descriptorAddress, -1L);
      for (int i = 0; i < ExtentLayout.runChunks(descriptor); i++) {
        // Whoever cuts the chunk into slots expects an empty bitmap.
        long chunk = object + ((long) i << ExtentLayout.CHUNK_SHIFT);
        writes.put(chunk, EMPTY_BITMAP, 0, EMPTY_BITMAP.length);
      }
      return;
    }
    int sizeClass = ExtentLayout.sizeClass(descriptor);
    ensureLoaded(object & -ExtentLayout.CHUNK_SIZE, sizeClass);
    int slot = ExtentLayout.slot(object, sizeClass);
    writes.clearBits(ExtentLayout.bitmapAddress(object, slot), ExtentLayout.bitmapBit(slot));
  }

  private void ensureLoaded(long chunk, int sizeClass) {
    if (loaded.find(chunk) == null) {
      synchronized (this) {
        load(chunk, sizeClass);
      }
    }
  }

  /**
   * Lets the space of an object be reserved again. To be called once the write set with which it
   * was freed is committed.
   *
   * @param object its address
   * @param room the bytes that it took
   */
  public void freed(long object, int room) {
    if (room >= ExtentLayout.CHUNK_SIZE) {
      synchronized (this) {
        free.add(object, room >>> ExtentLayout.CHUNK_SHIFT);
      }
      return;
    }
    Chunk chunk = loaded.find(object);
    if (chunk == null) {
      throw new IllegalStateException("an object was freed in a chunk not known, at " + object);
    }
    release(chunk, object);
  }

  /**
   * Takes chunks out of use in which nothing is used or reserved. To be given to {@link #release}
   * with a write set, and then to {@link #released} or {@link #notReleased}.
   *
   * @param max how many at most
   * @return the chunks, perhaps none
   */
  public List<Chunk> takeEmptyChunks(int max) {
    List<Chunk> retired = new ArrayList<>();
    while (retired.size() < max) {
      Chunk chunk = empty.poll();
      if (chunk == null) {
        break;
      }
      if (chunk.retire()) { // or else it was used again, or has been taken already
        retired.add(chunk);
      }
    }
    return retired;
  }

  /**
   * Adds to a write set what makes chunks free ones.
   *
   * @param chunks what {@link #takeEmptyChunks} returned
   * @param writes of the transaction that does it
   */
  public void release(List<Chunk> chunks, WriteSet writes) {
    for (Chunk chunk : chunks) {
      synchronized (this) {
        read(extent(chunk.address));
      }
      writes.clearBits(ExtentLayout.descriptorAddress(chunk.address), -1L);
    }
  }

  /**
   * Lets chunks be used for any size class. To be called once {@link #release} is committed.
   *
   * @param chunks the chunks
   */
  public synchronized void released(List<Chunk> chunks) {
    for (Chunk chunk : chunks) {
      loaded.remove(chunk);
      free.add(chunk.address, 1);
    }
  }

  /**
   * Takes chunks back into use, because {@link #release} was not committed.
   *
   * @param chunks the chunks
   */
  public void notReleased(List<Chunk> chunks) {
    for (Chunk chunk : chunks) {
      chunk.unretire();
      list(chunk);
      empty.add(chunk);
    }
  }

  /** Has no thread keep a chunk for itself, so that empty ones can be found. */
  public void disown() {
    for (Stripe stripe : stripes) {
      for (int i = 0; i < SizeClasses.COUNT; i++) {
        stripe.lock.lock();
        try {
          Chunk chunk = stripe.current.getAndSet(i, null);
          if (chunk != null) {
            boolean isEmpty = chunk.giveBack();
            list(chunk);
            if (isEmpty) {
              empty.add(chunk);
            }
          }
        } finally {
          stripe.lock.unlock();
        }
      }
    }
  }

  /** Whole extents at the end of the heap that are out of use. */
  public record Tail(long from, long to) {
    /**
     * Says whether there is nothing in it.
     *
     * @return true if so
     */
    public boolean isEmpty() {
      return from == to;
    }
  }

  /**
   * Takes the extents at the end out of use that are free as a whole.
   *
   * @return where they are; to be given to {@link #cut}
   */
  public synchronized Tail takeFreeTail() {
    int extents = extents();
    int end = extents;
    while (end > 1) {
      read(end - 1);
      if (!free.takeAt(ExtentLayout.chunkAddress(end - 1, 1), ExtentLayout.CHUNKS - 1)) {
        break;
      }
      end--;
    }
    return new Tail(
        (long) end << HeapMemory.EXTENT_SHIFT, (long) extents << HeapMemory.EXTENT_SHIFT);
  }

  /**
   * Cuts the heap, unless it has grown since. What is still part of it then is in use again.
   *
   * @param tail what {@link #takeFreeTail} returned
   * @param shrink takes the new size of the heap, in bytes
   */
  public synchronized void cut(Tail tail, LongConsumer shrink) {
    try {
      if (memory.size() == tail.to()) {
        shrink.accept(tail.from());
      }
    } finally {
      int extents = extents();
      int end = extent(tail.to());
      if (extents < end) {
        readExtents.clear(extents, end);
      }
      for (int i = extent(tail.from()); i < Math.min(end, extents); i++) {
        free.add(ExtentLayout.chunkAddress(i, 1), ExtentLayout.CHUNKS - 1);
      }
    }
  }

  private static int extent(long address) {
    return (int) (address >>> HeapMemory.EXTENT_SHIFT);
  }

  /** Takes free chunks that lie side by side. Called with the monitor held. */
  private long takeChunks(int chunks) {
    while (true) {
      long address = free.take(chunks);
      if (address != 0) {
        return address;
      }
      int unreadExtent = readExtents.previousClearBit(extents() - 1);
      if (unreadExtent >= 0) {
        read(unreadExtent);
      } else {
        grow();
      }
    }
  }

  private void grow() {
    int extents = extents();
    int more = Math.clamp(extents / 8, 1, 16);
    engine.grow((long) (extents + more) << HeapMemory.EXTENT_SHIFT);
    for (int i = extents() - 1; i >= extents; i--) {
      read(i);
    }
  }

  private int extents() {
    return (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
  }

  /**
   * Takes in an extent's chunk table, unless that was done. It has to be done before a chunk in it
   * becomes free, or that would be taken in twice.
   */
  private void read(int extent) {
    if (readExtents.get(extent)) {
      return;
    }
    readExtents.set(extent);
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
