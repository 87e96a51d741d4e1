package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.ImmutableList;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A wrapper of the JDK and the collection behind it are one collection of the store, wherever the
 * program has the two.
 */
class JdkWrappersTest extends StoreTest {
  /** Shows its lines to others in a view that they cannot change. */
  @Persistent(root = "basket")
  static class Basket {
    private final List<String> lines = new ArrayList<>();
    private final List<String> view = Collections.unmodifiableList(lines);
    private @Nullable Object first;
    private @Nullable Object second;
    private List<List<String>> all = new ArrayList<>();
    private @Nullable Pair pair;

    List<String> getLines() {
      return lines;
    }

    List<String> getView() {
      return view;
    }

    @Nullable Object getFirst() {
      return first;
    }

    void setFirst(@Nullable Object first) {
      this.first = first;
    }

    @Nullable Object getSecond() {
      return second;
    }

    void setSecond(@Nullable Object second) {
      this.second = second;
    }

    List<List<String>> getAll() {
      return all;
    }

    void setAll(List<List<String>> all) {
      this.all = all;
    }

    @Nullable Pair getPair() {
      return pair;
    }

    void setPair(@Nullable Pair pair) {
      this.pair = pair;
    }
  }

  record Pair(Collection<String> some, Collection<String> same) {}

  private Basket basket() {
    return store().root(Basket.class);
  }

  @Test
  void aViewInAFieldShowsWhatIsAddedToTheCollection() {
    basket().getLines().add("bolt");
    assertSame(basket().getLines(), basket().getView());
    reopen();
    assertEquals(List.of("bolt"), basket().getView());
    assertSame(basket().getLines(), basket().getView());
  }

  @Test
  void objectsThatTheStoreCreatesHaveEachTheirOwn() {
    Basket one = store().create(Basket.class);
    Basket other = store().create(Basket.class);
    one.getLines().add("bolt");
    assertSame(one.getLines(), one.getView());
    assertSame(other.getLines(), other.getView());
    assertEquals(List.of(), other.getView());
  }

  private static <T> Arguments of(T plain, Function<T, ?> wrapper) {
    return arguments(plain, wrapper.apply(plain));
  }

  private static <C extends Collection<String>> C elements(C empty) {
    empty.add("bolt");
    return empty;
  }

  private static <M extends Map<String, String>> M entries(M empty) {
    empty.put("bolt", "M6");
    return empty;
  }

  static Stream<Arguments> wrapped() {
    return Stream.of(
        of(elements(new ArrayList<>()), Collections::unmodifiableList),
        of(elements(new LinkedList<>()), Collections::unmodifiableList),
        of(elements(new ArrayList<>()), Collections::synchronizedList),
        of(elements(new LinkedList<>()), Collections::synchronizedList),
        of(elements(new ArrayList<>()), list -> Collections.checkedList(list, String.class)),
        of(elements(new LinkedList<>()), list -> Collections.checkedList(list, String.class)),
        of(elements(new HashSet<>()), Collections::unmodifiableSet),
        of(elements(new LinkedHashSet<>()), Collections::synchronizedSet),
        of(elements(new HashSet<>()), set -> Collections.checkedSet(set, String.class)),
        of(elements(new LinkedHashSet<>()), Collections::unmodifiableSequencedSet),
        of(elements(new TreeSet<>()), Collections::unmodifiableNavigableSet),
        of(elements(new TreeSet<>()), Collections::synchronizedSortedSet),
        of(elements(new TreeSet<>()), set -> Collections.checkedNavigableSet(set, String.class)),
        of(entries(new HashMap<>()), Collections::unmodifiableMap),
        of(entries(new HashMap<>()), Collections::synchronizedMap),
        of(entries(new ConcurrentHashMap<>()), Collections::unmodifiableMap),
        of(
            entries(new LinkedHashMap<>()),
            map -> Collections.checkedMap(map, String.class, String.class)),
        of(entries(new LinkedHashMap<>()), Collections::unmodifiableSequencedMap),
        of(
            entries(new HashMap<>()),
            map -> Collections.unmodifiableMap(Collections.synchronizedMap(map))),
        of(entries(new TreeMap<>()), Collections::unmodifiableSortedMap),
        of(entries(new TreeMap<>()), Collections::synchronizedNavigableMap),
        of(
            entries(new TreeMap<>()),
            map -> Collections.checkedSortedMap(map, String.class, String.class)),
        of(elements(new LinkedList<>()), queue -> Collections.checkedQueue(queue, String.class)),
        of(elements(new ArrayList<>()), Collections::unmodifiableCollection),
        of(elements(new ArrayList<>()), Collections::unmodifiableSequencedCollection),
        of(elements(new HashSet<>()), Collections::synchronizedCollection),
        of(elements(new ArrayList<>()), all -> Collections.checkedCollection(all, String.class)));
  }

