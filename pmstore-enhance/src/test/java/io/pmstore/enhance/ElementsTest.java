package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.pmstore.NotPersistableException;
import io.pmstore.PmStore;
import io.pmstore.spi.EnhancedElements;
import io.pmstore.spi.PersistentObject;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that extend a collection class of the JDK, as libraries and older programs have them. */
@SuppressWarnings({"unchecked", "NonApiType"}) // the classes are compiled at run time
class ElementsTest {
  private static final String SOURCE =
      """
      package acme;
      import io.pmstore.Persistent;
      import java.util.*;
      @Persistent(root = "document")
      public class Document {
        public Content content = new Content("main");
        public Row row = new Row();
        public List<Row> rows = new ArrayList<>();
        public Map<String, Content> byName = new LinkedHashMap<>();
        public Object any;
        public Ranking ranking;
        public com.google.common.collect.ImmutableList<Part> parts;
        public com.google.common.collect.ImmutableMap<String, Integer> numbers;
        public List<Part> list;

        public void fail(String key) {
          content.put(key, new Part(key));
          content.rename("failed");
          throw new IllegalStateException(key);
        }

        @Persistent
        public static class Part {
          public String text;
          public Content of;
          public Part(String text) { this.text = text; }
          @Override public String toString() { return text; }
        }

        @Persistent
        public static class Content extends LinkedHashMap<String, Part> {
          private String name;
          private int puts;
          public Content(String name) { this.name = name; }
          public void rename(String to) { name = to; }
          public String name() { return name; }
          public int puts() { return puts; }
          public void both(String one, String other) {
            put(one, new Part(one));
            super.put(other, new Part(other));
          }
          @Override public Part put(String key, Part part) {
            puts++;
            part.of = this;
            return super.put(key, part);
          }
        }

        @Persistent
        public static class Row extends ArrayList<String> {
          public Row with(String text) {
            add(text);
            return this;
          }
        }

        @Persistent
        public static class LongRow extends Row {
          public int added;
          @Override public boolean add(String text) {
            added++;
            return super.add(text);
          }
        }

        @Persistent
        public static class Ranking extends TreeMap<String, Integer> {
          public Ranking() { super(Comparator.reverseOrder()); }
        }

        SUMS

        @Persistent
        public static class Tags extends HashSet<String> {}

        @Persistent
        public static class Filled extends HashMap<String, String> {
          public Filled() { put("a", "first"); }
        }

        @Persistent
        public static class Recent extends LinkedHashMap<String, String> {
          public Recent() { super(16, 0.75f, true); }
        }
      }
      """
          .replace("SUMS", sum("Sum", "ArrayList") + sum("VectorSum", "Vector"));

  /** Returns a class that extends a list and keeps the sum of its elements. */
  private static String sum(String name, String superclass) {
    return """
    @Persistent
    public static class %s extends %s<Integer> {
      private int sum;
      public int sum() { return sum; }
      @Override public boolean add(Integer n) {
        sum += n;
        return super.add(n);
      }
      @Override public void add(int index, Integer n) {
        sum += n;
        super.add(index, n);
      }
      @Override public boolean addAll(int index, Collection<? extends Integer> all) {
        for (int n : all) { sum += n; }
        return super.addAll(index, all);
      }
      @Override public Integer set(int index, Integer n) {
        Integer old = super.set(index, n);
        sum += n - old;
        return old;
      }
      @Override public Integer remove(int index) {
        Integer old = super.remove(index);
        sum -= old;
        return old;
      }
    }
    """
        .formatted(name, superclass);
  }

  @TempDir Path directory;
  private URLClassLoader loader;
  private PmStore store;
  private Object document;

  @BeforeEach
  void open() throws Exception {
    Path classes = ClassDirectory.compile(directory, "acme.Document", SOURCE);
    loader =
        ClassDirectory.loader(
            ClassDirectory.enhance(classes, directory.resolve("enhanced")), "acme.");
    reopen();
  }

  private void reopen() throws Exception {
    if (store != null) {
      store.close();
    }
    store = PmStore.open(directory.resolve("store"));
    document = store.root(loader.loadClass("acme.Document"));
  }

  @AfterEach
  void close() throws Exception {
    store.close();
    loader.close();
  }

