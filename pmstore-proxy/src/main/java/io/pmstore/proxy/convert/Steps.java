package io.pmstore.proxy.convert;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one thread has converted and stored for a value. If the store refuses a later part of the
 * value, all of it is undone: what the value reaches is plain again, and the commit stores the late
 * changes again.
 */
final class Steps {
  /**
   * What a step has done. All steps of one kind are undone before those of the next, in this order.
   */
  enum Kind {
    /** The late change of a property. Collections may hash and compare by it. */
    PROPERTY,
    /** The late change of a collection. It may refer to what was converted. */
    CONTENTS,
    CONVERSION
  }

  private record Step(Kind kind, Runnable undo) {}

  private final List<Step> all = new ArrayList<>();

  /** Returns a mark of a part that begins: the number of steps before it. */
  int mark() {
    return all.size();
  }

  /** Adds a step. */
  void add(Kind kind, Runnable undo) {
    all.add(new Step(kind, undo));
  }

  /** Returns true if there is a step behind a mark. */
  boolean hasSince(int mark) {
    return all.size() > mark;
  }

  /** Undoes the steps behind a mark; the last one of a kind first. */
  void undoSince(int mark) {
    List<Step> since = all.subList(mark, all.size());
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
  @SuppressWarnings("ReferenceEquality") // one instance stands for all conflicts
  private static @Nullable Throwable run(Runnable action, @Nullable Throwable failure) {
    try {
      action.run();
      return failure;
    } catch (RuntimeException | Error e) {
      if (failure == null) {
        return e;
      }
      if (failure != e) {
        failure.addSuppressed(e);
      }
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
}
