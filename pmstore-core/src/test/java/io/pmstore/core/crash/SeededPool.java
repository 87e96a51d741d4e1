package io.pmstore.core.crash;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * The executor of virtual threads: a list of those that can continue, of which {@link #step} picks
 * one. It is a pool by type only, because virtual threads give their timed parks to no other kind
 * of executor; it has no threads.
 *
 * <p>Time: a park of less than a millisecond is a back-off and may end at any step. A longer one
 * ends after its time, when nothing else can continue.
 */
final class SeededPool extends ForkJoinPool {
  private static final long BACKOFF_NANOS_MAX = 1_000_000;

  private final SplittableRandom random;
  private final double stickiness;
  private final Thread owner = Thread.currentThread();
  private final List<Runnable> ready = new ArrayList<>();
  private final List<Timer> timers = new ArrayList<>();
  private final Map<Runnable, Integer> numbers = new IdentityHashMap<>();
  private Runnable last;
  private volatile boolean wokenFromOutside;

  SeededPool(SplittableRandom random, double stickiness) {
    super(1);
    this.random = random;
    this.stickiness = stickiness;
  }

  /** Takes a thread that can go on: one that starts, has yielded, or was woken. */
  @Override
  public void execute(Runnable continuation) {
    Thread caller = Thread.currentThread();
    if (caller != owner && !caller.isVirtual()) {
      wokenFromOutside = true; // thrown here it would end a thread of the JVM's own
      return;
    }
    numbers.putIfAbsent(continuation, numbers.size());
    ready.add(continuation);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Timer timer = new Timer(command, unit.toNanos(delay));
    timers.add(timer);
    return timer;
  }

  /** Whether a thread that is not of this pool has woken one that is, at a time of its own. */
  boolean wokenFromOutside() {
    return wokenFromOutside;
  }

  /**
   * Lets one thread go on, or ends one back-off.
   *
   * @param onThread told the number of the thread
   * @return false if there is nothing that could go on
   */
  boolean step(IntConsumer onThread) {
    timers.removeIf(timer -> timer.done);
    List<Timer> backoffs = timers.stream().filter(t -> t.nanos < BACKOFF_NANOS_MAX).toList();
    int choices = ready.size() + backoffs.size();
    if (choices == 0) {
      return endLongPark();
    }
    int sticky = ready.indexOf(last);
    int choice = sticky >= 0 && random.nextDouble() < stickiness ? sticky : random.nextInt(choices);
    if (choice < ready.size()) {
      last = ready.remove(choice);
      onThread.accept(numbers.get(last));
      last.run();
    } else {
      backoffs.get(choice - ready.size()).fire();
    }
    return true;
  }

  private boolean endLongPark() {
    Timer next = null;
    for (Timer timer : timers) {
      if (next == null || timer.end - next.end < 0) {
        next = timer;
      }
    }
    if (next == null) {
      return false;
    }
    for (long left = next.left(); left > 0; left = next.left()) {
      LockSupport.parkNanos(left);
    }
    next.fire();
    return true;
  }

  private static final class Timer implements ScheduledFuture<Object> {
    private final Runnable command;
    private final long nanos;
    private final long end;
    private boolean done;

    Timer(Runnable command, long nanos) {
      this.command = command;
      this.nanos = nanos;
      this.end = System.nanoTime() + nanos;
    }

    long left() {
      return end - System.nanoTime();
    }

    void fire() {
      done = true;
      command.run();
    }

    @Override
    public boolean cancel(boolean interrupt) {
      done = true;
      return true;
    }

    @Override
    public boolean isCancelled() {
      return done;
    }

    @Override
    public boolean isDone() {
      return done;
    }

    @Override
    public Object get() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object get(long timeout, TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(left(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
