package io.pmstore.core.space;

import io.pmstore.StoreFullException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Allocates heap space: slots of size classes in chunks, and runs of whole chunks for large
 * objects.
 *
 * <p>A reservation exists only in memory. The commit that uses it writes the chunk's descriptor and
 * sets the slot's bit, both as blind deltas, so transactions never conflict over space. Threads are
 * spread over stripes; each stripe has a current chunk per size class.
 *
 * <p>Thread-safe.
 */
public final class Allocator {
  static final int STRIPES = 16;

  private final Engine engine;
  private final HeapMemory memory;
  private final Stripe[] stripes = new Stripe[STRIPES];

  private final FreeChunks free; // its monitor guards partial, and changes of loaded
  private final ArrayDeque<Chunk>[] partial; // chunks with free slots that no stripe owns
  private final LoadedChunks loaded = new LoadedChunks();

  // Chunks that became empty. May contain duplicates and chunks in use again; Chunk.retire sorts
  // them out.
  private final ConcurrentLinkedQueue<Chunk> empty = new ConcurrentLinkedQueue<>();

  /** The current chunks of the threads that share a stripe. */
  private static final class Stripe {
    final Mutex lock = new Mutex(); // held while a chunk is replaced
    final AtomicReferenceArray<@Nullable Chunk> current =
        new AtomicReferenceArray<>(SizeClasses.COUNT);
  }

  /** Creates the allocator of an engine's space. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic type
  public Allocator(Engine engine) {
    this.engine = engine;
    this.memory = engine.memory();
    this.free = new FreeChunks(engine);
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
    partial = new ArrayDeque[SizeClasses.COUNT];
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      partial[i] = new ArrayDeque<>();
    }
  }

  /** Returns the chunks that nothing uses. */
  public FreeChunks freeChunks() {
    return free;
  }

  /**
   * Reserves space for an object. Its contents are undefined.
   *
   * @param size in bytes, header included, at most {@link ObjectLayout#SIZE_MAX}
   * @param into is filled with the reservation, which the caller commits or releases
   * @throws StoreFullException if the store cannot grow; nothing is reserved
   */
  public void reserve(int size, Reservation into) {
    if (size > SizeClasses.SIZE_MAX) {
      reserveRun(size, into);
      return;
    }
    int sizeClass = SizeClasses.of(size);
    Stripe stripe = stripes[(int) Thread.currentThread().threadId() & (STRIPES - 1)];
    Chunk chunk = stripe.current.get(sizeClass);
    long address = chunk == null ? 0 : chunk.tryReserve();
    if (address == 0) {
      reserveWithNext(stripe, sizeClass, into);
    } else {
      into.fill(address, chunk, 0);
    }
  }

  private void reserveWithNext(Stripe stripe, int sizeClass, Reservation into) {
    try (var _ = stripe.lock.hold()) {
      while (true) {
        Chunk chunk = stripe.current.get(sizeClass);
        if (chunk != null) {
          long address = chunk.reserve();
          if (address != 0) {
            into.fill(address, chunk, 0);
            return;
          }
        }
        stripe.current.set(sizeClass, nextChunk(sizeClass));
      }
    }
  }

  /** Returns a reservation whose transaction was rolled back. */
  public void release(Reservation reservation) {
    Chunk chunk = reservation.chunk();
    if (chunk == null) {
      free.add(reservation.address(), reservation.runChunks());
    } else {
      release(chunk, reservation.address());
    }
  }

  private void release(Chunk chunk, long slotAddress) {
    switch (chunk.release(slotAddress)) {
      case TO_BE_LISTED -> list(chunk);
      case TO_BE_LISTED_EMPTY -> {
        list(chunk);
        empty.add(chunk);
      }
      case EMPTY -> empty.add(chunk);
      case NOTHING -> {}
    }
  }

  private void list(Chunk chunk) {
    synchronized (free) {
      partial[chunk.sizeClass].push(chunk);
    }
  }

  /** Adds to {@code writes} the deltas that make a reservation permanent. */
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

