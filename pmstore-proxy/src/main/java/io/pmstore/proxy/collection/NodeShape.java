package io.pmstore.proxy.collection;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One kind of node, as the catalogue keeps it: enough for a collector to trace it without knowing
 * collections. Every word that is neither a reference nor part of a cell is plain data.
 *
 * @param name what the catalogue knows it by; a name's layout never changes, a new layout gets a
 *     new name
 * @param size of a node in bytes, header included
 * @param references offsets of the words that hold the address of a heap object or 0. Addresses are
 *     multiples of 8: the three low bits of such a word belong to the collection and are to be
 *     masked out
 * @param cells offsets of the cells, {@value CellCodec#CELL_SIZE} bytes each
 */
public record NodeShape(String name, int size, List<Integer> references, List<Integer> cells) {
  /** Checks and copies. */
  public NodeShape {
    references = List.copyOf(references);
    cells = List.copyOf(cells);
    for (int offset : references) {
      check(name, size, offset, 8);
    }
    for (int offset : cells) {
      check(name, size, offset, CellCodec.CELL_SIZE);
    }
  }

  /**
   * The offsets of slots that follow each other.
   *
   * @param first of the first, in bytes
   * @param count how many there are
   * @param step from one to the next, in bytes
   */
  static List<Integer> row(int first, int count, int step) {
    return IntStream.range(0, count).map(i -> first + step * i).boxed().toList();
  }

  private static void check(String name, int size, int offset, int length) {
    if ((offset & 7) != 0 || offset < 8 || offset + length > size) {
      throw new IllegalArgumentException(
          "shape "
              + name
              + " of "
              + size
              + " bytes has no aligned place for "
              + length
              + " bytes at "
              + offset);
    }
  }

  /** Gives a node kind its shape id. Implemented by the object layer over the catalogue. */
  @FunctionalInterface
  public interface Registry {
    /**
     * Finds the shape in the catalogue by its name, or adds it, durably and independent of a
     * running transaction.
     *
     * @param shape a node kind
     * @return its shape id, for the store's whole life
     * @throws io.pmstore.StoreFormatException if the catalogue has another layout under the same
     *     name
     */
    int shapeId(NodeShape shape);
  }
}
