package io.pmstore.proxy.generic;

import io.pmstore.core.catalogue.EnumType;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A constant of an enum. Immutable.
 *
 * <p>A constant may be the comparator of a sorted collection, which this program cannot use: see
 * {@link #compare}.
 *
 * @param type the newest entry of its enum
 * @param number its number there
 * @param typeId the id of the entry that the store names for this constant
 * @param firstName the first name that the constant had
 */
@SuppressWarnings({"UnusedVariable", "ComparableAndComparator"}) // it only stands for a comparator
public record GenericEnum(EnumType type, int number, int typeId, String firstName)
    implements Comparable<GenericEnum>, Comparator<@Nullable Object> {

  /** Returns its name today. */
  public String name() {
    return type.constants().get(number);
  }

  /** Orders constants of an enum as the store came to know them. */
  @Override
  public int compareTo(GenericEnum other) {
    if (!type.equals(other.type)) {
      throw new ClassCastException(this + " and " + other + " are of different enums");
    }
    return Integer.compare(number, other.number);
  }

  /** Throws {@link UnsupportedOperationException}: only its class can compare. */
  @Override
  public int compare(@Nullable Object one, @Nullable Object other) {
    return GenericComparator.unknown(toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GenericEnum constant
        && constant.number == number
        && constant.type.equals(type);
  }

  @Override
  public int hashCode() {
    return firstName.hashCode();
  }

  @Override
  public String toString() {
    return type.className() + "." + name();
  }
}
