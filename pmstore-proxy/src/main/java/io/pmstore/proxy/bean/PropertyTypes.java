package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import io.pmstore.core.catalogue.SlotKind;
import java.io.File;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
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
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.GregorianCalendar;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The Java types that a property can have, and the kinds of their slots. */
public final class PropertyTypes {
  private static final Map<Class<?>, SlotKind> PRIMITIVES =
      Map.of(
          boolean.class, SlotKind.BOOLEAN,
          byte.class, SlotKind.BYTE,
          short.class, SlotKind.SHORT,
          char.class, SlotKind.CHAR,
          int.class, SlotKind.INT,
          long.class, SlotKind.LONG,
          float.class, SlotKind.FLOAT,
          double.class, SlotKind.DOUBLE);

  private static final Set<Class<?>> VALUES =
      Set.of(
          Object.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Number.class,
          String.class,
          Date.class,
          Calendar.class,
          GregorianCalendar.class,
          TimeZone.class,
          SimpleTimeZone.class,
          URI.class,
          Locale.class,
          Currency.class,
          BigDecimal.class,
          BigInteger.class,
          UUID.class,
          Optional.class,
          Map.Entry.class,
          SimpleImmutableEntry.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class,
          Class.class,
          URL.class,
          File.class,
          Path.class,
          Pattern.class,
          Charset.class,
          InetAddress.class,
          Inet4Address.class,
          Inet6Address.class,
          InetSocketAddress.class,
          Proxy.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          OffsetTime.class,
          ZonedDateTime.class,
          ZoneId.class,
          ZoneOffset.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          Period.class);

  private static final Map<Class<?>, SlotKind> WORDS =
      Map.ofEntries(
          Map.entry(Boolean.class, SlotKind.BOOLEAN_WORD),
          Map.entry(Byte.class, SlotKind.BYTE_WORD),
          Map.entry(Short.class, SlotKind.SHORT_WORD),
          Map.entry(Character.class, SlotKind.CHARACTER_WORD),
          Map.entry(Integer.class, SlotKind.INTEGER_WORD),
          Map.entry(Long.class, SlotKind.LONG_WORD),
          Map.entry(Float.class, SlotKind.FLOAT_WORD),
          Map.entry(BigDecimal.class, SlotKind.DECIMAL_WORD),
          Map.entry(Instant.class, SlotKind.INSTANT_WORD),
          Map.entry(Duration.class, SlotKind.DURATION_WORD),
          Map.entry(LocalDate.class, SlotKind.DATE_WORD),
          Map.entry(LocalTime.class, SlotKind.TIME_WORD),
          Map.entry(LocalDateTime.class, SlotKind.DATE_TIME_WORD));

  private static final Map<SlotKind, Class<?>> CLASSES_OF_WORDS = new EnumMap<>(SlotKind.class);

  static {
    WORDS.forEach((type, kind) -> CLASSES_OF_WORDS.put(kind, type));
  }

  /** The value types of modules that a program may run without. */
  private static final Set<String> VALUES_OF_OTHER_MODULES =
      Set.of("java.sql.Date", "java.sql.Time", "java.sql.Timestamp");

  /** The interfaces that persistent collections implement. */
  private static final Set<Class<?>> COLLECTIONS =
      Set.of(
          Collection.class,
          SequencedCollection.class,
          List.class,
          Set.class,
          SequencedSet.class,
          SortedSet.class,
          NavigableSet.class,
          Queue.class,
          Deque.class,
          Map.class,
          SequencedMap.class,
          SortedMap.class,
          NavigableMap.class,
          ConcurrentMap.class);

  private PropertyTypes() {}

  /**
   * Returns true if pmstore keeps values of a declared type without a codec; false for records,
   * enums and arrays.
   */
  public static boolean isValue(Class<?> type) {
    return PRIMITIVES.containsKey(type)
        || VALUES.contains(type)
        || VALUES_OF_OTHER_MODULES.contains(type.getName());
  }

  /** Returns the kind of word that holds the values of a class, or null if there is none. */
  public static @Nullable SlotKind wordKind(Class<?> type) {
    return WORDS.get(type);
  }

  /** Returns the class whose values are in words of a kind, or null if it is no kind of word. */
  public static @Nullable Class<?> wordClass(SlotKind kind) {
    return CLASSES_OF_WORDS.get(kind);
  }

  /**
   * Returns true if the kind of a class decides how its objects are kept, with no codec: persistent
   * classes, records, enums and arrays.
   */
  public static boolean isKeptWithoutCodec(Class<?> type) {
    return type.isAnnotationPresent(Persistent.class)
        || type.isRecord()
        || type.isEnum()
        || type.isArray();
  }