  @ParameterizedTest
  @MethodSource("wrapped")
  void theWrapperAfterTheCollectionIsTheSame(Object plain, Object wrapper) {
    basket().setFirst(plain);
    basket().setSecond(wrapper);
    assertSame(basket().getFirst(), basket().getSecond());
    assertEquals(store().call(() -> basket().getFirst()), plain);
  }

  @ParameterizedTest
  @MethodSource("wrapped")
  void theCollectionAfterTheWrapperIsTheSame(Object plain, Object wrapper) {
    store()
        .transaction(
            () -> {
              basket().setFirst(wrapper);
              basket().setSecond(plain);
            });
    assertSame(basket().getFirst(), basket().getSecond());
  }

  @Test
  void eachNewWrapperOfACollectionIsTheSame() {
    List<String> lines = elements(new ArrayList<>());
    basket().setFirst(Collections.unmodifiableList(lines));
    Object stored = basket().getFirst();
    basket().setSecond(Collections.unmodifiableList(lines));
    assertSame(stored, basket().getSecond());
  }

  @Test
  void aWrapperOfAPersistentCollectionIsThatCollection() {
    basket().setFirst(Collections.unmodifiableList(basket().getLines()));
    assertSame(basket().getLines(), basket().getFirst());
    basket().getLines().add("bolt");
    assertEquals(List.of("bolt"), basket().getFirst());
  }

  @Test
  void wrappersInCollectionsAndRecordsAreTheCollectionsToo() {
    List<String> lines = elements(new ArrayList<>());
    basket().setAll(List.of(lines, Collections.unmodifiableList(lines)));
    basket().setPair(new Pair(Collections.synchronizedList(lines), lines));
    List<String> stored = basket().getAll().getFirst();
    assertSame(stored, basket().getAll().getLast());
    Pair pair = Objects.requireNonNull(basket().getPair());
    assertSame(stored, pair.some());
    assertSame(stored, pair.same());
  }

  @Test
  void changesBehindAWrapperAreStoredUntilTheTransactionEnds() {
    List<String> lines = new ArrayList<>();
    store()
        .transaction(
            () -> {
              basket().setFirst(Collections.unmodifiableList(lines));
              lines.add("bolt");
            });
    assertEquals(List.of("bolt"), basket().getFirst());
  }

  @Test
  void aPlainObjectWithAViewIsUnchangedUntilItsCollectionIs() {
    Basket plain = new Basket();
    plain.getLines().add("bolt");
    basket().setFirst(plain);
    basket().setSecond(plain); // looks for changes
    assertSame(basket().getFirst(), basket().getSecond());
    plain.getLines().add("nut");
    assertThrows(NotPersistableException.class, () -> basket().setSecond(plain));
  }

