package io.pmstore.core.medium;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A file of a store.
 *
 * <p>Any thread may call the methods, also an interrupted one. Calls may overlap, except those of
 * {@link #allocate}, {@link #truncate} and {@link #close}; concurrent writes must be to different
 * bytes. On a medium that {@linkplain Medium#storesInPlace() stores in place} a sync covers what
 * its own thread wrote, because write-back and fence act per thread.
 *
 * <p>The methods with a {@link HeapMemory} parameter are for the heap file, in which a byte's
 * offset is its address in memory.
 */
public interface MediumFile extends AutoCloseable {
  /** Returns the file's name in its directory. */
  String name();

  /** Returns the file's present size in bytes. */
  long size() throws IOException;

  /**
   * Reads bytes.
   *
   * @param offset of the first byte in the file
   * @param at the index of the first byte in the target
   * @param length in bytes
   * @throws IOException if the read fails, or the file ends before
   */
  void read(long offset, byte[] target, int at, int length) throws IOException;

  /**
   * Overwrites bytes inside the file's size. They survive the process when the method returns, and
   * are durable after the next {@link #sync}.
   *
   * @param offset of the first byte in the file
   * @param at the index of the first byte in the source
   * @param length in bytes
   * @throws IOException if the write fails; any of the bytes may then be written
   */
  void write(long offset, byte[] source, int at, int length) throws IOException;

  /**
   * Overwrites bytes inside the file's size, like {@link #write(long, byte[], int, int)}.
   *
   * @param offset of the first byte in the file
   * @param source the bytes, in native memory
   * @throws IOException if the write fails; any of the bytes may then be written
   */
  void write(long offset, MemorySegment source) throws IOException;

  /**
   * Overwrites bytes inside the file's size, like {@link #write(long, byte[], int, int)}, for a
   * caller that does not sync soon. A medium may avoid the system call, and make the next sync
   * slower.
   */
  default void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
    write(offset, source, at, length);
  }

  /**
   * Makes everything written to the file before the call durable. After a failure, what was written
   * since the last success may be lost even if a later call succeeds.
   */
  void sync() throws IOException;

  /**
   * Grows the file by zeros that are allocated on the device. They and the size are durable when
   * the method returns.
   *
   * @param from the present size; bytes behind it, left by an {@link #allocate} or {@link
   *     #truncate} that a crash interrupted, are discarded first
   * @param to the new size
   * @param written true to write the zeros, so that overwriting them later changes no metadata
   * @throws IOException if it fails; the file's size is {@code from} again, if possible
   */
  void allocate(long from, long to, boolean written) throws IOException;

  /**
   * Makes the file smaller. A crash may undo this, and leave any bytes behind the size.
   *
   * @param size the new size, at most the present one. No thread may access mapped bytes behind it
   *     until the file has grown again; then they are zeros
   */
  void truncate(long size) throws IOException;

  /**
   * Maps bytes for reading and, in the heap file, for {@link #store}.
   *
   * @param offset of the first byte, a multiple of 4096
   * @param size in bytes; the range lies inside the file's size
   * @param arena unmaps them when it is closed
   */
  default MemorySegment map(long offset, long size, Arena arena) throws IOException {
    return map(offset, size, size, arena);
  }

  /**
   * Maps bytes at the start of reserved address space that has room for more of the file. The rest
   * of the space reads as zeros.
   *
   * @param offset of the first byte, a multiple of 4096
   * @param size in bytes, a multiple of 4096 if it is less than the space; the range lies inside
   *     the file's size
   * @param space in bytes, at least the size
   * @param arena unmaps all of it when it is closed
   * @return the whole space
   */
  MemorySegment map(long offset, long size, long space, Arena arena) throws IOException;

  /**
   * Maps more of the file in a space that {@link #map(long, long, long, Arena)} returned. No thread
   * may write there meanwhile; a reader sees zeros or the file.
   *
   * @param space the whole space
   * @param offset of its first byte in the file
   * @param from how many bytes of it are mapped
   * @param to how many bytes to map, a multiple of 4096 or the whole space
   * @throws IOException if they cannot be mapped; the space is unchanged
   */
  void mapMore(MemorySegment space, long offset, long from, long to) throws IOException;

  /**
   * Prepares mapped bytes of the file for their first {@link #store}, which then waits for no page
   * fault, on a medium that {@linkplain Medium#storesInPlace() stores in place}. On others it does
   * nothing: their pages would be private copies, which take memory until they are dropped.
   *
   * @param mapped whole pages of what {@link #map} returned
   */
  void populate(MemorySegment mapped);

  /**
   * Stores words to mapped bytes, in ascending order, each in one access. On a medium that
   * {@linkplain Medium#storesInPlace() stores in place} they become durable at some time before, or
   * with, {@link #writeBack} and {@link #sync}. On other media they stay in memory; {@link
   * #write(long, MemorySegment)} takes bytes to the file.
   *
   * @param heap the mapped bytes
   * @param address of the first word, 8-byte aligned
   * @param at the index of the first byte in the source
   * @param length in bytes, a multiple of 8
   */
  void store(HeapMemory heap, long address, byte[] source, int at, int length);

  /**
   * Starts to make stored bytes durable, on a medium that {@linkplain Medium#storesInPlace() stores
   * in place}. The next {@link #sync} of the same thread completes it.
   *
   * @param heap the mapped bytes
   * @param address of the first byte, a multiple of {@link Medium#writeBackUnit}
   * @param length in bytes, a multiple of {@link Medium#writeBackUnit}
   */
  void writeBack(HeapMemory heap, long address, long length);

  /**
   * Frees the private copies of changed pages, on a medium that does not {@linkplain
   * Medium#storesInPlace() store in place}. The file already has the bytes, and no thread calls
   * {@link #store} for them meanwhile. Concurrent readers see no change.
   *
   * @param heap the mapped bytes
   * @param address of the first byte, a multiple of {@link Medium#writeBackUnit}
   * @param length in bytes, a multiple of {@link Medium#writeBackUnit}
   */
  void release(HeapMemory heap, long address, long length) throws IOException;

  /** Closes the file. Mapped bytes stay mapped. */
  @Override
  void close() throws IOException;
}
