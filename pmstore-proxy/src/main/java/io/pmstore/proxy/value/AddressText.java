package io.pmstore.proxy.value;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Proxy;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The texts of internet addresses. They are part of the format. Reading and writing them asks no
 * name server.
 *
 * <pre>
 *   address          host/digits  host/digits%scope  host/digits%scope%interface   host may be empty
 *   socket address   port resolved address           port unresolved host
 *   proxy            DIRECT                          HTTP or SOCKS, and the socket address
 * </pre>
 */
public final class AddressText {
  private static final int SOCKET_PARTS = 3;

  private AddressText() {}

  // ---- addresses

  /** Returns the text of an address. */
  public static String of(InetAddress address) {
    if (address instanceof Inet6Address six && six.getScopedInterface() != null) {
      String text = address.toString();
      String host = text.substring(0, text.length() - address.getHostAddress().length());
      String name = six.getScopedInterface().getName();
      return host + digits(address) + "%" + six.getScopeId() + "%" + name;
    }
    return address.toString();
  }

  /** Returns the digits without the scope, which {@code equals} does not compare. */
  static String digits(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }

  /**
   * Returns the address of a text.
   *
   * @throws IllegalArgumentException if no address has such a text
   */
  public static InetAddress address(String text) {
    int slash = text.lastIndexOf('/');
    String host = slash <= 0 ? null : text.substring(0, slash);
    String[] parts = text.substring(slash + 1).split("%", 3);
    InetAddress literal = InetAddress.ofLiteral(parts[0]);
    try {
      if (parts.length == 1) {
        return host == null ? literal : InetAddress.getByAddress(host, literal.getAddress());
      }
      Inet6Address scoped =
          parts.length == 2 ? null : ofInterface(host, literal.getAddress(), parts[2]);
      int scope = Integer.parseUnsignedInt(parts[1]);
      return scoped != null ? scoped : Inet6Address.getByAddress(host, literal.getAddress(), scope);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("no address: " + text, e);
    }
  }

  /** Returns the address at an interface, or null if this machine has no such interface. */
  private static @Nullable Inet6Address ofInterface(
      @Nullable String host, byte[] digits, String name) {
    try {
      NetworkInterface known = NetworkInterface.getByName(name);
      return known == null ? null : Inet6Address.getByAddress(host, digits, known);
    } catch (SocketException | UnknownHostException e) {
      return null; // the number of the scope remains
    }
  }

  // ---- socket addresses

  /** Returns the text of a socket address. */
  public static String of(InetSocketAddress address) {
    return address.getPort()
        + (address.isUnresolved()
            ? " unresolved " + address.getHostString()
            : " resolved " + of(address.getAddress()));
  }

  /**
   * Returns the socket address of a text.
   *
   * @throws IllegalArgumentException if no socket address has such a text
   */
  public static InetSocketAddress socketAddress(String text) {
    String[] parts = text.split(" ", SOCKET_PARTS);
    if (parts.length == SOCKET_PARTS) {
      int port = Integer.parseInt(parts[0]);
      if (parts[1].equals("unresolved")) {
        return InetSocketAddress.createUnresolved(parts[2], port);
      }
      if (parts[1].equals("resolved")) {
        return new InetSocketAddress(address(parts[2]), port);
      }
    }
    throw new IllegalArgumentException("no port and address: " + text);
  }

  /** Returns a text that equal socket addresses share. */
  static String key(InetSocketAddress address) {
    return address.getPort()
        + " "
        + (address.isUnresolved()
            ? withoutCase(address.getHostString())
            : digits(address.getAddress()));
  }

  /** Returns the same text for texts that are equal but for case, as the JDK sees it. */
  private static String withoutCase(String text) {
    StringBuilder folded = new StringBuilder(text);
    for (int i = 0; i < folded.length(); i++) {
      folded.setCharAt(i, Character.toLowerCase(Character.toUpperCase(folded.charAt(i))));
    }
    return folded.toString();
  }

  // ---- proxies

  /**
   * Returns the text of a proxy.
   *
   * @throws IllegalArgumentException if its address is of a class of the program
   */
  public static String of(Proxy proxy) {
    return switch (proxy.address()) {
      case null -> proxy.type().name();
      case InetSocketAddress address when address.getClass() == InetSocketAddress.class ->
          proxy.type() + " " + of(address);
      default -> throw new IllegalArgumentException("no address of the JDK: " + proxy.address());
    };
  }

  /**
   * Returns the proxy of a text.
   *
   * @throws IllegalArgumentException if no proxy has such a text
   */
  public static Proxy proxy(String text) {
    if (text.equals(Proxy.Type.DIRECT.name())) {
      return Proxy.NO_PROXY;
    }
    int space = text.indexOf(' ');
    if (space < 0) {
      throw new IllegalArgumentException("no proxy: " + text);
    }
    Proxy.Type type = Proxy.Type.valueOf(text.substring(0, space));
    return new Proxy(type, socketAddress(text.substring(space + 1)));
  }

  /** Returns a text that equal proxies share. */
  static String key(Proxy proxy) {
    return proxy.address() instanceof InetSocketAddress address
        ? proxy.type() + " " + key(address)
        : proxy.type().name();
  }
}
