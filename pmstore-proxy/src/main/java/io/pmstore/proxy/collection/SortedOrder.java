package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.SortedShapes.COMPARATOR;
import static io.pmstore.proxy.collection.SortedShapes.ORDER;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.StoreDamagedException;
import io.pmstore.spi.PersistentObject;
import java.util.Collections;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of one sorted collection, and how the collection keeps it: a number, to which {@value
 * #REVERSED} is added if the order is the other way round, and for {@value #IN_CELL} a comparator
 * in a cell.
 *
 * <pre>
 *   0  natural, no comparator           1  Comparator.naturalOrder()     2  reverseOrder()
 *   3  String.CASE_INSENSITIVE_ORDER    4  the comparator in the cell
 * </pre>
 *
 * <p>Comparisons are made inside a transaction or a consistent read. They throw what the comparator
 * or the key's {@code compareTo} throws: {@link ClassCastException} for a key that does not fit,
 * {@link NullPointerException} for null where the order has no place for it.
 */
final class SortedOrder {
  private static final int NATURAL = 0;
  private static final int NATURAL_COMPARATOR = 1;
  private static final int REVERSE = 2;
  private static final int CASE_INSENSITIVE = 3;
  private static final int IN_CELL = 4;
  private static final int REVERSED = 0x100;

  /** What {@code Collections.reverseOrder} makes of a comparator that is none of the JDK's. */
  private static final Class<?> REVERSING =
      Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER).getClass();

  private final CellCodec codec;
  private final @Nullable Comparator<@Nullable Object> comparator;
  private final int kind;

  private SortedOrder(CellCodec codec, @Nullable Comparator<@Nullable Object> comparator) {
    this.codec = codec;
    this.comparator = comparator;
    this.kind = comparator == null ? NATURAL : kind(comparator);
  }

  private static int kind(Comparator<?> comparator) {
    if (comparator.equals(Comparator.naturalOrder())) {
      return NATURAL_COMPARATOR;
    }
    if (comparator.equals(Comparator.reverseOrder())) {
      return REVERSE;
    }
    return comparator.equals(String.CASE_INSENSITIVE_ORDER) ? CASE_INSENSITIVE : IN_CELL;
  }

  // -- in the heap

  /** Reads the order of a collection. */
  static SortedOrder read(CollectionSpace space, long collection) {
    int order = space.heap().getInt(collection, ORDER);
    Comparator<?> comparator =
        switch (order & ~REVERSED) {
          case NATURAL -> null;
          case NATURAL_COMPARATOR -> Comparator.naturalOrder();
          case REVERSE -> Comparator.reverseOrder();
          case CASE_INSENSITIVE -> String.CASE_INSENSITIVE_ORDER;
          case IN_CELL -> inCell(space, collection);
          default ->
              throw new StoreDamagedException(
                  "the sorted collection at heap address %d has order %d, which this program does not know; restore the store from a backup, or open it with the program that wrote it"
                      .formatted(collection, order));
        };
    if ((order & REVERSED) != 0) {
      comparator = Collections.reverseOrder(comparator);
    }
    return new SortedOrder(space.codec(), untyped(comparator));
  }

  private static Comparator<?> inCell(CollectionSpace space, long collection) {
    Object value = space.codec().readCell(collection, COMPARATOR);
    if (value instanceof Comparator<?> comparator) {
      return comparator;
    }
    throw new StoreDamagedException(
        "the sorted collection at heap address %d was made with a comparator, but has %s, which is none; open it with the program that wrote it, whose class implements Comparator"
            .formatted(collection, value == null ? "null" : "one of " + value.getClass()));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static @Nullable Comparator<@Nullable Object> untyped(
      @Nullable Comparator<?> comparator) {
    return (Comparator<@Nullable Object>) comparator;
  }

  /** Says whether a comparator can be stored. */
  static boolean canKeep(@Nullable Comparator<?> comparator) {
    if (comparator == null) {
      return true;
    }
    Comparator<?> plain = isReversed(comparator) ? inner(comparator) : comparator;
    return kind(plain) != IN_CELL
        || plain instanceof Enum
        || plain instanceof PersistentObject
        || plain.getClass().isAnnotationPresent(Persistent.class);
  }

  /**
   * Refuses a comparator that cannot be stored.
   *
   * @throws NotPersistableException if it is neither one of the JDK's, nor an enum constant, nor an
   *     object of a persistent class
   */
  static void check(@Nullable Comparator<?> comparator) {
    if (comparator != null && !canKeep(comparator)) {
      throw new NotPersistableException(
          "a sorted collection cannot keep a comparator of class "
              + comparator.getClass().getName()
              + ", with which its keys could not be found again in another run; write it as an enum"
              + " constant that implements Comparator, or as a class annotated with @Persistent, or"
              + " use the natural order, Comparator.reverseOrder() or"
              + " String.CASE_INSENSITIVE_ORDER");
    }
  }

  /** Writes the order of a collection that is new, whose comparator {@link #check} let through. */
  static void write(CollectionSpace space, long collection, @Nullable Comparator<?> comparator) {
    if (comparator == null) {
      return;
    }
    boolean reversed = isReversed(comparator);
    Comparator<?> plain = reversed ? inner(comparator) : comparator;
    int kind = kind(plain);
    space.heap().putInt(collection, ORDER, reversed ? kind | REVERSED : kind);
    if (kind == IN_CELL) {
      space.codec().writeCell(collection, COMPARATOR, plain);
    }
  }

  private static boolean isReversed(Comparator<?> comparator) {
    return comparator.getClass() == REVERSING;
  }

  /** Reversing a comparator that reverses another gives that one. */
  private static Comparator<?> inner(Comparator<?> reversing) {
    return Collections.reverseOrder(reversing);
  }

  // -- comparing

  /** The comparator, or null for the natural order. */
  @Nullable Comparator<@Nullable Object> comparator() {
    return comparator;
  }

  /** The comparator of the other direction. */
  Comparator<@Nullable Object> reversed() {
    return Collections.reverseOrder(comparator);
  }

  /** Compares a key with one that is stored in a cell. */
  int compare(@Nullable Object key, long object, int offset) {
    return switch (kind) {
      case NATURAL, NATURAL_COMPARATOR -> codec.compare(key, object, offset);
      case REVERSE -> Integer.compare(0, codec.compare(key, object, offset));
      default -> compareBy(codec.twin(key), codec.readCell(object, offset));
    };
  }

  /** Compares two keys. */
  int compare(@Nullable Object one, @Nullable Object other) {
    if (kind >= CASE_INSENSITIVE) {
      return compareBy(codec.twin(one), codec.twin(other));
    }
    int natural = codec.compare(one, other);
    return kind == REVERSE ? Integer.compare(0, natural) : natural;
  }

  /**
   * Checks a key that there is none to compare with, as the JDK's sorted collections do.
   *
   * @throws NullPointerException if it is null and the order is the natural one
   * @throws ClassCastException if it does not fit the natural order
   */
  void checkQuery(@Nullable Object key) {
    if (kind != IN_CELL && kind != CASE_INSENSITIVE) {
      naturally(key, key);
    }
  }

  /** Checks the first key of a collection, or an end of a range, by comparing it with itself. */
  void checkKey(@Nullable Object key) {
    compare(key, key);
  }

  private int compareBy(@Nullable Object one, @Nullable Object other) {
    return Objects.requireNonNull(comparator).compare(one, other);
  }

  /**
   * Compares two keys in their natural order. The method of a persistent object is preferred: it
   * reads the fields of a persistent and of a plain object, while a plain object's may read fields
   * of the persistent one that have nothing in them.
   */
  @SuppressWarnings("unchecked") // compareTo checks the class of its argument
  static int naturally(@Nullable Object one, @Nullable Object other) {
    Objects.requireNonNull(one, "null has no place in the natural order");
    Objects.requireNonNull(other, "null has no place in the natural order");
    if (other instanceof PersistentObject && !(one instanceof PersistentObject)) {
      return Integer.compare(0, ((Comparable<Object>) other).compareTo(one));
    }
    return ((Comparable<Object>) one).compareTo(other);
  }
}
