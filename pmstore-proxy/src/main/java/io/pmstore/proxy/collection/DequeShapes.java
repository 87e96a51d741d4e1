package io.pmstore.proxy.collection;

import java.util.List;

/**
 * The layout of the nodes of deques, and their shape ids in one store. This class is the only place
 * that knows their offsets. All offsets are in bytes from the start of an object, whose first 8
 * bytes are its header.
 *
 * <pre>
 *   deque        8 first end          16 last end         24 mark                       32
 *   deque end    8 chunk              16 count                                          24
 *   deque chunk  8 previous           16 next             24 mark    32 serial
 *                40 first    44 end   48 cells: 4, 8, 16 or 32         112, 176, 304, 560
 * </pre>
 *
 * <p>{@link DequeChunks} explains the fields.
 */
public final class DequeShapes {
  static final int FIRST_END = 8;
  static final int LAST_END = 16;
  static final int MARK = 24;

  static final int END_CHUNK = 8;
  static final int END_COUNT = 16;

  static final int CHUNK_PREVIOUS = 8;
  static final int CHUNK_NEXT = 16;
  static final int CHUNK_MARK = 24;
  static final int CHUNK_SERIAL = 32;
  static final int CHUNK_FIRST = 40;
  static final int CHUNK_END = 44;
  private static final int CHUNK_CELLS = 48;

  static final int CHUNK_CAPACITY_MIN = 4;
  static final int CHUNK_CAPACITY_MAX = 32;

  /** A deque object. */
  public static final NodeShape DEQUE =
      new NodeShape("pmstore.deque", 32, List.of(FIRST_END, LAST_END), List.of());

  /** One of the two ends of a deque. */
  public static final NodeShape END =
      new NodeShape("pmstore.deque.end", 24, List.of(END_CHUNK), List.of());

  /**
   * The chunks of a deque, smallest first. Each has room for twice as many elements as the one
   * before.
   */
  public static final List<NodeShape> CHUNKS = List.of(chunk(4), chunk(8), chunk(16), chunk(32));

  private final int end;
  private final int[] chunks;

  DequeShapes(NodeShape.Registry registry) {
    end = registry.shapeId(END);
    chunks = CHUNKS.stream().mapToInt(registry::shapeId).toArray();
  }

  int end() {
    return end;
  }

  /** Returns the shape id of a chunk with 4, 8, 16 or 32 cells. */
  int chunkOf(int capacity) {
    return chunks[Integer.numberOfTrailingZeros(capacity / CHUNK_CAPACITY_MIN)];
  }

  /** Returns true if a shape id is that of a chunk of any size. */
  boolean isChunk(int shapeId) {
    for (int chunk : chunks) {
      if (chunk == shapeId) {
        return true;
      }
    }
    return false;
  }

  static int chunkCell(int index) {
    return CHUNK_CELLS + CellCodec.CELL_SIZE * index;
  }

  static int chunkSize(int capacity) {
    return CHUNK_CELLS + CellCodec.CELL_SIZE * capacity;
  }

  static int chunkCapacity(int size) {
    return (size - CHUNK_CELLS) / CellCodec.CELL_SIZE;
  }

  private static NodeShape chunk(int capacity) {
    return new NodeShape(
        "pmstore.deque.chunk" + capacity,
        chunkSize(capacity),
        List.of(CHUNK_PREVIOUS, CHUNK_NEXT),
        NodeShape.row(CHUNK_CELLS, capacity, CellCodec.CELL_SIZE));
  }
}
