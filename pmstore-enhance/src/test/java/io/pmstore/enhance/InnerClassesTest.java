package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.spi.PersistentObject;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inner, local and anonymous classes: the object around them and captured variables are fields. */
class InnerClassesTest {
  private static final String SHELVES =
      """
      package acme;
      import io.pmstore.Persistent;
      import java.util.ArrayList;
      import java.util.List;
      @Persistent(root = "library")
      public class Library {
        private String name = "central";
        private int loans;
        List<Shelf> shelves = new ArrayList<>();
        public Object any;
        @Persistent
        public class Shelf {
          private int books;
          @Persistent
          class Label {
            String text() { return name + " " + books; }
          }
          Label label = new Label();
          Shelf(int books) { this.books = books; }
          public int lend() {
            loans++;
            if (books == 0) throw new IllegalStateException("none left");
            return --books;
          }
          public Library library() { return Library.this; }
          public String text() { return label.text() + " " + loans; }
        }
        public Shelf shelf(int books) {
          Shelf made = new Shelf(books);
          shelves.add(made);
          return made;
        }
        public Object counter(int step, String unit) {
          @Persistent
          class Counter {
            private int count;
            public String next() {
              count += step;
              loans += step;
              return count + unit + loans;
            }
          }
          return new Counter();
        }
        public static Object nameless() {
          return new Base() {
            @Override public int value() { return 2; }
          };
        }
        public static Object same(boolean first) {
          if (first) {
            @Persistent class Same { int value = 1; }
            return new Same();
          }
          @Persistent class Same { int value = 2; }
          return new Same();
        }
        public static Object ofPlain() { return new Plain().inner(); }
        @Persistent
        public static class Base {
          private int field;
          public int value() { return field; }
        }
        static class Plain {
          private int value;
          @Persistent class Inner { int get() { return value; } }
          Object inner() { return new Inner(); }
        }
      }
      """;

  @TempDir Path directory;

  private URLClassLoader loader() throws Exception {
    Path classes = ClassDirectory.compile(directory, "acme.Library", SHELVES);
    return ClassDirectory.loader(
        ClassDirectory.enhance(classes, directory.resolve("enhanced")), "acme.");
  }

  private PmStore open() {
    return PmStore.open(directory.resolve("store"));
  }

  private static Object call(Object on, String method) throws Exception {
    var found = on.getClass().getDeclaredMethod(method);
    found.setAccessible(true);
    return found.invoke(on);
  }

  private static Object made(Class<?> type, String method) throws Exception {
    return type.getMethod(method).invoke(null);
  }

  @Test
  void innerObjectsKeepTheObjectAroundThem() throws Exception {
    try (URLClassLoader loader = loader()) {
      Class<?> type = loader.loadClass("acme.Library");
      try (PmStore store = open()) {
        Object library = store.root(type);
        Object shelf = type.getMethod("shelf", int.class).invoke(library, 2);
        assertTrue(PersistentObject.isPersistent(shelf));
        assertSame(library, call(shelf, "library"));
        assertEquals(1, call(shelf, "lend"));
        assertEquals("central 1 1", call(shelf, "text"));
      }
      try (PmStore store = open()) {
        Object library = store.root(type);
        Object shelf = ((java.util.List<?>) field(library, "shelves")).getFirst();
        assertSame(library, call(shelf, "library"));
        assertEquals(0, call(shelf, "lend"));
        assertThrows(ReflectiveOperationException.class, () -> call(shelf, "lend"));
        assertEquals("central 0 2", call(shelf, "text")); // the failed one is undone
      }
    }
  }

  private static Object field(Object of, String name) throws Exception {
    var getter =
        of.getClass()
            .getDeclaredMethod(
                io.pmstore.spi.EnhancedObject.GET
                    + io.pmstore.spi.EnhancedObject.member(of.getClass().getName(), name));
    getter.setAccessible(true);
    return getter.invoke(of);
  }

  private static void put(Object library, Object value) throws Exception {
    var setter =
        library
            .getClass()
            .getDeclaredMethod(
                io.pmstore.spi.EnhancedObject.PUT
                    + io.pmstore.spi.EnhancedObject.member("acme.Library", "any"),
                Object.class);
    try {
      setter.invoke(library, value);
    } catch (java.lang.reflect.InvocationTargetException e) {
      if (e.getCause() instanceof PmStoreException refused) {
        throw refused;
      }
      throw e;
    }
  }

  @Test
  void anInnerObjectTakesTheObjectAroundItIntoTheStore() throws Exception {
    try (URLClassLoader loader = loader();
        PmStore store = open()) {
      Class<?> type = loader.loadClass("acme.Library");
      Object other = type.getConstructor().newInstance();
      Object shelf = type.getMethod("shelf", int.class).invoke(other, 5);
      assertFalse(PersistentObject.isPersistent(shelf));
      put(store.root(type), shelf);
      assertTrue(PersistentObject.isPersistent(other));
      assertSame(other, call(shelf, "library"));
    }
  }

  @Test
  void localObjectsKeepWhatTheyHaveCaptured() throws Exception {
    try (URLClassLoader loader = loader()) {
      Class<?> type = loader.loadClass("acme.Library");
      try (PmStore store = open()) {
        Object library = store.root(type);
        Object counter =
            type.getMethod("counter", int.class, String.class).invoke(library, 3, " kg ");
        assertEquals("3 kg 3", call(counter, "next"));
        put(library, counter);
        assertEquals("6 kg 6", call(counter, "next"));
      }
      try (PmStore store = open()) {
        Object counter = field(store.root(type), "any");
        assertEquals("9 kg 9", call(counter, "next"));
      }
    }
  }

  private static void assertRefused(
      PmStore store, Class<?> library, Object value, String... words) {
    PmStoreException refused =
        assertThrows(PmStoreException.class, () -> put(store.root(library), value));
    assertTrue(
        refused instanceof ClassRefusedException || refused instanceof NotPersistableException,
        refused::toString);
    for (String word : words) {
      assertTrue(refused.getMessage().contains(word), refused::getMessage);
    }
  }

  @Test
  void whatHasNoNameOfItsOwnIsRefused() throws Exception {
    try (URLClassLoader loader = loader();
        PmStore store = open()) {
      Class<?> type = loader.loadClass("acme.Library");
      assertRefused(
          store,
          type,
          made(type, "nameless"),
          "anonymous class in method nameless (Library.java:46)",
          "class acme.Library$1");
      for (boolean first : new boolean[] {true, false}) {
        Object same = type.getMethod("same", boolean.class).invoke(null, first);
        assertRefused(
            store, type, same, "several local classes Same in method same (Library.java:", "$");
      }
      assertRefused(
          store, type, made(type, "ofPlain"), "acme.Library$Plain", "is not annotated", "static");
    }
  }
}
