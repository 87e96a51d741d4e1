package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.MonthDay;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SimpleTimeZone;
import java.util.StringJoiner;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.MethodManifestation;
import net.bytebuddy.description.modifier.Visibility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the tables of types in docs/classes.md is true. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "ThreadLocalUsage"}) // users have such values
class TypesOfPropertiesTest extends StoreTest {
  private static final Path DOCUMENT = Path.of("../docs/classes.md");

  private static final Map<String, List<Object>> SAMPLES = samples();

  record Row(String type, String text) {}

  private static List<Row> rows(String table) throws IOException {
    String text = Files.readString(DOCUMENT);
    int start = text.indexOf("<!-- types: " + table + " -->");
    assertTrue(start >= 0, "docs/classes.md has no table of types that are " + table);
    List<Row> rows = new ArrayList<>();
    for (String line :
        text.substring(start, text.indexOf("\n\n", start)).lines().skip(3).toList()) {
      String[] columns = line.split("\\|", -1);
      Matcher type = Pattern.compile("`([^`]+)`").matcher(columns[1]);
      while (type.find()) {
        rows.add(new Row(type.group(1), columns[2].strip()));
      }
    }
    return rows;
  }

  static List<Row> kept() throws IOException {
    return rows("kept");
  }

  static List<Row> refused() throws IOException {
    return rows("refused");
  }

