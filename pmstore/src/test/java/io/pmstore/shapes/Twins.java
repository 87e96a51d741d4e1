package io.pmstore.shapes;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.compiled.Compiled;
import io.pmstore.shapes.RandomProgram.Field;
import io.pmstore.shapes.RandomProgram.Kind;
import io.pmstore.shapes.RandomProgram.Shape;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Plain objects, and the persistent ones that shall always be in the same state. */
final class Twins {
  /** What reaches all persistent objects. */
  @Persistent(root = "everything")
  public static class Everything {
    private List<Object> objects = new ArrayList<>();

    public List<Object> getObjects() {
      return objects;
    }

    public void setObjects(List<Object> objects) {
      this.objects = objects;
    }
  }

  private final Random random;
  private final Map<Shape, Class<?>> classes = new HashMap<>();
  private final List<Shape> concrete;
  private final Class<?> side;
  private final Class<?> pair;
  private final List<Object> plain = new ArrayList<>();
  private List<Object> persistent = new ArrayList<>();
  private PmStore store;

  Twins(Random random, RandomProgram program, ClassLoader loader, PmStore store)
      throws ReflectiveOperationException {
    this.random = random;
    for (Shape shape : program.shapes()) {
      classes.put(shape, loader.loadClass(RandomProgram.PACKAGE + "." + shape.name()));
    }
    concrete = program.shapes().stream().filter(shape -> !shape.isAbstract()).toList();
    side = loader.loadClass(RandomProgram.PACKAGE + ".Side");
    pair = loader.loadClass(RandomProgram.PACKAGE + ".Pair");
    this.store = store;
    meetAll();
  }

  /**
   * Lets the store meet all types, so that it knows where the classes are, and no transaction has
   * to run again because it met one.
   */
  private void meetAll() {
    List<Object> all = new ArrayList<>(List.of(side.getEnumConstants()));
    concrete.forEach(shape -> all.add(make(classes.get(shape))));
    Object[] values = {newPair(0), new String[0], Map.of("deque", List.of())};
    all.add(values);
    store.persist(all);
  }

  /** Goes on with the objects that another opening of the store has. */
  void reopened(PmStore opened) throws ReflectiveOperationException {
    store = opened;
    meetAll();
    persistent = new ArrayList<>(store.root(Everything.class).getObjects());
    if (persistent.size() != plain.size()) {
      throw new AssertionError(persistent.size() + " objects instead of " + plain.size());
    }
  }