  /** Notes that the write set of {@link #commit} was committed. */
  public void committed(Reservation reservation) {
    Chunk chunk = reservation.chunk();
    if (chunk != null && !chunk.isDescribed()) {
      chunk.setDescribed();
    }
  }

  private void reserveRun(int size, Reservation into) {
    int chunks = (size + ExtentLayout.CHUNK_SIZE - 1) >>> ExtentLayout.CHUNK_SHIFT;
    into.fill(free.take(chunks), null, chunks);
  }

  private Chunk nextChunk(int sizeClass) {
    Chunk known = nextKnown(sizeClass);
    if (known != null) {
      return known;
    }
    Chunk chunk = Chunk.fresh(free.take(1), sizeClass);
    synchronized (free) {
      loaded.add(chunk);
    }
    clean(chunk); // once: from now on commits set bits, and some may be under way
    return chunk;
  }

  private @Nullable Chunk nextKnown(int sizeClass) {
    synchronized (free) {
      for (Chunk c = partial[sizeClass].poll(); c != null; c = partial[sizeClass].poll()) {
        if (c.takeListed()) {
          return c;
        }
      }
      // Each chunk of the store is examined once. At most eight at a time, so that no single
      // allocation pays for a store full of full chunks.
      LongStack used = free.used(sizeClass);
      for (int i = 0; i < 8 && !used.isEmpty(); i++) {
        Chunk chunk = load(used.pop(), sizeClass);
        if (chunk != null && chunk.takeUnlisted()) {
          return chunk;
        }
      }
      return null;
    }
  }

  /**
   * Commits an empty bitmap for a fresh chunk, which will be cut into slots, before any commit uses
   * the chunk. Unused space has undefined contents: an earlier object's, or those of an object
   * whose commit a crash prevented.
   */
  private void clean(Chunk chunk) {
    try {
      chunk.clearBitmap(engine);
    } catch (Throwable e) {
      released(List.of(chunk));
      throw e;
    }
  }

  /**
   * Returns the chunk at an address, or null if it no longer has this size class. No slot of a
   * chunk is reserved or freed before the chunk is loaded, so its bitmap does not change while it
   * is read.
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

  // ---- freeing

  /**
   * Returns true if a used slot or run starts at an address, according to the current tables and
   * bitmaps. Any number is accepted.
   */
  public boolean isAllocated(long address) {
    return ExtentLayout.isAllocated(address, memory.size(), memory::getLong);
  }

  /** Returns the bytes that an object occupies: the size of its slot or run. */
  public int occupiedBytes(long object) {
    long descriptor = memory.getLong(ExtentLayout.descriptorAddress(object));
    return ExtentLayout.kind(descriptor) == ExtentLayout.KIND_RUN
        ? ExtentLayout.runChunks(descriptor) << ExtentLayout.CHUNK_SHIFT
        : SizeClasses.size(ExtentLayout.sizeClass(descriptor));
  }

  /**
   * Adds to {@code writes} the deltas that free an object. The caller makes sure that the object is
   * still allocated when the write set is committed. Its space can be reserved again after {@link
   * #freed}.
   */
  public void free(long object, WriteSet writes) {
    long descriptorAddress = ExtentLayout.descriptorAddress(object);
    long descriptor = memory.getLong(descriptorAddress);
    if (ExtentLayout.kind(descriptor) == ExtentLayout.KIND_RUN) {
      free.readTableOf(object);
      writes.clearBits(descriptorAddress, -1L);
      return;
    }
    int sizeClass = ExtentLayout.sizeClass(descriptor);
    ensureLoaded(object & -ExtentLayout.CHUNK_SIZE, sizeClass);
    int slot = ExtentLayout.slot(object, sizeClass);
    writes.clearBits(ExtentLayout.bitmapAddress(object, slot), ExtentLayout.bitmapBit(slot));
  }

  private void ensureLoaded(long chunk, int sizeClass) {
    if (loaded.find(chunk) == null) {
      synchronized (free) {
        load(chunk, sizeClass);
      }
    }
  }

