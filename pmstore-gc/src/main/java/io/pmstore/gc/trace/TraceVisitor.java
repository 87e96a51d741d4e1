package io.pmstore.gc.trace;

import io.pmstore.core.catalogue.SlotKind;
import org.jspecify.annotations.Nullable;

/**
 * Decides for a walk where to go. While one of its methods runs, {@link Tracer#place} returns the
 * current place.
 */
public interface TraceVisitor {
  /**
   * Returns true if the walk may follow a reference: it is the address of an object.
   *
   * @param holder the shape of the object with the reference
   * @param reference the word, not 0: an address, with three low bits whose meaning the holder
   *     defines; they are zero in objects of users' classes
   */
  boolean reference(TracedShape holder, long reference);

  /**
   * Returns true if the walk may follow a word: if it holds an address, it is that of a blob.
   *
   * @param word its contents, not 0
   */
  boolean word(SlotKind kind, long word);

  /**
   * Returns true if the walk may follow a cell: if it holds an address, it is that of an object or
   * a blob. Called for each cell that is not all zeros.
   *
   * @param first its first word
   * @param second its second word
   */
  boolean cell(long first, long second);

  /**
   * Returns true if the walk may follow a part of a long blob: it is the address of a blob.
   *
   * @param blob the address of the long blob
   * @param index the part's number, from 0
   * @param part the address of the part
   */
  boolean part(long blob, int index, long part);

  /**
   * Called for each object or blob that is reached for the first time.
   *
   * @param header its header word
   * @param shape its shape; null for a blob
   */
  void reached(long object, long header, @Nullable TracedShape shape);
}
