package io.pmstore.proxy.convert;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has converted and stored for a value of which a later part may be refused. A
 * refusal undoes it: what the value reaches is plain again, and the late changes that may refer to
 * it are stored another time.
 */
final class Steps {
  /** What a step has done, in the order in which steps are undone. */
  enum Kind {
    /** The late change of a property. Collections may hash and compare by it. */
    PROPERTY,
    /** The late change of a collection. It may refer to what was converted. */
    CONTENTS,
    CONVERSION
  }

  private record Step(Kind kind, Runnable undo) {}

  private final List<Step> all = new ArrayList<>();
  private int kept; // steps that nothing undoes any more
  private int underWay; // conversions and stores of late changes, in each other

  void begin() {
    underWay++;
  }

  void end() {
    underWay--;
  }

  boolean isUnderWay() {
    return underWay > 0;
  }

  void add(Kind kind, Runnable undo) {
    all.add(new Step(kind, undo));
  }

  /** Returns what {@link #undoSince} takes to undo the steps that follow. */
  int mark() {
    return kept + all.size();
  }

  /** Undoes the steps behind a mark, the last one of a kind first. */
  void undoSince(int mark) {
    List<Step> since = all.subList(Math.max(0, mark - kept), all.size());
    List<Step> vain = List.copyOf(since);
    since.clear();
    Throwable failure = null;
    for (Kind kind : Kind.values()) {
      for (Step step : vain.reversed()) {
        if (step.kind == kind) {
          failure = run(step.undo, failure);
        }
      }
    }
    rethrow(failure);
  }

  /** Runs an action after which others follow, and returns the first failure of all. */
  private static @Nullable Throwable run(Runnable action, @Nullable Throwable failure) {
    try {
      action.run();
      return failure;
    } catch (RuntimeException | Error e) {
      if (failure == null) {
        return e;
      }
      failure.addSuppressed(e);
      return failure;
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  /** All steps stay, whatever is refused later. */
  void keep() {
    kept = mark();
    all.clear();
  }

  /** Returns true if there is nothing to remember. */
  boolean isUnused() {
    return underWay == 0 && mark() == 0;
  }
}
