package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node tells Ratis and the store above it when its heap is replaced, or fails. */
class HeapStateMachineTest {
  @TempDir Path directory;
  private Node node;

  @BeforeEach
  void make() {
    NodeFiles files = new NodeFiles(directory);
    files.prepare("a", "group");
    node =
        new Node(
            RaftSettings.node("a").member("a", "localhost", 7000),
            files,
            PmStoreOptions.defaults(),
            fake(EngineProvider.class));
  }

  /** Returns an object each of whose methods throws what a failed engine throws. */
  private static <T> T fake(Class<T> type) {
    InvocationHandler failed =
        (proxy, method, arguments) -> {
          throw new StoreFailedException("for a test", new IllegalStateException());
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, failed));
  }

  /** The updater of Ratis notes an entry when a copy that has it is in place already. */
  @Test
  void whatIsAppliedDoesNotGoBackwards() {
    HeapStateMachine machine = new HeapStateMachine(node);
    machine.notifyTermIndexUpdated(1, 400);
    machine.durable(new AppliedIndexes.At(2, 1_000));
    machine.notifyTermIndexUpdated(1, 401);
    assertEquals(TermIndex.valueOf(2, 1_000), machine.getLastAppliedTermIndex());
    machine.notifyTermIndexUpdated(2, 1_001);
    assertEquals(TermIndex.valueOf(2, 1_001), machine.getLastAppliedTermIndex());
  }

  /** A majority has what a commit returned for; that this node fails afterwards changes nothing. */
  @Test
  void aCommitIsAcknowledgedThoughItsNodeFailsThen() {
    new RaftEngine(fake(Engine.class), node, false).sync(5);
  }

  /** The change may be in the log: the node fails when it applies it, say. */
  @Test
  void aChangeOfAMapMayHaveHappenedOnALeaderThatFails() {
    StoreFailedException failed = new StoreFailedException("test", new IllegalStateException());
    MapCall get = new MapCall(MapCall.Operation.GET, "map", "key", null, null);
    MapCall set = new MapCall(MapCall.Operation.SET, "map", "key", "value", null);
    assertEquals(Answer.Ending.FAILED, Maps.failed(get, failed).ending());
    assertEquals(Answer.Ending.UNKNOWN, Maps.failed(set, failed).ending());
    assertEquals(Answer.Ending.FAILED, Maps.failed(set, new PmStoreException("test")).ending());
  }
}
