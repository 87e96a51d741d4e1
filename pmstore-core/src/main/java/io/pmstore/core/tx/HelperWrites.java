package io.pmstore.core.tx;

import io.pmstore.core.events.Recorder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects writes that other threads make on behalf of a transaction, such as the tasks of a
 * parallel stream. These writes are not part of the transaction, which its author may not know.
 *
 * <p>A committing thread cannot know for sure which threads wait for it. But the transaction's own
 * thread sees in its stack that it writes in a task of a fork-join pool inside its body: pmstore
 * refuses that write. To look at the stack takes a microsecond or two, so a thread does it only
 * while its transaction is <i>suspected</i>. A worker of a pool suspects a transaction if, when the
 * worker commits, the transaction's thread is in its body and runs tasks of the same pool there, or
 * waits for one. The transaction stays suspected until it ends: each of its next writes looks, and
 * if the body ends without a write in a task, it runs a second time and all its writes look.
 *
 * <p>If the stacks of both threads indicate such a write, the committing thread also warns, once
 * for each call site in the program.
 *
 * <p>Safe for use by any number of threads.
 */
final class HelperWrites {
  private static final int CALL_SITES_MAX = 100;
  // Threads outside of fork-join pools look in one attempt of 16.
  private static final int LOOKS_MASK = 15;
  // Looks take at most a hundredth of the time, paid for at most two seconds ahead.
  private static final int SHARE = 100;
  private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final String TASK = ForkJoinTask.class.getName();
  private static final String BODY = Attempts.class.getName();
  private static final String BODY_METHOD = "run"; // of Attempts
  private static final String STREAMS = "java.util.stream.";
  private static final StackWalker WALKER = StackWalker.getInstance();

  private final Supplier<List<Transaction>> all; // of the store
  private final Set<String> callSites = ConcurrentHashMap.newKeySet();
  private final AtomicLong paidUntil = new AtomicLong(System.nanoTime()); // by the looks up to now
  private volatile long nextRun = System.nanoTime(); // before then no body runs a second time

  HelperWrites(Supplier<List<Transaction>> all) {
    this.all = all;
  }

  // ---- the threads that commit beside a transaction

  /**
   * Checks whether a commit seems to be made on behalf of another thread's transaction. A worker of
   * a fork-join pool checks each time, other threads now and then. All of them together spend at
   * most a hundredth of the time on it, and of this at most two seconds' share at once.
   *
   * @param mine the transaction that is about to commit
   * @param explicit true if the program began the transaction itself, and so knows what belongs to
   *     it
   */
  void look(Transaction mine, boolean explicit) {
    ForkJoinPool pool = poolOf(Thread.currentThread());
    if (pool == null && (mine.attempt() & LOOKS_MASK) != 1) {
      return;
    }
    long began = System.nanoTime();
    if (paidUntil.get() - began > AHEAD_NANOS) {
      return;
    }
    StackTraceElement[] own = null;
    for (Transaction other : all.get()) {
      Thread thread = other.thread();
      if (thread == null
          || thread.threadId() == Thread.currentThread().threadId()
          || !other.isInBody()
          || other.suspicion().isRaised()) {
        continue;
      }
      boolean samePool = pool != null && pool.equals(poolOfTasks(thread));
      if (!samePool && !waits(thread)) {
        continue;
      }
      if (own == null) {
        own = Thread.currentThread().getStackTrace();
      }
      StackTraceElement[] stack = thread.getStackTrace();
      int body = bodyOf(stack);
      if (samePool && has(stack, body, TASK)) {
        other.suspicion().raise();
      }
      if (seemsToHelp(own, explicit, stack, body, waits(thread))) {
        warn(own, thread, stack);
      }
    }
    long now = System.nanoTime();
    long price = (now - began) * SHARE;
    paidUntil.updateAndGet(paid -> (paid - now > 0 ? paid : now) + price);
  }

  private static @Nullable ForkJoinPool poolOf(Thread thread) {
    return thread instanceof ForkJoinWorkerThread worker ? worker.getPool() : null;
  }

  /**
   * Returns the pool that runs the tasks that a thread begins, such as those of a parallel stream.
   */
  private static ForkJoinPool poolOfTasks(Thread thread) {
    ForkJoinPool pool = poolOf(thread);
    return pool == null ? ForkJoinPool.commonPool() : pool;
  }

