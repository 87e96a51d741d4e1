package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries that read fields by reflection get plain copies, or the log warns. */
class ReflectionTest {
  /** A mapper, in a package such as a copy of Gson's. */
  private static final String GSON =
      """
      package acme.google.gson;
      import java.lang.reflect.Field;
      public class Gson {
        public String toJson(Object of) {
          try {
            StringBuilder text = new StringBuilder();
            if (of instanceof Object[] array) {
              of = java.util.Arrays.asList(array);
            }
            if (of instanceof Iterable<?> all) {
              all.forEach(one -> text.append(toJson(one)));
              return text.toString();
            }
            for (String name : new String[] {"name", "sizes", "next"}) {
              Field field = of.getClass().getDeclaredField(name);
              field.setAccessible(true);
              Object value = field.get(of);
              text.append(value instanceof int[] array ? array[0]
                  : value != null && value.getClass() == of.getClass() ? "[" + toJson(value) + "]"
                  : value).append(' ');
            }
            return text.toString();
          } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
          }
        }
      }
      """;

  private static final String BUILDER =
      """
      package acme.commons.lang3.builder;
      import acme.google.gson.Gson;
      public class EqualsBuilder {
        public static boolean reflectionEquals(Object one, Object two, String... left) {
          return new Gson().toJson(one).equals(new Gson().toJson(two));
        }
      }
      """;

  private static final String SOURCE =
      """
      package acme;
      import acme.commons.lang3.builder.EqualsBuilder;
      import acme.google.gson.Gson;
      import io.pmstore.Persistent;
      @Persistent(root = "item")
      public class Item {
        private String name = "?";
        private int[] sizes = {1};
        private Item next;
        private String seen;
        public void name(String newName) {
          name = newName;
          sizes[0]++;
          next = new Item();
          next.name = "next";
        }
        @Override public String toString() {
          return new Gson().toJson(this);
        }
        @Override public boolean equals(Object other) {
          return EqualsBuilder.reflectionEquals(this, other);
        }
        @Override public int hashCode() {
          return 1;
        }
        public String seen() {
          Audit.serialize(this);
          return seen;
        }
        public static final class Audit {
          public static void serialize(Object of) {
            ((Item) of).seen = "seen";
          }
        }
        public Object read() throws ReflectiveOperationException {
          return Item.class.getDeclaredField("name").get(this);
        }
        public void write() throws ReflectiveOperationException {
          Item.class.getDeclaredField("name").set(this, "lost");
        }
        public static final class Service {
          public static String show(Item item) {
            item.name.length();
            return new Gson().toJson(item);
          }
        }
      }
      """;

  private static final String HELPER =
      """
      package acme;
      import acme.google.gson.Gson;
      public class Helper {
        public static String toText(Object of) {
          return new Gson().toJson(of);
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void mappersSeeWhatTheStoreHas() throws Exception {
    String sources = directory.resolve("src").toString();
    ClassDirectory.compile(directory, "acme.google.gson.Gson", GSON);
    ClassDirectory.compile(
        directory, "acme.commons.lang3.builder.EqualsBuilder", BUILDER, "-sourcepath", sources);
    ClassDirectory.compile(directory, "acme.Helper", HELPER, "-sourcepath", sources);
    Path classes = ClassDirectory.compile(directory, "acme.Item", SOURCE, "-sourcepath", sources);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    Logger logger = Logger.getLogger("io.pmstore.proxy.bean.BeanDiscovery");
    List<String> warnings = new CopyOnWriteArrayList<>();
    logger.setFilter(entry -> !warnings.add(entry.getMessage()));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> type = loader.loadClass("acme.Item");
      String expected = "tea 2 [next 1 null ] ";
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        type.getMethod("name", String.class).invoke(store.root(type), "tea");
        assertEquals(expected, store.root(type).toString());
      }
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        Object item = store.root(type);
        assertEquals(expected, item.toString());
        assertEquals("seen", type.getMethod("seen").invoke(item), "code of the program had a copy");
        Object plain = type.getConstructor().newInstance();
        type.getMethod("name", String.class).invoke(plain, "tea");
        assertEquals(plain, item);
        assertEquals(item, plain);
        Class<?> service = loader.loadClass("acme.Item$Service");
        assertEquals(expected, service.getMethod("show", type).invoke(null, item));
        Method text = loader.loadClass("acme.Helper").getMethod("toText", Object.class);
        assertEquals(expected, text.invoke(null, item), "it knows no persistent class");
        assertEquals(expected + expected, text.invoke(null, List.of(item, item)));
        Object array = Array.newInstance(type, 2);
        Array.set(array, 0, item);
        Array.set(array, 1, item);
        assertEquals(expected + expected, text.invoke(null, array));
        assertSame(item, Array.get(array, 0), "the program's array has changed");
        assertEquals("tea", type.getMethod("read").invoke(item));
        type.getMethod("write").invoke(plain);
        assertEquals("lost", type.getMethod("read").invoke(plain));
        Throwable refused =
            assertThrows(
                    InvocationTargetException.class, () -> type.getMethod("write").invoke(item))
                .getCause();
        assertTrue(refused.getMessage().contains("written by reflection"), refused::getMessage);
        assertEquals("tea", type.getMethod("read").invoke(item));
      }
    } finally {
      logger.setFilter(null);
    }
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(
        warnings.getFirst().contains("method seen gives the object to acme.Item$Audit.serialize"),
        warnings::toString);
    assertTrue(warnings.getFirst().contains("(Item.java:"), warnings::toString);
  }
}
