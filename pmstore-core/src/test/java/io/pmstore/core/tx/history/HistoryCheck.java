package io.pmstore.core.tx.history;

import io.pmstore.core.tx.history.DependencyGraph.Edge;
import io.pmstore.core.tx.history.DependencyGraph.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says whether a history is strictly serializable, that is, whether some order of its transactions,
 * one by one, shows each what it saw, and puts none before one that had ended when it began.
 *
 * <p>What every attempt read is an edge or two of a graph, and a cycle is an anomaly (Adya 1999).
 * That of a rolled back attempt too: it wrote nothing that may be seen, but it must not have seen
 * anything wrong either, which is opacity. The order of versions is what the reads show of the
 * order of elements, and where there is none, additions commute (Kingsbury, Alvaro: Elle, 2020).
 */
public final class HistoryCheck {
  private record Element(String object, long value) {}

  /** What an attempt saw of an object besides its own additions. */
  private record Seen(int attempt, List<Long> elements, boolean ordered) {}

  private record Look(int attempt, boolean found) {}

  private final List<Attempt> attempts;
  private final Map<Element, Integer> adders = new HashMap<>();
  private final Map<String, List<Element>> added = new LinkedHashMap<>();
  private final Map<String, List<Seen>> reads = new LinkedHashMap<>();
  private final Map<Element, List<Look>> looks = new LinkedHashMap<>();
  private final DependencyGraph graph = new DependencyGraph();
  private final List<String> anomalies = new ArrayList<>();

  private HistoryCheck(List<Attempt> attempts) {
    this.attempts = attempts;
  }

  /**
   * Checks a history.
   *
   * @param attempts all attempts at all transactions, in any order; each element is added once
   * @return what is wrong, in words; empty if nothing is
   */
  public static List<String> check(List<Attempt> attempts) {
    HistoryCheck check = new HistoryCheck(attempts);
    check.run();
    return check.anomalies;
  }

  private void run() {
    for (int i = 0; i < attempts.size(); i++) {
      graph.addNode();
      for (Event event : attempts.get(i).events()) {
        if (event instanceof Event.Added(String object, long value)) {
          Element element = new Element(object, value);
          if (adders.put(element, i) != null) {
            throw new IllegalArgumentException("the history adds twice " + element);
          }
          added.computeIfAbsent(object, o -> new ArrayList<>()).add(element);
        }
      }
    }
    for (int i = 0; i < attempts.size(); i++) {
      checkWithin(i);
    }
    reads.forEach(this::connect);
    looks.forEach(this::connectLooks);
    connectTimes();
    if (anomalies.isEmpty()) {
      findCycle();
    }
  }

  private void anomaly(int attempt, String what) {
    anomalies.add(what + ": " + attempts.get(attempt));
  }

  /** What an attempt's own events say of each other. */
  private void checkWithin(int attempt) {
    Map<String, List<Long>> own = new HashMap<>();
    Map<String, List<Long>> seen = new HashMap<>();
    for (Event event : attempts.get(attempt).events()) {
      List<Long> mine = own.computeIfAbsent(event.object(), o -> new ArrayList<>());
      switch (event) {
        case Event.Added(String _, long element) -> mine.add(element);
        case Event.Read(String object, List<Long> elements, boolean ordered) -> {
          List<Long> others = others(attempt, elements, mine, ordered);
          List<Long> before = seen.put(object, others);
          if (before != null && !(ordered ? before.equals(others) : sameSet(before, others))) {
            anomaly(attempt, "a read of " + object + " was not repeatable");
          }
          checkElements(attempt, object, others);
          reads
              .computeIfAbsent(object, o -> new ArrayList<>())
              .add(new Seen(attempt, others, ordered));
        }
        case Event.Probed(String object, long element, boolean found) -> {
          List<Long> before = seen.get(object);
          if (mine.contains(element)
              ? !found
              : before != null && before.contains(element) != found) {
            anomaly(attempt, "a look at " + element + " of " + object + " shows something else");
          } else if (!mine.contains(element)) {
            if (found) {
              checkElements(attempt, object, List.of(element));
            }
            looks
                .computeIfAbsent(new Element(object, element), e -> new ArrayList<>())
                .add(new Look(attempt, found));
          }
        }
      }
    }
  }

  private static boolean sameSet(List<Long> one, List<Long> other) {
    return one.size() == other.size() && Set.copyOf(one).equals(Set.copyOf(other));
  }

  /** What was read without the attempt's own elements, which have to be there. */
  private List<Long> others(int attempt, List<Long> read, List<Long> mine, boolean ordered) {
    int split = read.size() - mine.size();
    boolean complete =
        ordered
            ? split >= 0 && read.subList(split, read.size()).equals(mine)
            : new HashSet<>(read).containsAll(mine);
    if (!complete) {
      anomaly(attempt, "an attempt does not see its own additions " + mine + " in " + read);
      return List.of();
    }
    return ordered ? read.subList(0, split) : read.stream().filter(e -> !mine.contains(e)).toList();
  }

