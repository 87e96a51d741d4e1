package io.pmstore.gc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.CellCodec;
import org.jspecify.annotations.Nullable;

/** Cells of the format for numbers, strings, which are all out of line, and heap objects. */
public record TestCells(Heap heap) implements CellCodec {
  /** An object of the heap. */
  public record Reference(long address) {}

  @Override
  public @Nullable Object readCell(long object, int offset) {
    int tag = CellLayout.tag(heap.getLong(object, offset));
    long value = heap.getLong(object, offset + CellLayout.C_OFFSET);
    return switch (tag) {
      case CellLayout.NULL -> null;
      case CellLayout.LONG -> value;
      case CellLayout.STRING_LATIN1 -> new String(heap.blobs().read(value), ISO_8859_1);
      case CellLayout.OBJECT -> new Reference(value);
      default -> throw new AssertionError("tag " + tag);
    };
  }

  @Override
  public void writeCell(long object, int offset, @Nullable Object value) {
    switch (value) {
      case null -> write(object, offset, CellLayout.NULL, 0);
      case Long l -> write(object, offset, CellLayout.LONG, l);
      case String s ->
          write(
              object,
              offset,
              CellLayout.STRING_LATIN1,
              heap.blobs().create(s.getBytes(ISO_8859_1)));
      case Reference r -> write(object, offset, CellLayout.OBJECT, r.address());
      default -> throw new NotPersistableException("no cell for " + value);
    }
  }

  private void write(long object, int offset, int tag, long value) {
    heap.putLong(object, offset, CellLayout.first(tag, 0, 0));
    heap.putLong(object, offset + CellLayout.C_OFFSET, value);
  }

  @Override
  public long referenceTo(@Nullable Object stored) {
    return switch (stored) {
      case null -> 0;
      case Reference r -> r.address();
      default -> NO_REFERENCE;
    };
  }

  @Override
  public @Nullable Object readReference(long reference) {
    return reference == 0 ? null : new Reference(reference);
  }

  @Override
  public int hash(@Nullable Object key) {
    return key == null ? 0 : key.hashCode();
  }
}
