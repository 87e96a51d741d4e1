package io.pmstore.cli.market;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.UUID;
import java.util.regex.Pattern;

/** Fills stores for the tests. */
public final class Market {
  private static final Instant START = Instant.parse("2026-03-01T09:30:00.000000001Z");

  private Market() {}

  /** A value of a type of the program's. */
  public static final class Blob {
    private final String text;

    public Blob(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Blob blob && blob.text.equals(text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /** The codec of {@link Blob}. */
  public static final class BlobCodec implements ValueCodec<Blob> {
    @Override
    public String name() {
      return "blob";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public byte[] encode(Blob value) {
      return value.text().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Blob decode(int version, byte[] bytes) {
      return new Blob(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  /** The options that the store needs. */
  public static PmStoreOptions options() {
    return PmStoreOptions.defaults().valueType(Blob.class, new BlobCodec());
  }

  /** Fills a store with orders and with values of every kind. */
  public static void fill(PmStore store, int orders) throws Exception {
    Exchange exchange = store.root(Exchange.class);
    store.transaction(() -> values(exchange));
    for (int from = 0; from < orders; from += 500) {
      int first = from;
      store.transaction(() -> orders(store, exchange, first, Math.min(orders, first + 500)));
    }
    store.transaction(() -> collections(exchange));
  }

  /** Fills a store with many small objects in one list. */
  public static void fillLarge(PmStore store, int accounts) throws Exception {
    List<Object> list = store.root(Exchange.class).getKinds().getValues();
    for (int from = 0; from < accounts; from += 1000) {
      List<Account> more = new ArrayList<>();
      for (int i = from; i < Math.min(accounts, from + 1000); i++) {
        more.add(new Account("account " + i));
      }
      store.transaction(Durability.relaxed(Duration.ofSeconds(1)), () -> list.addAll(more));
    }
  }

  private static void orders(PmStore store, Exchange exchange, int from, int to) {
    for (int i = from; i < to; i++) {
      Account account = new Account("customer " + i % 10);
      for (Account known : exchange.getAccounts()) {
        account = known.getName().equals(account.getName()) ? known : account;
      }
      Order order =
          new Order("S" + i % 26, i + 1, i + ".50", i % 2 == 0 ? Side.BUY : Side.SELL, account);
      exchange.getOrders().put((long) i, order);
      Order stored = exchange.getOrders().get((long) i);
      for (int k = 0; k < i % 3; k++) {
        stored
            .getReports()
            .add(
                new Report(
                    new Money("USD", new BigDecimal(k + ".25")), START.plusSeconds(i), stored));
      }
      stored.getAccount().setLast(stored);
      exchange.getAccounts().add(stored.getAccount());
    }
  }

  private static void collections(Exchange exchange) {
    for (Account account : exchange.getAccounts()) {
      exchange.getNotes().put(account, "note of " + account.getName());
      exchange.getByName().add(account);
      exchange.getByNameReversed().add(account);
    }
    for (Order order : exchange.getOrders().values()) {
      if (order.getQuantity() <= 20) {
        exchange.getByQuantity().add(order);
        exchange.getBySymbol().put(order.getSymbol(), order);
        exchange.getBySide().put(order.getSide(), order);
      }
    }
    for (int i = 0; i < 40; i++) {
      exchange.getOwnHashes().put(new Isin("US" + i), i);
      exchange.getIsins().add(new Isin("DE" + i));
      exchange.getMoneys().put(new Money("EUR", new BigDecimal(i)), "m" + i);
      exchange.getTags().add("tag " + i * 7 % 40);
      exchange.getQueue().add("q" + i);
      exchange.getDescending().add(i * 7 % 40);
      exchange.getIgnoringCase().add((i % 2 == 0 ? "k" : "K") + i);
    }
    Account first = exchange.getAccounts().first();
    exchange.setBest(Optional.of(first));
    exchange.setBoard(new Account[] {first, null, exchange.getAccounts().last()});
    exchange.setLines(new String[] {"one", null, "three \"quoted\"\n\u0001"});
  }

  private static void values(Exchange exchange) throws Exception {
    Kinds kinds = exchange.getKinds();
    kinds.getValues().addAll(everyKind());
    for (Object value : everyKind()) {
      kinds.getNamed().put("v" + kinds.getNamed().size(), value);
    }
    kinds.getNamed().put("self", kinds);
  }

  /** Returns values of every kind that a store can hold. */
  public static List<Object> everyKind() throws Exception {
    return Arrays.asList(
        null,
        true,
        (byte) 1,
        (short) 2,
        'c',
        3,
        4L,
        5.5f,
        6.5,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        -0.0,
        "",
        "short",
        "naïve, and longer than a cell has room for",
        "日本語 and \ud83d\ude00",
        "half of a pair: \ud83d.",
        '\udfff',
        new BigInteger("7"),
        new BigInteger("123456789012345678901234567890"),
        new BigDecimal("1.50"),
        new BigDecimal("12345678901234567890.123456789"),
        Side.SELL,
        UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
        START,
        Duration.ofNanos(-1),
        LocalDate.of(2026, 2, 28),
        LocalDate.of(-5000, 1, 1),
        LocalTime.of(23, 59, 59, 999_999_999),
        LocalDateTime.of(2026, 1, 1, 0, 0),
        OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 1, ZoneOffset.ofHours(-3)),
        OffsetTime.of(1, 2, 3, 4, ZoneOffset.UTC),
        ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin"))
            .withLaterOffsetAtOverlap(),
        ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.ofHours(1)),
        ZoneOffset.ofTotalSeconds(3601),
        ZoneId.of("America/New_York"),
        Year.of(2026),
        YearMonth.of(12026, 11),
        MonthDay.of(2, 29),
        Period.of(1, -2, 3),
        new Date(1_234_567_890_123L),
        new java.sql.Date(1_234_567_890_123L),
        new java.sql.Time(-1L),
        java.sql.Timestamp.from(START),
        OptionalInt.of(3),
        OptionalInt.empty(),
        OptionalLong.of(4),
        OptionalDouble.of(0.5),
        Optional.empty(),
        Optional.of("present"),
        URI.create("http://example.org/%7ea?b#c"),
        URI.create("http://example.org").toURL(),
        Locale.of("de", "CH"),
        Locale.of("no", "NO", "NY"),
        Currency.getInstance("BRL"),
        new File("/tmp/a b"),
        Path.of("relative/path"),
        Pattern.compile("a/b+", Pattern.CASE_INSENSITIVE),
        StandardCharsets.UTF_16,
        InetAddress.ofLiteral("192.0.2.1"),
        InetAddress.getByAddress("example", new byte[] {10, 0, 0, 1}),
        String.class,
        new Money("CHF", new BigDecimal("0.05")),
        new byte[] {1, -1, 0},
        new boolean[] {true, false},
        new short[] {1, -1},
        new char[] {'a', '\n'},
        new int[] {Integer.MIN_VALUE, 0},
        new long[] {Long.MIN_VALUE},
        new float[] {1.5f, Float.NEGATIVE_INFINITY},
        new double[] {1e300, Double.NaN},
        new String[] {"a", null},
        new Object[] {1, "b", new Money("X", null)},
        new Blob("of the program's"),
        java.net.Inet6Address.getByAddress(
            "scoped", InetAddress.ofLiteral("fe80::1").getAddress(), 7),
        InetSocketAddress.createUnresolved("example.invalid", 80),
        new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 443),
        Proxy.NO_PROXY,
        new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("proxy.invalid", 1080)),
        TimeZone.getTimeZone("America/Sao_Paulo"),
        new SimpleTimeZone(3_600_000, "a zone", 2, -1, 1, 0, 9, -1, 1, 0, 1_800_000),
        calendar("gregory"),
        calendar("buddhist"),
        calendar("japanese"));
  }

  private static Calendar calendar(String type) {
    Calendar calendar =
        new Calendar.Builder()
            .setCalendarType(type)
            .setTimeZone(TimeZone.getTimeZone("Europe/Berlin"))
            .setInstant(START.toEpochMilli())
            .build();
    calendar.setFirstDayOfWeek(Calendar.MONDAY);
    calendar.setMinimalDaysInFirstWeek(4);
    calendar.setLenient(type.equals("gregory"));
    return calendar;
  }
}
