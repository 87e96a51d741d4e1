package io.pmstore.proxy.collection;

import io.pmstore.core.engine.EngineKind;
import io.pmstore.core.engine.mapped.TestStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;

/**
 * The runs of a conformance suite, one after the other: each on one engine, with one kind of
 * transaction. {@link #tests} and {@link #sample} make all runs; the generators of their tests call
 * {@link #make}.
 */
final class Conformance {
  /** The ways in which the tests of a suite are run. */
  private enum Way {
    /** Every operation is a transaction of its own. */
    OUTSIDE,
    /** Each test is one transaction, which must be able to commit. */
    INSIDE,
    /**
     * The first collection that a test makes is filled, the store is closed and opened, and the
     * test gets what is read back. Other collections of the same test are only found again by their
     * address, since the test uses the first one beside them.
     */
    REOPENED
  }

  private static final List<EngineKind> ENGINES = List.of(EngineKind.FILE, EngineKind.LLPL);

  /**
   * Of so many tests one closes and opens the store, the others only drop all Java objects of it.
   * Which ones the seed decides, so that over some builds each test does.
   */
  private static final int REOPEN_EVERY = Integer.getInteger("pmstore.conformance.reopen", 8);

  private static final int REOPEN_FIRST = Seed.random("Conformance").nextInt(REOPEN_EVERY);

  private static final int RUNS_MAX = ENGINES.size() * Way.values().length;

  private static final Map<EngineKind, String> MISSING = new EnumMap<>(EngineKind.class);

  static {
    for (EngineKind kind : ENGINES) {
      try {
        new Conformance().begin(kind, Way.OUTSIDE).finish();
      } catch (TestAbortedException e) {
        MISSING.put(kind, String.valueOf(e.getMessage()));
      }
    }
  }

  private EngineKind kind = EngineKind.FILE;
  private Way way = Way.OUTSIDE;
  private @Nullable Path directory;
  private @Nullable TestStore store;
  private int tests;
  private boolean found; // a collection, in the current test

  private Conformance() {}

  private Conformance begin(EngineKind runKind, Way runWay) {
    kind = runKind;
    way = runWay;
    tests = 0;
    return this;
  }

  /**
   * Makes the tests of a suite: one run for each engine that there is and each way. A run makes its
   * tests when it begins, and not when test classes are only looked for.
   *
   * @param name of what is tested
   * @param suite makes the suite of one run
   * @return a node for each run
   */
  static List<DynamicNode> tests(String name, Function<Conformance, TestSuite> suite) {
    Conformance run = new Conformance();
    List<DynamicNode> runs = new ArrayList<>();
    for (EngineKind kind : ENGINES) {
      if (MISSING.containsKey(kind)) {
        System.err.println("*** " + name + " IS NOT TESTED ON " + kind + ": " + MISSING.get(kind));
        continue;
      }
      for (Way way : Way.values()) {
        runs.add(
            DynamicContainer.dynamicContainer(
                name + " " + kind + " " + way,
                Stream.of(suite)
                    .flatMap(made -> run.nodes(made.apply(run.begin(kind, way))).stream())
                    .onClose(run::finish)));
      }
    }
    return runs;
  }

  /**
   * Makes a random part of the tests of a suite, another one for each run. Guava takes seconds to
   * make a large suite, so all runs get their parts of one.
   *
   * @param name of what is tested
   * @param every about one test of so many is in the part of a run
   * @param suite makes the suite
   * @return a node for each run
   */
  static List<DynamicNode> sample(String name, int every, Function<Conformance, TestSuite> suite) {
    Deque<TestSuite> parts = new ArrayDeque<>();
    return tests(
        name,
        run -> {
          if (SampledSuite.ALL) {
            return suite.apply(run);
          }
          if (parts.isEmpty()) {
            parts.addAll(SampledSuite.deal(suite.apply(run), every, RUNS_MAX));
          }
          return parts.removeFirst();
        });
  }

  @Override
  public String toString() {
    return kind + " " + way;
  }

  private TestStore store() throws IOException {
    if (directory == null) {
      directory = Files.createTempDirectory(TestStores.fastParent(), "pmstore-conformance-");
    }
    if (store == null) {
      store = new TestStore(kind.open(directory));
    }
    return store;
  }

  /**
   * Makes the collection that a test asks for.
   *
   * @param <C> its class
   * @param of its kind
   * @param comparator the order of a sorted one
   * @param fill adds the elements
   * @return the collection, with its elements
   */
  @SuppressWarnings("unchecked") // the kind tells the class
  <C extends PersistentCollection> C make(
      CollectionKind of, @Nullable Comparator<@Nullable Object> comparator, Consumer<C> fill) {
    try {
      TestStore first = store();
      C made = first.heap.transaction(() -> (C) of.create(first.space, comparator));
      if (way != Way.REOPENED) {
        fill.accept(made);
        return made;
      }
      first.in(() -> fill.accept(made));
      long address = TestStore.address(made);
      if (!found && tests % REOPEN_EVERY == REOPEN_FIRST) {
        first.heap.close();
        store = null;
      }
      found = true;
      TestStore second = store();
      int shape = second.heap.shapeId(address);
      return (C) CollectionKind.find(second.space, shape, second.heap.object(address));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes each test of a suite run in this way. */
  private List<DynamicNode> nodes(TestSuite suite) {
    List<DynamicNode> nodes = new ArrayList<>();
    for (Test test : Collections.list(suite.tests())) {
      if (test instanceof TestSuite inner) {
        nodes.add(DynamicContainer.dynamicContainer(inner.getName() + " " + this, nodes(inner)));
      } else {
        // A test keeps its collection, and so a store that is closed.
        AtomicReference<@Nullable Test> once = new AtomicReference<>(test);
        nodes.add(
            DynamicTest.dynamicTest(
                ((TestCase) test).getName(),
                () -> run(Objects.requireNonNull(once.getAndSet(null)))));
      }
    }
    return nodes;
  }

  private void run(Test test) throws Throwable {
    tests++;
    found = false;
    TestResult result = new TestResult();
    if (way == Way.INSIDE) {
      store().in(() -> test.run(result));
    } else {
      test.run(result);
    }
    List<TestFailure> failed = new ArrayList<>(Collections.list(result.failures()));
    failed.addAll(Collections.list(result.errors()));
    if (!failed.isEmpty()) {
      throw failed.getFirst().thrownException();
    }
  }

  /** Opens the store if no test did, closes it and deletes its files. */
  private void finish() {
    try {
      store().heap.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    store = null;
    delete(Objects.requireNonNull(directory));
    directory = null;
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
