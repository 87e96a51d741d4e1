package io.pmstore.proxy.facade;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.RolledBackException;
import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.facade.Depot.Pallet;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.PersistentObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Properties that are declared as classes of collections: {@code ArrayList}, not {@code List}. */
@SuppressWarnings("JdkObsolete") // programs have them
final class FacadePropertiesTest extends StoreTest {

  private Depot depot() {
    return store().root(Depot.class);
  }

  private static Collection<?> contents(Object collection) {
    Collection<?> contents =
        collection instanceof Map<?, ?> map
            ? List.copyOf(map.entrySet())
            : List.copyOf((Collection<?>) collection);
    boolean hasOrder =
        collection instanceof SequencedMap
            || !(collection instanceof Map<?, ?> || isHashSet(collection));
    return hasOrder ? contents : Set.copyOf(contents);
  }

  private static boolean isHashSet(Object collection) {
    return collection instanceof HashSet && !(collection instanceof SequencedSet);
  }

  @Test
  void everyClassIsTested() {
    assertEquals(CollectionClasses.all(), new Depot().all().keySet());
  }

  @Test
  void theDocumentNamesEachWithItsInterface() throws IOException {
    String text = Files.readString(Path.of("../docs/collections.md"));
    int start = text.indexOf("<!-- classes: shown -->");
    Map<String, String> documented = new TreeMap<>();
    for (String row : text.substring(start, text.indexOf("\n\n", start)).lines().skip(3).toList()) {
      String[] cells = row.split("\\|");
      for (String name : cells[1].split(",")) {
        documented.put(name.replace("`", "").strip(), cells[2].replace("`", "").strip());
      }
    }
    Map<String, String> expected = new TreeMap<>();
    for (Class<?> type : CollectionClasses.all()) {
      expected.put(type.getSimpleName(), CollectionClasses.storedAs(type).getSimpleName());
    }
    assertEquals(expected, documented);
  }

  @Test
  void methodsOfTheClassUseThemAndAnotherRunFindsThem() {
    Depot plain = new Depot();
    for (int i = 1; i <= 40; i++) {
      depot().add(i);
      plain.add(i);
    }
    for (int run = 0; run < 2; run++) {
      plain
          .all()
          .forEach(
              (type, expected) -> {
                Object found = depot().all().get(type);
                assertInstanceOf(type, found);
                assertInstanceOf(PersistentObject.class, found);
                assertSame(found, depot().all().get(type), () -> type + " is another object");
                assertEquals(contents(expected), contents(found), type::getName);
              });
      reopen();
    }
  }

  @Test
  void propertiesAreReadWrittenAndLoaded() throws IOException {
    Properties properties = depot().getProperties();
    properties.load(new StringReader("one=1\ntwo=2"));
    properties.put("three", 3); // no text
    assertEquals("1", properties.getProperty("one"));
    assertNull(properties.getProperty("three"));
    assertEquals("otherwise", properties.getProperty("three", "otherwise"));
    assertEquals("2", properties.setProperty("two", "II"));
    reopen();
    Properties again = depot().getProperties();
    assertEquals(Set.of("one", "two"), again.stringPropertyNames());
    assertEquals(Map.of("one", "1", "two", "II", "three", 3), again);
    again.remove("three");
    StringWriter written = new StringWriter();
    again.store(written, null);
    assertTrue(written.toString().contains("two=II"), written::toString);
    ByteArrayOutputStream xml = new ByteArrayOutputStream();
    again.storeToXML(xml, null);
    again.clear();
    again.loadFromXML(new ByteArrayInputStream(xml.toByteArray()));
    assertEquals(Map.of("one", "1", "two", "II"), again);
  }

  @Test
  void propertiesWithDefaultsAreRefused() {
    Properties defaults = new Properties();
    defaults.setProperty("one", "1");
    Properties properties = new Properties(defaults);
    properties.setProperty("one", "I");
    NotPersistableException e =
        assertThrows(NotPersistableException.class, () -> depot().setProperties(properties));
    assertTrue(e.getMessage().contains("has defaults"), e::getMessage);
    assertThrows(NotPersistableException.class, () -> depot().setAny(properties));
    depot().setProperties(new Properties(new Properties()));
  }

