package io.pmstore.proxy.value;

import io.pmstore.StoreDamagedException;
import java.net.URI;
import java.util.Currency;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values that are kept as a text. The codes are part of the format. */
enum TextCells {
  URI(1),
  LOCALE(2),
  CURRENCY(3);

  final int code;

  TextCells(int code) {
    this.code = code;
  }

  /** The kind of a value; null if it is not kept as a text. */
  static @Nullable TextCells of(Object value) {
    return switch (value) {
      case URI _ -> URI;
      // Others have parts that no language tag can say.
      case Locale locale when Locale.forLanguageTag(locale.toLanguageTag()).equals(locale) ->
          LOCALE;
      case Currency _ -> CURRENCY;
      default -> null;
    };
  }

  /** The text of a value. */
  static String text(Object value) {
    return value instanceof Locale locale ? locale.toLanguageTag() : value.toString();
  }

  /** The value of a text. */
  static Object value(int code, String text) {
    for (TextCells kind : values()) {
      if (kind.code == code) {
        return switch (kind) {
          case URI -> java.net.URI.create(text);
          case LOCALE -> Locale.forLanguageTag(text);
          case CURRENCY -> Currency.getInstance(text);
        };
      }
    }
    throw new StoreDamagedException(
        "a cell holds a text of kind "
            + code
            + ", which this program does not know; restore the store from a backup, or open it"
            + " with the program that wrote it");
  }
}
