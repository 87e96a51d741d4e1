package io.pmstore.core.heap;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An object layer of one class, of which the heap can have objects of several shapes. */
public final class EvolvingLayer extends NoObjects {
  private static final List<Layout> ALL =
      List.of(Layout.FIRST, Layout.PERMUTED, Layout.LARGER, Layout.LARGER_PERMUTED, Layout.LARGEST);

  private final Heap heap;
  private final Layout current;

  /**
   * Creates the layer.
   *
   * @param heap of the objects
   * @param current the shape that the class has today
   */
  public EvolvingLayer(Heap heap, Layout current) {
    this.heap = heap;
    this.current = current;
    heap.bodies().forwarder(Layout.FORWARDER);
  }

  private static Layout layout(int shapeId) {
    return ALL.stream()
        .filter(layout -> layout.shapeId() == shapeId)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no shape " + shapeId));
  }

  @Override
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    Layout.Field field = current.fieldAt(offset);
    return field.width().read(heap, body, layout(shapeId).offset(field));
  }

  @Override
  public long upgrade(HeapObject object) {
    long body = object.address();
    Layout older = layout(heap.shapeId(body));
    Layout.Field[] fields = Layout.Field.values();
    long[] bits =
        Arrays.stream(fields)
            .mapToLong(field -> field.width().read(heap, body, older.offset(field)))
            .toArray();
    long target = body;
    if (heap.size(body) < current.size()) {
      target = heap.bodies().move(object.identity(), current.shapeId(), current.size());
    } else {
      heap.bodies().reshape(body, current.shapeId());
    }
    for (Layout.Field field : fields) {
      field.width().write(heap, target, current.offset(field), bits[field.ordinal()]);
    }
    return target;
  }

  /** All fields, as a text; so that the value is made of several words. */
  @Override
  public @Nullable Object read(HeapObject object, int offset, int property) {
    long body = object.address();
    Layout layout = layout(heap.shapeId(body));
    return Arrays.stream(Layout.Field.values())
        .map(field -> field.width().read(heap, body, layout.offset(field)))
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /** What {@link #read} returns of an object in a state. */
  static String text(long number) {
    return Arrays.stream(Layout.Field.values())
        .map(field -> String.valueOf(field.bitsOf(number)))
        .collect(Collectors.joining(" "));
  }

  @Override
  public void write(
      HeapObject object, int offset, int property, @Nullable Object value, boolean alone) {
    heap.putLong(object.addressToWrite(), offset, value == null ? 0 : (Long) value);
  }
}
