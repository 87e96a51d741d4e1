package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedElements;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls of all methods of the JDK's collection classes, on a persistent object of a class
 * that extends one and on a plain object of it. The class overrides every method and notes it: what
 * the JDK calls on a plain object is called on the persistent one too.
 */
@SuppressWarnings({"unchecked", "rawtypes", "JdkObsolete"}) // the classes under test
class ElementsModelTest {
  private static final int CALLS = 600;
  private static final List<String> WORDS = List.of("a", "b", "c", "d", "e", "f", "g", "h");

  // Their results depend on the JDK's class, or they do what cannot be undone here.
  private static final Set<String> OTHERS =
      Set.of(
          "clone",
          "capacity",
          "ensureCapacity",
          "trimToSize",
          "setSize",
          "wait",
          "notify",
          "notifyAll",
          "getClass",
          "copyInto");

  // What changes a collection, by the beginnings of the names.
  private static final List<String> CHANGES =
      List.of(
          "add", "clear", "compute", "insert", "merge", "offer", "poll", "pop", "push", "put",
          "remove", "replace", "retain", "set", "sort");

  @TempDir Path directory;
  private Random random;

  static Collection<Class<?>> superclasses() {
    return EnhancedElements.superclasses();
  }

  @ParameterizedTest
  @MethodSource("superclasses")
  void aPersistentObjectDoesWhatAPlainOneDoes(Class<?> above) throws Exception {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    System.out.println("ElementsModelTest: -Dpmstore.seed=" + seed);
    random = new Random(seed);
    Path classes = ClassDirectory.compile(directory, "acme.Sub", source(above));
    try (URLClassLoader loader =
        ClassDirectory.loader(
            ClassDirectory.enhance(classes, directory.resolve("enhanced")), "acme.")) {
      Class<?> type = loader.loadClass("acme.Sub");
      Object plain = type.getConstructor().newInstance();
      checkSuper((EnhancedCollection) type.getConstructor().newInstance(), type);
      PmStore store = PmStore.open(directory.resolve("store"));
      Object persistent = store.root(type);
      List<Method> methods = methods(above);
      for (int i = 0; i < CALLS; i++) {
        Method method = methods.get(random.nextInt(methods.size()));
        call(method, type, plain, persistent, seed);
        if (i % 150 == 149) {
          store.close();
          store = PmStore.open(directory.resolve("store"));
          persistent = store.root(type);
          assertTrue(PersistentObject.isPersistent(persistent));
          assertEquals(shown(plain), shown(persistent), "opened again, seed " + seed);
        }
      }
      store.close();
    }
  }

  /** The methods that use the elements of the JDK's class call none that is overridden. */
  private static void checkSuper(EnhancedCollection object, Class<?> type) throws Exception {
    notes(type).clear();
    object.pmstoreSuperAdd("k", "v");
    Iterator<?> iterator = object.pmstoreSuperIterator();
    assertTrue(iterator.hasNext());
    iterator.next();
    object.pmstoreSuperComparator();
    object.pmstoreSuperClear();
    assertEquals(List.of(), notes(type));
    assertEquals(List.of(), shown(object));
  }

  private static String source(Class<?> above) {
    StringBuilder source = new StringBuilder();
    source.append("package acme;\n@SuppressWarnings({\"unchecked\", \"rawtypes\"})\n");
    source.append("@io.pmstore.Persistent(root = \"sub\")\n");
    source.append("public class Sub extends ").append(above.getName()).append(" {\n");
    source.append("  public static final java.util.List<String> NOTES");
    source.append(" = new java.util.ArrayList<>();\n");
    for (Method method : methods(above)) {
      StringBuilder parameters = new StringBuilder();
      StringBuilder arguments = new StringBuilder();
      for (int i = 0; i < method.getParameterCount(); i++) {
        String comma = i == 0 ? "" : ", ";
        String its = method.getParameterTypes()[i].getCanonicalName();
        parameters.append(comma).append(its).append(" a").append(i);
        arguments.append(comma).append("a").append(i);
      }
      source.append("  @Override public ").append(method.getReturnType().getCanonicalName());
      source.append(" %s(%s) { NOTES.add(\"%1$s\"); ".formatted(method.getName(), parameters));
      source.append(method.getReturnType() == void.class ? "" : "return ");
      source.append("super.%s(%s); }\n".formatted(method.getName(), arguments));
    }
    return source.append("}\n").toString();
  }

  private static List<String> notes(Class<?> type) throws Exception {
    return (List<String>) type.getField("NOTES").get(null);
  }

  /** Returns the public methods that a class can override, by name and parameters. */
  private static List<Method> methods(Class<?> above) {
    Map<String, Method> methods = new LinkedHashMap<>();
    for (Method method : above.getMethods()) {
      int fixed = Modifier.STATIC | Modifier.FINAL;
      if ((method.getModifiers() & fixed) == 0
          && !method.isBridge()
          && method.getDeclaringClass() != Object.class
          && !OTHERS.contains(method.getName())) {
        String key = method.getName() + Arrays.toString(method.getParameterTypes());
        methods.merge(
            key,
            method,
            (one, other) ->
                one.getReturnType().isAssignableFrom(other.getReturnType()) ? other : one);
      }
    }
    List<Method> sorted = new ArrayList<>(methods.values());
    sorted.sort(Comparator.comparing(Method::toString));
    return sorted;
  }

