package io.pmstore.proxy.collection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.NotPersistableException;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.value.KeyedHash;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Cells for tests of the collections alone: the first word is a tag, the second the value or the
 * address of a blob. It stores integers, longs, strings, {@link Colliding} and {@link Fleeting}
 * keys and {@link Orders}, and counts the comparisons of a key with a cell. Strings can be in
 * references, too.
 */
final class TestCodec implements CellCodec {
  private static final int NULL = 0;
  private static final int INTEGER = 1;
  private static final int LONG = 2;
  private static final int STRING = 3;
  private static final int COLLIDING = 4;
  private static final int COMPARATOR = 5;
  private static final int COUNTING = 6;
  private static final int FLEETING = 7;

  private static final AtomicLong ERAS = new AtomicLong();

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

  /** A key that has another hash code in each store object, as an enum has in each JVM. */
  record Fleeting(int id) {}

  private final long era = ERAS.incrementAndGet();
  private long comparisons;
  private int hashesLeft = -1;

  /** How often a key was compared with a cell. */
  long comparisons() {
    return comparisons;
  }

  @Override
  public boolean cellEquals(long object, int offset, @Nullable Object value) {
    comparisons++;
    return CellCodec.super.cellEquals(object, offset, value);
  }

  /** Makes the hash code fail, once, after so many calls. */
  void failAfter(int hashes) {
    hashesLeft = hashes;
  }

  /** Has a twin: what is stored, and comes back, for a plain object. */
  record Plain(String twin) {}

  @Override
  public @Nullable Object readCell(long object, int offset) {
    long value = heap.getLong(object, offset + 8);
    if (heap.getLong(object, offset) == REFERENCE_CELL) { // it was in a reference before
      return readReference(value);
    }
    int tag = (int) heap.getLong(object, offset);
    return switch (tag) {
      case NULL -> null;
      case INTEGER -> (int) value;
      case LONG -> value;
      case STRING -> new String(heap.blobs().read(value), UTF_8);
      case COLLIDING -> new Colliding((int) value, (int) (value >>> 32));
      case FLEETING -> new Fleeting((int) value);
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
      case String s -> write(object, offset, STRING, heap.blobs().create(s.getBytes(UTF_8)));
      case Colliding c ->
          write(object, offset, COLLIDING, (long) c.hash << 32 | Integer.toUnsignedLong(c.id));
      case Fleeting f -> write(object, offset, FLEETING, f.id);
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
  public long referenceTo(@Nullable Object stored) {
    return switch (stored) {
      case null -> 0;
      case String s -> heap.blobs().create(s.getBytes(UTF_8));
      default -> NO_REFERENCE;
    };
  }

  @Override
  public @Nullable Object readReference(long reference) {
    return reference == 0 ? null : new String(heap.blobs().read(reference), UTF_8);
  }

  @Override
  public @Nullable Object stored(@Nullable Object value) {
    return switch (value) {
      case Plain plain -> plain.twin();
      case Integer i -> i;
      case Long l -> l;
      case String s -> s;
      case Colliding c -> c;
      case Fleeting f -> f;
      case Orders o -> o;
      case Counting c -> c;
      case null -> null;
      default -> throw new NotPersistableException("cannot store a " + value.getClass());
    };
  }

  @Override
  public int hash(@Nullable Object key) {
    if (hashesLeft >= 0 && hashesLeft-- == 0) {
      throw new IllegalStateException("a hash code that fails");
    }
    return switch (key) {
      case null -> 0;
      case Fleeting f -> (int) (f.id % 64 * 0x9e3779b9 * era);
      default -> key.hashCode();
    };
  }

  @Override
  public boolean hasLastingHash(@Nullable Object key) {
    return !(key instanceof Fleeting);
  }

  /** Some are the same, some agree in their first bits. */
  @Override
  public int secondHash(@Nullable Object key, long secret) {
    return switch (key) {
      case Colliding c when c.id % 8 == 0 -> 0;
      case Colliding c when c.id % 8 == 1 -> c.id >>> 4;
      case Colliding c -> KeyedHash.of(c.id, secret);
      case null, default -> 0;
    };
  }
}
