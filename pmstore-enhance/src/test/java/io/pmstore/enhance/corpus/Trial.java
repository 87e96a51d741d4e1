package io.pmstore.enhance.corpus;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.enhance.corpus.Outcome.Kind;
import io.pmstore.spi.EnhancedObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tries one class: the same is done with a plain object of the published class, with a second one,
 * which tells what is random about the class, and with an object of the enhanced class, which is
 * plain first, then rolled back, then persistent, then read back. All must show the same.
 */
final class Trial {
  private static final int CALLS = 15;

  /** One object of the three. */
  private static final class Side {
    final World world;
    final Samples samples;
    Object object = "";

    Side(World world, UnitClasses unit) {
      this.world = world;
      this.samples = new Samples(world, unit);
    }
  }

  /** Ends the trial. */
  private static final class End extends RuntimeException {
    private static final long serialVersionUID = 1;
    final transient Outcome outcome;

    End(Kind kind, String text) {
      super(text, null, false, false);
      outcome = Outcome.of(kind, text);
    }
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final String name;
  private final Side plain;
  private final Side other;
  private final Side enhanced;
  private final Path directory;
  private final Random random;
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private String step = "before the first step";

  Trial(
      String name,
      UnitClasses unit,
      ClassLoader libraries,
      ClassLoader resources,
      Path directory,
      long seed) {
    this.name = name;
    this.random = new Random(seed ^ name.hashCode());
    boolean isOrdered = random.nextBoolean();
    this.plain = new Side(new World(unit.plain(), libraries, resources, isOrdered), unit);
    this.other = new Side(new World(unit.plain(), libraries, resources, isOrdered), unit);
    this.enhanced = new Side(new World(unit.enhanced(), libraries, resources, isOrdered), unit);
    this.directory = directory;
  }

  Outcome run() {
    Logger logger = Logger.getLogger("io.pmstore.proxy.bean.BeanDiscovery");
    logger.setFilter(
        entry -> {
          warnings.add(entry.getMessage());
          return false;
        });
    try {
      make();
      compare();
      persist();
      return Outcome.of(Kind.WORKS, "");
    } catch (End end) {
      return end.outcome;
    } catch (ClassRefusedException | NotPersistableException e) {
      return Outcome.of(Kind.REFUSED, step + ": " + e.getMessage());
    } catch (Throwable t) {
      return outcome(t);
    }
  }

