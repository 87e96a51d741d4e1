package io.pmstore.proxy.schema;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.EnumType;
import java.util.HashMap;
import java.util.Map;

/** The constants of an enum and their numbers in one store. Immutable. */
@SuppressWarnings("EnumOrdinal") // the index of an array in memory; what is stored is the number
public final class EnumNumbers {
  private static final int NONE = -1;

  private final EnumType type;
  private final Enum<?>[] byNumber;
  private final int[] byOrdinal;

  EnumNumbers(Class<?> enumClass, EnumType type) {
    this.type = type;
    Enum<?>[] constants = (Enum<?>[]) enumClass.getEnumConstants();
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < type.constants().size(); i++) {
      numbers.put(type.constants().get(i), i);
    }
    byNumber = new Enum<?>[numbers.size()];
    byOrdinal = new int[constants.length];
    for (Enum<?> constant : constants) {
      Integer number = numbers.get(constant.name());
      if (number != null) {
        byNumber[number] = constant;
      }
      byOrdinal[constant.ordinal()] = number == null ? NONE : number;
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
   * The constant of a number.
   *
   * @param number what {@link #number} returned
   * @return the constant
   * @throws StoreDamagedException if no constant has the number
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
    return byNumber[(int) number];
  }
}