  private static Object make(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes a new object on both sides. */
  void create() {
    Class<?> type = classes.get(concrete.get(random.nextInt(concrete.size())));
    Object made = random.nextBoolean() ? store.create(type) : store.persist(make(type));
    plain.add(make(type));
    persistent.add(made);
    store.root(Everything.class).getObjects().add(made);
  }

  /** Does something random on both sides, with the same result. */
  void act() {
    int n = random.nextInt(plain.size());
    int other = random.nextInt(plain.size());
    switch (random.nextInt(4)) {
      case 0, 1 -> {
        int a = random.nextInt(-5, 100);
        String s = "s" + random.nextInt(20);
        same(
            "act",
            call(plain.get(n), "act", a, s, plain.get(other)),
            call(persistent.get(n), "act", a, s, persistent.get(other)));
      }
      case 2 -> set(n);
      default -> graph(n);
    }
  }

  /** Changes persistent objects only, in a transaction that will be rolled back. */
  void actOnPersistentOnes() {
    for (int i = 0; i < 20; i++) {
      Object one = persistent.get(random.nextInt(persistent.size()));
      call(one, "act", random.nextInt(100), "undone", persistent.get(0));
    }
  }

  /** Calls a random setter. */
  private void set(int n) {
    Field field = anyField(n);
    if (field == null) {
      return;
    }
    long seed = random.nextLong();
    String setter = "set" + field.suffix();
    same(
        setter,
        call(plain.get(n), setter, value(field, new Random(seed), plain)),
        call(persistent.get(n), setter, value(field, new Random(seed), persistent)));
  }

  private Field anyField(int n) {
    List<Field> fields = new ArrayList<>();
    classes.forEach(
        (shape, type) -> {
          if (type.isInstance(plain.get(n))) {
            shape.fields().stream().filter(Field::hasAccessors).forEach(fields::add);
          }
        });
    fields.sort(java.util.Comparator.comparing(Field::name));
    return fields.isEmpty() ? null : fields.get(random.nextInt(fields.size()));
  }

  /** Assigns a graph of new plain objects where anything is allowed. */
  private void graph(int n) {
    Field field = anyField(n);
    if (field == null || field.kind() != Kind.ANY) {
      return;
    }
    Class<?> type = classes.get(concrete.get(random.nextInt(concrete.size())));
    Object mine = make(type);
    Object theirs = make(type);
    String setter = "set" + field.suffix();
    call(plain.get(n), setter, new ArrayList<>(List.of(mine, mine)));
    call(persistent.get(n), setter, new ArrayList<>(List.of(theirs, theirs)));
    List<?> list = (List<?>) call(persistent.get(n), "get" + field.suffix());
    if (list.get(0) != list.get(1)) {
      throw new AssertionError("what was shared is not");
    }
    plain.add(mine);
    persistent.add(list.get(0));
    store.root(Everything.class).getObjects().add(list.get(0));
  }

  private Object value(Field field, Random drawn, List<Object> objects) {
    int number = drawn.nextInt(200) - 50;
    boolean isNull = drawn.nextInt(5) == 0;
    return switch (field.kind()) {
      case INT -> number;
      case LONG -> (long) number << 33;
      case DOUBLE -> number / 7.0;
      case BOOLEAN -> number > 0;
      case CHAR -> (char) number;
      case BYTE -> (byte) number;
      case STRING -> isNull ? null : "text".repeat(drawn.nextInt(9)) + number;
      case INTEGER -> isNull ? null : number;
      case DECIMAL -> isNull ? null : BigDecimal.valueOf(number, 3);
      case INSTANT -> isNull ? null : Instant.ofEpochSecond(number, 5);
      case SIDE -> isNull ? null : side.getEnumConstants()[number & 1];
      case PAIR -> isNull ? null : newPair(number);
      case INTS -> isNull ? null : new int[] {number, -number};
      case STRINGS -> isNull ? null : new String[] {"x" + number, null, ""};
      case LIST -> isNull ? null : new ArrayList<>(list(drawn, objects));
      case MAP -> {
        Map<Object, Object> map = new HashMap<>();
        for (Object element : list(drawn, objects)) {
          map.put("k" + drawn.nextInt(5), element);
        }
        yield isNull ? null : map;
      }
      case ANY -> isNull ? null : anything(drawn, objects);
      case REFERENCE -> {
        Object any = objects.get(drawn.nextInt(objects.size()));
        boolean fits =
            classes.entrySet().stream()
                .anyMatch(
                    e -> e.getKey().name().equals(field.type()) && e.getValue().isInstance(any));
        yield fits && !isNull ? any : null;
      }
    };
  }

  private List<Object> list(Random drawn, List<Object> objects) {
    List<Object> list = new ArrayList<>();
    for (int i = drawn.nextInt(5); i > 0; i--) {
      list.add(anything(drawn, objects));
    }
    return list;
  }

  private Object anything(Random drawn, List<Object> objects) {
    int number = drawn.nextInt(100);
    return switch (drawn.nextInt(8)) {
      case 0 -> number;
      case 1 -> "any" + number;
      case 2 -> newPair(number);
      case 3 -> side.getEnumConstants()[number & 1];
      case 4 -> new Object[] {number, objects.get(drawn.nextInt(objects.size()))};
      case 5 -> new ArrayList<>(List.of(number, "in a list"));
      default -> objects.get(drawn.nextInt(objects.size()));
    };
  }

  private Object newPair(int number) {
    try {
      Constructor<?> constructor = pair.getDeclaredConstructor(int.class, String.class);
      constructor.setAccessible(true);
      return constructor.newInstance(number, "pair");
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Object call(Object object, String name, Object... arguments) {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals(name)
            && method.getParameterCount() == arguments.length
            && !method.isSynthetic()) {
          try {
            method.setAccessible(true);
            return method.invoke(object, arguments);
          } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
              throw error;
            }
            return e.getCause().getClass();
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
    throw new AssertionError("no method " + name + " in " + object.getClass());
  }

  /** Compares the states of all objects. */
  void check() {
    UnaryOperator<Object> mine = canonical(plain);
    UnaryOperator<Object> theirs = canonical(persistent);
    for (int i = 0; i < plain.size(); i++) {
      Object[] expected = (Object[]) call(plain.get(i), "state");
      Object[] found = (Object[]) call(persistent.get(i), "state");
      for (int k = 0; k < expected.length; k++) {
        same(
            "field " + k + " of object " + i + " of " + plain.get(i).getClass(),
            mine.apply(expected[k]),
            theirs.apply(found[k]));
      }
    }
  }

  private static void same(String what, Object expected, Object found) {
    if (!java.util.Objects.equals(expected, found)) {
      throw new AssertionError(what + ": " + found + " instead of " + expected);
    }
  }

  /** Says what a value is, without an identity: an object by its number among all. */
  private static UnaryOperator<Object> canonical(List<Object> objects) {
    Map<Object, Integer> numbers = new IdentityHashMap<>();
    for (Object object : objects) {
      numbers.putIfAbsent(object, numbers.size());
    }
    return new UnaryOperator<>() {
      @Override
      public Object apply(Object value) {
        if (value == null) {
          return "null";
        }
        if (numbers.containsKey(value)) {
          return "object " + numbers.get(value);
        }
        if (value instanceof List<?> list) {
          return "list" + list.stream().map(this).toList();
        }
        if (value instanceof Map<?, ?> map) {
          Map<String, Object> sorted = new TreeMap<>();
          map.forEach((k, v) -> sorted.put(apply(k).toString(), apply(v)));
          return "map" + sorted;
        }
        if (value.getClass().isArray()) {
          List<Object> elements = new ArrayList<>();
          for (int i = 0; i < Array.getLength(value); i++) {
            elements.add(apply(Array.get(value, i)));
          }
          return value.getClass() + elements.toString();
        }
        if (value instanceof Record) {
          StringBuilder text = new StringBuilder(value.getClass().getName());
          for (RecordComponent component : value.getClass().getRecordComponents()) {
            text.append(' ').append(apply(call(value, component.getName())));
          }
          return text.toString();
        }
        if (value.getClass().getClassLoader() instanceof Compiled && !(value instanceof Enum)) {
          return "an object of " + value.getClass() + " that is none of those known";
        }
        return value.getClass() + " " + value;
      }
    };
  }
}