  private Object made(String name, Object... arguments) throws Exception {
    Class<?> type = loader.loadClass("acme.Document$" + name);
    return type.getConstructors()[0].newInstance(arguments);
  }

  private static Object get(Object on, String field) throws Exception {
    String owner = on.getClass().getName().replace('.', ':');
    var getter = on.getClass().getDeclaredMethod("pmstore$get:" + owner + ":" + field);
    getter.setAccessible(true);
    return getter.invoke(on);
  }

  private static void set(Object on, String field, Object value) throws Exception {
    for (var method : on.getClass().getDeclaredMethods()) {
      if (method.getName().startsWith("pmstore$put:") && method.getName().endsWith(":" + field)) {
        method.setAccessible(true);
        method.invoke(on, value);
        return;
      }
    }
    throw new NoSuchFieldException(field);
  }

  private static Object call(Object on, String method, Object... arguments) throws Exception {
    Class<?>[] types = new Class<?>[arguments.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = arguments[i].getClass();
    }
    return on.getClass().getMethod(method, types).invoke(on, arguments);
  }

  private LinkedHashMap<String, Object> content() throws Exception {
    return (LinkedHashMap<String, Object>) get(document, "content");
  }

  private static String text(Map<?, ?> map) {
    return map.toString();
  }

  @Test
  void elementsAndFieldsAreKept() throws Exception {
    call(content(), "both", "a", "b");
    content().put("c", made("Part", "c"));
    content().remove("a");
    call(content(), "rename", "new");
    ((Collection<Object>) call(get(document, "row"), "with", "x")).add("y");
    reopen();
    assertEquals("{b=b, c=c}", text(content()));
    assertEquals("new", call(content(), "name"));
    assertEquals(2, call(content(), "puts"), "super.put is not the class's own");
    assertEquals(List.of("x", "y"), get(document, "row"));
    assertSame(content(), get(content().get("c"), "of"), "the object itself is its elements'");
    assertTrue(PersistentObject.isPersistent(content()));
  }

  @Test
  void aPlainObjectWithElementsBecomesPersistentItself() throws Exception {
    List<Object> row = (List<Object>) made("LongRow");
    row.add("a");
    row.addAll(List.of("b", "c"));
    assertEquals(1, get(row, "added"));
    ((List<Object>) get(document, "rows")).add(row);
    assertSame(row, ((List<Object>) get(document, "rows")).getFirst());
    row.add("d");
    row.removeFirst();
    java.util.Collections.reverse(row);
    assertEquals(List.of("d", "c", "b"), row);
    set(document, "any", row);
    assertSame(row, get(document, "any"));
    reopen();
    Object again = get(document, "any");
    assertEquals(List.of("d", "c", "b"), again);
    assertEquals("LongRow", again.getClass().getSimpleName());
    assertEquals(2, get(again, "added"));
    assertSame(again, ((List<Object>) get(document, "rows")).getFirst());
  }

  @Test
  void aRollBackMakesAnObjectPlainAgainWithItsElements() throws Exception {
    Map<String, Object> other = (Map<String, Object>) made("Content", "other");
    other.put("a", made("Part", "a"));
    assertThrows(
        IllegalStateException.class,
        () ->
            store.transaction(
                () -> {
                  ((Map<String, Object>) get(document, "byName")).put("other", other);
                  other.put("b", made("Part", "b"));
                  other.remove("a");
                  throw new IllegalStateException("rolled back");
                }));
    assertFalse(PersistentObject.isPersistent(other));
    assertEquals("{a=a}", text(other));
    assertEquals(Map.of(), get(document, "byName"));
    other.put("c", made("Part", "c"));
    ((Map<String, Object>) get(document, "byName")).put("other", other);
    reopen();
    Map<?, ?> again = (Map<?, ?>) ((Map<?, ?>) get(document, "byName")).get("other");
    assertEquals("{a=a, c=c}", text(again));
  }

