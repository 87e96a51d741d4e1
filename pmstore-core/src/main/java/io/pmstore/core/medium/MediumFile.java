package io.pmstore.core.medium;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One file of a store.
 *
 * <p>Methods may be called by any thread, also an interrupted one, and may overlap, but for {@link
 * #allocate}, {@link #truncate} and {@link #close}; bytes that several threads write at once are
 * not the same ones. On a medium that {@linkplain Medium#storesInPlace() stores in place} a sync
 * covers what its own thread wrote: write-back and fence act per thread.
 *
 * <p>The methods that take a {@link HeapMemory} are for the heap file, where the address of a byte
 * in memory is its offset in the file.
 */
public interface MediumFile extends AutoCloseable {
  /**
   * The file's name in its directory.
   *
   * @return the name
   */
  String name();

  /**
   * The file's real size.
   *
   * @return the size in bytes
   * @throws IOException if it cannot be found out
   */
  long size() throws IOException;

  /**
   * Reads bytes.
   *
   * @param offset of the first byte in the file
   * @param target where they go
   * @param at the index of the first byte in the target
   * @param length how many
   * @throws IOException if that failed, or the file ends before
   */
  void read(long offset, byte[] target, int at, int length) throws IOException;

  /**
   * Overwrites bytes inside the file's size. They survive the process when the method returns, and
   * are durable after the next {@link #sync}.
   *
   * @param offset of the first byte in the file
   * @param source where they come from
   * @param at the index of the first byte in the source
   * @param length how many
   * @throws IOException if that failed; any of the bytes may then be written
   */
  void write(long offset, byte[] source, int at, int length) throws IOException;

  /**
   * Overwrites bytes inside the file's size, as {@link #write(long, byte[], int, int)} does.
   *
   * @param offset of the first byte in the file
   * @param source the bytes, in native memory
   * @throws IOException if that failed; any of the bytes may then be written
   */
  void write(long offset, MemorySegment source) throws IOException;

  /**
   * Makes durable what was written to the file before the call. When it fails, what was written
   * since the last success may be lost even if a later call succeeds.
   *
   * @throws IOException if that failed
   */
  void sync() throws IOException;

  /**
   * Makes the file larger by zero bytes that really have room on the device; on return they and the
   * size are durable.
   *
   * @param from the size it has; what lies behind, left by an allocation or {@link #truncate} that
   *     a crash cut short, is given up first
   * @param to the size wanted
   * @param written true to have the bytes written, so that overwriting them later changes no
   *     metadata
   * @throws IOException if that failed; the file's size is then {@code from} again, if at all
   *     possible
   */
  void allocate(long from, long to, boolean written) throws IOException;

  /**
   * Makes the file smaller. A crash may undo that, and leave anything behind the size.
   *
   * @param size the size wanted, not more than it has. Nobody may access mapped bytes behind it
   *     until the file has grown again; then they are zeros
   * @throws IOException if that failed
   */
  void truncate(long size) throws IOException;

  /**
   * Maps bytes for reading and, if it is the heap file, for {@link #store}.
   *
   * @param offset of the first byte, a multiple of 4096
   * @param size in bytes; the range lies inside the file's size
   * @param arena unmaps them when it is closed
   * @return the bytes
   * @throws IOException if they cannot be mapped
   */
  MemorySegment map(long offset, long size, Arena arena) throws IOException;

  /**
   * Stores words to mapped bytes, in ascending order, each in one access. On a medium that
   * {@linkplain Medium#storesInPlace() stores in place} they are durable after {@link #writeBack}
   * and {@link #sync}, or before. On others they stay in memory: what is to reach the file is
   * written to it.
   *
   * @param heap the mapped bytes
   * @param address of the first word, 8-byte aligned
   * @param source where they come from
   * @param at the index of the first byte in the source
   * @param length in bytes, a multiple of 8
   */
  void store(HeapMemory heap, long address, byte[] source, int at, int length);

  /**
   * Starts to make stored bytes durable, on a medium that {@linkplain Medium#storesInPlace() stores
   * in place}; the next {@link #sync} of the same thread completes it.
   *
   * @param heap the mapped bytes
   * @param address of the first byte, a multiple of {@link Medium#writeBackUnit}
   * @param length in bytes, a multiple of {@link Medium#writeBackUnit}
   */
  void writeBack(HeapMemory heap, long address, long length);

  /**
   * Gives up the memory that stored bytes take beside the file, on a medium that does not
   * {@linkplain Medium#storesInPlace() store in place}. To be called when the file holds them, with
   * no {@link #store} to them meanwhile; readers beside it see no change.
   *
   * @param heap the mapped bytes
   * @param address of the first byte, a multiple of {@link Medium#writeBackUnit}
   * @param length in bytes, a multiple of {@link Medium#writeBackUnit}
   * @throws IOException if that failed
   */
  void release(HeapMemory heap, long address, long length) throws IOException;

  /**
   * Closes the file. Mapped bytes stay.
   *
   * @throws IOException if that failed
   */
  @Override
  void close() throws IOException;
}
