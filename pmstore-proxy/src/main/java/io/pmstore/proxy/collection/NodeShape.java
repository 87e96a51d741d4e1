package io.pmstore.proxy.collection;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One kind of node, as the catalogue keeps it. It tells a collector where the references are, so
 * that the collector can trace a node without knowing collections. Every word that is neither a
 * reference nor part of a cell is plain data.
 *
 * @param name the name in the catalogue; the layout of a name never changes, a new layout gets a
 *     new name
 * @param size of a node in bytes, header included
 * @param references offsets of the words that hold the address of a heap object or 0. Addresses are
 *     multiples of 8; the three low bits of such a word belong to the collection, and readers mask
 *     them out
 * @param cells offsets of the cells, {@value CellCodec#CELL_SIZE} bytes each
 */
public record NodeShape(String name, int size, List<Integer> references, List<Integer> cells) {
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

  /** Returns the offsets of {@code count} slots, {@code step} bytes apart. */
  static List<Integer> row(int first, int count, int step) {
    return IntStream.range(0, count).map(i -> first + step * i).boxed().toList();
  }

  private static void check(String name, int size, int offset, int length) {
    if ((offset & 7) != 0 || offset < 8 || offset + length > size) {
      throw new IllegalArgumentException(
          "shape %s of %s bytes has no aligned place for %s bytes at %s"
              .formatted(name, size, length, offset));
    }
  }

  /** Maps node kinds to shape ids. The object layer implements it with the catalogue. */
  @FunctionalInterface
  public interface Registry {
    /**
     * Returns the id of a shape, which it has for the store's whole life. Finds the shape in the
     * catalogue by its name, or adds it, durably and independently of a running transaction.
     *
     * @throws io.pmstore.StoreFormatException if the catalogue has another layout under the same
     *     name
     */
    int shapeId(NodeShape shape);
  }
}
