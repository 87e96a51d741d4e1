package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.EnumType;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The constants of an enum and their numbers in one store. Immutable. */
@SuppressWarnings("EnumOrdinal") // the index of an array in memory; what is stored is the number
public final class EnumNumbers {
  private static final int NONE = -1;

  private final EnumType type;
  private final @Nullable Enum<?>[] byNumber;
  private final int[] byOrdinal;
  private final int[] hashes;

  /**
   * Numbers the constants.
   *
   * @param firstName gives the name that a constant had first, by its number
   */
  EnumNumbers(Class<?> enumClass, EnumType type, IntFunction<String> firstName) {
    this.type = type;
    Enum<?>[] constants = (Enum<?>[]) enumClass.getEnumConstants();
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < type.constants().size(); i++) {
      numbers.put(type.constants().get(i), i);
    }
    byNumber = new @Nullable Enum<?>[type.constants().size()];
    byOrdinal = new int[constants.length];
    hashes = new int[constants.length];
    for (Enum<?> constant : constants) {
      Integer number = numbers.get(constant.name());
      if (number != null) {
        byNumber[number] = constant;
      }
      byOrdinal[constant.ordinal()] = number == null ? NONE : number;
      hashes[constant.ordinal()] =
          (number == null ? constant.name() : firstName.apply(number)).hashCode();
    }
  }

  /**
   * What cells name the enum by.
   *
   * @return the id of its entry in the catalogue
   */
  public int typeId() {
    return type.id();
  }

  /**
   * A hash code of a constant that stays the same when it is renamed.
   *
   * @param constant a constant of this enum
   * @return the hash code of the name that it had first
   */
  public int hash(Enum<?> constant) {
    return hashes[constant.ordinal()];
  }

  /**
   * Compares constants by their numbers: in the order in which the store came to know them, which
   * stays when the class declares another one.
   *
   * @param one a constant of this enum
   * @param other a constant of this enum
   * @return less than, equal to or greater than 0; those without a number come last
   */
  public int compare(Enum<?> one, Enum<?> other) {
    int first = number(one);
    int second = number(other);
    return first == NONE && second == NONE
        ? Integer.compare(one.ordinal(), other.ordinal())
        : Integer.compareUnsigned(first, second);
  }

  /**
   * The number of a constant.
   *
   * @param constant a constant of this enum
   * @return its number, 0 or more; -1, which nothing in the store has, if the store is open for
   *     reading only and does not know the constant
   */
  public int number(Enum<?> constant) {
    return byOrdinal[constant.ordinal()];
  }

  /**
   * What a slot of its own holds for a constant.
   *
   * @param constant a constant of this enum, or null
   * @return its number plus one; 0 for null
   */
  public int inSlot(@Nullable Enum<?> constant) {
    return constant == null ? 0 : number(constant) + 1;
  }

  /**
   * The constant that a slot of its own holds.
   *
   * @param slot what {@link #inSlot} returned
   * @return the constant, or null
   * @throws StoreDamagedException if no constant has the number
   * @throws ClassRefusedException if the constant that had it was removed from the enum
   */
  public @Nullable Enum<?> ofSlot(int slot) {
    return slot == 0 ? null : constant(slot - 1L);
  }

  /**
   * The constant of a number.
   *
   * @param number what {@link #number} returned
   * @return the constant
   * @throws StoreDamagedException if no constant has the number
   * @throws ClassRefusedException if the constant that had it was removed from the enum
   */
  public Enum<?> constant(long number) {
    if (number < 0 || number >= byNumber.length) {
      throw new StoreDamagedException(
          "found constant number "
              + number
              + " of enum "
              + type
              + "; restore the store from a backup");
    }
    Enum<?> constant = byNumber[(int) number];
    if (constant == null) {
      throw new ClassRefusedException(
          "found constant %s of enum %s, which the enum no longer has: give the constant back, or, with a program that has it, give the objects another value before it is removed; or give the property another name, and a migration function that makes its value"
              .formatted(type.constants().get((int) number), type.className()));
    }
    return constant;
  }
}
