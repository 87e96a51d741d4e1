package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.RemovedConstantException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The constants of an enum and their numbers in one store. Immutable. */
@SuppressWarnings("EnumOrdinal") // ordinals index arrays in memory; the store has numbers
public final class EnumNumbers {
  private static final int NONE = -1;

  private final EnumType type;
  private final @Nullable Enum<?>[] byNumber;
  private final int[] byOrdinal;
  private final int[] hashes;
  private final @Nullable Provisional until;

  /**
   * Numbers the constants.
   *
   * @param firstName returns the first name of a constant, by its number
   * @param until how long the numbers stand, if the store lacks a constant
   */
  EnumNumbers(Class<?> enumClass, EnumType type, IntFunction<String> firstName, Provisional until) {
    this.type = type;
    Enum<?>[] constants = (Enum<?>[]) enumClass.getEnumConstants();
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < type.constants().size(); i++) {
      numbers.put(type.constants().get(i), i);
    }
    byNumber = new @Nullable Enum<?>[type.constants().size()];
    byOrdinal = new int[constants.length];
    hashes = new int[constants.length];
    boolean complete = true;
    for (Enum<?> constant : constants) {
      Integer number = numbers.get(constant.name());
      if (number != null) {
        byNumber[number] = constant;
      }
      byOrdinal[constant.ordinal()] = number == null ? NONE : number;
      hashes[constant.ordinal()] =
          (number == null ? constant.name() : firstName.apply(number)).hashCode();
      complete &= number != null;
    }
    this.until = complete ? null : until;
  }

  /** Returns true if the store has a number of each constant, now and for ever. */
  public boolean isComplete() {
    return until == null;
  }

  boolean stands() {
    return Provisional.stands(until);
  }

  /** Returns the id of the enum's entry in the catalogue, which cells hold. */
  public int typeId() {
    return type.id();
  }

  /**
   * Returns the hash code of a constant's first name, which stays the same when the constant is
   * renamed.
   */
  public int hash(Enum<?> constant) {
    return hashes[constant.ordinal()];
  }

  /**
   * Compares constants by their numbers, in the order in which the store came to know them. The
   * order does not change when the class declares another one. Constants without a number come
   * last.
   */
  public int compare(Enum<?> one, Enum<?> other) {
    int first = byOrdinal[one.ordinal()];
    int second = byOrdinal[other.ordinal()];
    return first == NONE && second == NONE
        ? Integer.compare(one.ordinal(), other.ordinal())
        : Integer.compareUnsigned(first, second);
  }

  /**
   * Returns the number of a constant, 0 or more, to be written.
   *
   * @throws IllegalStateException if the store lacks the constant, and was read-only when it was
   *     asked for
   */
  public int number(Enum<?> constant) {
    int number = byOrdinal[constant.ordinal()];
    if (number == NONE) {
      throw new IllegalStateException(
          "%s.%s has no number in this store, so it cannot be written"
              .formatted(type.className(), constant.name()));
    }
    return number;
  }

  /** Returns what a slot of its own holds for a constant: its number plus one, or 0 for null. */
  public int inSlot(@Nullable Enum<?> constant) {
    return constant == null ? 0 : number(constant) + 1;
  }

  /**
   * Returns the constant, or null, for what {@link #inSlot} returned.
   *
   * @throws StoreDamagedException if no constant has the number
   * @throws ClassRefusedException if the constant was removed from the enum
   */
  public @Nullable Enum<?> ofSlot(int slot) {
    return slot == 0 ? null : constant(slot - 1L);
  }

  /**
   * Returns the constant of a number.
   *
   * @throws StoreDamagedException if no constant has the number
   * @throws ClassRefusedException if the constant was removed from the enum
   */
  public Enum<?> constant(long number) {
    if (number < 0 || number >= byNumber.length) {
      throw new StoreDamagedException(
          "found constant number %s of enum %s, expected 0 to %s; restore the store from a backup"
              .formatted(number, type, (byNumber.length - 1)));
    }
    Enum<?> constant = byNumber[(int) number];
    if (constant == null) {
      throw new RemovedConstantException(type, type.constants().get((int) number));
    }
    return constant;
  }
}
