package io.pmstore.proxy.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.NotPersistableException;

/** The bytes of the texts that values are kept as. */
public final class Utf8 {
  private Utf8() {}

  /**
   * Returns the bytes of a text.
   *
   * @param type the class of the value that has the text
   * @throws NotPersistableException if a surrogate in the text has no other half: UTF-8 has no
   *     bytes for it
   */
  public static byte[] bytes(String text, Class<?> type) {
    int next;
    for (int i = 0; i < text.length(); i = next) {
      int character = text.codePointAt(i);
      next = i + Character.charCount(character);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        throw new NotPersistableException(
            "a %s has half of a surrogate pair, \\u%04x, at character %d of its text, which is no Unicode; keep the text as a String, which may have it"
                .formatted(type.getName(), character, i));
      }
    }
    return text.getBytes(UTF_8);
  }
}
