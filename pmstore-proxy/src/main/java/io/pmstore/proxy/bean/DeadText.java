package io.pmstore.proxy.bean;

/**
 * What a persistent object's own fields of type {@code String} hold where code may read them past
 * the store: a constructor or static method that was accepted because nobody near calls it with
 * persistent objects. A caller from elsewhere then sees what went wrong, and no store keeps it.
 */
public final class DeadText {
  /** The text; told from an equal one by its identity. */
  public static final String MARK =
      String.valueOf(
          "(read from a field of a persistent object, where nothing is kept: use an accessor)"
              .toCharArray());

  private DeadText() {}

  /**
   * Says whether a value was read from such a field.
   *
   * @param text any text
   * @return true for the mark, false for others that equal it
   */
  @SuppressWarnings("ReferenceEquality") // a user may have the same text
  public static boolean isMark(String text) {
    return text == MARK;
  }
}
