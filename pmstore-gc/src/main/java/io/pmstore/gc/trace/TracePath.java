package io.pmstore.gc.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The path from a root to an object, as the names of its steps. Of a long path it keeps only the
 * first and the last steps. Immutable.
 */
public final class TracePath {
  /** Stands for a step inside a collection, or to the body of a moved object. */
  static final String NODE = "[node]";

  private static final int ENDS = 6;
  private static final String ARROW = " -> ";

  private final long length;
  // These overlap if the path is short.
  private final List<String> first;
  private final List<String> last;

  private TracePath(long length, List<String> first, List<String> last) {
    this.length = length;
    this.first = first;
    this.last = last;
  }

  /** Returns a path of one step, which has the name of a starting point. */
  public static TracePath of(String start) {
    return new TracePath(1, List.of(start), List.of(start));
  }

  /** Returns this path extended by further steps. */
  TracePath then(int steps, IntFunction<String> names) {
    long longer = length + steps;
    List<String> head = new ArrayList<>();
    for (long i = 0; i < Math.min(ENDS, longer); i++) {
      head.add(step(i, names));
    }
    List<String> tail = new ArrayList<>();
    for (long i = Math.max(0, longer - ENDS); i < longer; i++) {
      tail.add(step(i, names));
    }
    return new TracePath(longer, head, tail);
  }

  private String step(long index, IntFunction<String> further) {
    if (index >= length) {
      return further.apply((int) (index - length));
    }
    return index < first.size()
        ? first.get((int) index)
        : last.get((int) (index - (length - last.size())));
  }

  /** Returns the steps with arrows between them; adjacent steps inside a collection become one. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    String before = "";
    long kept = length > 2 * ENDS ? length - ENDS : 0;
    for (long i = 0; i < length; i++) {
      if (i == ENDS && kept != 0) {
        text.append(ARROW).append("(").append(kept - ENDS).append(" more)");
        i = kept;
        before = "";
      }
      String step = step(i, n -> "");
      if (!(step.equals(NODE) && before.equals(NODE))) {
        text.append(i == 0 ? "" : ARROW).append(step);
      }
      before = step;
    }
    return text.toString();
  }
}
