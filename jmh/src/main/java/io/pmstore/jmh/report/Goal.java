package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Something that is to be reached.
 *
 * @param what in words
 * @param durabilities any of which will do, the first that was measured counts
 * @param rival whose figure pmstore's is divided by; empty if it stands for itself
 * @param relation of the quotient to the bound
 * @param bound what is compared with
 */
record Goal(
    String what,
    String suite,
    String workload,
    String medium,
    List<String> durabilities,
    int threads,
    String metric,
    String rival,
    Relation relation,
    double bound) {
  private static final String US = "pmstore";

  /** How the figure has to be to the bound. */
  enum Relation {
    AT_LEAST("at least"),
    ABOVE("more than"),
    AT_MOST("at most");

    private final String words;

    Relation(String words) {
      this.words = words;
    }

    boolean holds(double value, double bound) {
      return switch (this) {
        case AT_LEAST -> value >= bound;
        case ABOVE -> value > bound;
        case AT_MOST -> value <= bound;
      };
    }
  }

  /** The decision on a target. */
  enum Decision {
    MET("met"),
    MISSED("missed"),
    NOT_MEASURED("not measured");

    private final String words;

    Decision(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * How it came out.
   *
   * @param decision by the means alone
   * @param measured the figure, or the quotient, with its interval; empty if not measured
   * @param figures what it was computed from; which is missing, if not measured
   */
  record Outcome(Decision decision, String measured, String figures) {}

  /** Returns the target in words. */
  String toReach() {
    return relation.words + " " + Numbers.exact(bound) + (rival.isEmpty() ? "" : " times " + rival);
  }

  /** Looks it up; of several sizes the largest that both have counts. */
  Outcome decide(Figures figures) {
    Set<String> missing = new LinkedHashSet<>();
    for (String durability : durabilities) {
      Map<Long, Measurement> ours = bySize(figures, US, durability);
      Map<Long, Measurement> theirs = rival.isEmpty() ? ours : bySize(figures, rival, durability);
      Optional<Long> size =
          ours.keySet().stream().filter(theirs::containsKey).max(Comparator.naturalOrder());
      if (size.isPresent()) {
        Measurement our = Objects.requireNonNull(ours.get(size.get()));
        return rival.isEmpty()
            ? decide(our)
            : decide(our, Objects.requireNonNull(theirs.get(size.get())));
      }
      if (ours.isEmpty() != theirs.isEmpty()) {
        missing.add("no figure of " + (ours.isEmpty() ? US : rival));
      }
    }
    return new Outcome(Decision.NOT_MEASURED, "", String.join(", ", missing));
  }

  private Map<Long, Measurement> bySize(Figures figures, String target, String durability) {
    Map<Long, Measurement> found = new HashMap<>();
    for (Measurement m : figures.of(suite, metric)) {
      Subject s = m.subject();
      if (s.equals(new Subject(suite, workload, target, medium, durability, threads, s.size()))) {
        found.putIfAbsent(s.size(), m);
      }
    }
    return found;
  }

  private Outcome decide(Measurement ours) {
    return new Outcome(decision(ours.mean()), Numbers.of(ours), ours.unit());
  }

  private Outcome decide(Measurement ours, Measurement theirs) {
    return new Outcome(
        decision(ours.mean() / theirs.mean()),
        Numbers.quotient(ours, theirs),
        Numbers.of(ours.mean()) + " to " + Numbers.of(theirs.mean()) + " " + ours.unit());
  }

  private Decision decision(double value) {
    return relation.holds(value, bound) ? Decision.MET : Decision.MISSED;
  }
}
