package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;
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
}
