package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.proxy.fixture.StoreTest;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A change inside a record, an {@code Optional} or an array of a plain object, after the conversion
 * of that object, is stored or refused like a change of a property.
 */
class ChangesInRecordsTest extends StoreTest {

  /** A value with parts that change in place. */
  record Line(String name, int[] counts) {}

  /** A value with such a value in it. */
  record Page(Line line, @Nullable Object more) {}

  /** A value that refers to an object. */
  record Link(String name, Sheet target) {}

  /** The root, whose properties can hold all of these values. */
  @Persistent(root = "sheet")
  static class Sheet {
    private String name = "";
    private @Nullable Object content;
    private @Nullable Line line;
    private @Nullable Optional<int[]> maybe;
    private @Nullable Link link;
    private Map<String, Object> all = new HashMap<>();

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }

    @Nullable Object getContent() {
      return content;
    }

    void setContent(@Nullable Object content) {
      this.content = content;
    }

    @Nullable Line getLine() {
      return line;
    }

    void setLine(@Nullable Line line) {
      this.line = line;
    }

    @Nullable Optional<int[]> getMaybe() {
      return maybe;
    }

    void setMaybe(@Nullable Optional<int[]> maybe) {
      this.maybe = maybe;
    }

    @Nullable Link getLink() {
      return link;
    }

    void setLink(@Nullable Link link) {
      this.link = link;
    }

    Map<String, Object> getAll() {
      return all;
    }

    void setAll(Map<String, Object> all) {
      this.all = all;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Sheet other && getName().equals(other.getName());
    }

