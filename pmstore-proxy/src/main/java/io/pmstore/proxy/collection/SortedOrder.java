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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The order of one sorted collection, and its encoding: a number, plus {@value #REVERSED} if the
 * order is reversed. With {@value #IN_CELL} a cell holds the comparator, with {@value #NAMED} its
 * name.
 *
 * <pre>
 *   0  natural, no comparator           1  Comparator.naturalOrder()     2  reverseOrder()
 *   3  String.CASE_INSENSITIVE_ORDER    4  the comparator in the cell
 *   5  the comparator whose name is in the cell: a class, #, and a static final field
 * </pre>
 *
 * <p>Comparisons run inside a transaction or a consistent read. They throw what the comparator or
 * the key's {@code compareTo} throws: {@link ClassCastException} for a key that does not fit the
 * order, {@link NullPointerException} for null if the order does not accept it.
 */
final class SortedOrder {
  private static final String NO_NULL =
      "null has no place in the natural order; leave it out, or use a comparator that accepts it";

  private static final int NATURAL = 0;
  private static final int NATURAL_COMPARATOR = 1;
  private static final int REVERSE = 2;
  private static final int CASE_INSENSITIVE = 3;
  private static final int IN_CELL = 4;
  private static final int NAMED = 5;
  private static final int REVERSED = 0x100;

  /**
   * The class that {@code Collections.reverseOrder} returns for a comparator that is not the JDK's.
   */
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
          case NAMED -> named(space, collection);
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

  private static Comparator<?> named(CollectionSpace space, long collection) {
    Object value = space.codec().readCell(collection, COMPARATOR);
    if (value instanceof String name && name.indexOf('#') > 0) {
      return space.codec().comparator(name);
    }
    throw new StoreDamagedException(
        "the sorted collection at heap address %d was made with a comparator that has a name, but has %s where the name is expected; restore the store from a backup"
            .formatted(collection, value == null ? "null" : "one of " + value.getClass()));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static @Nullable Comparator<@Nullable Object> untyped(
      @Nullable Comparator<?> comparator) {
    return (Comparator<@Nullable Object>) comparator;
  }

  /**
   * Returns true if the cell holds the comparator itself. {@code plain} reverses no other
   * comparator.
   */
  private static boolean isStored(Comparator<?> plain) {
    return plain instanceof Enum
        || plain instanceof PersistentObject
        || plain.getClass().isAnnotationPresent(Persistent.class);
  }

  /**
   * Checks that a comparator can be stored.
   *
   * @param what the comparator's name in the message
   * @param names returns the name of a comparator, or null
   * @throws NotPersistableException if it is neither one of the JDK's, nor an enum constant, nor an
   *     object of a persistent class, nor has a name
   */
  static void check(
      Object what,
      @Nullable Comparator<?> comparator,
      Function<? super Comparator<?>, @Nullable String> names) {
    if (comparator == null) {
      return;
    }
    Comparator<?> plain = isReversed(comparator) ? inner(comparator) : comparator;
    if (kind(plain) == IN_CELL && !isStored(plain) && names.apply(plain) == null) {
      throw new NotPersistableException(
          what
              + " is of class "
              + comparator.getClass().getName()
              + ", which another run could not find; hold it in a static final field of the class"
              + " of the keys or of the class that has the collection, as in static final"
              + " Comparator<Order> BY_PRICE = Comparator.comparing(Order::getPrice), and use that"
              + " field; or write it as an enum constant that implements Comparator, or as a class"
              + " annotated with @Persistent; or use the natural order, Comparator.reverseOrder()"
              + " or String.CASE_INSENSITIVE_ORDER");
    }
  }

  /** Writes the order of a new collection. {@link #check} must have accepted the comparator. */
  static void write(CollectionSpace space, long collection, @Nullable Comparator<?> comparator) {
    if (comparator == null) {
      return;
    }
    boolean reversed = isReversed(comparator);
    Comparator<?> plain = reversed ? inner(comparator) : comparator;
    int kind = kind(plain);
    Object inCell = plain;
    if (kind == IN_CELL && !isStored(plain)) {
      kind = NAMED;
      inCell = Objects.requireNonNull(space.codec().comparatorName(plain));
    }
    space.heap().putInt(collection, ORDER, reversed ? kind | REVERSED : kind);
    if (kind >= IN_CELL) {
      space.codec().writeCell(collection, COMPARATOR, inCell);
    }
  }

  private static boolean isReversed(Comparator<?> comparator) {
    return comparator.getClass() == REVERSING;
  }

  /** Returns the comparator that {@code reversing} reverses: reversing it again gives that one. */
  private static Comparator<?> inner(Comparator<?> reversing) {
    return Collections.reverseOrder(reversing);
  }

  // -- comparing

  /** Returns the comparator, or null for the natural order. */
  @Nullable Comparator<@Nullable Object> comparator() {
    return comparator;
  }

  /** Returns the comparator of the reverse direction. */
  Comparator<@Nullable Object> reversed() {
    return Collections.reverseOrder(comparator);
  }

  /** Compares a key with the one in a cell. */
  int compare(@Nullable Object key, long object, int offset) {
    return switch (kind) {
      case NATURAL, NATURAL_COMPARATOR -> codec.compare(key, object, offset);
      case REVERSE -> Integer.compare(0, codec.compare(key, object, offset));
      default -> compareBy(codec.twin(key), codec.readCell(object, offset));
    };
  }

  int compare(@Nullable Object one, @Nullable Object other) {
    if (kind >= CASE_INSENSITIVE) {
      return compareBy(codec.twin(one), codec.twin(other));
    }
    int natural = codec.compare(one, other);
    return kind == REVERSE ? Integer.compare(0, natural) : natural;
  }

  /**
   * Checks a key to look up in an empty collection, as the JDK's sorted collections do.
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
   * Compares two keys in their natural order. Prefers the method of a persistent object: it reads
   * the fields of a persistent and of a plain object correctly, while a plain object's method may
   * read the unused fields of a persistent one.
   */
  @SuppressWarnings("unchecked") // compareTo checks the class of its argument
  static int naturally(@Nullable Object one, @Nullable Object other) {
    Objects.requireNonNull(one, NO_NULL);
    Objects.requireNonNull(other, NO_NULL);
    if (other instanceof PersistentObject && !(one instanceof PersistentObject)) {
      return Integer.compare(0, ((Comparable<Object>) other).compareTo(one));
    }
    return ((Comparable<Object>) one).compareTo(other);
  }
}
