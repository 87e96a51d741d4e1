package io.pmstore.oms.run;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for nodes on this machine. */
public final class FreePorts {
  /** Systems give ports from 32,768 on to outgoing connections, or higher ones. */
  private static final int END = 32_000;

  private static final int BEGIN = 10_000;

  private FreePorts() {}

  /**
   * Draws a port of the loopback address for each id. The ports were free a moment ago, all differ,
   * and none is one that the system usually gives to outgoing connections: such a connection could
   * take the port of a node while the node is closed.
   *
   * @param ids of the nodes
   * @return each id's port, in the order of the ids
   * @throws IOException if a socket cannot be opened for another reason than that its port is taken
   */
  public static Map<String, Integer> draw(List<String> ids) throws IOException {
    Map<String, Integer> ports = new LinkedHashMap<>();
    List<ServerSocket> open = new ArrayList<>(); // until all are drawn, so that they differ
    try {
      for (String id : ids) {
        ServerSocket socket = listen();
        open.add(socket);
        ports.put(id, socket.getLocalPort());
      }
    } finally {
      for (ServerSocket socket : open) {
        socket.close();
      }
    }
    return ports;
  }

  private static ServerSocket listen() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(BEGIN, END);
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (BindException e) {
        // It is in use; the next draw finds another.
      }
    }
  }
}
