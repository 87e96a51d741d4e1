package io.pmstore.proxy.value;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The flags of regular expressions. {@link Pattern#flags} does not return those that a pattern was
 * compiled with, but those at its end: {@code (?i)} outside of a group changes them from there on.
 */
final class PatternFlags {
  private static final Pattern AT_START = Pattern.compile("(\\(\\?[A-Za-z-]+\\))*");

  // All that an expression can set, but for COMMENTS, which hides parts of the expression.
  private static final int INLINE =
      Pattern.CASE_INSENSITIVE
          | Pattern.MULTILINE
          | Pattern.DOTALL
          | Pattern.UNICODE_CASE
          | Pattern.UNIX_LINES
          | Pattern.UNICODE_CHARACTER_CLASS;

  private PatternFlags() {}

  /**
   * Returns true if a pattern that is compiled with the flags of this one is the same: no part of
   * the expression but its start changes them.
   */
  static boolean areFromItsStart(Pattern pattern) {
    int flags = pattern.flags();
    if ((flags & Pattern.LITERAL) != 0 || !pattern.pattern().contains("(?")) {
      return true;
    }
    var start = AT_START.matcher(pattern.pattern());
    String rest = pattern.pattern().substring(start.lookingAt() ? start.end() : 0);
    int comments = flags & Pattern.COMMENTS;
    return isKept(rest, comments)
        && isKept(rest, comments | INLINE)
        && (comments == 0 || !setsComments(rest));
  }

  private static boolean isKept(String expression, int flags) {
    try {
      return Pattern.compile(expression, flags).flags() == flags;
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  private static boolean setsComments(String expression) {
    try {
      return (Pattern.compile(expression).flags() & Pattern.COMMENTS) != 0;
    } catch (PatternSyntaxException e) {
      return false; // only comments make it an expression
    }
  }
}
