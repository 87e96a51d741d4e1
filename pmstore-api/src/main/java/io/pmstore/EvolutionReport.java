package io.pmstore;

import java.util.ArrayList;
import java.util.List;

/**
 * How a store fits the program's classes: the result of {@link PmStore#dryRun}. Immutable.
 *
 * <p>A test with this report fails on a change of a class that has no mapping, before the change is
 * released:
 *
 * <pre>{@code
 * @Test
 * void yesterdaysStoresOpen() {
 *   PmStore.dryRun(Path.of("src/test/resources/store-1.0"), Exchange.class).assertCompatible();
 * }
 * }</pre>
 *
 * @param classes the classes that were given, and those that they refer to, in the order of their
 *     names
 * @param unseen the names of the other classes that the store has; the report does not examine
 *     them. Give these classes too. If they no longer exist, make sure that nothing refers to their
 *     objects
 */
public record EvolutionReport(List<ClassChange> classes, List<String> unseen) {
  /** Copies the lists. */
  public EvolutionReport {
    classes = List.copyOf(classes);
    unseen = List.copyOf(unseen);
  }

  /** The store's treatment of a class. */
  public enum Verdict {
    /** The store has the class in its present form. */
    UNCHANGED,
    /** The store does not have the class yet. */
    NEW,
    /** The class has changed, and the store reads its old objects in the present form. */
    CHANGED,
    /** The store refuses the class until the program gives migration functions. */
    NEEDS_MIGRATION,
    /** The store refuses the class. */
    REFUSED
  }

  /** The store's treatment of a property, a record's component or an enum's constant. */
  public enum Kind {
    /** It has not changed. */
    KEPT(" "),
    /** It is new. */
    ADDED("+"),
    /** It was removed, as {@link Removed} confirms. */
    REMOVED("-"),
    /** It has another name, as {@link FormerNames} says, or a type that was renamed. */
    RENAMED("~"),
    /** It has another type, to which all values of the old type can be converted. */
    CONVERTED("~"),
    /** A migration function computes its values. */
    MIGRATED("~"),
    /** The store refuses it: a migration function has to compute its values. */
    NEEDS_MIGRATION("!"),
    /**
     * The store refuses it: it was removed without {@link Removed}, or its former names are
     * ambiguous.
     */
    REFUSED("!");

    private final String mark;

    Kind(String mark) {
      this.mark = mark;
    }
  }

  /**
   * One property, component or constant. Immutable.
   *
   * @param kind the store's treatment of it
   * @param before its type and name in the store; empty if it is new
   * @param after its type and name in the class; empty if it was removed
   */
  public record PropertyChange(Kind kind, String before, String after) {}

  /**
   * One class. Immutable.
   *
   * @param className the binary name of the class
   * @param storedName the name under which the store has the class; empty if it is new
   * @param verdict the store's treatment of the class
   * @param properties its properties: those of the present class in the order of their names, then
   *     those that were removed
   * @param message why the store refuses the class, and what to do; empty if it does not
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
     * Returns the properties before and after, side by side. Each line begins with {@code +} if the
     * property is added, {@code -} if it is removed, {@code ~} if it is changed, {@code !} if it is
     * refused.
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
   * Returns true if the store refuses none of the classes.
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
   * Throws if the store refuses one of the classes.
   *
   * @throws AssertionError if {@link #isCompatible} is false; its message is the whole report
   */
  public void assertCompatible() {
    if (!isCompatible()) {
      throw new AssertionError("the store does not fit these classes\n" + this);
    }
  }

  /**
   * Returns the report as text: each class with its verdict, and its properties before and after if
   * it has changed.
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