  private void checkElements(int attempt, String object, List<Long> elements) {
    if (new HashSet<>(elements).size() < elements.size()) {
      anomaly(attempt, "an element of " + object + " came twice");
    }
    for (long element : elements) {
      Integer adder = adders.get(new Element(object, element));
      if (adder == null) {
        anomaly(attempt, "nobody wrote %d of %s, but it was read".formatted(element, object));
      } else if (!attempts.get(adder).isCommitted()) {
        anomaly(
            attempt,
            "G1a: %d of %s was read, but its transaction was rolled back: %s"
                .formatted(element, object, attempts.get(adder)));
      }
    }
  }

  private void connect(String object, List<Seen> seen) {
    List<Long> order =
        seen.stream()
            .filter(Seen::ordered)
            .map(Seen::elements)
            .max(Comparator.comparingInt(List::size))
            .orElse(List.of());
    for (int i = 1; i < order.size(); i++) {
      edge(
          Kind.WW,
          object,
          order.get(i),
          adder(object, order.get(i - 1)),
          adder(object, order.get(i)));
    }
    for (Seen one : seen) {
      if (one.ordered() && !one.elements().equals(order.subList(0, one.elements().size()))) {
        anomaly(
            one.attempt(),
            "two orders of %s were read, %s and %s".formatted(object, one.elements(), order));
        return;
      }
      Set<Long> there = Set.copyOf(one.elements());
      for (long element : there) {
        edge(Kind.WR, object, element, adder(object, element), one.attempt());
      }
      for (Element element : added.getOrDefault(object, List.of())) {
        if (!there.contains(element.value())) {
          missed(one.attempt(), element);
        }
      }
    }
  }

  private void connectLooks(Element element, List<Look> all) {
    if (adders.containsKey(element)) {
      for (Look look : all) {
        if (look.found()) {
          edge(Kind.WR, element.object(), element.value(), adders.get(element), look.attempt());
        } else {
          missed(look.attempt(), element);
        }
      }
    }
  }

  /** Someone who did not see an element comes before its adder, who added it at some time. */
  private void missed(int attempt, Element element) {
    int adder = adders.get(element);
    if (attempts.get(adder).isCommitted()) {
      edge(Kind.RW, element.object(), element.value(), attempt, adder);
    }
  }

  private int adder(String object, long element) {
    // One that is unknown was reported; the edge from the node to itself is none.
    return adders.getOrDefault(new Element(object, element), 0);
  }

  private void edge(Kind kind, String object, long element, int from, int to) {
    graph.add(from, to, kind, element + " of " + object);
  }

  /** A chain of nodes, one for each end: what began behind one of them comes behind it. */
  private void connectTimes() {
    List<Integer> byEnd = new ArrayList<>();
    for (int i = 0; i < attempts.size(); i++) {
      byEnd.add(i);
    }
    byEnd.sort(Comparator.comparingLong(i -> attempts.get(i).ended()));
    List<Integer> byBegin = new ArrayList<>(byEnd);
    byBegin.sort(Comparator.comparingLong(i -> attempts.get(i).begun()));
    int next = 0;
    int time = -1;
    for (int attempt : byBegin) {
      while (attempts.get(byEnd.get(next)).ended() < attempts.get(attempt).begun()) {
        int later = graph.addNode();
        if (time >= 0) {
          graph.add(time, later, Kind.REAL_TIME, "");
        }
        graph.add(byEnd.get(next++), later, Kind.REAL_TIME, "");
        time = later;
      }
      if (time >= 0) {
        graph.add(time, attempt, Kind.REAL_TIME, "");
      }
    }
  }

  private void findCycle() {
    EnumSet<Kind> kinds = EnumSet.of(Kind.WW);
    for (Kind more : new Kind[] {Kind.WW, Kind.WR, Kind.RW, Kind.REAL_TIME}) {
      kinds.add(more);
      List<Edge> cycle = graph.findCycle(kinds);
      if (!cycle.isEmpty()) {
        long missed = cycle.stream().filter(e -> e.kind() == Kind.RW).count();
        String name =
            switch (more) {
              case WW -> "G0";
              case WR -> "G1c";
              case RW -> missed == 1 ? "G-single" : "G2";
              case REAL_TIME -> "not in the order of time";
            };
        anomalies.add(name + ": " + describe(cycle));
        return;
      }
    }
  }

  private String describe(List<Edge> cycle) {
    return cycle.stream()
        .map(
            edge ->
                (edge.from() < attempts.size() ? "\n  " + attempts.get(edge.from()) : "")
                    + (edge.kind() == Kind.REAL_TIME
                        ? (edge.to() < attempts.size() ? "\n    before it began" : "")
                        : "\n    %s, %s, before".formatted(edge.kind(), edge.why())))
        .collect(Collectors.joining());
  }
}