  /** A list that holds more than its elements. */
  @SuppressWarnings("serial") // nobody serializes it
  private static final class Numbered extends ArrayList<@Nullable Object> {
    int number = 7;
  }

  @Test
  @SuppressWarnings({"serial", "DoubleBraceInitialization"}) // programs do it
  void aCollectionWithFieldsOfItsOwnIsRefused() {
    Numbered numbered = new Numbered();
    assertEquals(7, numbered.number);
    NotPersistableException e =
        assertThrows(NotPersistableException.class, () -> depot().setList(numbered));
    assertTrue(e.getMessage().contains("whose field number"), e::getMessage);
    assertThrows(NotPersistableException.class, () -> depot().setAny(numbered));
    depot()
        .setList(
            new ArrayList<>() {
              {
                add("one");
              }
            });
    assertEquals(List.of("one"), depot().getList());
  }

  @Test
  void newOnesAreAssignedByMethodsOfTheClass() {
    depot().add(1);
    depot().renew();
    depot().all().forEach((type, found) -> assertEquals(0, contents(found).size()));
    depot().add(2);
    reopen();
    depot().all().forEach((type, found) -> assertEquals(1, contents(found).size()));
  }

  @Test
  void aMethodIsOneTransaction() {
    depot().add(1);
    rolledBack(
        () -> {
          depot().add(2);
          depot().all().forEach((type, found) -> assertEquals(2, contents(found).size()));
        });
    depot().all().forEach((type, found) -> assertEquals(1, contents(found).size()));
    rolledBack(() -> depot().renew());
    depot().all().forEach((type, found) -> assertEquals(1, contents(found).size()));
  }

  @Test
  void aMethodThatFailsLeavesNothing() {
    for (int i = 0; i < 8; i++) {
      int which = i;
      assertThrows(IllegalStateException.class, () -> depot().fail(which));
      depot()
          .all()
          .forEach((type, found) -> assertEquals(0, contents(found).size(), type + " " + which));
    }
  }

  @Test
  void itIsTheSameObjectAsLongAsItIsHeldAndNoLonger() {
    ArrayList<@Nullable Object> held = depot().getArrayList();
    WeakReference<Object> vector = new WeakReference<>(depot().getVector());
    JavaGarbage.collect(vector);
    assertSame(held, depot().getArrayList());
    depot().getVector().add(1);
  }

