package io.pmstore.model.predict;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Simulates threads that work, append a record, and wait until it is durable, as pmstore's group
 * commit has it: who finds no sync running leads one; who comes during one waits; the end of a sync
 * releases all that it covers, and the one that has waited longest of the others leads the next.
 *
 * <p>Threads share processors, first come, first served. A sync needs none. Every wait that ends by
 * another thread costs a hand-off: half of it the processor of the one that wakes, half that of the
 * one that is woken.
 *
 * @param threads how many, at least 1
 * @param processors how many run at the same time
 * @param workNanos the processor's time from one commit to the next, appending included
 * @param syncNanos how long a sync takes
 * @param handOffNanos a hand-off
 */
public record GroupCommit(
    int threads, int processors, double workNanos, double syncNanos, double handOffNanos) {
  private static final int COMMITS = 4_000;
  private static final int WARM_UP = 400;

  /**
   * What comes out.
   *
   * @param perSecond commits a second
   * @param latencyNanos of a commit, with its work
   * @param perSync commits of one sync
   * @param busy the share of the processors that is used
   */
  public record Result(double perSecond, double latencyNanos, double perSync, double busy) {}

  /** Checks the figures. */
  public GroupCommit {
    if (threads < 1 || processors < 1 || !(workNanos > 0) || !(syncNanos >= 0)) {
      throw new IllegalArgumentException(
          "%d threads on %d processors, %s ns of work, %s ns for a sync"
              .formatted(threads, processors, workNanos, syncNanos));
    }
  }

  public Result simulate() {
    return new Run().simulate();
  }

  private enum State {
    WORKING,
    APPENDED,
    DURABLE
  }

  private static final class Waiter {
    State state = State.WORKING;
    double work; // that is left before the next step
    @Nullable List<Waiter> released; // whom it wakes before it goes on

    void begin() {
      state = State.WORKING;
    }
  }

  /** Something that ends at a time. */
  private record Event(double at, Waiter who, boolean isSync) {}

  private final class Run {
    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparingDouble(Event::at));
    private final Deque<Waiter> runnable = new ArrayDeque<>();
    private final List<Waiter> all = new ArrayList<>();
    private final Deque<Waiter> waiting = new ArrayDeque<>(); // the longest first
    private int free = processors;
    private double now;
    private double used;
    private boolean syncing;
    private List<Waiter> covered = List.of();
    private long commits;
    private long syncs;

    Result simulate() {
      for (int i = 0; i < threads; i++) {
        Waiter waiter = new Waiter();
        waiter.work = workNanos * (i + 1) / threads; // not all at once
        all.add(waiter);
        runnable.add(waiter);
      }
      double from = 0;
      double usedBefore = 0;
      long before = 0;
      long syncsBefore = 0;
      while (commits < COMMITS + (long) WARM_UP) {
        dispatch();
        Event event = events.remove();
        now = event.at;
        if (event.isSync) {
          synced(event.who);
        } else {
          free++;
          worked(event.who);
        }
        if (before == 0 && commits >= WARM_UP) {
          from = now;
          usedBefore = used;
          before = commits;
          syncsBefore = syncs;
        }
      }
      double nanos = now - from;
      double done = commits - before;
      return new Result(
          done / nanos * 1e9,
          nanos / done * threads,
          done / Math.max(1, syncs - syncsBefore),
          (used - usedBefore) / nanos / processors);
    }

    private void dispatch() {
      while (free > 0 && !runnable.isEmpty()) {
        Waiter next = runnable.remove();
        free--;
        used += next.work;
        events.add(new Event(now + next.work, next, false));
      }
    }

    private void run(Waiter waiter, double work) {
      waiter.work = work;
      runnable.add(waiter);
    }

    /** A thread has used the processor: for work and a record, to wake others, or to wake up. */
    private void worked(Waiter waiter) {
      List<Waiter> released = waiter.released;
      if (released != null) { // it led a sync, and has woken the others
        waiter.released = null;
        released.forEach(
            one -> run(one, handOffNanos / 2 + (one.state == State.DURABLE ? workNanos : 0)));
        released.stream().filter(one -> one.state == State.DURABLE).forEach(Waiter::begin);
        run(waiter, workNanos);
      } else if (waiter.state == State.DURABLE) { // woken to lead, and another has led meanwhile
        waiter.begin();
        run(waiter, workNanos);
      } else {
        waiter.state = State.APPENDED;
        if (syncing) {
          waiting.add(waiter);
        } else {
          lead(waiter);
        }
      }
    }

    private void lead(Waiter leader) {
      syncing = true;
      syncs++;
      // All records that are appended by now are covered, also those of threads that wait.
      covered = all.stream().filter(w -> w != leader && w.state == State.APPENDED).toList();
      events.add(new Event(now + syncNanos, leader, true));
    }

    private void synced(Waiter leader) {
      syncing = false;
      commits += covered.size() + 1L;
      covered.forEach(one -> one.state = State.DURABLE);
      leader.begin(); // its record is durable: no other sync covers it again
      List<Waiter> released = new ArrayList<>(waiting.stream().filter(covered::contains).toList());
      waiting.removeAll(released);
      Waiter next = waiting.poll();
      if (next != null) {
        released.add(next); // with its record: it leads when it runs
      }
      leader.released = released;
      run(leader, released.size() * handOffNanos / 2);
    }
  }
}
