package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.StoreLock;

/**
 * The files of a store's directory.
 *
 * <pre>
 *   lock       locked while the store is open; says by whom
 *   heap       the two header copies, then the heap; there only once the whole store is
 *   log-0      redo log, segment 0; and so on
 *   heap.new   a heap being made; it becomes heap when all else is durable
 * </pre>
 */
final class StoreLayout {
  static final String LOCK = StoreLock.FILE;
  static final String HEAP = "heap";
  static final String HEAP_NEW = "heap.new";
  static final int LOG_SEGMENTS = 4;

  private StoreLayout() {}

  static String log(int segment) {
    return "log-" + segment;
  }
}