  @Test
  void manyThreadsGetTheSameObject() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      reopen();
      Depot depot = depot();
      Set<Object> found =
          Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        start.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                      found.add(depot.getTreeMap());
                    }));
      }
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(1, found.size());
    }
  }

  @Test
  void oneOfAnotherStoreIsRefused() {
    Store other = new Store();
    ArrayList<@Nullable Object> foreign = other.root(Depot.class).getArrayList();
    NotPersistableException thrown =
        assertThrows(NotPersistableException.class, () -> depot().setArrayList(foreign));
    assertTrue(thrown.getMessage().contains("another store"), thrown.getMessage());
    other.heap.close();
  }

  @Test
  void oneOfARolledBackTransactionCannotBeUsed() {
    List<ArrayList<@Nullable Object>> made = new ArrayList<>();
    rolledBack(
        () -> {
          depot().renew();
          made.add(depot().getArrayList());
        });
    assertThrows(RolledBackException.class, () -> made.getFirst().add(1));
  }

  @Test
  void oneIsMadeWhenItIsFirstNeeded() {
    assertNull(depot().getLazy());
    depot().note("one");
    depot().note("two");
    reopen();
    assertEquals(List.of("one", "two"), depot().getLazy());
    assertInstanceOf(ArrayList.class, depot().getLazy());
  }

  @Test
  void aPlainOneIsCopiedOnceAndAPersistentOneIsShared() {
    ArrayList<@Nullable Object> plain = new ArrayList<>(Arrays.asList(1, null, "three"));
    depot().setArrayList(plain);
    ArrayList<@Nullable Object> first = depot().getArrayList();
    depot().setArrayList(plain);
    assertSame(first, depot().getArrayList());
    assertNotSame(plain, first);

    Depot other = store().create(Depot.class);
    other.setArrayList(first);
    assertSame(first, other.getArrayList());
    other.getArrayList().add(4);
    assertEquals(Arrays.asList(1, null, "three", 4), first);
    assertEquals(Arrays.asList(1, null, "three"), plain);
  }

  @Test
  void aGetterOfAnotherTypeReturnsTheSameObject() {
    assertSame(depot().getArrayList(), depot().getElements());
    assertSame(depot().getHashMap(), depot().getWhatever());
  }

  @Test
  void aPropertyOfAnInterfaceHasTheSameCollection() {
    depot().setList(depot().getArrayList());
    depot().getArrayList().add(1);
    List<@Nullable Object> list = depot().getList();
    assertNotNull(list);
    list.add(2);
    assertEquals(List.of(1, 2), depot().getArrayList());
    assertEquals(depot().getArrayList(), list);
    assertEquals(list, depot().getArrayList());
    assertFalse(list instanceof ArrayList); // as it is for every property of an interface
    depot().setAny(depot().getHashMap());
    depot().getHashMap().put("key", 1);
    assertEquals(Map.of("key", 1), depot().getAny());
  }

  @Test
  void elementsOfCollectionsAreTheCollectionsBehindThem() {
    depot().setMap(new HashMap<>());
    Map<@Nullable Object, @Nullable Object> map = depot().getMap();
    assertNotNull(map);
    map.put("list", depot().getArrayList());
    depot().getArrayList().add("x");
    assertEquals(List.of("x"), map.get("list"));
    assertTrue(map.containsValue(depot().getArrayList()));
    assertTrue(map.containsValue(new ArrayList<>(List.of("x"))));
  }

  @Test
  void aPropertyDeclaredAsHashMapKeepsTheOrderOfALinkedHashMap() {
    LinkedHashMap<@Nullable Object, @Nullable Object> linked = new LinkedHashMap<>();
    for (int i = 100; i > 0; i--) {
      linked.put(i, i);
    }
    depot().setHashMap(linked);
    assertEquals(List.copyOf(linked.keySet()), List.copyOf(depot().getHashMap().keySet()));
    assertEquals(
        List.copyOf(linked.keySet()),
        List.copyOf(((HashMap<?, ?>) depot().getHashMap().clone()).keySet()));
    depot().setHashMap(depot().getLinkedHashMap());
    assertSame(depot().getLinkedHashMap(), depot().getHashMap());
  }

  @Test
  void aTreeMapKeepsItsComparator() {
    TreeMap<@Nullable Object, @Nullable Object> plain = reversed();
    plain.put("a", 1);
    plain.put("b", 2);
    depot().setTreeMap(plain);
    reopen();
    TreeMap<@Nullable Object, @Nullable Object> found = depot().getTreeMap();
    assertEquals("b", found.firstKey());
    assertEquals(Comparator.reverseOrder(), found.comparator());
    assertEquals(List.of("a", "b"), List.copyOf(found.descendingKeySet()));
    found.put("c", 3);
    assertEquals("c", found.firstKey());
  }

  @SuppressWarnings("unchecked") // it compares texts
  private static TreeMap<@Nullable Object, @Nullable Object> reversed() {
    return new TreeMap<>(
        (Comparator<@Nullable Object>) (Comparator<?>) Comparator.<String>reverseOrder());
  }

  @Test
  void aRecordHasThemAsComponents() {
    Pallet plain =
        new Pallet("P", new ArrayList<>(List.of("a", "b")), new LinkedHashMap<>(Map.of("a", 1)));
    depot().setPallet(plain);
    for (int run = 0; run < 2; run++) {
      Pallet found = depot().getPallet();
      assertNotNull(found);
      assertEquals(plain, found);
      assertEquals(found, plain);
      assertEquals(Set.of(plain), Set.of(found));
      reopen();
    }
    Pallet found = depot().getPallet();
    assertNotNull(found);
    found.boxes().add("c");
    reopen();
    Pallet again = depot().getPallet();
    assertNotNull(again);
    assertEquals(List.of("a", "b", "c"), again.boxes());
    store()
        .transaction(
            () -> {
              depot().setList(new ArrayList<>());
              depot().getList().add(again);
              depot().setPallet(new Pallet("Q", again.boxes(), new LinkedHashMap<>()));
              assertSame(again.boxes(), depot().getPallet().boxes());
            });
    assertEquals(again, depot().getList().getFirst());
    assertTrue(depot().getList().contains(again));
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic class
  void anArrayHasThemAsElements() {
    ArrayList<String>[] plain = new ArrayList[] {new ArrayList<>(List.of("a")), null};
    depot().setBuckets(plain);
    for (int run = 0; run < 2; run++) {
      ArrayList<String>[] found = depot().getBuckets();
      assertNotNull(found);
      assertArrayEquals(plain, found);
      plain[0].add("b");
      found[0].add("b");
      assertArrayEquals(plain, depot().getBuckets());
      depot().setBuckets(found);
      assertSame(found[0], depot().getBuckets()[0]);
      reopen();
    }
    Depot copy = (Depot) store().heap.layer().copy(depot(), any -> true);
    assertSame(ArrayList.class, copy.getBuckets()[0].getClass());
    assertArrayEquals(plain, copy.getBuckets());
  }

  @Test
  void changesAfterTheConversionAreStored() {
    Depot made = new Depot();
    store()
        .transaction(
            () -> {
              depot().setAny(made);
              made.getArrayList().add("late");
              made.setStack(new Stack<>());
              made.getStack().push("later");
            });
    reopen();
    Depot found = (Depot) depot().getAny();
    assertNotNull(found);
    assertEquals(List.of("late"), found.getArrayList());
    assertEquals(List.of("later"), found.getStack());
  }

  @Test
  void aPlainObjectMayHaveAPersistentOne() {
    Depot made = new Depot();
    made.setArrayList(depot().getArrayList());
    store()
        .transaction(
            () -> {
              depot().setAny(made);
              depot().setAny(made);
              made.getVector().add(1);
            });
    depot().setAny(null);
    depot().setAny(made);
    assertSame(depot().getArrayList(), ((Depot) depot().getAny()).getArrayList());
    assertEquals(List.of(1), ((Depot) depot().getAny()).getVector());
  }

  @Test
  void aReversedLinkedListIsAViewAndACopyWhenItIsAssigned() {
    LinkedList<@Nullable Object> list = depot().getLinkedList();
    list.addAll(List.of(1, 2, 3, 2));
    LinkedList<@Nullable Object> reversed = list.reversed();
    assertEquals(List.of(2, 3, 2, 1), reversed);
    assertEquals(2, reversed.poll());
    assertEquals(List.of(1, 2, 3), list);
    reversed.push(4);
    assertEquals(List.of(1, 2, 3, 4), list);
    assertTrue(reversed.removeLastOccurrence(1));
    assertEquals(list, reversed.reversed());
    depot().setLinkedList(reversed);
    assertEquals(List.of(4, 3, 2), depot().getLinkedList());
    assertEquals(List.of(2, 3, 4), list);
  }

  @Test
  void aCopyOfAnObjectHasPlainOnesOfTheSameClasses() {
    depot().add(1);
    depot().setPallet(new Pallet("P", new ArrayList<>(List.of("a")), new LinkedHashMap<>()));
    Depot copy = (Depot) store().heap.layer().copy(depot(), any -> true);
    copy.all()
        .forEach(
            (type, found) -> {
              assertSame(type, found.getClass());
              assertEquals(contents(depot().all().get(type)), contents(found));
            });
    assertSame(ArrayList.class, copy.getPallet().boxes().getClass());
    assertEquals(depot().getPallet(), copy.getPallet());
    Object list = store().heap.layer().copy(depot().getVector(), any -> true);
    assertSame(Vector.class, list.getClass());
    assertEquals(List.of(1), list);
    assertSame(depot().getVector(), store().persist(depot().getVector()));
  }
}
