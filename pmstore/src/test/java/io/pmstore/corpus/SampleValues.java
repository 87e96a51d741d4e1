package io.pmstore.corpus;

import io.pmstore.Persistent;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Objects of other people's classes, with something in each property; the same for one seed. */
final class SampleValues {
  private static final int DEPTH = 2;

  private static final int MAX_OBJECTS = 40;

  private int next;
  private int objects;

  SampleValues(int seed) {
    next = seed;
  }

  /** Makes an object with its constructor and calls its setters. */
  Object filled(Class<?> type) throws ReflectiveOperationException {
    Object made = make(type);
    fill(made, 0);
    return made;
  }

  private static Object make(Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  /** Calls all setters; what one throws is its own affair, on plain objects too. */
  void fill(Object object, int depth) throws ReflectiveOperationException {
    for (Method setter : methods(object.getClass(), "set", 1)) {
      Object value = value(setter.getGenericParameterTypes()[0], depth);
      if (value != null) {
        try {
          setter.invoke(object, value);
        } catch (java.lang.reflect.InvocationTargetException e) {
          // refused by the class itself
        }
      }
    }
  }

  /** Public methods, inherited ones too, of a class as its author wrote it, in a fixed order. */
  static List<Method> methods(Class<?> type, String prefix, int parameters) {
    Class<?> written = type.isSynthetic() ? type.getSuperclass() : type;
    return Arrays.stream(written.getMethods())
        .filter(
            m ->
                isNamed(m.getName(), prefix, parameters)
                    && m.getParameterCount() == parameters
                    && m.getDeclaringClass() != Object.class
                    && !m.isBridge()
                    && !java.lang.reflect.Modifier.isStatic(m.getModifiers()))
        .sorted(Comparator.comparing(Method::getName).thenComparing(Method::toGenericString))
        .peek(m -> m.setAccessible(true))
        .toList();
  }

  private static boolean isNamed(String name, String prefix, int parameters) {
    boolean isWhole = prefix.equals("toString") || prefix.equals("hashCode");
    return isWhole && parameters == 0
        ? name.equals(prefix)
        : name.startsWith(prefix)
            && name.length() > prefix.length()
            && !Character.isLowerCase(name.charAt(prefix.length()));
  }

  private Object value(Type type, int depth) throws ReflectiveOperationException {
    return switch (type) {
      case Class<?> plain -> ofClass(plain, depth);
      case ParameterizedType generic ->
          ofGeneric((Class<?>) generic.getRawType(), generic.getActualTypeArguments(), depth);
      case WildcardType wildcard -> value(wildcard.getUpperBounds()[0], depth);
      default -> null;
    };
  }

  private Object ofClass(Class<?> type, int depth) throws ReflectiveOperationException {
    int n = ++next;
    if (type.isPrimitive() || Number.class.isAssignableFrom(type) || type == Character.class) {
      return number(type, n);
    }
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants.length == 0 ? null : constants[n % constants.length];
    }
    if (type.isArray()) {
      return array(type.getComponentType(), depth);
    }
    if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
      return ofGeneric(type, new Type[] {String.class, String.class}, depth);
    }
    if (type.isAnnotationPresent(Persistent.class)) {
      return depth == DEPTH || java.lang.reflect.Modifier.isAbstract(type.getModifiers())
          ? null
          : object(type, depth);
    }
    return simple(type, n);
  }

  private Object object(Class<?> type, int depth) throws ReflectiveOperationException {
    if (++objects > MAX_OBJECTS) {
      return null;
    }
    try {
      Object made = make(type);
      fill(made, depth + 1);
      return made;
    } catch (NoSuchMethodException e) {
      return null; // nobody can know what it wants
    }
  }

  private static Object number(Class<?> type, int n) {
    if (type == boolean.class) {
      return n % 3 != 0;
    }
    if (type == char.class || type == Character.class) {
      return (char) ('a' + n % 26);
    }
    if (type == byte.class || type == Byte.class) {
      return (byte) n;
    }
    if (type == short.class || type == Short.class) {
      return (short) n;
    }
    if (type == int.class || type == Integer.class) {
      return n;
    }
    if (type == long.class || type == Long.class || type == Number.class) {
      return (long) n << 33;
    }
    if (type == float.class || type == Float.class) {
      return n / 8f;
    }
    if (type == double.class || type == Double.class) {
      return n / 8d;
    }
    return type == BigDecimal.class
        ? BigDecimal.valueOf(n, 2)
        : type == BigInteger.class ? BigInteger.valueOf(n) : null;
  }

  private static Object simple(Class<?> type, int n) {
    Map<Class<?>, Object> values = new HashMap<>();
    values.put(String.class, "text " + n);
    values.put(CharSequence.class, "text " + n);
    values.put(Object.class, "object " + n);
    values.put(Boolean.class, n % 3 != 0);
    values.put(Date.class, new Date(1_600_000_000_000L + n));
    values.put(java.sql.Timestamp.class, new java.sql.Timestamp(1_600_000_000_000L + n));
    values.put(java.sql.Date.class, java.sql.Date.valueOf(LocalDate.of(2020, 1, 1 + n % 28)));
    values.put(java.sql.Time.class, java.sql.Time.valueOf(LocalTime.of(n % 24, 1)));
    values.put(Instant.class, Instant.ofEpochSecond(n));
    values.put(Duration.class, Duration.ofSeconds(n));
    values.put(LocalDate.class, LocalDate.ofEpochDay(n));
    values.put(LocalTime.class, LocalTime.ofSecondOfDay(n % 86_400));
    values.put(LocalDateTime.class, LocalDateTime.ofEpochSecond(n, 0, ZoneOffset.UTC));
    values.put(OffsetDateTime.class, Instant.ofEpochSecond(n).atOffset(ZoneOffset.UTC));
    values.put(ZonedDateTime.class, Instant.ofEpochSecond(n).atZone(ZoneOffset.UTC));
    values.put(UUID.class, new UUID(n, n));
    values.put(Locale.class, Locale.GERMANY);
    values.put(Currency.class, Currency.getInstance("EUR"));
    Object known = values.get(type);
    return known == null ? LibraryValues.sample(type) : known;
  }

  private Object array(Class<?> component, int depth) throws ReflectiveOperationException {
    Object array = Array.newInstance(component, 2);
    for (int i = 0; i < 2; i++) {
      Object value = value(component, depth);
      if (value != null) {
        Array.set(array, i, value);
      }
    }
    return array;
  }

  private Object ofGeneric(Class<?> raw, Type[] arguments, int depth)
      throws ReflectiveOperationException {
    if (raw == Class.class || arguments.length == 0) {
      return null;
    }
    Object first = value(arguments[0], depth);
    if (first == null) {
      return null;
    }
    Object made =
        raw.isAssignableFrom(ArrayList.class)
            ? new ArrayList<>()
            : raw.isAssignableFrom(HashSet.class)
                ? new HashSet<>()
                : raw == SortedSet.class || raw.isAssignableFrom(TreeSet.class)
                    ? new TreeSet<>()
                    : raw == Queue.class || raw.isAssignableFrom(ArrayDeque.class)
                        ? new ArrayDeque<>()
                        : map(raw);
    if (made == null && !raw.isInterface() && Collection.class.isAssignableFrom(raw)) {
      made = make(raw);
    }
    if (made instanceof Map<?, ?> map && arguments.length > 1) {
      put(map, first, value(arguments[1], depth));
    } else if (made instanceof Collection<?> collection) {
      add(collection, first);
      if (collection instanceof List) {
        add(collection, value(arguments[0], depth));
      }
    }
    return made;
  }

  private static Object map(Class<?> raw) throws ReflectiveOperationException {
    return raw == SortedMap.class
        ? new TreeMap<>()
        : raw.isAssignableFrom(HashMap.class)
            ? new HashMap<>()
            : raw.isAssignableFrom(TreeMap.class)
                ? new TreeMap<>()
                : Map.class.isAssignableFrom(raw) && !raw.isInterface() ? make(raw) : null;
  }

  @SuppressWarnings("unchecked") // of values made for its type arguments
  private static void put(Map<?, ?> map, Object key, Object value) {
    if (value != null) {
      ((Map<Object, Object>) map).put(key, value);
    }
  }

  @SuppressWarnings("unchecked") // of values made for its type argument
  private static void add(Collection<?> collection, Object value) {
    if (value != null) {
      ((Collection<Object>) collection).add(value);
    }
  }
}
