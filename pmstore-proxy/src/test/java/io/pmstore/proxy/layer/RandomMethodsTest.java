package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.PersistentObject;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random methods that use fields have the same effect on a plain object and on its twin, and none
 * if their transaction is rolled back.
 */
class RandomMethodsTest extends StoreTest {
  private static final int CLASSES = Integer.getInteger("pmstore.random.classes", 8);
  private static final int CALLS = 40;

  @TempDir Path directory;

  @Test
  void theTwinDoesWhatThePlainObjectDoes() throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("RandomMethodsTest: -Dpmstore.seed=" + seed);
    for (int i = 0; i < CLASSES; i++) {
      compare(new Random(seed + i), directory.resolve("classes" + i), "seed " + seed + " + " + i);
    }
  }

  private void compare(Random random, Path classes, String where) throws Exception {
    String source = new RandomClass(random).source();
    try (URLClassLoader loader = compiled(source, classes)) {
      reopen(); // a store takes its classes from one class loader
      Class<?> type = loader.loadClass("org.example.Derived");
      Object plain = type.getDeclaredConstructor().newInstance();
      Object plainOther = type.getDeclaredConstructor().newInstance();
      store().root(where, type);
      store().root(where + " other", type);
      Method[] methods =
          Arrays.stream(type.getMethods())
              .filter(m -> m.getName().matches("[mn]\\d"))
              .sorted(Comparator.comparing(Method::getName))
              .toArray(Method[]::new);
      Method state = type.getMethod("state");
      for (int call = 0; call < CALLS; call++) {
        Object twin = store().root(where, type);
        Object twinOther = store().root(where + " other", type);
        assertTrue(twin instanceof PersistentObject);
        Method method = methods[random.nextInt(methods.length)];
        int n = random.nextInt(5);
        boolean onItself = random.nextInt(3) == 0;
        String message = where + ", call " + call + " of " + method + "\n" + source;
        Object given = onItself ? twin : twinOther;
        rolledBack(() -> result(method, twin, n, given));
        assertEquals(state.invoke(plain), state.invoke(twin), "rolled back: " + message);
        assertEquals(state.invoke(plainOther), state.invoke(twinOther), "rolled back: " + message);
        String expected = result(method, plain, n, onItself ? plain : plainOther);
        boolean inTransaction = random.nextBoolean();
        String actual =
            inTransaction
                ? store().call(() -> result(method, twin, n, given))
                : result(method, twin, n, given);
        assertEquals(expected, actual, message);
        assertEquals(state.invoke(plain), state.invoke(twin), message);
        assertEquals(state.invoke(plainOther), state.invoke(twinOther), message);
        if (random.nextInt(10) == 0) {
          reopen();
        }
      }
    }
  }

  private static String result(Method method, Object object, int n, Object other) {
    try {
      return (String) method.invoke(object, n, other);
    } catch (InvocationTargetException e) {
      return e.getCause().getClass().getName();
    } catch (IllegalAccessException e) {
      throw new LinkageError("a public method cannot be called", e);
    }
  }

  private static URLClassLoader compiled(String source, Path classes) throws IOException {
    Files.createDirectories(classes);
    Path file = classes.resolve("Derived.java");
    Files.writeString(file, source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of(
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "-proc:none",
            "-nowarn",
            file.toString());
    int failed = compiler.run(null, null, null, options.toArray(String[]::new));
    assertTrue(failed == 0, source);
    return new URLClassLoader(new URL[] {url(classes)}, RandomMethodsTest.class.getClassLoader());
  }

  private static URL url(Path directory) throws MalformedURLException {
    return directory.toUri().toURL();
  }
}