  private void call(Method method, Class<?> type, Object plain, Object persistent, long seed)
      throws Exception {
    long its = random.nextLong();
    String before = shown(plain).toString();
    notes(type).clear();
    Object expected = result(method, plain, new Random(its));
    Set<String> called = changes(notes(type));
    notes(type).clear();
    Object found = result(method, persistent, new Random(its));
    Set<String> calledThere = changes(notes(type));
    String what = method + " of " + before + ", seed " + seed;
    assertEquals(expected, found, what);
    assertEquals(shown(plain), shown(persistent), what);
    assertTrue(calledThere.containsAll(called), () -> what + ": " + called + " " + calledThere);
  }

  private static Set<String> changes(List<String> notes) {
    Set<String> changes = new HashSet<>(notes);
    changes.removeIf(name -> CHANGES.stream().noneMatch(name::startsWith));
    return changes;
  }

  private static Object result(Method method, Object on, Random random) throws Exception {
    List<Object> given = new ArrayList<>(); // to a consumer
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument(method, i, on, random, given);
    }
    try {
      Object result = method.invoke(on, arguments);
      boolean isOrdered = on instanceof SequencedCollection || on instanceof SequencedMap;
      if (!isOrdered) {
        given.sort(Comparator.comparing(Object::toString));
      }
      if (method.getName().equals("toString") && !isOrdered) {
        char[] text = result.toString().toCharArray();
        Arrays.sort(text);
        return new String(text);
      }
      return Arrays.asList(shown(result, isOrdered), given);
    } catch (InvocationTargetException e) {
      return e.getCause() instanceof IndexOutOfBoundsException
          ? IndexOutOfBoundsException.class
          : e.getCause().getClass();
    }
  }

  private static Object argument(
      Method method, int index, Object on, Random random, List<Object> given) {
    Class<?> type = method.getParameterTypes()[index];
    String word = WORDS.get(random.nextInt(WORDS.size()));
    int size = on instanceof Map<?, ?> map ? map.size() : ((Collection<?>) on).size();
    if (type == int.class) {
      return random.nextInt(size + 2) - (random.nextInt(8) == 0 ? 1 : 0);
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == Object.class) {
      return word;
    } else if (type == Object[].class) {
      return new Object[random.nextInt(3)];
    } else if (type == Map.class) {
      Map<String, String> map = random.nextBoolean() ? new TreeMap<>() : new LinkedHashMap<>();
      map.put(word, "x");
      map.put(WORDS.get(random.nextInt(WORDS.size())), "y");
      return map;
    } else if (type == Collection.class) {
      List<String> words = List.of(word, WORDS.get(random.nextInt(WORDS.size())));
      return random.nextBoolean() ? words : new TreeSet<>(words);
    } else if (type == Comparator.class) {
      return random.nextBoolean() ? null : Comparator.reverseOrder();
    } else if (type == Consumer.class) {
      return (Consumer<Object>) given::add;
    } else if (type == BiConsumer.class) {
      return (BiConsumer<Object, Object>) (one, other) -> given.add(one + "=" + other);
    } else if (type == Function.class) {
      return (Function<Object, Object>) key -> key.equals("a") ? null : "of" + key;
    } else if (type == BiFunction.class) {
      boolean isOfAll = method.getName().equals("replaceAll"); // half of which is undone by a throw
      return (BiFunction<Object, Object, Object>)
          (one, other) -> one.equals("b") && !isOfAll ? null : (one + "" + other).substring(0, 2);
    } else if (type == UnaryOperator.class) {
      return (UnaryOperator<Object>) one -> one.equals("a") ? "b" : one;
    } else if (type == Predicate.class) {
      return (Predicate<Object>) one -> one.equals(word);
    } else if (type == IntFunction.class) {
      return (IntFunction<Object[]>) String[]::new;
    }
    throw new IllegalStateException("no arguments of " + type);
  }

  private static Object shown(Object collection) {
    return shown(
        collection,
        collection instanceof SequencedCollection || collection instanceof SequencedMap);
  }

  /** Returns what a result shows, so that two of them can be compared. */
  private static Object shown(Object result, boolean isOrdered) {
    List<Object> all = new ArrayList<>();
    switch (result) {
      case Map<?, ?> map -> map.forEach((key, value) -> all.add(key + "=" + value));
      case Collection<?> some -> some.forEach(each -> all.add(String.valueOf(each)));
      case Iterator<?> some -> some.forEachRemaining(each -> all.add(String.valueOf(each)));
      case Enumeration<?> some ->
          Collections.list(some).forEach(each -> all.add(String.valueOf(each)));
      case Spliterator<?> some -> some.forEachRemaining(each -> all.add(String.valueOf(each)));
      case BaseStream<?, ?> some ->
          some.iterator().forEachRemaining(each -> all.add(String.valueOf(each)));
      case Object[] some -> {
        for (Object each : some) {
          all.add(String.valueOf(each));
        }
      }
      case Map.Entry<?, ?> entry -> {
        return entry.toString();
      }
      case null -> {
        return Optional.empty();
      }
      default -> {
        return result;
      }
    }
    if (!isOrdered && !(result instanceof SortedSet)) {
      all.sort(Comparator.comparing(Object::toString));
    }
    return all;
  }
}
