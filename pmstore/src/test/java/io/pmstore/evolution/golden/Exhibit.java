package io.pmstore.evolution.golden;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** One of each that a store can hold. */
@Persistent
public class Exhibit {
  /** An enum, with a body. */
  enum Side {
    BUY {
      @Override
      int sign() {
        return 1;
      }
    },
    SELL {
      @Override
      int sign() {
        return -1;
      }
    };

    abstract int sign();
  }

  /** A record, with another one in it. */
  record Place(int x, String name, Side side, Place next) {}

  private boolean flag;
  private byte small;
  private short medium;
  private char letter;
  private int number;
  private long large;
  private float real;
  private double precise;
  private Integer box;
  private Integer nothing;
  private String shortText;
  private String longText;
  private Side side;
  private Place place;
  private int[] numbers;
  private Object[] things;
  private List<Object> values = new ArrayList<>();
  private List<Integer> many = new ArrayList<>();
  private Map<Object, Object> map = new HashMap<>();
  private ConcurrentMap<String, Integer> concurrent = new ConcurrentHashMap<>();
  private Set<Object> set = new HashSet<>();
  private NavigableMap<Integer, String> sorted = new TreeMap<>();
  private NavigableSet<String> reversed = new TreeSet<>(Comparator.reverseOrder());
  private Deque<String> deque = new ArrayDeque<>();
  private Exhibit self;

  /** Gives all properties their values. */
  Exhibit fill() {
    flag = true;
    small = -1;
    medium = -300;
    letter = 'ß';
    number = Integer.MIN_VALUE;
    large = Long.MAX_VALUE;
    real = 1.5f;
    precise = -0.1;
    box = 127;
    shortText = "short";
    longText = "a text with ‰ and \uD83D\uDE00 that is longer than a cell ".repeat(5);
    side = Side.SELL;
    place = new Place(1, "here", Side.BUY, new Place(2, "there", null, null));
    numbers = new int[] {3, 1, 2};
    things = new Object[] {"in an array", 5L, new String[] {"nested", null}};
    values.addAll(
        Arrays.asList(
            true, (byte) 1, (short) 2, '3', 4, 5L, 6.5f, 7.5, "eight", null, Side.BUY, place));
    values.addAll(
        List.of(
            new BigDecimal("123456789012345678901234567890.12345"),
            BigInteger.TWO.pow(200),
            new UUID(1, -2),
            new Date(1_700_000_000_000L),
            URI.create("https://example.org/a?b=c"),
            Locale.forLanguageTag("pt-BR"),
            Currency.getInstance("BRL"),
            List.of("a list", List.of("in a list"))));
    values.addAll(
        List.of(
            Instant.ofEpochSecond(1_700_000_000L, 123_456_789),
            Duration.ofMillis(-1),
            Period.of(1, 2, 3),
            LocalDate.of(2026, 2, 28),
            LocalTime.of(23, 59, 58, 7),
            LocalDateTime.of(1999, 12, 31, 23, 59),
            OffsetTime.of(1, 2, 3, 4, ZoneOffset.ofHours(5)),
            OffsetDateTime.of(2000, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHoursMinutes(-7, -30)),
            ZonedDateTime.of(2024, 3, 31, 12, 0, 0, 0, ZoneId.of("Europe/Berlin")),
            Year.of(2027),
            YearMonth.of(2027, 5),
            MonthDay.of(2, 29),
            ZoneId.of("America/Sao_Paulo"),
            ZoneOffset.UTC));
    for (int i = 0; i < 100; i++) {
      many.add(i * i);
      concurrent.put("key " + i, i);
      sorted.put(-i, "value " + i);
      reversed.add("element " + i);
      deque.add("waits " + i);
      set.add(i);
      map.put(i, "of " + i);
    }
    map.put(Side.SELL, "an enum");
    map.put(new Place(3, "key", Side.SELL, null), "a record");
    map.put(null, null);
    set.add(new Place(4, "in a set", null, null));
    self = this;
    return this;
  }

  /** Says what all properties are, in the same words for the same values. */
  List<String> describe() {
    List<String> all = new ArrayList<>();
    all.add(List.of(flag, small, medium, letter, number, large, real, precise, box) + "");
    all.add(nothing + shortText + longText + side + side.sign() + place);
    all.add(Arrays.toString(numbers) + Arrays.deepToString(things));
    values.forEach(value -> all.add(value == null ? "null" : value.getClass().getName() + value));
    all.replaceAll(text -> text.replaceFirst("^\\S*List[^\\[]*\\[", "list["));
    all.addAll(List.of("" + many, "" + sorted, "" + reversed, "" + deque));
    all.addAll(List.of(sortedTexts(map.entrySet()), sortedTexts(concurrent.entrySet())));
    all.add(sortedTexts(set));
    all.add("" + (self == this) + map.get(Side.SELL));
    all.add("" + map.get(new Place(3, "key", Side.SELL, null)) + concurrent.get("key 7"));
    all.add("" + set.contains(new Place(4, "in a set", null, null)) + sorted.get(-50));
    return all;
  }

  private static String sortedTexts(Set<?> set) {
    return set.stream().map(String::valueOf).sorted().toList().toString();
  }
}
