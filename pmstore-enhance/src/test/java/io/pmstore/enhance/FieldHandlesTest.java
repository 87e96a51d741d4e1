package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Method handles, {@code VarHandle}s and field updaters of the fields of enhanced classes. */
class FieldHandlesTest {
  private static final String SOURCE =
      """
      package acme;
      import java.lang.invoke.*;
      import java.lang.reflect.*;
      import java.util.concurrent.atomic.*;
      @io.pmstore.Persistent(root = "order")
      public class Order {
        volatile int count;
        volatile String name;
        @io.pmstore.Transient volatile int scratch;
        private static final AtomicIntegerFieldUpdater<Order> SCRATCH =
            AtomicIntegerFieldUpdater.newUpdater(Order.class, "scratch");
        public int seen() { return count; }
        public int next() { return SCRATCH.incrementAndGet(this) + Plain.next(new Plain()); }
        Object inOrder() throws Exception { return OUTER; }
        public Object unreflected(String field, int form) throws Exception {
          Field of = Order.class.getDeclaredField(field);
          MethodHandles.Lookup lookup = MethodHandles.lookup();
          return switch (form) {
            case 0 -> lookup.unreflectGetter(of);
            case 1 -> lookup.unreflectSetter(of);
            default -> lookup.unreflectVarHandle(of);
          };
        }
        private static class Holder {
          Object inHolder() throws Exception {
            return INNER;
          }
        }
        static class Plain {
          volatile int count;
          static int next(Plain plain) {
            try {
              return (int) MethodHandles.lookup()
                  .findVarHandle(Plain.class, "count", int.class).getAndAdd(plain, 2);
            } catch (ReflectiveOperationException e) {
              throw new AssertionError(e);
            }
          }
        }
      }
      class Special extends Order {}
      """;

  @TempDir Path directory;

  private Path enhanced(String here, String there) throws Exception {
    return ClassDirectory.enhance(
        ClassDirectory.compile(
            directory, "acme.Order", SOURCE.replace("OUTER", here).replace("INNER", there)),
        directory.resolve("enhanced"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MethodHandles.lookup().findVarHandle(Order.class, "count", int.class) | count
          MethodHandles.lookup().findGetter(Order.class, "name", String.class) | name
          MethodHandles.lookup().findSetter(Special.class, "count", int.class) | count
          AtomicIntegerFieldUpdater.newUpdater(Order.class, "count") | count
          AtomicReferenceFieldUpdater.newUpdater(Order.class, String.class, "name") | name
          """)
  void oneOfAPersistentFieldFailsTheBuildInAnyClass(String form, String field) {
    for (boolean isHere : new boolean[] {true, false}) {
      Throwable thrown =
          assertThrows(
              IllegalStateException.class,
              () -> enhanced(isHere ? form : "null", isHere ? "null" : form));
      String message = Arrays.toString(thrown.getSuppressed()) + thrown + thrown.getCause();
      String place =
          isHere
              ? "class acme.Order, method inOrder (Order.java:14)"
              : "class acme.Order$Holder, method inHolder (Order.java:26)";
      assertTrue(message.contains(place), message);
      assertTrue(message.contains("the persistent field " + field), message);
    }
  }

  @Test
  void oneOfAnotherFieldWorks() throws Exception {
    try (URLClassLoader loader = ClassDirectory.loader(enhanced("null", "null"), "acme.");
        PmStore store = PmStore.open(directory.resolve("store"))) {
      Class<?> type = loader.loadClass("acme.Order");
      Object order = store.root(type);
      assertEquals(1, type.getMethod("next").invoke(order));
      assertEquals(2, type.getMethod("next").invoke(order));
      Method unreflected = type.getMethod("unreflected", String.class, int.class);
      for (int form : List.of(0, 1, 2)) {
        unreflected.invoke(order, "scratch", form);
        Throwable refused =
            assertThrows(
                    InvocationTargetException.class, () -> unreflected.invoke(order, "count", form))
                .getCause();
        assertEquals(IllegalStateException.class, refused.getClass());
        assertTrue(refused.getMessage().contains("acme.Order.count"), refused::getMessage);
      }
    }
  }
}