  /**
   * Makes an object's space available again. Call it after the write set of {@link #free} is
   * committed.
   *
   * @param object its address
   * @param bytes that it occupied, from {@link #occupiedBytes}
   */
  public void freed(long object, int bytes) {
    if (bytes >= ExtentLayout.CHUNK_SIZE) {
      free.add(object, bytes >>> ExtentLayout.CHUNK_SHIFT);
      return;
    }
    Chunk chunk = loaded.find(object);
    if (chunk == null) {
      throw new IllegalStateException("an object was freed in a chunk not known, at " + object);
    }
    release(chunk, object);
  }

  /**
   * Takes chunks without used or reserved slots out of use. The caller passes them to {@link
   * #release(List, WriteSet)} and then to {@link #released} or {@link #notReleased}.
   *
   * @param max the most chunks to take
   */
  public List<Chunk> takeEmptyChunks(int max) {
    List<Chunk> retired = new ArrayList<>();
    while (retired.size() < max) {
      Chunk chunk = empty.poll();
      if (chunk == null) {
        break;
      }
      if (chunk.retire()) { // otherwise it is in use again, or was already taken
        retired.add(chunk);
      }
    }
    return retired;
  }

  /**
   * Adds to {@code writes} the deltas that make chunks free.
   *
   * @param chunks from {@link #takeEmptyChunks}
   */
  public void release(List<Chunk> chunks, WriteSet writes) {
    for (Chunk chunk : chunks) {
      free.readTableOf(chunk.address);
      writes.clearBits(ExtentLayout.descriptorAddress(chunk.address), -1L);
      // The bits are already clear, but a delta makes open snapshots keep a before-image. A
      // backup that still sees the slot chunk must see a clear bitmap, and from now on anything
      // may be written there.
      for (int slot = 0; slot < SizeClasses.slots(chunk.sizeClass); slot += Long.SIZE) {
        writes.clearBits(ExtentLayout.bitmapAddress(chunk.address, slot), -1L);
      }
    }
  }

  /**
   * Makes chunks available to any size class. Call it after the write set of {@link #release(List,
   * WriteSet)} is committed.
   */
  public void released(List<Chunk> chunks) {
    synchronized (free) {
      for (Chunk chunk : chunks) {
        loaded.remove(chunk);
        free.add(chunk.address, 1);
      }
    }
  }

  /**
   * Takes chunks back into use because the write set of {@link #release(List, WriteSet)} was not
   * committed.
   */
  public void notReleased(List<Chunk> chunks) {
    for (Chunk chunk : chunks) {
      chunk.unretire();
      list(chunk);
      empty.add(chunk);
    }
  }

  /** Takes the current chunks from all stripes, so that empty ones can be found. */
  public void disown() {
    for (Stripe stripe : stripes) {
      for (int i = 0; i < SizeClasses.COUNT; i++) {
        try (var _ = stripe.lock.hold()) {
          Chunk chunk = stripe.current.getAndSet(i, null);
          if (chunk != null) {
            giveBack(chunk);
          }
        }
      }
    }
  }

  private void giveBack(Chunk chunk) {
    boolean isEmpty = chunk.giveBack();
    list(chunk);
    if (isEmpty) {
      empty.add(chunk);
    }
  }

  /**
   * Forgets what it has read of the heap, because other code has changed allocations meanwhile. The
   * caller ensures that nothing is reserved and that no other call runs.
   */
  public void forget() {
    synchronized (free) {
      for (int i = 0; i < SizeClasses.COUNT; i++) {
        for (Stripe stripe : stripes) {
          stripe.current.set(i, null);
        }
        partial[i].clear();
      }
      free.forget();
      loaded.clear();
      empty.clear();
    }
  }

  /**
   * Examines every chunk that has not been examined since opening, so that empty ones can be found.
   */
  public void readAll() {
    while (free.readTable()) {
      // one at a time, because other threads wait for the monitor
    }
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      while (readNext(sizeClass)) {
        // as above
      }
    }
  }

  private boolean readNext(int sizeClass) {
    synchronized (free) {
      LongStack used = free.used(sizeClass);
      if (used.isEmpty()) {
        return false;
      }
      Chunk chunk = load(used.pop(), sizeClass);
      if (chunk != null && chunk.takeUnlisted()) {
        giveBack(chunk);
      }
      return true;
    }
  }
}
