package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a node's server of Ratis is set up. */
final class RatisServerTest {
  /** What a policy draws at random is up to half more than it says. */
  private static final TimeDuration MOST = TimeDuration.valueOf(150, TimeUnit.MILLISECONDS);

  @ParameterizedTest
  @ValueSource(ints = {1, 11, 31, 1_031, 10_000_000})
  void aNodeThatWasAwayForLongIsReachedSoonAfterItsStart(int failures, @TempDir Path log) {
    RaftProperties properties =
        RatisServer.properties(
            RaftSettings.node("a").member("a", "localhost", 7000).member("b", "localhost", 7001),
            log);
    RetryPolicy retries =
        RetryPolicy.parse(
            RaftServerConfigKeys.Log.Appender.retryPolicy(properties),
            RaftServerConfigKeys.Log.Appender.RETRY_POLICY_KEY);

    RetryPolicy.Action next = retries.handleAttemptFailure(() -> failures);

    assertTrue(next.shouldRetry());
    assertTrue(next.getSleepTime().compareTo(MOST) <= 0, () -> "waits " + next.getSleepTime());
    assertTrue(next.getSleepTime().isPositive(), "tries again without a pause");
  }

  /** What is above a limit Ratis refuses as if another node led. */
  @Test
  void theLargestEntriesMayBeAsManyAsEntriesMay(@TempDir Path log) {
    RaftProperties properties =
        RatisServer.properties(RaftSettings.node("a").member("a", "localhost", 7000), log);
    long entries = RaftServerConfigKeys.Write.elementLimit(properties);
    long bytes = RaftServerConfigKeys.Write.byteLimit(properties).getSize();
    assertTrue(bytes >= entries * RatisServer.RECORD_MAX, () -> bytes + " bytes");
  }

  @Test
  void aPortThatIsInUseIsRefusedAndTheProgramGoesOn(@TempDir Path directory) throws Exception {
    int port = FreePorts.draw();
    PmStoreOptions options =
        RaftSettings.node("a").member("a", "127.0.0.1", port).options(PmStoreOptions.defaults());
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      PmStoreException e =
          assertThrows(PmStoreException.class, () -> PmStore.open(directory, options));
      assertTrue(String.valueOf(e.getMessage()).contains("free port"), e.getMessage());
      assertTrue(String.valueOf(e.getMessage()).contains("in use"), e.getMessage());
      assertEquals(port, taken.getLocalPort());
    }
    assertSame(before, Thread.getDefaultUncaughtExceptionHandler());
    PmStore.open(directory, options).close();
  }
}
