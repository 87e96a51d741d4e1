package io.pmstore.gc.trace;

import org.jspecify.annotations.Nullable;

/**
 * What a walk asks about everything it meets. While one of its methods runs, {@link Tracer#place}
 * says where the walk is.
 */
public interface TraceVisitor {
  /**
   * Says whether to go where a reference leads.
   *
   * @param holder the shape of the object that holds it
   * @param reference the word, not 0: an address, with three low bits that mean something to the
   *     holder and are zero in objects of users' classes
   * @return true to go there: it is the address of an object
   */
  boolean reference(TracedShape holder, long reference);

  /**
   * Says whether to go where a cell leads. Asked for each cell that is not all zeros.
   *
   * @param first its first word
   * @param second its second word
   * @return true to go there, if it holds an address: it is that of an object or a blob
   */
  boolean cell(long first, long second);

  /**
   * Says whether to go to a part of a long blob.
   *
   * @param blob the address of the long blob
   * @param index the part's number, from 0 on
   * @param part the address of the part
   * @return true to go there: it is the address of a blob
   */
  boolean part(long blob, int index, long part);

  /**
   * Takes note of something reached for the first time.
   *
   * @param object its address
   * @param header its header word
   * @param shape its shape; null for a blob
   */
  void reached(long object, long header, @Nullable TracedShape shape);
}
