package io.pmstore.proxy.bean;

/**
 * The mark in a persistent object's own fields of type {@code String} where code may read them past
 * the store: in a constructor or static method that was accepted because no code nearby calls it
 * with persistent objects. A caller from another code source then sees the mark, and no store
 * accepts it.
 */
public final class DeadText {
  /** The text; told from an equal one by its identity. */
  public static final String MARK =
      String.valueOf(
          "(read from a field of a persistent object, where nothing is kept: use an accessor)"
              .toCharArray());

  private DeadText() {}

  /** Returns true for the mark, false for a text that equals it. */
  @SuppressWarnings("ReferenceEquality") // a user may have the same text
  public static boolean isMark(String text) {
    return text == MARK;
  }
}