  @Test
  void aPlainObjectWithViewsOfPersistentAndEmptyCollectionsIsUnchanged() {
    Basket plain = new Basket();
    plain.setFirst(Collections.unmodifiableList(basket().getLines()));
    plain.setSecond(Collections.unmodifiableList(Collections.emptyList()));
    store()
        .transaction(
            () -> {
              basket().setFirst(plain);
              basket().setSecond(plain);
            });
    basket().setFirst(plain);
    Basket stored = (Basket) Objects.requireNonNull(basket().getFirst());
    assertSame(basket().getLines(), stored.getFirst());
    assertEquals(List.of(), stored.getSecond());
  }

  /**
   * Each of them has a collection of its own: what is behind cannot be found, or is no collection.
   */
  @Test
  void otherViewsAreCollectionsOfTheirOwn() {
    EnumSet<DayOfWeek> days = EnumSet.of(DayOfWeek.MONDAY);
    basket().setFirst(days);
    basket().setSecond(Collections.unmodifiableSet(days));
    assertEquals(basket().getFirst(), basket().getSecond());
    assertNotSame(basket().getFirst(), basket().getSecond());
    Map<String, String> map = Collections.synchronizedMap(entries(new HashMap<>()));
    basket().setFirst(map);
    basket().setSecond(map.keySet());
    assertEquals(map.keySet(), basket().getSecond());
    basket().setSecond(Collections.unmodifiableList(List.of("bolt")));
    assertEquals(List.of("bolt"), basket().getSecond());
  }

  /** Declares classes of the JDK, and shows them in views. */
  @Persistent(root = "team")
  static class Team {
    private final ArrayList<String> members = new ArrayList<>();
    private final TreeMap<String, String> roles = new TreeMap<>();
    private @Nullable Object other;

    List<String> getMembers() {
      return Collections.unmodifiableList(members);
    }

    Map<String, String> getRoles() {
      return Collections.unmodifiableMap(roles);
    }

    void add(String member) {
      members.add(member);
      roles.put(member, "member");
    }

    @Nullable Object getOther() {
      return other;
    }

    void setOther(@Nullable Object other) {
      this.other = other;
    }
  }

  @Test
  void aWrapperOfACollectionThatIsDeclaredAsAClassIsThatCollection() {
    Team team = store().root(Team.class);
    team.add("Ada");
    basket().setFirst(team.getMembers());
    basket().setSecond(team.getRoles());
    team.add("Bob");
    assertEquals(team.getMembers(), basket().getFirst());
    assertEquals(Map.of("Ada", "member", "Bob", "member"), basket().getSecond());
  }

  @Test
  void aPlainObjectWithSuchAWrapperIsUnchanged() {
    Team team = store().root(Team.class);
    team.add("Ada");
    Team plain = new Team();
    plain.setOther(team.getMembers());
    basket().setFirst(plain);
    basket().setSecond(plain);
    assertSame(basket().getFirst(), basket().getSecond());
    List<Object> views = new ArrayList<>(List.of(team.getMembers(), team.getRoles()));
    basket().setFirst(views);
    basket().setSecond(views);
    assertSame(basket().getFirst(), basket().getSecond());
  }

  // -- the empty collections that many objects share

  static final List<Object> SHARED_EMPTY_ONES =
      List.of(
          List.of(),
          Stream.empty().toList(),
          Stream.empty().collect(Collectors.toUnmodifiableSet()),
          Collections.emptyList(),
          Collections.emptySortedSet(),
          Collections.emptyNavigableMap(),
          Collections.unmodifiableList(Collections.emptyList()),
          ImmutableList.of());

  @ParameterizedTest
  @FieldSource("SHARED_EMPTY_ONES")
  void objectsWithTheSameEmptyCollectionDoNotShareIt(Object empty) {
    Basket plain = new Basket();
    plain.setFirst(empty);
    store()
        .transaction(
            () -> {
              basket().setFirst(plain);
              basket().setSecond(empty);
              basket().setFirst(plain);
            });
    basket().setFirst(plain);
    Basket stored = (Basket) Objects.requireNonNull(basket().getFirst());
    assertNotSame(stored.getFirst(), basket().getSecond());
    assertEquals(stored.getFirst(), basket().getSecond());
  }
}
