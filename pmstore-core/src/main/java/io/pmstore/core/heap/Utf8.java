package io.pmstore.core.heap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.NotPersistableException;

/** The bytes of the texts and names that are kept as UTF-8. */
public final class Utf8 {
  private Utf8() {}

  /**
   * Returns the bytes of a text.
   *
   * @param holder what has the text
   * @param remedy what to do if the text is refused
   * @throws NotPersistableException if a surrogate in the text has no other half: UTF-8 has no
   *     bytes for it
   */
  public static byte[] bytes(String text, String holder, String remedy) {
    int next;
    for (int i = 0; i < text.length(); i = next) {
      int character = text.codePointAt(i);
      next = i + Character.charCount(character);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        throw new NotPersistableException(
            "a %s has half of a surrogate pair, \\u%04x, at character %d of its text, which is no Unicode; %s"
                .formatted(holder, character, i, remedy));
      }
    }
    return text.getBytes(UTF_8);
  }
}
