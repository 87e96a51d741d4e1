package io.pmstore.jmh.commit;

import java.io.IOException;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The logs of the baselines. */
public final class BarrierState {
  private BarrierState() {}

  /** On an ordinary file. */
  @State(Scope.Benchmark)
  public static class OnFile {
    FileLog log;

    /** Makes the log. */
    @Setup
    public void create() throws IOException {
      log = new FileLog();
    }

    /** Deletes it. */
    @TearDown
    public void delete() throws IOException {
      log.close();
    }
  }

  /** On persistent memory. */
  @State(Scope.Benchmark)
  public static class OnPmem {
    PmemLog log;

    /** Makes the log. */
    @Setup
    public void create() throws IOException {
      log = new PmemLog();
    }

    /** Deletes it. */
    @TearDown
    public void delete() throws IOException {
      log.close();
    }
  }
}
