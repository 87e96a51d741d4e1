package io.pmstore.enhance.corpus;

/**
 * What became of a class.
 *
 * @param kind what, in a word
 * @param text why
 */
record Outcome(Kind kind, String text) {
  /** The kinds. */
  enum Kind {
    WORKS("works"),
    REFUSED("refused, with the reason"),
    FAILS("throws what the plain object does not"),
    OTHERWISE("does otherwise, as documented"),
    WRONG("wrong in silence"),
    UNTRIED("nothing could be tried");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  static Outcome of(Kind kind, String text) {
    return new Outcome(kind, text);
  }
}
