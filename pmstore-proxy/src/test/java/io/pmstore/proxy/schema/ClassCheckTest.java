package io.pmstore.proxy.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassReport;
import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.proxy.layer.ProxyLayerProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** All faults of classes and of the classes that they refer to, without a store. */
@SuppressWarnings({"EqualsGetClass", "UnusedVariable"}) // as users write them
class ClassCheckTest {

  @Persistent
  static class Good {
    private long id;
    private List<Referred> referred = new ArrayList<>();

    long getId() {
      return id;
    }

    List<Referred> getReferred() {
      return referred;
    }
  }

  /** Has three faults, and refers to a class with another two. */
  @Persistent
  static class Bad {
    private final AtomicLong counter = new AtomicLong();
    private final WeakHashMap<String, String> map = new WeakHashMap<>();
    private final List<Far> far = new ArrayList<>();
    private @Nullable Pair pair;

    @OnLoad
    static void loaded() {}

    void all() {
      counter.get();
      map.clear();
      far.clear();
      pair = null;
    }
  }

  record Pair(StringBuilder one, Thread other) {}

  @Persistent
  static final class Far {
    private @Nullable Thread thread;

    static void stop(Far far) {
      far.thread = null;
    }
  }

  @Persistent
  static class Referred {
    static final Referred NONE = new Referred(0);

    private int number;

    Referred(int number) {
      this.number = number;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o != null && getClass() == o.getClass() && number == ((Referred) o).number;
    }

    @Override
    public int hashCode() {
      return number;
    }

    static int sum(Referred one, Referred other) {
      return one.number + other.number;
    }
  }

  /** Calls what is accepted where nobody calls it. */
  static class NotAnnotated {
    static void stop(Far far) {
      Far.stop(far);
    }
  }

  /** A class of another library. */
  static final class Isbn {}

  @Persistent
  static class Book {
    private @Nullable Isbn isbn;

    @Nullable Isbn getIsbn() {
      return isbn;
    }
  }

  /** Holds what a store refuses when it is put there. */
  @Persistent
  static class Shelf {
    private final Map<String, List<? extends Isbn>> books = new HashMap<>();
    private final ConcurrentMap<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private Optional<Cover> cover = Optional.empty();

    void all() {
      books.clear();
      counts.clear();
      cover = Optional.empty();
    }
  }

  record Cover(Set<Isbn[]> isbns) {}

  /** Holds what a store keeps, or may keep. */
  @Persistent
  static class Open<T> {
    private final List<T> any = new ArrayList<>();
    private final Map<Object, List<Runnable>> others = new HashMap<>();
    private final Set<Class<Isbn>> classes = new HashSet<>();
    private final List<AbstractBook> books = new ArrayList<>();
    private final List<? extends Number[]> numbers = new ArrayList<>();
    private final Map<Kind, List<? super String>> more = new HashMap<>();

    void all() {
      any.clear();
      others.clear();
      classes.clear();
      books.clear();
      numbers.clear();
      more.clear();
    }
  }

  enum Kind {
    ONE
  }

  abstract static class AbstractBook {}

  private static ClassReport check(PmStoreOptions options, Class<?>... classes) {
    return new ProxyLayerProvider().check(options, List.of(classes));
  }

  private static ClassReport check(Class<?>... classes) {
    return check(PmStoreOptions.defaults(), classes);
  }

  private static void assertOne(List<String> messages, String... parts) {
    assertEquals(
        1,
        messages.stream().filter(m -> List.of(parts).stream().allMatch(m::contains)).count(),
        () -> List.of(parts) + " in " + String.join("\n", messages));
  }

  @Test
  void everyFaultOfEveryClassIsTold() {
    ClassReport report = check(Bad.class, NotAnnotated.class);
    List<String> found = report.refusals();
    assertOne(found, Bad.class.getName(), "property counter is of type", "use a long or an int");
    assertOne(found, Bad.class.getName(), "property map is of type", "declare it as java.util.Map");
    assertOne(found, Bad.class.getName(), "@OnLoad method loaded is static");
    assertOne(found, Far.class.getName() + " cannot", "it is final");
    assertOne(found, Far.class.getName() + " cannot", "property thread is of type");
    assertOne(
        found,
        Far.class.getName() + " cannot",
        "static method stop writes the field thread",
        "(ClassCheckTest.java:");
    assertFalse(report.isAccepted());
    assertThrows(AssertionError.class, report::assertAccepted);
    assertOne(found, NotAnnotated.class.getName(), "it is not annotated");
  }

  @Test
  void elementsThatCannotBeKeptAreWarnedOf() {
    ClassReport report = check(Shelf.class);
    assertEquals(List.of(), report.refusals());
    assertOne(
        report.warnings(),
        Shelf.class.getName() + ": property books may hold objects of " + Isbn.class.getTypeName(),
        "annotate");
    assertOne(
        report.warnings(),
        Shelf.class.getName() + ": property counts may hold objects of ",
        "use a long or an int");
    assertOne(
        report.warnings(),
        Cover.class.getName() + ": property isbns may hold objects of",
        Isbn.class.getTypeName() + "[]");
    assertEquals(3, report.warnings().size(), report::toString);
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .valueType(Isbn.class, ValueCodec.ofText("isbn", Isbn::toString, text -> new Isbn()));
    assertEquals(1, check(options, Shelf.class).warnings().size());
    assertEquals(List.of(), check(Open.class).warnings());
  }

  @Test
  void whatIsAcceptedHasNoRefusals() {
    ClassReport report = check(Good.class);
    assertEquals(List.of(), report.refusals());
    report.assertAccepted();
    assertOne(
        report.warnings(), Referred.class.getName() + ": equals of ", "(ClassCheckTest.java:");
    assertOne(report.warnings(), Referred.class.getName() + " has no constructor");
    assertOne(
        report.warnings(),
        Referred.class.getName() + ": static method sum reads the field number directly",
        "pass it plain objects only",
        "(ClassCheckTest.java:");
    assertOne(
        report.warnings(),
        Referred.class.getName() + ": an object that",
        "== to the constant NONE");
    assertEquals(4, report.warnings().size(), report::toString);
  }

  sealed interface Payment {
    record Wire(Thread thread) implements Payment {}
  }

  record Invoice(Payment payment) {}

  @Test
  void whatASealedTypePermitsIsExamined() {
    assertOne(check(Invoice.class).refusals(), "Wire", "thread is of type");
  }

  @Test
  void aClassWithACodecIsAccepted() {
    assertOne(check(Book.class).refusals(), "property isbn is of type", "PmStoreOptions.valueType");
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .valueType(Isbn.class, ValueCodec.ofText("isbn", Isbn::toString, text -> new Isbn()))
            .classes(Good.class);
    ClassReport report = check(options, Book.class);
    assertTrue(report.isAccepted(), report::toString);
  }
}
