package io.pmstore.spring.boot;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Gets roots of a node of a replicated store while the application starts. Only the leader makes a
 * root, and no node leads when it has just been opened. So the first root waits until the node is
 * ready: until it leads, or has what the leader has, in a heap that no copy is about to replace.
 * Then each root waits until the leader has made it. All this takes the application at most a time
 * that it sets. Nothing waits once the application has started. Safe for use by any number of
 * threads.
 */
final class StartOfNode implements SmartInitializingSingleton {
  private static final System.Logger LOG = System.getLogger(StartOfNode.class.getName());
  private static final long LOOK_MILLIS = 50;

  private final Duration atMost;
  private long begin; // guarded by this; valid once isAwaited
  private boolean isAwaited; // guarded by this
  private @Nullable NotLeaderException notReady; // guarded by this
  private volatile boolean isOver;

  StartOfNode(Duration atMost) {
    this.atMost = atMost;
  }

  @Override
  public void afterSingletonsInstantiated() {
    isOver = true;
  }

  /** Returns the root of a class; waits for it if the application is starting. */
  <T> T root(PmStore store, Class<T> type) {
    Replication node = isOver ? null : store.replication().orElse(null);
    if (node == null) {
      return store.root(type);
    }
    NotLeaderException notReadyYet = awaitReady(node);
    while (true) {
      try {
        return store.root(type);
      } catch (NotLeaderException | OutcomeUnknownException e) { // if unknown, this looks again
        if (isTimeOver() || node.status().role() == ReplicationStatus.Role.STOPPED) {
          PmStoreException why = notReadyYet == null ? e : notReadyYet;
          throw new StoreRootMissingException(PersistentClasses.rootOf(type), atMost, why);
        }
      }
      pause();
    }
  }

  /** Returns null if the node is ready, or has been, and otherwise what it says instead. */
  private synchronized @Nullable NotLeaderException awaitReady(Replication node) {
    if (isAwaited) {
      return notReady;
    }
    isAwaited = true;
    begin = System.nanoTime();
    ReplicationStatus status = node.status();
    if (!status.ready()) {
      LOG.log(
          System.Logger.Level.INFO,
          "the node {0} is not ready yet; the start waits for it, at most {1} ms"
              + " (pmstore.ready-timeout)",
          status.id(),
          atMost.toMillis());
    }
    try {
      node.awaitReady(atMost);
    } catch (NotLeaderException e) {
      notReady = e;
      LOG.log(System.Logger.Level.WARNING, "the start goes on: {0}", e.getMessage());
    }
    return notReady;
  }

  private synchronized boolean isTimeOver() {
    return System.nanoTime() - begin >= atMost.toNanos();
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PmStoreException(
          "interrupted while the start waited for a root; the interrupt is still pending");
    }
  }
}
