package io.pmstore.proxy.bytecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.StoreClosedException;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GeneratedClassTest extends StoreTest {

  /** Properties that come from a superclass with a type variable. */
  static class Base<T> {
    private @Nullable T value;

    public @Nullable T getValue() {
      return value;
    }

    public void setValue(@Nullable T value) {
      this.value = value;
    }
  }

  /** A class with a nested class that has the name that a generated one would get. */
  @io.pmstore.Persistent
  static class Derived extends Base<String> {
    @SuppressWarnings("unused") // for its name
    static final class Persistent {}

    private int count;

    int getCount() {
      return count;
    }

    void setCount(int count) {
      this.count = count;
    }
  }

  /** An interface with a wider getter. */
  interface Named {
    Object getName();
  }

  /** An interface that narrows it, and has a method of its own. */
  @Persistent
  interface Person extends Named {
    @Override
    String getName();

    void setName(String name);

    default String greeting() {
      return "Hello " + getName();
    }
  }

  @Test
  void aGeneratedClassIsBesideTheUsersAndHasOneField() {
    Order order = store().create(Order.class);
    Class<?> generated = order.getClass();
    assertEquals(Order.class.getName() + "$Persistent", generated.getName());
    assertSame(Order.class, generated.getSuperclass());
    assertSame(Order.class.getClassLoader(), generated.getClassLoader());
    assertSame(Order.class.getPackage(), generated.getPackage());
    assertTrue(List.of(generated.getInterfaces()).contains(PersistentObject.class));
    Field[] fields = generated.getDeclaredFields();
    assertEquals(1, fields.length);
    assertEquals(ObjectHandle.class, fields[0].getType());
    assertTrue(Modifier.isPrivate(fields[0].getModifiers()));
    assertEquals(0, generated.getDeclaredConstructors().length);
    assertSame(generated, store().create(Order.class).getClass());
    assertSame(PersistentClasses.of(Order.class), PersistentClasses.of(generated));
    assertSame(generated, store().create(generated.asSubclass(Order.class)).getClass());
  }

  @Test
  void stackTracesLeadToTheUsersSourceAndNameNoLibrary() throws Exception {
    Store other = new Store();
    Order order = other.create(Order.class);
    other.heap.close();
    StackTraceElement[] trace =
        assertThrows(StoreClosedException.class, () -> order.setQuantity(5)).getStackTrace();
    StackTraceElement accessor =
        Arrays.stream(trace)
            .filter(e -> e.getMethodName().equals("setQuantity"))
            .findFirst()
            .orElseThrow();
    assertEquals(Order.class.getName() + "$Persistent", accessor.getClassName());
    assertEquals("Order.java", accessor.getFileName());
    List<String> source =
        Files.readAllLines(Path.of("src/test/java/io/pmstore/proxy/fixture/Order.java"));
    assertEquals("this.quantity = quantity;", source.get(accessor.getLineNumber() - 1).strip());
    for (StackTraceElement element : trace) {
      assertFalse(element.getClassName().contains("bytebuddy"), element::toString);
    }
  }

  @Test
  void inheritedAndGenericPropertiesWork() {
    Derived derived = store().root("derived", Derived.class);
    assertEquals(Derived.class.getName() + "$Persistent2", derived.getClass().getName());
    derived.setValue("x");
    derived.setCount(3);
    reopen();
    Derived again = store().root("derived", Derived.class);
    assertEquals("x", again.getValue());
    assertEquals(3, again.getCount());
  }

  @Test
  void anInterfaceIsImplementedWithWhatItInherits() {
    Person person = store().root("person", Person.class);
    person.setName("Ada");
    Named named = person;
    assertEquals("Ada", named.getName());
    assertEquals("Hello Ada", person.greeting());
    assertEquals(Person.class.getName() + "$Persistent", person.getClass().getName());
  }

  /** Asks for what {@link Named} asks for, too. */
  interface AlsoNamed {
    Object getName();
  }

  /** Is asked for one accessor twice. */
  @Persistent
  interface NamedTwice extends Named, AlsoNamed {
    void setName(Object name);
  }

  @Test
  void anAccessorThatTwoInterfacesAskForIsThereOnce() {
    NamedTwice named = store().create(NamedTwice.class);
    named.setName("x");
    assertEquals("x", ((AlsoNamed) named).getName());
  }

  @Test
  void threadsThatUseANewClassAtTheSameTimeGetTheSame() throws Exception {
    int threads = 8;
    for (Class<?> type : List.of(One.class, Two.class, Three.class, Four.class)) {
      CountDownLatch start = new CountDownLatch(threads);
      List<Future<Class<?>>> results = new ArrayList<>();
      try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
        for (int t = 0; t < threads; t++) {
          results.add(
              pool.submit(
                  () -> {
                    start.countDown();
                    start.await();
                    return store().create(type).getClass();
                  }));
        }
      }
      Set<Class<?>> classes = new HashSet<>();
      for (Future<Class<?>> result : results) {
        classes.add(result.get());
      }
      assertEquals(1, classes.size());
    }
  }

  @Persistent
  static class One {}

  @Persistent
  static class Two extends One {}

  @Persistent
  static class Three extends Two {}

  @Persistent
  static class Four extends Three {}
}