  private static boolean waits(Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> true;
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  /**
   * Returns true if a committing thread seems to work for a thread in a transaction, judged by
   * their stacks: both are in a parallel stream, or the second waits; and the body of the second
   * runs code of the class in which the first began. A thread that begins a transaction of its own
   * outside of a stream knows what belongs to it.
   */
  private static boolean seemsToHelp(
      StackTraceElement[] own,
      boolean explicit,
      StackTraceElement[] other,
      int body,
      boolean waits) {
    StackTraceElement began = null;
    for (StackTraceElement frame : own) {
      began = CallSite.isOfProgram(frame) ? frame : began;
    }
    if (has(own, own.length, TASK) && has(own, own.length, STREAMS)) {
      return has(other, body, TASK)
          && has(other, body, STREAMS)
          && (began == null || isIn(other, body, began));
    }
    return !explicit
        && began != null
        && waits
        && !CallSite.isInsideStore(other)
        && CallSite.isOfJdk(other[0])
        && isIn(other, body, began);
  }

  /** Returns true if a body runs code of the class in which another thread began. */
  private static boolean isIn(StackTraceElement[] stack, int body, StackTraceElement began) {
    String name = outermost(began.getClassName());
    for (int i = 0; i < body; i++) {
      if (CallSite.isOfProgram(stack[i]) && outermost(stack[i].getClassName()).equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns how many frames of a stack belong to the body of the outermost transaction. */
  private static int bodyOf(StackTraceElement[] stack) {
    for (int i = stack.length - 1; i >= 0; i--) {
      if (isBody(stack[i].getClassName(), stack[i].getMethodName())) {
        return i;
      }
    }
    return 0;
  }

  private static boolean isBody(String className, String method) {
    return className.equals(BODY) && method.equals(BODY_METHOD);
  }

  private static boolean has(StackTraceElement[] stack, int length, String classes) {
    for (int i = 0; i < length; i++) {
      if (stack[i].getClassName().startsWith(classes)) {
        return true;
      }
    }
    return false;
  }

  private static String outermost(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private void warn(StackTraceElement[] own, Thread holder, StackTraceElement[] stack) {
    StackTraceElement callSite = CallSite.ofUser(own);
    String at = callSite == null ? "an unknown place" : callSite.toString();
    if (callSites.size() < CALL_SITES_MAX && callSites.add(at)) {
      String waitsAt = CallSite.describe(stack);
      Recorder.writeBeside(at, holder, waitsAt);
      log(
          "thread \"%s\" wrote at %s while thread \"%s\" was in a transaction at %s. If it wrote for that transaction: the write is not part of it, stays when it is rolled back, and is made again when its body runs again. Let the transaction's own thread write (with a loop or a sequential stream), or wait for other threads outside of the transaction"
              .formatted(Thread.currentThread().getName(), at, holder.getName(), waitsAt));
    }
  }

  private static void log(String warning) {
    System.getLogger(HelperWrites.class.getName()).log(System.Logger.Level.WARNING, warning);
  }

  // ---- the thread of the transaction

  /**
   * Returns true if a body that has ended must run again, with a look at each of its writes: a
   * worker of a pool wrote while the body ran a task of the same pool, and no look found a write of
   * the body in such a task. After a second run that found nothing, no body runs a second time for
   * a hundred times as long as that run took.
   *
   * @param ended the transaction, which has written something
   * @return true to roll it back and run it again
   */
  boolean needsSecondRun(Transaction ended) {
    if (!ended.suspicion().isRaised()) {
      return false;
    }
    long now = System.nanoTime();
    if (ended.suspicion().isOfWholeRun()) {
      nextRun = now + (now - ended.suspicion().since()) * SHARE;
      return false;
    }
    return now - nextRun >= 0;
  }

  /**
   * Refuses a write of the calling thread's transaction if it is inside a task of a fork-join pool
   * that began in the transaction's body.
   *
   * @throws IllegalStateException if there is such a task
   */
  static void refuseInTask() {
    boolean inTask =
        WALKER.walk(
            frames ->
                frames
                    .takeWhile(frame -> !isBody(frame.getClassName(), frame.getMethodName()))
                    .anyMatch(frame -> frame.getClassName().equals(TASK)));
    if (inTask) {
      throw new IllegalStateException(
          "this write of a transaction is in a task of a fork-join pool, of a parallel stream, say."
              + " Other tasks of it run on other threads: what those write is not part of the"
              + " transaction, stays when it is rolled back, and is made again when its body runs"
              + " again. Use a loop or a sequential stream; or give each task a transaction of its"
              + " own, and wait for the tasks outside of any transaction");
    }
  }
}
