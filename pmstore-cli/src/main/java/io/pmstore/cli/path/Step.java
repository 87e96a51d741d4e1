package io.pmstore.cli.path;

import java.util.ArrayList;
import java.util.List;

/**
 * One step of a path.
 *
 * <pre>
 *   path  =  root step ...  |  @address step ...
 *   step  =  .property  |  [index or key]  |  [#position]  |  [@address of a key]
 * </pre>
 *
 * <p>A root, property or key with other characters than letters, digits, {@code _ - $ : + /} (and
 * the dot in a key) is written in double quotes, with {@code \} before a quote or a backslash.
 *
 * @param kind what it does
 * @param text the name, key or number
 */
record Step(Kind kind, String text) {
  enum Kind {
    /** A named root; the first step only. */
    ROOT,
    /** The object at an address; the first step, or a key. */
    ADDRESS,
    PROPERTY,
    /** An index or key. */
    KEY,
    /** A position in the order of an iteration. */
    POSITION
  }

  static List<Step> parse(String path) {
    return new Parser(path).steps();
  }

  /** Returns a name or key as a path has it: in quotes if it needs them. */
  static String written(String text, boolean isKey) {
    if (!text.isEmpty() && text.chars().allMatch(c -> isPlain((char) c, isKey))) {
      return text;
    }
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static boolean isPlain(char c, boolean isKey) {
    return Character.isLetterOrDigit(c) || "_-$:+/".indexOf(c) >= 0 || (isKey && c == '.');
  }

  private static final class Parser {
    private final String path;
    private int at;

    Parser(String path) {
      this.path = path;
    }

    List<Step> steps() {
      List<Step> steps = new ArrayList<>();
      if (path.isEmpty()) {
        throw fault("the name of a root, or @ and an address");
      }
      steps.add(
          path.charAt(0) == '@'
              ? new Step(Kind.ADDRESS, address())
              : new Step(Kind.ROOT, text(false, "the name of a root")));
      while (at < path.length()) {
        char c = path.charAt(at++);
        if (c == '.') {
          steps.add(new Step(Kind.PROPERTY, text(false, "the name of a property")));
        } else if (c == '[') {
          steps.add(key());
          if (at == path.length() || path.charAt(at) != ']') {
            throw fault("]");
          }
          at++;
        } else {
          at--;
          throw fault(". or [");
        }
      }
      return steps;
    }

    private Step key() {
      if (at < path.length() && path.charAt(at) == '@') {
        return new Step(Kind.ADDRESS, address());
      }
      if (at < path.length() && path.charAt(at) == '#') {
        at++;
        return new Step(Kind.POSITION, text(true, "a number"));
      }
      return new Step(Kind.KEY, text(true, "an index or a key"));
    }

    private String address() {
      int start = ++at;
      String address = text(true, "an address");
      try {
        Object _ = Long.decode(address);
      } catch (NumberFormatException e) {
        at = start;
        throw fault("an address, which is a number");
      }
      return address;
    }

    private String text(boolean isKey, String expected) {
      if (at < path.length() && path.charAt(at) == '"') {
        return quoted();
      }
      int start = at;
      while (at < path.length() && isPlain(path.charAt(at), isKey)) {
        at++;
      }
      if (at == start) {
        throw fault(expected);
      }
      return path.substring(start, at);
    }

    private String quoted() {
      StringBuilder text = new StringBuilder();
      for (at++; at < path.length(); at++) {
        char c = path.charAt(at);
        if (c == '"') {
          at++;
          return text.toString();
        }
        if (c == '\\' && at + 1 < path.length()) {
          c = path.charAt(++at);
        }
        text.append(c);
      }
      throw fault("a closing quote");
    }

    private PathSyntaxException fault(String expected) {
      return new PathSyntaxException(
          "%s: found %s at character %d of the path, expected %s; a path looks like exchange.orders[17].price, with odd names in double quotes"
              .formatted(
                  path,
                  at < path.length() ? "'" + path.charAt(at) + "'" : "the end",
                  at + 1,
                  expected));
    }
  }
}
