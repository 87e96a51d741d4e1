package io.pmstore.raft;

/** Addresses of nodes, as {@code host:port}. */
final class Addresses {
  private Addresses() {}

  /** Returns the address if it is one. */
  static String checked(String address) {
    int at = address.lastIndexOf(':');
    try {
      int port = at < 1 ? -1 : Integer.parseInt(address.substring(at + 1));
      if (port >= 1 && port <= 65535) {
        return address;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "the address of a node is \"%s\"; give host:port, with a port from 1 to 65535"
            .formatted(address));
  }

  static String host(String address) {
    return address.substring(0, address.lastIndexOf(':'));
  }

  static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
