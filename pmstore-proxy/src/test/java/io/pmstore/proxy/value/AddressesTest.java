package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.proxy.fixture.StoreTest;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Proxy;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of the internet, addresses of sockets, and proxies. */
class AddressesTest extends StoreTest {

  @Persistent(root = "route")
  interface Route {
    InetAddress getAddress();

    void setAddress(InetAddress address);

    Inet4Address getFour();

    void setFour(Inet4Address address);

    Inet6Address getSix();

    void setSix(Inet6Address address);

    InetSocketAddress getSocket();

    void setSocket(InetSocketAddress address);

    Proxy getProxy();

    void setProxy(Proxy proxy);

    @Nullable Object getAnything();

    void setAnything(@Nullable Object value);

    List<Object> getList();

    void setList(List<Object> list);

    Map<Object, String> getMap();

    void setMap(Map<Object, String> map);

    Hop getHop();

    void setHop(Hop hop);

    InetSocketAddress[] getSockets();

    void setSockets(InetSocketAddress[] array);
  }

  record Hop(@Nullable InetSocketAddress to, @Nullable Proxy by, @Nullable Object anything) {}

  private static Inet6Address scoped(@Nullable String host, int scope) {
    byte[] local = {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    try {
      return Inet6Address.getByAddress(host, local, scope);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InetAddress named(String host, String digits) {
    try {
      return InetAddress.getByAddress(host, InetAddress.ofLiteral(digits).getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<InetAddress> addresses() throws SocketException {
    List<InetAddress> addresses = new ArrayList<>();
    addresses.add(InetAddress.ofLiteral("192.0.2.1"));
    addresses.add(named("host.invalid", "192.0.2.1"));
    addresses.add(InetAddress.ofLiteral("2001:db8::1"));
    addresses.add(named("host/invalid", "2001:db8::1"));
    addresses.add(scoped(null, 0));
    addresses.add(scoped("host.invalid", 7));
    addresses.add(scoped("50%", Integer.MAX_VALUE));
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .forEach(addresses::add); // some with scopes that are interfaces
    return addresses;
  }

  static List<InetSocketAddress> sockets() throws SocketException {
    List<InetSocketAddress> sockets = new ArrayList<>();
    addresses().forEach(address -> sockets.add(new InetSocketAddress(address, 65535)));
    sockets.add(new InetSocketAddress(0));
    sockets.add(InetSocketAddress.createUnresolved("Host.invalid", 80));
    sockets.add(InetSocketAddress.createUnresolved("localhost", 80));
    sockets.add(InetSocketAddress.createUnresolved("a b/\n1 resolved 127.0.0.1", 80));
    sockets.add(InetSocketAddress.createUnresolved("", 0));
    return sockets;
  }

  static List<Object> all() throws SocketException {
    List<Object> all = new ArrayList<>(addresses());
    all.addAll(sockets());
    for (InetSocketAddress socket : sockets()) {
      all.add(new Proxy(Proxy.Type.HTTP, socket));
      all.add(new Proxy(Proxy.Type.SOCKS, socket));
    }
    all.add(Proxy.NO_PROXY);
    return all;
  }

  private static void assertSameValue(Object expected, @Nullable Object found) {
    assertNotNull(found);
    assertSame(expected.getClass(), found.getClass());
    assertEquals(expected, found);
    assertEquals(expected.hashCode(), found.hashCode());
    assertEquals(expected.toString(), found.toString());
    switch (expected) {
      case Inet6Address six -> {
        assertEquals(six.getScopeId(), ((Inet6Address) found).getScopeId());
        assertEquals(six.getScopedInterface(), ((Inet6Address) found).getScopedInterface());
      }
      case InetSocketAddress socket -> {
        InetSocketAddress read = (InetSocketAddress) found;
        assertEquals(socket.isUnresolved(), read.isUnresolved());
        assertEquals(socket.getHostString(), read.getHostString());
        if (!socket.isUnresolved()) {
          assertSameValue(socket.getAddress(), read.getAddress());
        }
      }
      case Proxy proxy -> {
        if (proxy.address() == null) {
          assertSame(Proxy.NO_PROXY, found);
        } else {
          assertSameValue(proxy.address(), ((Proxy) found).address());
        }
      }
      default -> {}
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void anAddressIsKeptWhereverItIs(Object value) {
    Route route = store().root(Route.class);
    store()
        .transaction(
            () -> {
              route.setAnything(value);
              route.setList(List.of(value));
              route.setMap(new HashMap<>(Map.of(value, "here")));
              switch (value) {
                case Inet4Address four -> {
                  route.setAddress(four);
                  route.setFour(four);
                }
                case Inet6Address six -> {
                  route.setAddress(six);
                  route.setSix(six);
                }
                case InetSocketAddress socket -> {
                  route.setSocket(socket);
                  route.setSockets(new InetSocketAddress[] {socket});
                  route.setHop(new Hop(socket, null, socket));
                }
                case Proxy proxy -> {
                  route.setProxy(proxy);
                  route.setHop(new Hop(null, proxy, proxy));
                }
                default -> throw new AssertionError(value);
              }
            });
    for (int i = 0; i < 2; i++) {
      assertStored(value, store().root(Route.class));
      reopen();
    }
  }

  private static void assertStored(Object value, Route route) {
    assertSameValue(value, route.getAnything());
    assertSameValue(value, route.getList().getFirst());
    assertTrue(route.getList().contains(value));
    assertSameValue(value, route.getMap().keySet().iterator().next());
    assertEquals("here", route.getMap().get(value));
    switch (value) {
      case Inet4Address _ -> {
        assertSameValue(value, route.getAddress());
        assertSameValue(value, route.getFour());
      }
      case Inet6Address _ -> {
        assertSameValue(value, route.getAddress());
        assertSameValue(value, route.getSix());
      }
      case InetSocketAddress _ -> {
        assertSameValue(value, route.getSocket());
        assertSameValue(value, route.getSockets()[0]);
        assertSameValue(value, route.getHop().to());
        assertSameValue(value, route.getHop().anything());
      }
      default -> {
        assertSameValue(value, route.getProxy());
        assertSameValue(value, route.getHop().by());
      }
    }
  }

  /** Equal are addresses of different scopes and hosts, and hosts of different case. */
  @Test
  void addressesAreKeysAsInTheJdk() throws SocketException {
    Route route = store().root(Route.class);
    route.setMap(new HashMap<>());
    Map<Object, String> expected = new HashMap<>();
    List<Object> keys = new ArrayList<>(all());
    keys.add(scoped(null, 8));
    keys.add(scoped(null, -1));
    for (String host : new String[] {"hOST.INVALID", "\u0130", "i", "I", "\u0131"}) {
      InetSocketAddress socket = InetSocketAddress.createUnresolved(host, 80);
      keys.add(socket);
      keys.add(new Proxy(Proxy.Type.HTTP, socket));
    }
    for (Object key : keys) {
      // The JDK's own hash codes of hosts that differ in case may differ, so its map is no model.
      Object known = expected.keySet().stream().filter(key::equals).findFirst().orElse(key);
      assertEquals(expected.put(known, key + ""), route.getMap().put(key, key + ""), key::toString);
    }
    assertEquals(expected.size(), route.getMap().size());
  }

  @Test
  void anAddressOfAnInterfaceThatIsNotThereKeepsTheNumberOfItsScope() {
    Inet6Address found = (Inet6Address) AddressText.address("a/fe80:0:0:0:0:0:0:1%9%none99");
    assertEquals("a/fe80:0:0:0:0:0:0:1%9", found.toString());
    assertEquals(9, found.getScopeId());
    assertNull(found.getScopedInterface());
  }

  /** A proxy of a class of the program. */
  static final class Own extends Proxy {
    Own() {
      super(Type.HTTP, InetSocketAddress.createUnresolved("x", 1));
    }
  }

  /** A socket address of a class of the program. */
  static final class OwnSocket extends InetSocketAddress {
    private static final long serialVersionUID = 1L;

    OwnSocket() {
      super(1);
    }
  }

  static Stream<Object> refused() {
    return Stream.of(new Own(), new OwnSocket(), new Proxy(Proxy.Type.HTTP, new OwnSocket()));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatHasMoreThanAStoreKeepsIsRefused(Object value) {
    Route route = store().root(Route.class);
    String message =
        assertThrows(NotPersistableException.class, () -> route.setAnything(value)).getMessage();
    assertTrue(
        message.startsWith("route.anything is of class " + value.getClass().getName()), message);
    assertTrue(
        message.endsWith(
            "; use a String for the host and an int for the port"
                + (value instanceof OwnSocket
                    ? ", or give the store a codec for it with PmStoreOptions.valueType, such as"
                        + " ValueCodec.ofSerializable"
                    : "")),
        message);
    assertNull(route.getAnything());
  }

  @Test
  void theTextsAreAsTheFormatSays() throws SocketException {
    assertEquals("/192.0.2.1", AddressText.of(InetAddress.ofLiteral("192.0.2.1")));
    assertEquals("h/fe80:0:0:0:0:0:0:1%7", AddressText.of(scoped("h", 7)));
    InetSocketAddress unresolved = InetSocketAddress.createUnresolved("host", 8);
    assertEquals("8 unresolved host", AddressText.of(unresolved));
    assertEquals(
        "9 resolved a/192.0.2.1",
        AddressText.of(new InetSocketAddress(named("a", "192.0.2.1"), 9)));
    assertEquals("DIRECT", AddressText.of(Proxy.NO_PROXY));
    assertEquals(
        "SOCKS 8 unresolved host", AddressText.of(new Proxy(Proxy.Type.SOCKS, unresolved)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP",
        "DIRECT 8 unresolved host",
        "FTP 8 unresolved host",
        "HTTP 8 unresolved",
        "HTTP 8 somehow host",
        "HTTP 65536 unresolved host",
        "HTTP -1 resolved /192.0.2.1",
        "HTTP 8 resolved localhost",
        "HTTP 8 resolved a/localhost",
        "HTTP 8 resolved /192.0.2.1%7",
        "HTTP 8 resolved /fe80::1%x",
        "HTTP 8 resolved /fe80::1%",
        "HTTP 8 resolved /fe80::1%-1"
      })
  void aTextThatIsNoProxyIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> AddressText.proxy(text));
  }

  /** No text makes the JVM fail: what is read is a value, or an exception that cells explain. */
  @Test
  @Timeout(60)
  void damagedTextsAreValuesOrAreRefused() throws SocketException {
    SplittableRandom random = new SplittableRandom(22);
    List<Object> values = new ArrayList<>(all());
    values.addAll(CalendarsTest.calendars());
    values.addAll(CalendarsTest.zones());
    int refused = 0;
    for (Object value : values) {
      TextCells kind = TextCells.of(value);
      assertNotNull(kind, value::toString);
      for (int i = 0; i < 100; i++) {
        StringBuilder text = new StringBuilder(kind.textOf(value));
        for (int flips = random.nextInt(1, 4); flips > 0 && !text.isEmpty(); flips--) {
          int at = random.nextInt(text.length());
          switch (random.nextInt(4)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.setCharAt(at, (char) (text.charAt(at) ^ 1 << random.nextInt(8)));
            case 2 -> text.setCharAt(at, (char) ('0' + random.nextInt(10)));
            default -> text.insert(at, "0123456789,- /%".charAt(random.nextInt(15)));
          }
        }
        try {
          assertNotNull(TextCells.value(kind.code, 0, text.toString()).toString());
        } catch (IllegalArgumentException | PmStoreException e) {
          refused++;
        }
      }
    }
    assertTrue(refused > values.size(), refused + " refused");
  }
}
