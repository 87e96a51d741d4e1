package io.pmstore.proxy.collection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.NotPersistableException;
import io.pmstore.core.heap.Heap;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Cells for the tests of the collections alone: the first word is a tag, the second the value or
 * the address of a blob. Stores integers, longs, strings, {@link Colliding} keys and {@link
 * Orders}.
 */
final class TestCodec implements CellCodec {
  private static final int NULL = 0;
  private static final int INTEGER = 1;
  private static final int LONG = 2;
  private static final int STRING = 3;
  private static final int COLLIDING = 4;
  private static final int COMPARATOR = 5;
  private static final int COUNTING = 6;

  /** Comparators that can be stored. */
  enum Orders implements Comparator<@Nullable Object> {
    /** By what they look like, null as "null": inside of Guava's ranges, as its suites want it. */
    TEXT {
      @Override
      public int compare(@Nullable Object one, @Nullable Object other) {
        return String.valueOf(one).compareTo(String.valueOf(other));
      }
    }
  }

  /** The natural order of numbers, which tells how often it was asked. */
  enum Counting implements Comparator<Long> {
    INSTANCE;

    static final AtomicLong COMPARISONS = new AtomicLong();

    @Override
    public int compare(Long one, Long other) {
      COMPARISONS.incrementAndGet();
      return Long.compare(one, other);
    }
  }

  private final Heap heap;

  TestCodec(Heap heap) {
    this.heap = heap;
  }

  /** A key with a hash code of one's choice. */
  record Colliding(int id, int hash) {
    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** Has a twin: what is stored, and comes back, for a plain object. */
  record Plain(String twin) {}

  @Override
  public @Nullable Object readCell(long object, int offset) {
    long value = heap.getLong(object, offset + 8);
    int tag = (int) heap.getLong(object, offset);
    return switch (tag) {
      case NULL -> null;
      case INTEGER -> (int) value;
      case LONG -> value;
      case STRING -> new String(heap.blob(value), UTF_8);
      case COLLIDING -> new Colliding((int) value, (int) (value >>> 32));
      case COMPARATOR -> Orders.values()[(int) value];
      case COUNTING -> Counting.INSTANCE;
      default -> throw new AssertionError("tag " + tag + " at " + object + " + " + offset);
    };
  }

  @Override
  public void writeCell(long object, int offset, @Nullable Object value) {
    switch (stored(value)) {
      case null -> write(object, offset, NULL, 0);
      case Integer i -> write(object, offset, INTEGER, i);
      case Long l -> write(object, offset, LONG, l);
      case String s -> write(object, offset, STRING, heap.newBlob(s.getBytes(UTF_8)));
      case Colliding c ->
          write(object, offset, COLLIDING, (long) c.hash << 32 | Integer.toUnsignedLong(c.id));
      case Orders o -> write(object, offset, COMPARATOR, o.ordinal());
      case Counting _ -> write(object, offset, COUNTING, 0);
      default -> throw new AssertionError(value);
    }
  }

  private void write(long object, int offset, int tag, long value) {
    heap.putLong(object, offset, tag);
    heap.putLong(object, offset + 8, value);
  }

  @Override
  public @Nullable Object stored(@Nullable Object value) {
    return switch (value) {
      case Plain plain -> plain.twin();
      case Integer i -> i;
      case Long l -> l;
      case String s -> s;
      case Colliding c -> c;
      case Orders o -> o;
      case Counting c -> c;
      case null -> null;
      default -> throw new NotPersistableException("cannot store a " + value.getClass());
    };
  }

  @Override
  public int hash(@Nullable Object key) {
    return key == null ? 0 : key.hashCode();
  }
}
