package io.pmstore.enhance.corpus;

import io.pmstore.enhance.corpus.Outcome.Kind;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of all classes, as text. */
final class Report {
  private final Map<Unit, Map<String, Outcome>> outcomes;
  private final long seed;

  Report(Map<Unit, Map<String, Outcome>> outcomes, long seed) {
    this.outcomes = outcomes;
    this.seed = seed;
  }

  /** Returns how many classes of each kind there are. */
  static Map<Kind, Integer> counts(Collection<Outcome> outcomes) {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    outcomes.forEach(outcome -> counts.merge(outcome.kind(), 1, Integer::sum));
    return counts;
  }

  private List<Outcome> all() {
    return outcomes.values().stream().flatMap(found -> found.values().stream()).toList();
  }

  /** Returns the share of classes that work, of those that could be tried. */
  double share() {
    Map<Kind, Integer> counts = counts(all());
    int tried = all().size() - counts.getOrDefault(Kind.UNTRIED, 0);
    return (double) counts.getOrDefault(Kind.WORKS, 0) / tried;
  }

  /** Returns the classes that do something else than they did, or fail where they did not. */
  List<String> faults() {
    return outcomes.values().stream()
        .flatMap(found -> found.entrySet().stream())
        .filter(one -> one.getValue().kind() == Kind.WRONG || one.getValue().kind() == Kind.FAILS)
        .map(one -> one.getKey() + ": " + one.getValue().text())
        .toList();
  }

  /** Returns the tables: by kind, by unit, and the reasons. */
  String table() {
    StringBuilder text = new StringBuilder();
    Map<Kind, Integer> counts = counts(all());
    text.append("Seed %d.\n\n| classes | |\n|---|---|\n".formatted(seed));
    counts.forEach((kind, count) -> text.append("| %,d | %s |\n".formatted(count, kind.words)));
    text.append("| %,d | in all |\n".formatted(all().size()));
    text.append(
        "\n"
            + "| jar | works | refused | fails | otherwise | wrong | not tried |\n"
            + "|---|---|---|---|---|---|---|\n");
    outcomes.forEach(
        (unit, found) -> {
          text.append("| ").append(unit.coordinates());
          Map<Kind, Integer> own = counts(found.values());
          for (Kind kind : Kind.values()) {
            text.append(" | ").append(own.containsKey(kind) ? own.get(kind).toString() : "");
          }
          text.append(" |\n");
        });
    for (Kind kind : Kind.values()) {
      if (kind != Kind.WORKS && counts.containsKey(kind)) {
        text.append(
            "\n%s:\n\n| classes | reason | for instance |\n|---|---|---|\n".formatted(kind.words));
        reasons(kind)
            .forEach(
                (reason, names) ->
                    text.append(
                        "| %d | %s | %s |\n".formatted(names.size(), reason, names.getFirst())));
      }
    }
    return text.toString();
  }

  private Map<String, List<String>> reasons(Kind kind) {
    Map<String, List<String>> reasons = new TreeMap<>();
    for (Map<String, Outcome> found : outcomes.values()) {
      found.forEach(
          (name, outcome) -> {
            if (outcome.kind() == kind) {
              reasons
                  .computeIfAbsent(reason(outcome.text()), key -> new java.util.ArrayList<>())
                  .add("`" + name + "`");
            }
          });
    }
    return reasons;
  }

  /** Shortens a text to what it says of many classes. */
  private static String reason(String text) {
    String line = text.replaceAll("\\R", " ").replace("|", "/");
    return line.length() > 400 ? line.substring(0, 400) + "..." : line;
  }

  /** Returns a line for each class. */
  String classes() {
    StringBuilder text = new StringBuilder();
    outcomes.forEach(
        (unit, found) ->
            found.forEach(
                (name, outcome) ->
                    text.append(
                        "%s %s %s %s\n"
                            .formatted(
                                outcome.kind(),
                                unit.artifact(),
                                name,
                                outcome.text().replaceAll("\\R", " ")))));
    return text.toString();
  }
}
