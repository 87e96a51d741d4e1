package io.pmstore.core.heap;

import static io.pmstore.core.heap.CoreLayout.BLOB_BYTES_OFFSET;
import static io.pmstore.core.heap.CoreLayout.BLOB_LENGTH_OFFSET;
import static io.pmstore.core.heap.CoreLayout.FLAGS_BLOB;
import static io.pmstore.core.heap.CoreLayout.FLAGS_LONG_BLOB;
import static io.pmstore.core.heap.CoreLayout.LONG_BLOB_PARTS_OFFSET;
import static io.pmstore.core.heap.CoreLayout.PART_MAX;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.tx.LockTable;
import io.pmstore.core.tx.Transaction;
import io.pmstore.core.tx.View;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes blobs: byte strings, in one object, or in several if they are long. A blob only
 * changes by {@link #overwrite}. Each commit that changes or frees a blob also writes the object
 * that refers to it. Safe for use by any number of threads.
 */
public final class Blobs {
  /**
   * The longest content that takes the place of another: each open snapshot keeps a copy of that.
   */
  private static final int OVERWRITING_MAX = 4096;

  private final Heap heap;

  Blobs(Heap heap) {
    this.heap = heap;
  }

  /**
   * Stores bytes in the current transaction; returns the address of the blob.
   *
   * @throws IllegalStateException outside a transaction
   */
  public long create(byte[] content) {
    Transaction transaction = heap.required();
    if (content.length <= PART_MAX) {
      return part(transaction, content, 0, content.length);
    }
    int parts = (content.length + PART_MAX - 1) / PART_MAX;
    long blob =
        transaction.allocate(
            ObjectLayout.SHAPE_CORE, FLAGS_LONG_BLOB, LONG_BLOB_PARTS_OFFSET + 8 * parts);
    transaction.putInt(blob, BLOB_LENGTH_OFFSET, content.length);
    for (int i = 0; i < parts; i++) {
      int from = i * PART_MAX;
      long part = part(transaction, content, from, Math.min(PART_MAX, content.length - from));
      transaction.putLong(blob, LONG_BLOB_PARTS_OFFSET + 8 * i, part);
    }
    return blob;
  }

  private static long part(Transaction transaction, byte[] content, int from, int length) {
    long blob =
        transaction.allocate(ObjectLayout.SHAPE_CORE, FLAGS_BLOB, BLOB_BYTES_OFFSET + length);
    transaction.putInt(blob, BLOB_LENGTH_OFFSET, length);
    transaction.putBytes(blob, BLOB_BYTES_OFFSET, content, from, length);
    return blob;
  }

  /**
   * Stores bytes in the space of a blob, in the current transaction, if they are few, take as many
   * words, and nothing but one slot refers to the blob. So the allocator does not change. The first
   * word of the slot is written as it is, so that the commit raises the version of the object.
   *
   * @param object the object that has the slot
   * @param offset of the slot, two words, of which the second is the blob's address
   * @return false if the blob stays as it is
   * @throws IllegalStateException outside a transaction
   */
  public boolean overwrite(long object, int offset, byte[] content) {
    Transaction transaction = heap.required();
    int reference = offset + Long.BYTES;
    if (content.length > OVERWRITING_MAX || transaction.hasWritten(object, reference)) {
      return false; // the flags of its blob do not count what this transaction has written
    }
    long blob = heap.getLong(object, reference);
    int size = (BLOB_BYTES_OFFSET + content.length + 7) & ~7;
    if (heap.getLong(blob, 0)
        != ObjectLayout.header(
            ObjectLayout.SHAPE_CORE, FLAGS_BLOB | ObjectLayout.FLAG_SINGLE, size)) {
      return false;
    }
    transaction.putInt(blob, BLOB_LENGTH_OFFSET, content.length);
    transaction.putBytes(blob, BLOB_BYTES_OFFSET, content, 0, content.length);
    transaction.putLong(object, offset, transaction.getLong(object, offset));
    return true;
  }

  /**
   * Makes a value from the bytes of a blob.
   *
   * @param <T> the class of the value
   */
  @FunctionalInterface
  public interface Decoder<T> {
    /**
     * Returns the value.
     *
     * @param bytes may be longer than the blob, and is used again
     */
    T decode(byte[] bytes, int length);
  }

  /**
   * Reads a blob whose address the current view has just read in an object. Mostly the version of
   * that object says whether the blob is as this view sees it, too.
   *
   * @param <T> the class of the value
   * @param object the object that refers to the blob
   * @throws StoreDamagedException if there is no blob
   */
  public <T> T read(long object, long blob, Decoder<T> decoder) {
    View view = heap.view();
    if (view != null) {
      int length = readUnder(view, object, blob);
      if (length >= 0) {
        return decoder.decode(view.buffer(), length);
      }
    }
    byte[] content = read(blob);
    return decoder.decode(content, content.length);
  }

  /** Does as {@link #read(long, long, Decoder)}; returns a copy of the bytes. */
  public byte[] read(long object, long blob) {
    View view = heap.view();
    if (view != null) {
      int length = readUnder(view, object, blob);
      if (length >= 0) {
        return Arrays.copyOf(view.buffer(), length);
      }
    }
    return read(blob);
  }

  /**
   * Reads a blob under the version of an object, into the buffer of a view. Returns its length, or
   * -1 if it has to be read under its own version: it is longer than the buffer, say.
   */
  private int readUnder(View view, long object, long blob) {
    long begun = view.beginRead(object);
    if (begun == View.NO_VERSION) {
      return -1;
    }
    long header = heap.getLong(null, blob, 0);
    int length = heap.getInt(null, blob, BLOB_LENGTH_OFFSET);
    byte[] buffer = view.buffer();
    if (ObjectLayout.shapeId(header) != ObjectLayout.SHAPE_CORE
        || ObjectLayout.kind(header) != FLAGS_BLOB
        || length < 0
        || length > Math.min(buffer.length, ObjectLayout.size(header) - BLOB_BYTES_OFFSET)) {
      return -1;
    }
    heap.read(null, blob, BLOB_BYTES_OFFSET, buffer, length);
    return view.endRead(object, begun) ? length : -1;
  }

  /**
   * Returns a copy of the bytes of a blob.
   *
   * @throws StoreDamagedException if there is no blob
   */
  public byte[] read(long blob) {
    View view = heap.view();
    if (view != null) {
      return read(view, blob, -1);
    }
    LockTable locks = heap.transactions.locks();
    while (true) {
      long version = locks.versionOf(blob);
      byte[] content = read(null, blob, -1);
      if (locks.isUnchanged(blob, version)) {
        return content;
      }
    }
  }

  /**
   * Reads a blob, or a part of a long one. A part has the expected length; -1 stands for a whole
   * blob.
   */
  private byte[] read(@Nullable View view, long blob, int expected) {
    long header = heap.getLong(view, blob, 0);
    int length = heap.getInt(view, blob, BLOB_LENGTH_OFFSET);
    int kind = ObjectLayout.kind(header);
    boolean isLong = kind == FLAGS_LONG_BLOB && expected < 0;
    long capacity =
        isLong
            ? (long) (ObjectLayout.size(header) - LONG_BLOB_PARTS_OFFSET) / 8 * PART_MAX
            : ObjectLayout.size(header) - BLOB_BYTES_OFFSET;
    if (ObjectLayout.shapeId(header) != ObjectLayout.SHAPE_CORE
        || !(isLong || kind == FLAGS_BLOB)
        || (expected >= 0 && length != expected)
        || length < 0
        || length > capacity
        || length > heap.memory().size()) {
      throw new StoreDamagedException(
          "expected "
              + (expected < 0 ? "a byte string" : "a part of a long byte string, of " + expected)
              + " at heap address "
              + blob
              + ", found a header of "
              + Long.toHexString(header)
              + " and a length of "
              + length
              + "; restore the store from a backup");
    }
    byte[] content = new byte[length];
    if (!isLong) {
      heap.read(view, blob, BLOB_BYTES_OFFSET, content, length);
      return content;
    }
    for (int from = 0, i = 0; from < length; from += PART_MAX, i++) {
      int rest = Math.min(PART_MAX, length - from);
      byte[] part = read(view, heap.getLong(view, blob, LONG_BLOB_PARTS_OFFSET + 8 * i), rest);
      System.arraycopy(part, 0, content, from, rest);
    }
    return content;
  }
}