  /** The iterators and sublists of a plain list call the methods that its class overrides. */
  @Test
  void iteratorsAndSublistsCallTheMethodsOfTheClass() throws Exception {
    for (String name : List.of("Sum", "VectorSum")) {
      List<Integer> plain = (List<Integer>) made(name);
      set(document, "any", made(name));
      changeInAllWays(plain);
      changeInAllWays((List<Integer>) get(document, "any"));
      assertEquals(plain, get(document, "any"));
      assertEquals(total(plain), call(plain, "sum"), "as the JDK does");
      assertEquals(total(plain), call(get(document, "any"), "sum"));

      List<Integer> list = (List<Integer>) get(document, "any");
      Iterator<Integer> iterator = list.iterator();
      iterator.next();
      assertThrows(
          IllegalStateException.class,
          () ->
              store.transaction(
                  () -> {
                    iterator.remove();
                    iterator.next();
                    iterator.remove();
                    throw new IllegalStateException("rolled back");
                  }));
      iterator.remove();
      assertEquals(plain.subList(1, plain.size()), list);
      assertEquals(total(list), call(list, "sum"));
      reopen();
      list = (List<Integer>) get(document, "any");
      list.iterator().next();
      list.subList(1, 2).remove(0);
      assertEquals(total(list), call(list, "sum"));
    }
  }

  private static int total(List<Integer> list) {
    return list.stream().mapToInt(n -> n).sum();
  }

  private static void changeInAllWays(List<Integer> list) {
    for (int i = 1; i <= 10; i++) {
      list.add(i);
    }
    Iterator<Integer> iterator = list.iterator();
    iterator.next();
    iterator.remove();
    ListIterator<Integer> both = list.listIterator(3);
    both.next();
    both.set(50);
    both.add(60);
    both.previous();
    both.remove();
    both.previous();
    both.remove();
    both.add(70);
    List<Integer> part = list.subList(2, 6);
    part.add(80);
    part.add(0, 90);
    part.remove(1);
    part.addAll(1, List.of(5, 6));
    ListIterator<Integer> inPart = part.subList(1, 3).listIterator();
    inPart.next();
    inPart.set(100);
    inPart.add(200);
    inPart.previous();
    inPart.remove();
    Iterator<Integer> back = list.reversed().iterator();
    back.next();
    back.remove();
  }

  @Test
  void aMethodIsOneTransaction() throws Exception {
    content().put("a", made("Part", "a"));
    assertThrows(
        java.lang.reflect.InvocationTargetException.class, () -> call(document, "fail", "b"));
    assertEquals("{a=a}", text(content()));
    assertEquals("main", call(content(), "name"));
  }

  @Test
  void aMethodThatTheClassInheritsIsOneTransaction() throws Exception {
    Collection<Object> tags = (Collection<Object>) made("Tags");
    tags.addAll(List.of("a", "b", "c"));
    set(document, "any", tags);
    long before = store.metrics().transactions().commits();
    tags.removeAll(List.of("a", "b"));
    assertEquals(before + 1, store.metrics().transactions().commits());
    tags.addAll(List.of("d", "e"));
    assertEquals(before + 2, store.metrics().transactions().commits());
    reopen();
    assertEquals(java.util.Set.of("c", "d", "e"), get(document, "any"));
  }

  @Test
  void aCloneHasElementsOfItsOwn() throws Exception {
    content().put("a", made("Part", "a"));
    Map<String, Object> clone = (Map<String, Object>) content().clone();
    clone.put("b", made("Part", "b"));
    assertEquals("{a=a}", text(content()));
    assertEquals("{a=a, b=b}", text(clone));
    assertEquals("Content", clone.getClass().getSimpleName());
    set(document, "any", clone);
    reopen();
    assertEquals("{a=a, b=b}", text((Map<?, ?>) get(document, "any")));
    Map<String, Object> plain = (Map<String, Object>) made("Content", "plain");
    plain.put("a", made("Part", "a"));
    Map<?, ?> cloned = (Map<?, ?>) ((LinkedHashMap<?, ?>) plain).clone();
    plain.clear();
    assertEquals("{a=a}", text(cloned));
  }

  @Test
  void aCopyIsPlain() throws Exception {
    content().put("a", made("Part", "a"));
    Map<String, Object> copy = (Map<String, Object>) store.copy(content());
    assertNotSame(content(), copy);
    assertFalse(PersistentObject.isPersistent(copy));
    assertEquals("{a=a}", text(copy));
    assertSame(copy, get(copy.get("a"), "of"));
    copy.put("b", made("Part", "b"));
    assertEquals("{a=a}", text(content()));
    assertEquals("main", call(copy, "name"));
  }

