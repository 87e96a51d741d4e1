package io.pmstore.jmh.consensus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.raft.RaftSettings;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.ratis.conf.RaftProperties;
import org.junit.jupiter.api.Test;

/**
 * The servers of the comparison are set up as those of pmstore, except for the reads, for how often
 * a warning is logged, and for the transport: pmstore's changes only what happens after an entry
 * has left the leader's log.
 */
final class RatisServersTest {
  @Test
  void theServersHaveThePropertiesOfPmstores() throws Exception {
    Path log = Path.of("/log");
    Method of =
        Class.forName("io.pmstore.raft.RatisServer")
            .getDeclaredMethod("properties", RaftSettings.class, Path.class);
    of.setAccessible(true);
    RaftSettings settings = RaftSettings.node("n1").member("n1", MemberSettings.HOST, 7000);
    Map<String, String> theirs = entries((RaftProperties) of.invoke(null, settings, log));
    Map<String, String> ours = entries(RatisServers.properties(7000, log));
    assertEquals("LINEARIZABLE", ours.remove("raft.server.read.option"));
    assertEquals("io.pmstore.raft.NodeRpc", theirs.remove("raft.rpc.type"));
    assertEquals("60000ms", theirs.remove("raft.grpc.server.log-message.batch.duration"));
    assertEquals(theirs, ours);
  }

  private static Map<String, String> entries(RaftProperties properties) throws Exception {
    Field field = RaftProperties.class.getDeclaredField("properties"); // there is no getter
    field.setAccessible(true);
    Map<String, String> entries = new TreeMap<>();
    ((Map<?, ?>) field.get(properties))
        .forEach((key, value) -> entries.put(key.toString(), value.toString()));
    return entries;
  }
}
