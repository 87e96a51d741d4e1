package io.pmstore.jmh.workload;

import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** An operation that took long. Its event is committed when it ends. */
@Name(LongOperation.NAME)
@Label("Long Operation")
@Category("pmstore benchmarks")
@StackTrace(false)
final class LongOperation extends Event {
  static final String NAME = "pmstore.jmh.LongOperation";
  static final String TOOK = "took";

  /** What takes less is not looked at. */
  static final long LEAST_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  /** Notes an operation that has just ended, if somebody records. */
  static void ended(long nanos) {
    LongOperation event = new LongOperation();
    if (event.shouldCommit()) {
      event.took = nanos;
      event.commit();
    }
  }
}
