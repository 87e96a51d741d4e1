package io.pmstore.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.threads.reloaded.Application;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that closes its store can be unloaded, though the threads that it was used on live
 * on, as those of a server do.
 */
@Timeout(120)
class ReloadTest {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(120);

  @TempDir Path directory;
  private final List<ExecutorService> threads =
      List.of(
          Executors.newSingleThreadExecutor(Thread.ofPlatform().factory()),
          Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()));

  /** A thread keeps the context class loader that it was started with. */
  @BeforeEach
  void start() throws Exception {
    for (ExecutorService thread : threads) {
      thread.submit(() -> {}).get();
    }
  }

  @AfterEach
  void end() {
    threads.forEach(ExecutorService::close);
  }

  /** Finds the application's classes, and those of pmstore if wanted, before its parent does. */
  private static final class ApplicationLoader extends URLClassLoader {
    private static final String APPLICATION = Application.class.getPackageName();

    private final boolean withStore;

    ApplicationLoader(boolean withStore) throws Exception {
      super(urls(), ReloadTest.class.getClassLoader());
      this.withStore = withStore;
    }

    private static URL[] urls() throws Exception {
      List<String> path = new ArrayList<>();
      for (String property : List.of("java.class.path", "jdk.module.path")) {
        path.addAll(Arrays.asList(System.getProperty(property, "").split(File.pathSeparator)));
      }
      path.add(Path.of(System.getProperty("basedir", ""), "target", "test-classes").toString());
      URL[] urls = new URL[path.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = Path.of(path.get(i)).toUri().toURL();
      }
      return urls;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        boolean own =
            name.startsWith(APPLICATION)
                || withStore
                    && (name.startsWith("io.pmstore.") || name.startsWith("net.bytebuddy."));
        if (!own) {
          return super.loadClass(name, resolve);
        }
        Class<?> known = findLoadedClass(name);
        return known != null ? known : findClass(name);
      }
    }

    @Override
    public URL getResource(String name) {
      URL own = findResource(name);
      return own != null ? own : super.getResource(name);
    }
  }

  private WeakReference<ClassLoader> run(int round, boolean withStore) throws Exception {
    Thread current = Thread.currentThread();
    ClassLoader before = current.getContextClassLoader();
    try (ApplicationLoader loader = new ApplicationLoader(withStore)) {
      current.setContextClassLoader(loader);
      Class<?> type = loader.loadClass(Application.class.getName());
      assertEquals(loader, type.getClassLoader());
      @SuppressWarnings("unchecked")
      BiConsumer<Path, List<? extends Executor>> application =
          (BiConsumer<Path, List<? extends Executor>>) type.getConstructor().newInstance();
      application.accept(directory.resolve("store" + round), threads);
      return new WeakReference<>(loader);
    } finally {
      current.setContextClassLoader(before);
    }
  }

  private void checkUnloaded(int rounds, boolean withStore, int leftMax) throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      loaders.add(run(i % 2, withStore));
    }
    long limit = System.nanoTime() + NANOS_MAX;
    int left = rounds;
    while (left > leftMax && System.nanoTime() < limit) {
      System.gc();
      left = (int) loaders.stream().filter(loader -> !loader.refersTo(null)).count();
      Thread.onSpinWait();
    }
    assertTrue(left <= leftMax, left + " loaders are still there");
  }

  /** The store is a library of the server's. */
  @Test
  void theClassesOfAnApplicationAreUnloaded() throws Exception {
    checkUnloaded(20, false, 0);
  }

  /**
   * The store comes with the application. The JDK remembers one class loader softly: that of the
   * last record with a component of an enum type.
   */
  @Test
  void theStoreIsUnloadedWithItsApplication() throws Exception {
    checkUnloaded(Integer.getInteger("pmstore.reloads", 4), true, 1);
  }
}
