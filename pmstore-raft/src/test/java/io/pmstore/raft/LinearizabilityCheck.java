package io.pmstore.raft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a history of a map is linearizable (Herlihy, Wing 1990): whether each operation can
 * have happened at one moment between its begin and its end. Keys are independent of each other, so
 * each key is searched alone (Wing, Gong 1993), with the states that were met remembered (Lowe
 * 2017). An operation whose outcome is unknown may have happened at any time after its begin, or
 * never.
 */
final class LinearizabilityCheck {
  private LinearizabilityCheck() {}

  /** What an operation does. */
  enum Kind {
    GET,
    SET,
    COMPARE_AND_SET
  }

  /**
   * An operation on one key.
   *
   * @param expected of a compareAndSet
   * @param value set, or found by a get
   * @param done whether a compareAndSet has set
   * @param begin on one clock of all clients
   * @param end {@link Long#MAX_VALUE} if the outcome is unknown
   */
  record Operation(
      String client,
      Kind kind,
      String key,
      @Nullable String expected,
      @Nullable String value,
      boolean done,
      long begin,
      long end) {
    boolean isUnknown() {
      return end == Long.MAX_VALUE;
    }
  }

  /** Returns what is wrong with a history, or null if it is linearizable. */
  static @Nullable String findFault(List<Operation> history) {
    Map<String, List<Operation>> keys = new HashMap<>();
    for (Operation each : history) {
      if (!(each.isUnknown() && each.kind() == Kind.GET)) {
        keys.computeIfAbsent(each.key(), key -> new ArrayList<>()).add(each);
      }
    }
    for (Map.Entry<String, List<Operation>> each : keys.entrySet()) {
      if (!isLinearizable(each.getValue())) {
        each.getValue().sort(Comparator.comparingLong(Operation::begin));
        StringBuilder all = new StringBuilder("no order explains key " + each.getKey() + ":\n");
        each.getValue().forEach(o -> all.append("  ").append(o).append('\n'));
        return all.toString();
      }
    }
    return null;
  }

  /** Where the search is: which operations have happened, and the value after them. */
  private record Place(BitSet happened, @Nullable String value) {}

  private record Step(Place place, int next) {}

  private static boolean isLinearizable(List<Operation> unsorted) {
    List<Operation> operations = new ArrayList<>(unsorted);
    operations.sort(Comparator.comparingLong(Operation::begin));
    int certain = (int) operations.stream().filter(o -> !o.isUnknown()).count();
    Set<Place> met = new HashSet<>();
    Deque<Step> path = new ArrayDeque<>();
    Step now = new Step(new Place(new BitSet(), null), 0);
    while (true) {
      if (countCertain(operations, now.place()) == certain) {
        return true;
      }
      int candidate = candidate(operations, now);
      if (candidate < 0) {
        if (path.isEmpty()) {
          return false;
        }
        now = path.pop();
        continue;
      }
      path.push(new Step(now.place(), candidate + 1));
      Place then = after(now.place(), candidate, operations.get(candidate));
      now = met.add(then) ? new Step(then, 0) : path.pop();
    }
  }

  private static long countCertain(List<Operation> operations, Place place) {
    return place.happened().stream().filter(i -> !operations.get(i).isUnknown()).count();
  }

  /** Returns the next operation that may happen now, or -1. */
  private static int candidate(List<Operation> operations, Step from) {
    long firstEnd = Long.MAX_VALUE; // of those that have not happened
    for (int i = 0; i < operations.size(); i++) {
      if (!from.place().happened().get(i)) {
        firstEnd = Math.min(firstEnd, operations.get(i).end());
      }
    }
    for (int i = from.next(); i < operations.size(); i++) {
      Operation each = operations.get(i);
      if (each.begin() > firstEnd) {
        return -1; // another one had ended before it began
      }
      if (!from.place().happened().get(i) && fits(each, from.place().value())) {
        return i;
      }
    }
    return -1;
  }

  private static boolean fits(Operation operation, @Nullable String value) {
    return switch (operation.kind()) {
      case GET -> Objects.equals(operation.value(), value);
      case SET -> true;
      case COMPARE_AND_SET ->
          operation.isUnknown()
              ? Objects.equals(operation.expected(), value)
              : operation.done() == Objects.equals(operation.expected(), value);
    };
  }

  private static Place after(Place before, int number, Operation operation) {
    BitSet happened = (BitSet) before.happened().clone();
    happened.set(number);
    boolean sets =
        operation.kind() == Kind.SET
            || (operation.kind() == Kind.COMPARE_AND_SET
                && (operation.done() || operation.isUnknown()));
    return new Place(happened, sets ? operation.value() : before.value());
  }
}