  @Test
  void aComparatorIsKept() throws Exception {
    TreeMap<String, Integer> ranking = (TreeMap<String, Integer>) made("Ranking");
    ranking.put("a", 1);
    ranking.put("b", 2);
    set(document, "ranking", ranking);
    ranking.put("c", 3);
    reopen();
    ranking = (TreeMap<String, Integer>) get(document, "ranking");
    assertEquals(List.of("c", "b", "a"), new ArrayList<>(ranking.keySet()));
    ranking.putAll(new TreeMap<>(Map.of("bb", 4)));
    assertEquals(List.of("c", "bb", "b", "a"), new ArrayList<>(ranking.keySet()));
    Object kept = ranking;
    assertThrows(IllegalArgumentException.class, () -> store.copy(kept));
  }

  @Test
  void eachNewObjectHasTheOrderOfItsConstructor() throws Exception {
    for (int i = 0; i < 3; i++) {
      TreeMap<String, Integer> ranking =
          (TreeMap<String, Integer>) store.create(loader.loadClass("acme.Document$Ranking"));
      assertTrue(PersistentObject.isPersistent(ranking));
      ranking.put("a", 1);
      ranking.put("b", 2);
      assertEquals(List.of("b", "a"), new ArrayList<>(ranking.keySet()));
      List<String> row = (List<String>) store.create(loader.loadClass("acme.Document$Row"));
      assertEquals(List.of(), row);
      row.add("x");
      assertEquals(List.of("x"), row);
      Map<?, ?> first = (Map<?, ?>) store.create(loader.loadClass("acme.Document$Filled"));
      assertEquals(Map.of("a", "first"), first);
    }
  }

  @Test
  void aMapThatOrdersByAccessIsRefused() throws Exception {
    Object recent = made("Recent");
    for (int i = 0; i < 3; i++) {
      assertThrows(
          NotPersistableException.class,
          () -> {
            try {
              set(document, "any", recent);
            } catch (java.lang.reflect.InvocationTargetException e) {
              throw e.getCause();
            }
          });
      ((Map<String, String>) recent).put("key" + i, "");
    }
    assertEquals(3, ((Map<?, ?>) recent).size());
  }

  @Test
  void immutableCollectionsAreCopied() throws Exception {
    Object part = made("Part", "a");
    Object parts = ImmutableList.of(part, made("Part", "b"));
    set(document, "parts", parts);
    set(document, "list", parts);
    set(document, "numbers", ImmutableMap.of("z", 1, "a", 2));
    ((List<Object>) get(document, "list")).removeFirst();
    assertEquals("[a, b]", get(document, "parts").toString());
    reopen();
    ImmutableList<?> read = (ImmutableList<?>) get(document, "parts");
    assertEquals("[a, b]", read.toString());
    assertSame(read.getLast(), ((List<?>) get(document, "list")).getFirst());
    assertEquals("{z=1, a=2}", get(document, "numbers").toString());
    Object copy = store.copy(document);
    assertEquals("[a, b]", get(copy, "parts").toString());
    assertFalse(PersistentObject.isPersistent(((List<?>) get(copy, "parts")).getFirst()));
    set(document, "parts", ImmutableList.of());
    assertEquals(ImmutableList.of(), get(document, "parts"));
  }

  /** As a class is whose enhancer knew fewer methods of the JDK's class. */
  private static final class Partly extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    @Override
    public int size() {
      return super.size();
    }
  }

  @Test
  void aMethodOfANewerJdkThatTheClassDoesNotOverrideIsFound() throws Exception {
    assertTrue(EnhancedElements.missing(Partly.class).isPresent());
    Class<?> enhanced = loader.loadClass("acme.Document$Row");
    assertTrue(EnhancedElements.missing(enhanced).isEmpty());
  }

  @Test
  void whatIsUnreachableIsCollected() throws Exception {
    for (int i = 0; i < 200; i++) {
      set(document, "content", made("Content", "c" + i));
      content().put("a", made("Part", "a"));
    }
    reopen();
    store.gc();
    assertEquals("{a=a}", text(content()));
    assertEquals("c199", call(content(), "name"));
  }
}
