package io.pmstore;

import java.util.ArrayList;
import java.util.List;

/**
 * What a store would make of today's classes: the result of {@link PmStore#dryRun}. Immutable.
 *
 * <p>A test can so fail on a change of a class that no store could follow, before it is released:
 *
 * <pre>{@code
 * @Test
 * void yesterdaysStoresOpen() {
 *   PmStore.dryRun(Path.of("src/test/resources/store-1.0"), Exchange.class).assertCompatible();
 * }
 * }</pre>
 *
 * @param classes the classes that were given, and those that they refer to, by name
 * @param unseen the names of the classes that the store has and that are not among these: what
 *     becomes of their objects was not looked at. Give the classes too, or, if they are gone, make
 *     sure that nothing refers to their objects
 */
public record EvolutionReport(List<ClassChange> classes, List<String> unseen) {
  /** Copies the lists. */
  public EvolutionReport {
    classes = List.copyOf(classes);
    unseen = List.copyOf(unseen);
  }

  /** What becomes of a class. */
  public enum Verdict {
    /** The store has the class as it is. */
    UNCHANGED,
    /** The store does not have the class yet. */
    NEW,
    /** The class has changed, and its objects can be read as of today's class. */
    CHANGED,
    /** The class is refused until migration functions are given. */
    NEEDS_MIGRATION,
    /** The class is refused. */
    REFUSED
  }

  /** What becomes of a property, a record's component or an enum's constant. */
  public enum Kind {
    /** It is what it was. */
    KEPT(" "),
    /** It is new. */
    ADDED("+"),
    /** It is gone, as {@link Removed} confirms. */
    REMOVED("-"),
    /** It has another name, as {@link FormerNames} says, or a type that was renamed. */
    RENAMED("~"),
    /** It has another type, which all values of the old one fit. */
    CONVERTED("~"),
    /** A migration function that was given makes its values. */
    MIGRATED("~"),
    /** It is refused: a migration function has to make its values. */
    NEEDS_MIGRATION("!"),
    /** It is refused: it is gone and nothing confirms it, or its former names are ambiguous. */
    REFUSED("!");

    private final String mark;

    Kind(String mark) {
      this.mark = mark;
    }
  }

  /**
   * One property, component or constant.
   *
   * @param kind what becomes of it
   * @param before its type and name in the store; empty if it is new
   * @param after its type and name in the class; empty if it is gone
   */
  public record PropertyChange(Kind kind, String before, String after) {}

  /**
   * One class.
   *
   * @param className its binary name
   * @param storedName the name that the store has it under; empty if it is new
   * @param verdict what becomes of it
   * @param properties its properties: those of today's class by name, then those that are gone
   * @param message if the class is refused, why, and what to do; otherwise empty
   */
  public record ClassChange(
      String className,
      String storedName,
      Verdict verdict,
      List<PropertyChange> properties,
      String message) {
    /** Copies the list. */
    public ClassChange {
      properties = List.copyOf(properties);
    }

    /**
     * The properties before and after, side by side. In front of each is {@code +} if it is added,
     * {@code -} if it is removed, {@code ~} if it is changed, {@code !} if it is refused.
     *
     * @return several lines, the last one without a line feed
     */
    public String sideBySide() {
      String head = "in the store";
      int width = head.length();
      for (PropertyChange property : properties) {
        width = Math.max(width, property.before().length());
      }
      List<String> lines = new ArrayList<>();
      lines.add(line(" ", head, width, "in the class"));
      for (PropertyChange property : properties) {
        lines.add(line(property.kind().mark, property.before(), width, property.after()));
      }
      return String.join("\n", lines);
    }

    private static String line(String mark, String before, int width, String after) {
      String padded = before + " ".repeat(width - before.length());
      return ("    " + mark + " " + padded + " | " + after).stripTrailing();
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(String.valueOf(verdict)).append(' ').append(className);
      if (!storedName.isEmpty() && !storedName.equals(className)) {
        text.append(", in the store ").append(storedName);
      }
      if (!message.isEmpty()) {
        return text.append("\n  ").append(message.replace("\n", "\n  ")).toString();
      }
      if (verdict == Verdict.CHANGED) {
        text.append('\n').append(sideBySide());
      }
      return text.toString();
    }
  }

  /**
   * Says whether none of the classes is refused.
   *
   * @return true if a program with these classes can use the store
   */
  public boolean isCompatible() {
    return classes.stream()
        .allMatch(
            change ->
                change.verdict() != Verdict.REFUSED && change.verdict() != Verdict.NEEDS_MIGRATION);
  }

  /**
   * Fails if one of the classes is refused, as an assertion of a test does.
   *
   * @throws AssertionError if so, with the whole report as its message
   */
  public void assertCompatible() {
    if (!isCompatible()) {
      throw new AssertionError("the store does not fit these classes\n" + this);
    }
  }

  /**
   * A table to be read: each class with its verdict, and its properties before and after if it has
   * changed.
   *
   * @return several lines, the last one without a line feed
   */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    classes.forEach(change -> lines.add(change.toString()));
    if (!unseen.isEmpty()) {
      lines.add("in the store, but neither given nor reachable from what was given:");
      unseen.forEach(name -> lines.add("  " + name));
    }
    return String.join("\n", lines);
  }
}