  private static Map<String, List<Object>> samples() {
    Map<String, List<Object>> samples = new HashMap<>();
    try {
      put(
          samples,
          Optional.class,
          Optional.empty(),
          Optional.of("x"),
          Optional.of(Optional.of(1L)));
      put(
          samples,
          SimpleImmutableEntry.class,
          new SimpleImmutableEntry<>("k", 1L),
          new SimpleImmutableEntry<>(null, Optional.of("x")));
      put(samples, SimpleEntry.class, new SimpleEntry<>("k", "v"));
      put(samples, OptionalInt.class, OptionalInt.empty(), OptionalInt.of(-1), OptionalInt.of(0));
      put(samples, OptionalLong.class, OptionalLong.empty(), OptionalLong.of(Long.MIN_VALUE));
      put(samples, OptionalDouble.class, OptionalDouble.empty(), OptionalDouble.of(Double.NaN));
      put(samples, Date.class, new Date(5));
      put(samples, java.sql.Date.class, new java.sql.Date(5));
      put(samples, java.sql.Time.class, new java.sql.Time(5));
      put(samples, java.sql.Timestamp.class, new java.sql.Timestamp(5));
      put(samples, URI.class, URI.create("mailto:a@example.org"));
      put(samples, Currency.class, Currency.getInstance("BRL"));
      put(
          samples,
          Locale.class,
          Locale.of("no", "NO", "NY"),
          Locale.of("pt", "BR"),
          Locale.of("de", "DE", "a variant"),
          Locale.of("ja", "JP", "JP"),
          Locale.of("th", "TH", "TH"),
          Locale.of("iw"),
          Locale.of("", "", "x"),
          Locale.forLanguageTag("zh-Hant-u-nu-hanidec-x-private"),
          Locale.ROOT);
      put(samples, ZoneId.class, ZoneId.of("UTC"), ZoneId.of("+3"));
      put(samples, MonthDay.class, MonthDay.of(2, 29));
      put(samples, YearMonth.class, YearMonth.of(2024, 2));
      put(
          samples,
          URL.class,
          URI.create("https://user@example.invalid:8443/a%20b?c=d#e").toURL(),
          URI.create("file:/tmp/x").toURL(),
          URI.create("jar:file:/tmp/x.jar!/a").toURL());
      put(
          samples,
          Pattern.class,
          Pattern.compile("a|b\n", Pattern.CASE_INSENSITIVE | Pattern.COMMENTS),
          Pattern.compile(""));
      put(samples, File.class, new File("a/../b"), new File("/"), new File(""));
      put(samples, Path.class, Path.of("a/../b"), Path.of("/"), Path.of(""));
      put(
          samples,
          Class.class,
          String.class,
          int.class,
          void.class,
          int[][].class,
          String[].class,
          Row.class,
          Map.Entry.class);
      InetAddress four = InetAddress.ofLiteral("192.0.2.1");
      InetAddress named =
          InetAddress.getByAddress("host.invalid", new byte[] {(byte) 192, 0, 2, 2});
      InetAddress six = InetAddress.ofLiteral("2001:db8::1");
      byte[] local = {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
      InetAddress scoped = java.net.Inet6Address.getByAddress(null, local, 7);
      put(samples, InetAddress.class, four, named, six, scoped);
      put(samples, java.net.Inet4Address.class, four, named);
      put(samples, java.net.Inet6Address.class, six, scoped);
      put(
          samples,
          java.nio.charset.Charset.class,
          StandardCharsets.UTF_8,
          java.nio.charset.Charset.forName("windows-1252"));

      put(samples, AtomicLong.class, new AtomicLong(1));
      put(samples, AtomicInteger.class, new AtomicInteger(1));
      put(samples, LongAdder.class, new LongAdder());
      put(samples, AtomicBoolean.class, new AtomicBoolean());
      put(samples, DoubleAdder.class, new DoubleAdder());
      put(samples, AtomicReference.class, new AtomicReference<>("x"));
      put(samples, WeakReference.class, new WeakReference<>("x"));
      put(samples, AtomicIntegerArray.class, new AtomicIntegerArray(1));
      put(samples, BitSet.class, BitSet.valueOf(new long[] {5}));
      put(samples, StringBuilder.class, new StringBuilder("x"));
      put(samples, StringBuffer.class, new StringBuffer("x"));
      Calendar gregorian = new GregorianCalendar(TimeZone.getTimeZone("Asia/Tokyo"), Locale.ROOT);
      put(samples, Calendar.class, Calendar.getInstance(), gregorian);
      put(samples, GregorianCalendar.class, gregorian);
      SimpleTimeZone simple = new SimpleTimeZone(3_600_000, "own");
      put(samples, TimeZone.class, TimeZone.getDefault(), TimeZone.getTimeZone("GMT+2"), simple);
      put(samples, SimpleTimeZone.class, simple);
      put(samples, ByteBuffer.class, ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1));
      put(samples, Random.class, new Random());
      put(samples, Thread.class, Thread.currentThread());
      put(samples, ThreadLocal.class, new ThreadLocal<String>());
      put(samples, java.util.concurrent.ExecutorService.class, ForkJoinPool.commonPool());
      put(samples, CompletableFuture.class, new CompletableFuture<String>());
      put(samples, java.io.InputStream.class, new ByteArrayInputStream(new byte[0]));
      put(samples, java.io.Writer.class, new StringWriter());
      put(samples, Socket.class, new Socket());
      put(samples, java.util.concurrent.locks.Lock.class, new ReentrantLock());
      put(samples, ReentrantLock.class, new ReentrantLock());
      put(samples, Semaphore.class, new Semaphore(1));
      put(samples, java.util.Iterator.class, List.of(1).iterator());
      put(samples, Stream.class, Stream.of(1));
      put(samples, Exception.class, new IllegalStateException("x"));
      put(samples, java.lang.reflect.Method.class, String.class.getMethod("length"));
      InetSocketAddress unresolved = InetSocketAddress.createUnresolved("x.invalid", 1);
      put(samples, InetSocketAddress.class, unresolved, new InetSocketAddress(named, 2));
      put(samples, Proxy.class, Proxy.NO_PROXY, new Proxy(Proxy.Type.HTTP, unresolved));
      put(samples, StringJoiner.class, new StringJoiner(","));
    } catch (IOException | NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
    return samples;
  }

  private static void put(Map<String, List<Object>> samples, Class<?> type, Object... values) {
    samples.put(type.getName(), List.of(values));
  }

  /** An interface with the property {@code x} of a type. */
  private static Class<?> beanOf(Class<?> type) {
    return new ByteBuddy()
        .makeInterface()
        .name("io.pmstore.proxy.layer.Of" + type.getSimpleName())
        .annotateType(AnnotationDescription.Builder.ofType(Persistent.class).build())
        .defineMethod("getX", type, Visibility.PUBLIC, MethodManifestation.ABSTRACT)
        .withoutCode()
        .defineMethod("setX", void.class, Visibility.PUBLIC, MethodManifestation.ABSTRACT)
        .withParameters(type)
        .withoutCode()
        .make()
        .load(TypesOfPropertiesTest.class.getClassLoader())
        .getLoaded();
  }

  private static @Nullable Object get(Object bean) {
    return invoke(bean, "getX");
  }

  private static @Nullable Object invoke(Object bean, String name, Object... arguments) {
    try {
      for (java.lang.reflect.Method method : bean.getClass().getMethods()) {
        if (method.getName().equals(name) && !method.isBridge()) {
          method.setAccessible(true);
          return method.invoke(bean, arguments);
        }
      }
      throw new AssertionError(name);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertSameValue(Object expected, @Nullable Object found) {
    assertNotNull(found);
    assertSame(expected.getClass(), found.getClass());
    assertEquals(expected.toString(), found.toString());
    if (found instanceof Pattern pattern) {
      assertEquals(((Pattern) expected).flags(), pattern.flags());
    } else if (!(found instanceof URL)) {
      assertEquals(expected, found);
      assertEquals(expected.hashCode(), found.hashCode());
    }
  }

  private static List<Object> samplesOf(String type) {
    return Objects.requireNonNull(
        SAMPLES.get(type), () -> "there is no sample of " + type + ", which docs/classes.md names");
  }

  @ParameterizedTest
  @MethodSource("kept")
  void aTypeThatIsKeptIsKeptWhereverItIs(Row row) throws ClassNotFoundException {
    Class<?> type = Class.forName(row.type());
    Class<?> bean = beanOf(type);
    boolean isKey = !row.text().contains("refused as a key");
    for (Object value : samplesOf(row.type())) {
      Object declared = store().root("declared", bean);
      Drawer drawer = store().root("drawer", Drawer.class);
      store()
          .transaction(
              () -> {
                invoke(declared, "setX", value);
                drawer.setAnything(List.of(value, new Box(value), Optional.of(value)));
                drawer.setMap(new HashMap<>());
                if (isKey) {
                  drawer.getMap().put(value, "value");
                  drawer.getMap().put(new Box(value), "box");
                }
              });
      assertSameValue(value, get(declared));
      for (int i = 0; i < 2; i++) {
        assertSameValue(value, get(store().root("declared", bean)));
        Drawer reopened = store().root("drawer", Drawer.class);
        List<?> list = (List<?>) reopened.getAnything();
        assertSameValue(value, list.get(0));
        assertSameValue(value, ((Box) list.get(1)).content());
        assertSameValue(value, ((Optional<?>) list.get(2)).orElseThrow());
        if (isKey) {
          assertTrue(list.contains(value));
          assertEquals("value", reopened.getMap().get(value));
          assertEquals("box", reopened.getMap().get(new Box(value)));
        } else {
          String message =
              assertThrows(
                      NotPersistableException.class, () -> reopened.getMap().put(value, "value"))
                  .getMessage();
          assertTrue(message.contains("use its toString()"), message);
        }
        reopen();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aTypeThatIsRefusedSaysWhatToDo(Row row) throws ClassNotFoundException {
    Class<?> bean = beanOf(Class.forName(row.type()));
    String ofType =
        assertThrows(ClassRefusedException.class, () -> store().root("declared", bean))
            .getMessage();
    assertTrue(ofType.contains("property x is of type " + row.type()), ofType);
    assertTrue(ofType.endsWith("; " + row.text()), ofType);
    Drawer drawer = store().root("drawer", Drawer.class);
    drawer.setAnything("before");
    for (Object value : samplesOf(row.type())) {
      String ofValue =
          assertThrows(NotPersistableException.class, () -> drawer.setAnything(value)).getMessage();
      assertTrue(ofValue.startsWith("drawer.anything is of class "), ofValue);
      assertTrue(ofValue.endsWith("; " + row.text()), ofValue);
      assertEquals("before", drawer.getAnything());
    }
  }

  record Box(Object content) {}

  @Persistent
  interface Drawer {
    Object getAnything();

    void setAnything(Object value);

    Map<Object, String> getMap();

    void setMap(Map<Object, String> map);
  }

  /** A value of which a part has no place in the store is refused, not cut. */
  static List<Object> valuesWithMore() {
    return List.of(
        Path.of(URI.create("jrt:/java.base")),
        new Date(5) {
          private static final long serialVersionUID = 1L;
        },
        new File("x") {
          private static final long serialVersionUID = 1L;
        });
  }

  @ParameterizedTest
  @MethodSource("valuesWithMore")
  void whatHasMoreThanAStoreKeepsIsRefused(Object value) {
    Drawer drawer = store().root("drawer", Drawer.class);
    String message =
        assertThrows(NotPersistableException.class, () -> drawer.setAnything(value)).getMessage();
    assertTrue(message.contains("; use ") || message.contains("; keep what it says "), message);
    assertNull(drawer.getAnything());
  }

  @Test
  void theClassOfAPersistentObjectIsRefused() {
    Drawer drawer = store().root("drawer", Drawer.class);
    String message =
        assertThrows(NotPersistableException.class, () -> drawer.setAnything(drawer.getClass()))
            .getMessage();
    assertTrue(message.contains("store the class that your source names"), message);
  }

  @Test
  void whatIsInAnOptionalBecomesPersistent() {
    Drawer drawer = store().root("drawer", Drawer.class);
    Order order = new Order();
    order.setSymbol("PETR4");
    drawer.setAnything(Optional.of(order));
    reopen();
    Object found = ((Optional<?>) store().root("drawer", Drawer.class).getAnything()).orElseThrow();
    assertEquals("PETR4", ((Order) found).getSymbol());
    assertTrue(found instanceof io.pmstore.spi.PersistentObject);
  }

  @Test
  void anEntryIsKeptAsItsKeyAndValue() {
    Drawer drawer = store().root("drawer", Drawer.class);
    Order order = new Order();
    order.setSymbol("PETR4");
    Map.Entry<?, ?> ofMap = Map.entry("k", order);
    Map.Entry<?, ?> first = new LinkedHashMap<>(Map.of("k", 2)).firstEntry();
    drawer.setAnything(List.of(ofMap, first, Optional.of(ofMap)));
    drawer.setMap(new HashMap<>(Map.of(Map.entry("a", 1L), "value")));
    reopen();
    Drawer reopened = store().root("drawer", Drawer.class);
    List<?> list = (List<?>) reopened.getAnything();
    Map.Entry<?, ?> found = (Map.Entry<?, ?>) list.get(0);
    assertEquals("k", found.getKey());
    assertEquals("PETR4", ((Order) found.getValue()).getSymbol());
    assertEquals(first, list.get(1));
    assertEquals(Optional.of(found), list.get(2));
    assertEquals("value", reopened.getMap().get(Map.entry("a", 1L)));
    assertEquals("value", reopened.getMap().get(new SimpleImmutableEntry<>("a", 1L)));
    assertNull(reopened.getMap().get(Map.entry("a", 2L)));
  }

  @Test
  void anEntryThatMayChangeIsRefused() {
    Drawer drawer = store().root("drawer", Drawer.class);
    drawer.setMap(new HashMap<>(Map.of("k", "v")));
    for (Map.Entry<?, ?> entry :
        List.of(
            new HashMap<>(Map.of("k", "v")).entrySet().iterator().next(),
            new TreeMap<>(Map.of("k", "v")).entrySet().iterator().next(),
            drawer.getMap().entrySet().iterator().next())) {
      String message =
          assertThrows(NotPersistableException.class, () -> drawer.setAnything(entry)).getMessage();
      assertTrue(
          message.endsWith(
              "use new AbstractMap.SimpleImmutableEntry<>(entry), which never changes"),
          message);
      drawer.setAnything(new SimpleImmutableEntry<>(entry)); // the advice works
      assertEquals(entry, drawer.getAnything());
    }
  }

  @Persistent(root = "person")
  static class Person {
    private @Nullable String nick;
    private Optional<String> email = Optional.empty();

    Optional<String> getNick() {
      return Optional.ofNullable(nick);
    }

    void setNick(@Nullable String nick) {
      this.nick = nick;
    }

    Optional<String> getEmail() {
      return email;
    }

    void setEmail(Optional<String> email) {
      this.email = email;
    }
  }

  @Test
  void aGetterMayReturnAnOptionalOfItsField() {
    Person person = store().root(Person.class);
    assertEquals(Optional.empty(), person.getNick());
    assertEquals(Optional.empty(), person.getEmail());
    person.setNick("Ana");
    person.setEmail(Optional.of("ana@example.org"));
    reopen();
    assertEquals(Optional.of("Ana"), store().root(Person.class).getNick());
    assertEquals(Optional.of("ana@example.org"), store().root(Person.class).getEmail());
  }

  static List<Class<?>> classesThatExtendTheJdk() {
    return List.of(Counter.class, Failure.class, Worker.class);
  }

  @Persistent
  static class Counter extends AtomicLong {
    private static final long serialVersionUID = 1L;
  }

  @Persistent
  static class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
  }

  @Persistent
  static class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Persistent
  static class Worker extends Thread {}

  @Test
  void aClassThatExtendsACollectionIsRefusedUnlessItIsEnhanced() {
    aClassThatInheritsStateFromTheJdkIsRefused(Names.class);
  }

  @ParameterizedTest
  @MethodSource("classesThatExtendTheJdk")
  void aClassThatInheritsStateFromTheJdkIsRefused(Class<?> type) {
    String message =
        assertThrows(ClassRefusedException.class, () -> store().create(type)).getMessage();
    assertTrue(message.contains("it extends java."), message);
    assertTrue(message.endsWith("hold what it says in a property"), message);
  }

  @Test
  void anArrayAsAKeyIsToldOfWhatWorks() {
    Drawer drawer = store().root("drawer", Drawer.class);
    drawer.setMap(new HashMap<>());
    String message =
        assertThrows(NotPersistableException.class, () -> drawer.getMap().put(new byte[] {1}, "x"))
            .getMessage();
    assertTrue(message.endsWith("as java.util.HexFormat or Arrays.toString makes it"), message);
    drawer.getMap().put(HexFormat.of().formatHex(new byte[] {1}), "x"); // the advice works
  }

  @Test
  void aLambdaIsToldOfWhatWorks() {
    Drawer drawer = store().root("drawer", Drawer.class);
    Runnable lambda = () -> {};
    String message =
        assertThrows(NotPersistableException.class, () -> drawer.setAnything(lambda)).getMessage();
    assertTrue(message.contains("write it as a constant of an enum"), message);
  }

  /** Declared as what all enums, or all records, extend. */
  @Persistent
  static class Tagged {
    private @Nullable Enum<?> tag;
    private @Nullable Record place;

    void set(Enum<?> tag, Record place) {
      this.tag = tag;
      this.place = place;
    }

    List<Object> all() {
      return List.of(Objects.requireNonNull(tag), Objects.requireNonNull(place));
    }
  }

  record Spot(int row) {}

  @Test
  void anyEnumAndAnyRecordCanBeDeclared() {
    store().root("tagged", Tagged.class).set(java.time.DayOfWeek.FRIDAY, new Spot(3));
    reopen();
    assertEquals(
        List.of(java.time.DayOfWeek.FRIDAY, new Spot(3)),
        store().root("tagged", Tagged.class).all());
  }
}