    @Override
    public int hashCode() {
      return getName().hashCode();
    }
  }

  /** A value, and a change of it in place. */
  private record Case(Object value, Runnable change) {
    static <T> Case of(T value, Consumer<T> change) {
      return new Case(value, () -> change.accept(value));
    }
  }

  @SuppressWarnings("JavaUtilDate") // users have such values
  private static List<Case> cases() {
    return List.of(
        Case.of(new int[1], a -> a[0] = 7),
        Case.of(new Line("a", new int[1]), l -> l.counts()[0] = 7),
        Case.of(new Page(new Line("a", new int[1]), null), p -> p.line().counts()[0] = 7),
        Case.of(
            new Page(new Line("a", new int[0]), new int[] {1}),
            p -> ((int[]) Objects.requireNonNull(p.more()))[0] = 7),
        Case.of(
            new Page(new Line("a", new int[0]), new Date(1)),
            p -> ((Date) Objects.requireNonNull(p.more())).setTime(7)),
        Case.of(
            new Page(new Line("a", new int[0]), new ArrayList<>(List.of("x"))), p -> add(p.more())),
        Case.of(new ArrayList<>(List.of("x")), ChangesInRecordsTest::add),
        Case.of(Optional.of(new int[1]), o -> o.orElseThrow()[0] = 7),
        Case.of(Optional.of(new Line("a", new int[1])), o -> o.orElseThrow().counts()[0] = 7),
        Case.of(Map.entry("k", new int[1]), e -> e.getValue()[0] = 7),
        Case.of(Map.entry(new Line("a", new int[1]), 1), e -> e.getKey().counts()[0] = 7),
        Case.of(new Line[] {new Line("a", new int[1])}, a -> a[0].counts()[0] = 7),
        Case.of(new Object[] {new Object[] {"x"}}, a -> ((Object[]) a[0])[0] = "y"));
  }

  /** Changes of collections in the elements of others, which only the commit compares. */
  private static List<Case> nestedCases() {
    return List.of(
        Case.of(listInList(), list -> add(list.getFirst())),
        Case.of(
            new HashMap<>(Map.of("k", new Page(new Line("a", new int[0]), listInList()))),
            map -> add(((List<?>) Objects.requireNonNull(map.get("k").more())).getFirst())));
  }

  private static List<Case> allCases() {
    return Stream.concat(cases().stream(), nestedCases().stream()).toList();
  }

  private static List<Object> listInList() {
    return new ArrayList<>(List.of(new ArrayList<>(List.of("x"))));
  }

  @SuppressWarnings("unchecked")
  private static void add(@Nullable Object list) {
    ((List<Object>) Objects.requireNonNull(list)).add("added");
  }

  @SuppressWarnings("JavaUtilDate") // users have such values
  private static String text(@Nullable Object value) {
    return switch (value) {
      case Line line -> line.name() + Arrays.toString(line.counts());
      case Page page -> text(page.line()) + text(page.more());
      case Optional<?> optional -> "optional " + text(optional.orElseThrow());
      case int[] array -> Arrays.toString(array);
      case Object[] array ->
          Arrays.stream(array).map(ChangesInRecordsTest::text).collect(Collectors.joining(", "));
      case Date date -> "date " + date.getTime();
      case List<?> list ->
          list.stream().map(ChangesInRecordsTest::text).collect(Collectors.joining(", ", "[", "]"));
      case Map.Entry<?, ?> entry -> text(entry.getKey()) + text(entry.getValue());
      case Map<?, ?> map -> text(map.get("k"));
      case String string -> string;
      case null, default -> String.valueOf(value);
    };
  }

  /** A place of a value, and how a plain object gets one there. */
  private enum Place {
    PROPERTY,
    LIST,
    MAP,
    SORTED;

    Object holding(Object value) {
      switch (this) {
        case PROPERTY -> {
          Sheet sheet = new Sheet();
          sheet.setContent(value);
          return sheet;
        }
        case LIST -> {
          return new ArrayList<>(List.of(value));
        }
        case MAP -> {
          return new HashMap<>(Map.of("k", value));
        }
        case SORTED -> {
          return new TreeMap<>(Map.of("k", value));
        }
      }
      throw new AssertionError();
    }

    static @Nullable Object held(@Nullable Object holder) {
      return switch (holder) {
        case Sheet sheet -> sheet.getContent();
        case List<?> list -> list.getFirst();
        case Map<?, ?> map -> map.get("k");
        case null, default -> throw new AssertionError(holder);
      };
    }
  }

  /**
   * Stores values like those of a test. A transaction that is the first to store a class may run
   * twice, and its second run would convert what its first run has changed.
   */
  private void storeAlike() {
    Map<String, Object> all = store().root(Sheet.class).getAll();
    for (Place place : Place.values()) {
      for (Case one : allCases()) {
        all.put("alike", place.holding(one.value()));
      }
    }
  }

  @Test
  void aChangeWithinTheTransactionIsStored() {
    storeAlike();
    for (Place place : Place.values()) {
      for (Case one : allCases()) {
        Object plain = place.holding(one.value());
        store()
            .transaction(
                () -> {
                  store().root(Sheet.class).getAll().put("a", plain);
                  one.change().run();
                });
        Object stored = Place.held(store().root(Sheet.class).getAll().get("a"));
        assertEquals(text(one.value()), text(stored), place.name());
        // Both are alike, so the plain object may be assigned again.
        store().root(Sheet.class).getAll().put("b", plain);
      }
    }
  }

  @Test
  void aChangeAfterTheTransactionIsRefusedWhenTheObjectIsAssignedAgain() {
    for (Place place : Place.values()) {
      for (Case one : allCases()) {
        Object plain = place.holding(one.value());
        Map<String, Object> all = store().root(Sheet.class).getAll();
        all.put("a", plain);
        all.put("b", plain);
        one.change().run();
        String message =
            assertThrows(
                    NotPersistableException.class,
                    () -> all.put("c", plain),
                    () -> place + " " + text(one.value()))
                .getMessage();
        assertTrue(message.contains("was converted before"), message);
      }
    }
  }

  @Test
  void aChangeBeforeTheNextUseInTheTransactionShows() {
    storeAlike();
    for (Case one : cases()) {
      Object plain = Place.PROPERTY.holding(one.value());
      store()
          .transaction(
              () -> {
                Map<String, Object> all = store().root(Sheet.class).getAll();
                all.put("a", plain);
                one.change().run();
                all.put("b", plain);
                assertEquals(text(one.value()), text(Place.held(all.get("a"))));
              });
    }
  }

  @Test
  void declaredPropertiesAreComparedToo() {
    Sheet plain = new Sheet();
    int[] counts = {1};
    int[] others = {1};
    plain.setLine(new Line("a", counts));
    plain.setMaybe(Optional.of(others));
    store()
        .transaction(
            () -> {
              store().root(Sheet.class).getAll().put("a", plain);
              counts[0] = 2;
              others[0] = 3;
            });
    Sheet stored = (Sheet) Objects.requireNonNull(store().root(Sheet.class).getAll().get("a"));
    assertEquals("a[2]", text(stored.getLine()));
    assertEquals("optional [3]", text(stored.getMaybe()));
  }

  @Test
  void aRecordThatRefersToAnEqualButOtherObjectIsAChange() {
    Sheet plain = new Sheet();
    Sheet first = new Sheet();
    Sheet second = new Sheet();
    plain.setLink(new Link("x", first));
    Map<String, Object> all = store().root(Sheet.class).getAll();
    all.put("a", plain);
    plain.setLink(new Link("x", first));
    all.put("unchanged", plain);
    plain.setLink(new Link("x", second)); // equal to the first
    assertThrows(NotPersistableException.class, () -> all.put("b", plain));
  }

  @Test
  void changesOfKeysInRecordsOfCollectionsAreSeen() {
    Sheet target = new Sheet();
    Map<Link, String> plain = new HashMap<>(Map.of(new Link("k", target), "v"));
    store()
        .transaction(
            () -> {
              store().root(Sheet.class).getAll().put("a", plain);
              plain.put(new Link("l", target), "w");
            });
    Map<?, ?> stored =
        (Map<?, ?>) Objects.requireNonNull(store().root(Sheet.class).getAll().get("a"));
    assertEquals(2, stored.size());
    assertEquals("w", stored.get(new Link("l", target)));
  }

  @Test
  void whatIsEqualButNotStoredAlikeIsAChange() {
    reopen(
        PmStoreOptions.defaults()
            .valueType(
                Tag.class,
                ValueCodec.ofText(
                    "tag", t -> t.id + " " + t.text, s -> new Tag(s.charAt(0), s.substring(2)))));
    Sheet first = new Sheet();
    first.setContent(new Tag('0', "first"));
    store().root(Sheet.class).getAll().put("first", first);
    Sheet plain = new Sheet();
    plain.setContent(new Tag('1', "old"));
    store()
        .transaction(
            () -> {
              store().root(Sheet.class).getAll().put("a", plain);
              plain.setContent(new Tag('1', "new"));
            });
    Sheet stored = (Sheet) Objects.requireNonNull(store().root(Sheet.class).getAll().get("a"));
    assertEquals("new", ((Tag) Objects.requireNonNull(stored.getContent())).text);
  }

  /** Also of types whose {@code equals} compares less than the store keeps, or identity. */
  @Test
  @SuppressWarnings("JavaUtilDate") // users have such values
  void aValueThatIsStoredOtherwiseIsAChange() throws UnknownHostException {
    byte[] address = {1, 2, 3, 4};
    List<List<Object>> pairs =
        List.of(
            List.of(URI.create("HTTP://Example.org/%c3"), URI.create("http://example.org/%C3")),
            List.of(new Timestamp(5), new Date(5)),
            List.of(InetAddress.getByAddress("one", address), InetAddress.getByAddress(address)),
            List.of(Pattern.compile("a"), Pattern.compile("a", Pattern.COMMENTS)),
            List.of(Pattern.compile("a"), Pattern.compile("b")));
    for (List<Object> pair : pairs) {
      Sheet plain = new Sheet();
      plain.setContent(pair.get(0));
      store()
          .transaction(
              () -> {
                store().root(Sheet.class).getAll().put("a", plain);
                plain.setContent(pair.get(1));
              });
      Sheet stored = (Sheet) Objects.requireNonNull(store().root(Sheet.class).getAll().get("a"));
      Object content = Objects.requireNonNull(stored.getContent());
      assertEquals(pair.get(1).getClass(), content.getClass());
      assertEquals(pair.get(1).toString(), content.toString());
    }
  }

  /** Compares less of itself than a codec keeps. */
  private static final class Tag {
    private final char id;
    private final String text;

    Tag(char id, String text) {
      this.id = id;
      this.text = text;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Tag other && other.id == id;
    }

    @Override
    public int hashCode() {
      return id;
    }
  }

  @Test
  void aTwinKeepsNoObjectOfARecordAlive() throws InterruptedException {
    WeakReference<Sheet> parent = converted();
    JavaGarbage.collect(parent);
  }

  private WeakReference<Sheet> converted() {
    Sheet parent = new Sheet();
    Sheet child = new Sheet();
    child.setContent(parent);
    parent.setLink(new Link("down", child));
    parent.setContent(new Object[] {child});
    store().root(Sheet.class).getAll().put("a", parent);
    return new WeakReference<>(parent);
  }
}
