package io.pmstore.jmh.commit;

import io.pmstore.Storage;
import io.pmstore.jmh.support.TemporaryDirectory;
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
    private TemporaryDirectory directory;
    FileLog log;

    /** Makes the log. */
    @Setup
    public void create() throws IOException {
      directory = TemporaryDirectory.create(Storage.FILE);
      log = new FileLog(directory.path().resolve("log"), Writer.LOG_SIZE);
    }

    @TearDown
    public void delete() throws IOException {
      log.close();
      directory.close();
    }
  }

  /** On persistent memory. */
  @State(Scope.Benchmark)
  public static class OnPmem {
    private TemporaryDirectory directory;
    PmemLog log;

    /** Makes the log. */
    @Setup
    public void create() throws IOException {
      directory = TemporaryDirectory.create(Storage.PERSISTENT_MEMORY);
      log = new PmemLog(directory.path(), Writer.LOG_SIZE);
    }

    @TearDown
    public void delete() throws IOException {
      log.close();
      directory.close();
    }
  }
}
