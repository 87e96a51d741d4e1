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
 * Looks for writes that other threads make on behalf of a transaction: the tasks of a parallel
 * stream, say. They are not part of it, which its author may not know.
 *
 * <p>A committing thread cannot know for sure which threads wait for it. The transaction's own
 * thread does know when it writes in a task of a fork-join pool inside its body: pmstore refuses
 * that write. It looks at its own stack only when there is a reason, since that takes a microsecond
 * or two. The reason comes from the others: a worker of a pool that commits looks whether another
 * thread is in a body and runs tasks of the same pool there, or waits for one. That one is then
 * <i>suspected</i> until its transaction ends: its next writes look, and if the body ends without a
 * proof it is run a second time with all its writes looking.
 *
 * <p>Where the stacks of both threads speak for it the thread that commits also warns, once for
 * each call site in the program.
 *
 * <p>Safe for use by any number of threads.
 */
final class HelperWrites {
  private static final int CALL_SITES_MAX = 100;
  private static final int LOOKS_MASK = 15; // of threads that belong to no fork-join pool
  private static final int SHARE = 100; // looking takes a hundredth of the time,
  private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(2); // taken up to so far ahead

  private static final String TASK = ForkJoinTask.class.getName();
  private static final String BODY = Transactions.class.getName();
  private static final String BODY_METHOD = "runActive"; // of Transactions
  private static final String STREAMS = "java.util.stream.";
  private static final StackWalker WALKER = StackWalker.getInstance();

  private final Supplier<List<Transaction>> all; // those of the store
  private final Set<String> callSites = ConcurrentHashMap.newKeySet();
  private final AtomicLong paidUntil = new AtomicLong(System.nanoTime()); // for looks
  private volatile long nextRun = System.nanoTime(); // of a body for a second time

  HelperWrites(Supplier<List<Transaction>> all) {
    this.all = all;
  }

  // ---- the threads that commit beside a transaction

  /**
   * Looks whether a commit seems to be made on behalf of a transaction of another thread. A worker
   * of a fork-join pool looks each time, others now and then; all together for a hundredth of the
   * time at most, of which they may use two seconds' share at once.
   *
   * @param mine the transaction that is about to commit
   * @param explicit whether the program began it as a transaction, and so knows what belongs to it
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
          || other.isSuspected()) {
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
        other.suspect();
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

  /** The pool that runs the tasks which a thread begins, those of a parallel stream, say. */
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
   * Compares the stack of a thread that commits with that of one in a transaction: both are in a
   * parallel stream, or the one waits, and the other began in the same class. A thread that begins
   * a transaction of its own outside of a stream knows what belongs to it.
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

  /** How many frames of a stack belong to the body of the outermost transaction. */
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
   * Returns true if a body that has ended has to run again, with a look at each of its writes: a
   * worker of a pool wrote while the body ran a task of the same pool, and no look found the body
   * writing in such a task. After a second run that found nothing, none follows for a hundred times
   * as long as it took.
   *
   * @param ended the transaction, which has written something
   * @return true to roll it back and run it again
   */
  boolean needsSecondRun(Transaction ended) {
    if (!ended.isSuspected()) {
      return false;
    }
    long now = System.nanoTime();
    if (ended.looks()) {
      nextRun = now + (now - ended.looksSince()) * SHARE;
      return false;
    }
    return now - nextRun >= 0;
  }

  /**
   * Refuses a write of the calling thread's transaction inside a task of a fork-join pool that
   * began in its body.
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