  /**
   * Refuses a property of a type that pmstore does not know and for which this store has no codec.
   * The examination of the class refuses what no codec can help. {@code hasCodec} returns true if a
   * class is registered as a value type.
   *
   * @throws io.pmstore.ClassRefusedException if the store cannot keep it
   */
  public static void check(
      Class<?> owner, String name, Class<?> type, Predicate<Class<?>> hasCodec) {
    check(new Refusal(owner), name, type, hasCodec);
  }

  static void check(Refusal refusal, String name, Class<?> type, Predicate<Class<?>> hasCodec) {
    if (!isCopy(refusal, type)) {
      kind(refusal, name, type, hasCodec, new HashSet<>());
    }
  }

  /**
   * Returns the kind of slot for a property. A type that is not known counts as one with a codec.
   *
   * @throws io.pmstore.ClassRefusedException if no property can have the type
   */
  static SlotKind kind(Refusal refusal, String name, Class<?> type) {
    return isCopy(refusal, type)
        ? SlotKind.REFERENCE
        : kind(refusal, name, type, unknown -> true, new HashSet<>());
  }

  /**
   * Returns true if a property shows a copy of the stored collection. The twins of generated
   * classes have none, and neither have records and arrays.
   */
  private static boolean isCopy(Refusal refusal, Class<?> type) {
    return ImmutableClasses.contains(type) && Enhancement.isIn(refusal.type());
  }

  private static SlotKind kind(
      Refusal refusal,
      String name,
      Class<?> type,
      Predicate<Class<?>> hasCodec,
      Set<Class<?>> recordsAround) {
    SlotKind primitive = PRIMITIVES.get(type);
    if (primitive != null) {
      return primitive;
    }
    if (isValue(type)) {
      SlotKind word = wordKind(type);
      return word == null ? SlotKind.CELL : word;
    }
    if (COLLECTIONS.contains(type) || CollectionClasses.contains(type)) {
      return SlotKind.REFERENCE;
    }
    if (type.isEnum()) {
      return SlotKind.ENUM;
    }
    if (type == Enum.class || type == Record.class) {
      return SlotKind.CELL;
    }
    if (type.isArray()) {
      if (!type.getComponentType().isPrimitive()) {
        kind(refusal, name + "[]", type.getComponentType(), hasCodec, recordsAround);
      }
      return SlotKind.CELL;
    }
    if (type.isRecord()) {
      if (recordsAround.add(type)) {
        for (RecordComponent component : type.getRecordComponents()) {
          String path = name + "." + component.getName();
          TypeArguments.checkComponent(refusal, path, component.getGenericType());
          kind(refusal, path, component.getType(), hasCodec, recordsAround);
        }
      }
      return SlotKind.CELL;
    }
    String what = "property " + name + " is of type " + type.getTypeName();
    if (type.isAnnotationPresent(Persistent.class)) {
      return SlotKind.REFERENCE;
    }
    if (Map.class.isAssignableFrom(type)) {
      // Any thread may use any of them; the order of the keys is what a concurrent map would lose.
      String fit =
          SortedMap.class.isAssignableFrom(type)
              ? "NavigableMap"
              : ConcurrentMap.class.isAssignableFrom(type)
                  ? "concurrent.ConcurrentMap"
                  : SequencedMap.class.isAssignableFrom(type) ? "SequencedMap" : "Map";
      refusal.report(what, "declare it as java.util." + fit + Substitutes.orEnhance(type));
      return SlotKind.CELL;
    }
    if (PriorityQueue.class.isAssignableFrom(type)
        || PriorityBlockingQueue.class.isAssignableFrom(type)) {
      refusal.report(
          what + ", and no persistent queue gives its least element first",
          "declare it as java.util.NavigableSet, whose pollFirst gives the least element");
      return SlotKind.CELL;
    }
    if (Collection.class.isAssignableFrom(type)) {
      refusal.report(
          what,
          (SortedSet.class.isAssignableFrom(type)
                  ? "declare it as java.util.NavigableSet"
                  : SequencedSet.class.isAssignableFrom(type)
                      ? "declare it as java.util.SequencedSet"
                      : "declare it as Collection, List, Set, Queue or Deque of java.util")
              + Substitutes.orEnhance(type));
      return SlotKind.CELL;
    }
    boolean isOpen = !Substitutes.isOfJdk(type) || Substitutes.ofJdk(type) == null;
    if (type.isInterface() && isOpen) {
      return SlotKind.CELL; // an object of a persistent class may implement it
    }
    if (hasCodec.test(type)) {
      return SlotKind.CELL;
    }
    boolean isAround = name.startsWith("this$"); // as compilers name the object around an inner one
    refusal.report(
        isAround
            ? "it is an inner class, and the object around it is of class %s, which is not annotated with @Persistent"
                .formatted(type.getTypeName())
            : what + ", which is neither a value type nor annotated with @Persistent",
        isAround ? "annotate that one too, or make this one static" : Substitutes.of(type));
    return SlotKind.CELL;
  }
}
