package io.pmstore.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for the nodes of tests. Each process claims a share of the ports, by listening on one of
 * them until it ends, so that processes that test at the same time draw different ones. The ports
 * are none that the system usually gives to connections: a node that is closed for a while would
 * find its port taken.
 */
final class FreePorts {
  private static final int FIRST = 10_000;
  private static final int SHARES = 20;
  private static final int SHARE = 1_000;

  private static final ServerSocket CLAIM = claim();
  private static final Set<Integer> DRAWN = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /** Returns a port that was free a moment ago, and that none of the last calls has returned. */
  static int draw() throws IOException {
    while (true) {
      int port = CLAIM.getLocalPort() + ThreadLocalRandom.current().nextInt(1, SHARE);
      if (DRAWN.size() == SHARE - 1) {
        DRAWN.clear();
      }
      if (!DRAWN.add(port)) {
        continue;
      }
      try (ServerSocket socket = listen(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        continue; // it is in use
      }
    }
  }

  private static ServerSocket claim() {
    try {
      for (int share = 0; share < SHARES; share++) {
        try {
          return listen(FIRST + share * SHARE);
        } catch (BindException e) {
          continue; // it is the share of another process
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(SHARES + " processes have all ports for tests");
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
