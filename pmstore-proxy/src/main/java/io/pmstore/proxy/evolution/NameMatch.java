package io.pmstore.proxy.evolution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Matches today's names of properties, components and constants with those of the store. A name
 * matches the same name or, if the store does not have that, a former name. Nothing is guessed.
 */
final class NameMatch {
  private static final int NONE = -1;

  private final List<String> stored;
  private final int[] storedOf;
  private final int[] todayOf;
  private final @Nullable String[] refusals;

  NameMatch(List<String> stored, List<String> today, List<Set<String>> formerNames) {
    this.stored = stored;
    storedOf = new int[today.size()];
    todayOf = new int[stored.size()];
    refusals = new @Nullable String[today.size()];
    Arrays.fill(todayOf, NONE);
    for (int i = 0; i < storedOf.length; i++) {
      storedOf[i] = match(today, formerNames, i);
      if (storedOf[i] != NONE) {
        claim(today, i);
      }
    }
  }

  private int match(List<String> today, List<Set<String>> formerNames, int index) {
    String name = today.get(index);
    int sameName = stored.indexOf(name);
    if (isExchanged(today, formerNames, index)) {
      refusals[index] =
          "%s is ambiguous: @FormerNames gives it the name of another one, and the other way round, and the store cannot tell whether they were exchanged already; give them names that no store has, or, if they have had others since, leave only those in @FormerNames"
              .formatted(name);
      return sameName;
    }
    List<String> candidates = new ArrayList<>();
    for (String former : formerNames.get(index)) {
      if (stored.contains(former)) {
        candidates.add(former);
      }
    }
    if (candidates.isEmpty()) {
      return sameName;
    }
    String former = candidates.getFirst();
    if (sameName != NONE && candidates.size() == 1 && today.contains(former)) {
      return sameName; // the former name is that of another one by now, in the store too
    }
    if (sameName != NONE) {
      refusals[index] =
          "%s is ambiguous: the store has both %s and %s, which @FormerNames gives as its former name; remove it from @FormerNames"
              .formatted(name, name, former);
    } else if (candidates.size() > 1) {
      refusals[index] =
          "%s is ambiguous: the store has %s, and @FormerNames gives all of them as its former names; leave the one that it was"
              .formatted(name, String.join(" and ", candidates));
    } else if (today.contains(former)) {
      refusals[index] =
          "%s is ambiguous: @FormerNames says that it was %s, which is still there as well; remove one of the two"
              .formatted(name, former);
    }
    return refusals[index] != null ? sameName : stored.indexOf(former);
  }

  /**
   * Returns true if former names lead from a name of today, over others, back to it. What the store
   * has does not count: a program that is refused is refused at its first start.
   */
  private static boolean isExchanged(List<String> today, List<Set<String>> formerNames, int index) {
    Set<String> reached = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(formerNames.get(index));
    while (!open.isEmpty()) {
      String former = open.remove();
      int next = today.indexOf(former);
      if (next != NONE && reached.add(former)) {
        open.addAll(formerNames.get(next));
      }
    }
    return reached.contains(today.get(index));
  }

  private void claim(List<String> today, int index) {
    int old = storedOf[index];
    int other = todayOf[old];
    if (other == NONE) {
      todayOf[old] = index;
      return;
    }
    refusals[index] =
        "%s is ambiguous: both it and %s claim %s of the store; leave the former name with one of them"
            .formatted(today.get(index), today.get(other), stored.get(old));
    storedOf[index] = NONE;
  }

  /** Returns the index in the store of a name of today, or -1 if it is new. */
  int storedOf(int index) {
    return storedOf[index];
  }

  /** Returns true if a name of the store matches a name of today. */
  boolean isTaken(int index) {
    return todayOf[index] != NONE;
  }

  /** Returns why names of today are refused. */
  List<String> refusals() {
    return Arrays.stream(refusals).filter(Objects::nonNull).toList();
  }

  /** Returns why a name of today is refused, or null. */
  @Nullable String refusal(int index) {
    return refusals[index];
  }
}
