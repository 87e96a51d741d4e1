package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.StoreLock;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The files of a store's directory.
 *
 * <pre>
 *   lock       locked while the store is open; says by whom
 *   heap       the two header copies, then the heap; there only once the whole store is
 *   sums       the checksums of the heap's pages
 *   log-0      redo log, segment 0; and so on
 *   heap.new   a heap being made; it becomes heap when all else is durable
 * </pre>
 */
final class StoreLayout {
  static final String LOCK = StoreLock.FILE;
  static final String HEAP = "heap";
  static final String HEAP_NEW = "heap.new";
  static final String SUMS = "sums";
  static final int LOG_SEGMENTS = 4;

  /** The files that are there if and only if the heap is. */
  static final List<String> PARTS =
      Stream.concat(Stream.of(SUMS), IntStream.range(0, LOG_SEGMENTS).mapToObj(StoreLayout::log))
          .toList();

  private StoreLayout() {}

  static String log(int segment) {
    return "log-" + segment;
  }
}