  private Outcome outcome(Throwable thrown) {
    if (isOfMissingLibrary(thrown)) {
      return Outcome.of(Kind.UNTRIED, step + ": " + thrown);
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    boolean isOfStore =
        thrown instanceof RuntimeException
            && trace.length > 0
            && trace[0].getClassName().startsWith("io.pmstore.")
            && !(thrown instanceof NullPointerException || thrown instanceof ClassCastException);
    return Outcome.of(
        isOfStore ? Kind.REFUSED : Kind.FAILS,
        step
            + ": "
            + (isOfStore ? "" : thrown.getClass().getName() + " ")
            + thrown.getMessage()
            + (isOfStore ? "" : " " + (trace.length > 0 ? trace[0] : "")));
  }

  /** Returns true if the jar needs another one, which it does not depend on. */
  private static boolean isOfMissingLibrary(Throwable thrown) {
    return thrown instanceof NoClassDefFoundError || thrown instanceof TypeNotPresentException;
  }

  private void make() {
    step = "making one";
    long seed = random.nextLong();
    try {
      plain.object = made(plain, seed);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      throw new End(Kind.UNTRIED, "no plain object: " + e);
    }
    try {
      enhanced.object = made(enhanced, seed);
      other.object = made(other, seed);
    } catch (ReflectiveOperationException e) {
      throw new End(Kind.FAILS, step + ": " + e);
    }
    if (!(enhanced.object instanceof EnhancedObject)) {
      throw new End(Kind.FAILS, "the class was not enhanced");
    }
  }

  private Object made(Side side, long seed) throws ReflectiveOperationException {
    Class<?> type = Class.forName(name, true, side.world);
    Object made = side.samples.filled(type, new Random(seed));
    if (made == null) {
      throw new NoSuchMethodException("no constructor or factory makes one");
    }
    return made;
  }

  private void persist() throws Exception {
    for (int i = 0; i < CALLS / 2; i++) {
      call(null);
    }
    compare();
    try (PmStore store = PmStore.open(directory, Values.registered(enhanced.world))) {
      step = "the assignment, rolled back";
      try {
        store.transaction(
            () -> {
              store.root(Shelf.class).put(enhanced.object);
              throw new RollBack();
            });
      } catch (RollBack e) {
        compare();
      }
      step = "the assignment";
      store.transaction(() -> store.root(Shelf.class).put(enhanced.object));
      compare();
      for (int i = 0; i < CALLS; i++) {
        call(store);
      }
      compare();
    }
    List.of(plain, other, enhanced).forEach(side -> side.world.made.clear());
    forget(plain);
    forget(other);
    step = "reading it back";
    try (PmStore store =
        PmStore.open(
            directory, Values.registered(enhanced.world).classes(enhanced.object.getClass()))) {
      enhanced.object = Objects.requireNonNull(store.root(Shelf.class).get(), "it is lost");
      compare();
      for (int i = 0; i < CALLS; i++) {
        call(store);
      }
      compare();
    }
  }

  /**
   * Clears the transient fields of a plain object, as reading an object back does. Those of a
   * collection that is no persistent object hold its elements.
   */
  private static void forget(Side side) {
    Graph.reach(
        side.object,
        side.world,
        one -> {
          boolean isOnlyCollection =
              (one instanceof Collection || one instanceof Map)
                  && !one.getClass().isAnnotationPresent(Persistent.class);
          if (!isOnlyCollection) {
            Fields.clearTransients(one, side.world);
          }
        });
  }

  private void compare() {
    Map<String, String> expected = Portrait.fields(plain.object, plain.world, false);
    Map<String, String> again = Portrait.fields(other.object, other.world, false);
    Map<String, String> found = Portrait.fields(enhanced.object, enhanced.world, false);
    for (Map.Entry<String, String> field : expected.entrySet()) {
      String name = field.getKey();
      if (field.getValue().equals(again.get(name))
          && isOther(
              field.getValue(),
              String.valueOf(found.get(name)),
              () -> String.valueOf(Portrait.fields(plain.object, plain.world, true).get(name)),
              () ->
                  String.valueOf(
                      Portrait.fields(enhanced.object, enhanced.world, true).get(name)))) {
        throw new End(
            Kind.WRONG,
            "after %s: field %s is %s, not %s"
                .formatted(step, name, found.get(name), field.getValue()));
      }
    }
  }

  /**
   * Returns true if what an enhanced object shows is not what a plain one shows. Maps and sets of a
   * plain object may have no order; those of the store may, and lists made of them too.
   */
  private boolean isOther(
      String expected, String found, Supplier<String> loose, Supplier<String> foundLoose) {
    if (expected.equals(found)) {
      return false;
    }
    boolean keepsOrders = count(found, "Ordered") >= count(expected, "Ordered");
    boolean mayDiffer = !plain.world.isOrdered || !expected.contains("Ordered");
    return !(keepsOrders && mayDiffer && isReordered(loose.get(), foundLoose.get()));
  }

  private static int count(String text, String word) {
    return text.split(word, -1).length;
  }

  /** Calls one method on all sides, in a transaction or outside. */
  private void call(@Nullable PmStore store) throws Exception {
    List<Method> methods = callable(plain);
    if (methods.isEmpty()) {
      return;
    }
    int which = random.nextInt(methods.size());
    long seed = random.nextLong();
    step = "the call of " + methods.get(which).getName();
    Result expected = result(plain, which, seed);
    Result found;
    // A method that throws outside of a transaction writes nothing, other than a plain one.
    if (store == null || (!expected.text().startsWith("throws") && random.nextBoolean())) {
      found = result(enhanced, which, seed);
    } else {
      found = store.transaction(() -> result(enhanced, which, seed));
    }
    // The last one: what shows the time shows another one now.
    Result again = result(other, which, seed);
    if (expected.text().equals(again.text())
        && isOther(expected.text(), found.text(), expected::loose, found::loose)) {
      if (warnings.stream().anyMatch(text -> text.contains("reads fields"))) {
        throw new End(
            Kind.OTHERWISE,
            "code that reads fields by reflection does not see the store; the log warned of it");
      }
      boolean wasUnmodifiable = expected.text().contains("UnsupportedOperationException");
      throw new End(
          wasUnmodifiable ? Kind.OTHERWISE : Kind.WRONG,
          wasUnmodifiable
              ? "an unmodifiable collection of the plain object can be changed once it is stored"
              : "%s%s shows %s, not %s"
                  .formatted(
                      step, store == null ? " while plain" : "", found.text(), expected.text()));
    }
  }

  /** What a call shows, with and without the order of its parts. */
  private record Result(String text, String loose) {
    static Result of(String text) {
      return new Result(text, text);
    }
  }

  /** The texts of sets and maps without an order may have any. */
  private static boolean isReordered(String one, String two) {
    return one.chars().sorted().boxed().toList().equals(two.chars().sorted().boxed().toList());
  }

  private static List<Method> callable(Side side) {
    return side.samples.methods(side.object.getClass(), m -> !Modifier.isStatic(m.getModifiers()));
  }

  private static Result result(Side side, int which, long seed) throws Exception {
    Method method = callable(side).get(which);
    Random values = new Random(seed);
    Object[] arguments = side.samples.callArguments(method, values);
    try {
      method.setAccessible(true);
      Object result = method.invoke(side.object, arguments);
      if (result instanceof Collection<?> collection
          && !side.world.isOwn(result.getClass())
          && values.nextInt(3) == 0) {
        return Result.of(add(side, collection, method, values));
      }
      return new Result(
          Portrait.withoutAddresses(Portrait.of(result, side.world, false)),
          Portrait.withoutAddresses(Portrait.of(result, side.world, true)));
    } catch (InvocationTargetException e) {
      return Result.of(thrown(side, e.getCause()));
    } catch (IllegalArgumentException e) {
      return Result.of("throws an argument that does not fit");
    }
  }

  /** Adds an element to the collection that a getter returned. */
  private static String add(Side side, Collection<?> all, Method getter, Random values) {
    Object element = side.samples.element(getter.getGenericReturnType(), values);
    if (element == null) {
      return "nothing to add";
    }
    try {
      Samples.addTo(all, element);
      return "added";
    } catch (RuntimeException e) {
      return thrown(side, e);
    }
  }

  private static String thrown(Side side, Throwable thrown) {
    if (thrown instanceof ClassRefusedException || thrown instanceof NotPersistableException) {
      throw (RuntimeException) thrown;
    }
    if (isOfMissingLibrary(thrown)) {
      throw new End(Kind.UNTRIED, thrown.toString());
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    if (thrown instanceof IllegalStateException e
        && trace.length > 0
        && trace[0].getClassName().startsWith("io.pmstore.")) {
      throw e;
    }
    // With several faults the order decides which one is found.
    return side.world.isOrdered || thrown instanceof UnsupportedOperationException
        ? "throws " + thrown.getClass().getName()
        : "throws";
  }
}
