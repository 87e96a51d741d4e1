package io.pmstore.model.observe;

import io.pmstore.model.predict.Workload.Operation;
import io.pmstore.model.shared.AccessLog;
import java.util.Arrays;

/** Counts what operations do, by their kind. */
final class OperationCounts implements AccessLog.Listener {
  private static final int LINE_SHIFT = 6;
  private static final int VERSION_SHIFT = 3;
  private static final long VERSIONS = 1L << (41 - LINE_SHIFT);
  private static final String LOG = "log-";

  private final CacheSizes caches;
  private final long[] operations;
  private final long[] linesRead;
  private final long[] linesWritten;
  private final long[] linesAwaited;
  private final long[] logBytes;
  private final long[] logRecords;
  private final long[] barriers;
  private final LineSet read = new LineSet();
  private final LineSet written = new LineSet();
  private int kind = -1;
  private long last = -2;

  OperationCounts(int kinds) {
    caches = new CacheSizes(kinds);
    operations = new long[kinds];
    linesRead = new long[kinds];
    linesWritten = new long[kinds];
    linesAwaited = new long[kinds];
    logBytes = new long[kinds];
    logRecords = new long[kinds];
    barriers = new long[kinds];
  }

  void begin(int nextKind) {
    kind = nextKind;
    operations[kind]++;
    read.clear();
    written.clear();
    last = -2;
  }

  /** Ends an operation: what follows belongs to none. */
  void end() {
    kind = -1;
  }

  @Override
  public void read(long address, int length) {
    long end = (address + Math.max(1, length) - 1) >>> LINE_SHIFT;
    for (long line = address >>> LINE_SHIFT; line <= end; line++) {
      boolean isFirst = kind < 0 || read.add(line);
      boolean waits = isFirst && line != last + 1;
      caches.use(line, kind, waits);
      if (isFirst) {
        last = line;
      }
      if (kind >= 0 && isFirst) {
        linesRead[kind]++;
        if (waits) {
          linesAwaited[kind]++;
        }
      }
    }
  }

  @Override
  public void write(long address, int length) {
    long line = address >>> LINE_SHIFT;
    caches.use(line, kind, false); // a store waits for nothing
    if (kind >= 0 && written.add(line)) {
      linesWritten[kind]++;
    }
  }

  @Override
  public void version(int index) {
    caches.use(VERSIONS + (((long) index << VERSION_SHIFT) >>> LINE_SHIFT), kind, false);
  }

  @Override
  public void fileWrite(String file, long length) {
    if (kind >= 0 && file.startsWith(LOG)) {
      logBytes[kind] += length;
      logRecords[kind]++;
    }
  }

  @Override
  public void sync(String file) {
    if (kind >= 0 && file.startsWith(LOG)) {
      barriers[kind]++;
    }
  }

  long operations(int of) {
    return operations[of];
  }

  /**
   * Returns the means of an operation of a kind.
   *
   * @param name of the kind
   * @param processorNanos the time of the processor, which is not counted here
   */
  Operation means(int of, String name, double processorNanos) {
    double count = operations[of];
    return new Operation(
        name,
        count / Arrays.stream(operations).sum(),
        processorNanos,
        linesRead[of] / count,
        linesWritten[of] / count,
        linesAwaited[of] / count,
        caches.misses(of, count),
        logBytes[of] / count,
        logRecords[of] / count,
        barriers[of] / count);
  }
}
