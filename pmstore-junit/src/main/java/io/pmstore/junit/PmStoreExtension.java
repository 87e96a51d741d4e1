package io.pmstore.junit;

import io.pmstore.EvolutionReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * The JUnit extension of {@link TempStore} and {@link GoldenStore}. These annotations register it.
 */
public final class PmStoreExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(PmStoreExtension.class);

  private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

  /** A store of a test, or of a method that runs once for a class. */
  private record Opened(StoreUnderTest store, boolean checked) {}

  /** For JUnit. */
  public PmStoreExtension() {}

  /** Refuses fields before a method that runs once for the class could find them empty. */
  @Override
  public void beforeAll(ExtensionContext context) {
    for (Field field : fields(context.getRequiredTestClass())) {
      if (Modifier.isStatic(field.getModifiers()) || Modifier.isFinal(field.getModifiers())) {
        throw new ExtensionConfigurationException(
            "@TempStore is at %s, which is static or final: each test has a store of its own; make it an instance field, or give the store to a BeforeAll method as a parameter"
                .formatted(field));
      }
      requireStoreType(field.getType(), field.toString());
    }
  }

  private static List<Field> fields(Class<?> test) {
    return AnnotationSupport.findAnnotatedFields(
        test, TempStore.class, found -> true, HierarchyTraversalMode.TOP_DOWN);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
      for (Field field : fields(instance.getClass())) {
        inject(field, instance, context);
      }
    }
    Optional<GoldenStore> golden =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), GoldenStore.class)
            .or(
                () ->
                    AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(),
                        GoldenStore.class,
                        context.getEnclosingTestClasses()));
    if (golden.isPresent()) {
      var _ = Golden.report(golden.get(), options(golden.get().options()));
    }
  }

  private static void inject(Field field, Object instance, ExtensionContext context)
      throws IllegalAccessException {
    requireOneTestAtATime(field, instance, context);
    field.setAccessible(true);
    field.set(instance, temporary(field.getAnnotation(TempStore.class), context));
  }

  /** Tests that share an instance and run at the same time would use each other's stores. */
  private static void requireOneTestAtATime(
      Field field, Object instance, ExtensionContext context) {
    if (isSharedAtTheSameTime(instance, context)
        && context
            .getConfigurationParameter(PARALLEL, Boolean::parseBoolean)
            .orElse(Boolean.FALSE)) {
      throw new ExtensionConfigurationException(
          "@TempStore is at %s, and tests that share one instance of the class (Lifecycle.PER_CLASS) run at the same time: each would set the field for all; make the store a parameter of the tests, or add @Execution(SAME_THREAD) to them and to the classes that they are in"
              .formatted(field));
    }
  }

  /**
   * Returns true if tests that run at the same time share an instance: that of a test, or one that
   * encloses it. They do if its class or one nested in it has one instance, below which something
   * runs concurrently.
   */
  private static boolean isSharedAtTheSameTime(Object instance, ExtensionContext context) {
    boolean concurrent = false;
    for (var each = Optional.of(context); each.isPresent(); each = each.get().getParent()) {
      ExtensionContext level = each.get();
      if (isOutermostOfItsClass(level)) {
        if (concurrent && hasOneInstance(level)) {
          return true;
        }
        if (level.getTestClass().filter(type -> type.isInstance(instance)).isPresent()) {
          return false;
        }
      }
      concurrent |= level.getExecutionMode() == ExecutionMode.CONCURRENT;
    }
    return false;
  }

  /** Returns false for the levels of tests, and of the invocations of a parameterized class. */
  private static boolean isOutermostOfItsClass(ExtensionContext level) {
    return !level.getTestClass().equals(level.getParent().flatMap(ExtensionContext::getTestClass));
  }

  private static boolean hasOneInstance(ExtensionContext context) {
    return context.getTestInstanceLifecycle().filter(Lifecycle.PER_CLASS::equals).isPresent();
  }

  private static void requireStoreType(Class<?> type, String place) {
    if (type != PmStore.class && type != TestStore.class) {
      throw new ExtensionConfigurationException(
          "%s is of type %s, expected %s or %s"
              .formatted(
                  place, type.getName(), PmStore.class.getName(), TestStore.class.getName()));
    }
  }

  /** The store of a constructor's parameter is of the test for which the instance is made. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.isAnnotated(TempStore.class) || parameter.isAnnotated(GoldenStore.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Parameter of = parameter.getParameter();
    Optional<TempStore> temporary = parameter.findAnnotation(TempStore.class);
    if (temporary.isPresent()) {
      requireStoreType(of.getType(), "the parameter " + of);
      return temporary(temporary.get(), context);
    }
    GoldenStore golden = parameter.findAnnotation(GoldenStore.class).orElseThrow();
    PmStoreOptions options = options(golden.options());
    EvolutionReport report = Golden.report(golden, options);
    if (of.getType() == EvolutionReport.class) {
      return report;
    }
    requireStoreType(of.getType(), "the parameter " + of);
    return add(
        StoreUnderTest.open(
            newDirectory(), base -> Golden.copy(golden, base.resolve("store")), options, false),
        true,
        context);
  }

  private static TestStore temporary(TempStore wanted, ExtensionContext context) {
    PmStoreOptions options = options(wanted.options());
    return add(
        StoreUnderTest.open(newDirectory(), base -> {}, options, wanted.crashes()),
        wanted.checked(),
        context);
  }

  private static TestStore add(StoreUnderTest store, boolean checked, ExtensionContext context) {
    stores(context).opened.add(new Opened(store, checked));
    return store.proxy();
  }

  private static Stores stores(ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(context.getUniqueId(), id -> new Stores(), Stores.class);
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory("pmstore-test");
    } catch (IOException e) {
      throw new ParameterResolutionException(
          "no directory for a store can be made in java.io.tmpdir: " + e.getMessage(), e);
    }
  }

  private static PmStoreOptions options(Class<? extends Supplier<PmStoreOptions>> maker) {
    try {
      Constructor<? extends Supplier<PmStoreOptions>> constructor = maker.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance().get();
    } catch (ReflectiveOperationException e) {
      throw new ExtensionConfigurationException(
          "%s cannot make the options of a store: %s; it needs a constructor without parameters, and must not be an inner class"
              .formatted(maker.getName(), e),
          e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    stores(context).end(context.getExecutionException().isEmpty());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    stores(context).end(context.getExecutionException().isEmpty());
  }

  /** The stores of a test or a class. Tests of a class may run at the same time. */
  private static final class Stores implements AutoCloseable {
    private final List<Opened> opened = new CopyOnWriteArrayList<>();

    /** Checks the stores if the test has passed, and ends them all. */
    void end(boolean passed) {
      long deadline = StoreUnderTest.deadline();
      AssertionError failure = null;
      for (Opened each : opened) {
        try {
          if (each.checked && passed) {
            each.store.check(deadline);
          }
        } catch (AssertionError | RuntimeException e) {
          failure = failed(failure, e);
        } finally {
          failure = endOne(each.store, deadline, failure);
        }
      }
      opened.clear();
      if (failure != null) {
        throw failure;
      }
    }

    /** JUnit calls this in the end, and nothing else if the constructor of a test has thrown. */
    @Override
    public void close() {
      end(false);
    }

    private static @Nullable AssertionError endOne(
        StoreUnderTest store, long deadline, @Nullable AssertionError failure) {
      try {
        store.end(deadline);
        return failure;
      } catch (RuntimeException e) {
        return failed(failure, e);
      }
    }

    private static AssertionError failed(@Nullable AssertionError earlier, Throwable e) {
      if (earlier == null) {
        return e instanceof AssertionError error ? error : new AssertionError(e.getMessage(), e);
      }
      earlier.addSuppressed(e);
      return earlier;
    }
  }

  /** What is done with stores that are kept. */
  private static final class Golden {
    private Golden() {}

    static EvolutionReport report(GoldenStore golden, PmStoreOptions options) {
      requireStore(golden);
      EvolutionReport report = PmStore.dryRun(Path.of(golden.value()), options, golden.classes());
      report.assertCompatible();
      return report;
    }

    private static void requireStore(GoldenStore golden) {
      Path directory = Path.of(golden.value());
      if (!Files.isDirectory(directory)) {
        throw new ExtensionConfigurationException(
            "there is no golden store in %s (%s): write one with store.backup(Path) from the version that is to be compared, and keep it there"
                .formatted(golden.value(), directory.toAbsolutePath()));
      }
    }

    static void copy(GoldenStore golden, Path target) {
      Path source = Path.of(golden.value());
      try (Stream<Path> files = Files.list(source)) {
        Files.createDirectory(target);
        for (Path file : files.toList()) {
          Files.copy(file, target.resolve(file.getFileName().toString()));
        }
      } catch (IOException e) {
        throw new ParameterResolutionException(
            "the golden store in %s cannot be copied to %s: %s"
                .formatted(source, target, e.getMessage()),
            e);
      }
    }
  }
}
