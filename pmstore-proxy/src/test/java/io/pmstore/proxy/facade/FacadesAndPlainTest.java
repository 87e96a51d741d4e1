package io.pmstore.proxy.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.proxy.fixture.StoreTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Constructor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EmptyStackException;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Facades as arguments of the JDK's own code: copy constructors, {@code addAll}, {@code equals},
 * clones and serialization, some of which read the fields of their argument.
 */
@SuppressWarnings("JdkObsolete") // programs have them
final class FacadesAndPlainTest extends StoreTest {
  private static final List<Class<?>> SEQUENCES =
      List.of(
          ArrayList.class,
          LinkedList.class,
          Vector.class,
          Stack.class,
          CopyOnWriteArrayList.class,
          ArrayDeque.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class,
          PriorityQueue.class);
  private static final List<Class<?>> MAPS =
      List.of(
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          ConcurrentHashMap.class,
          ConcurrentSkipListMap.class);

  private final Depot plain = new Depot();

  private Depot depot() {
    return store().root(Depot.class);
  }

  @BeforeEach
  void fill() {
    for (int i = 1; i <= 5; i++) {
      depot().add(i);
      plain.add(i);
    }
  }

  /** The facade and the plain collection of a class. */
  private interface Check {
    void of(Class<?> type, Object facade, Object plain) throws Exception;
  }

  private void ofEach(Check check) {
    plain
        .all()
        .forEach(
            (type, expected) -> {
              try {
                check.of(type, depot().all().get(type), expected);
              } catch (Exception e) {
                throw new AssertionError(type.getName(), e);
              }
            });
  }

  @SuppressWarnings("unchecked") // they hold numbers
  private static Collection<Object> elements(Object collection) {
    return (Collection<Object>) collection;
  }

  @SuppressWarnings("unchecked") // they hold numbers
  private static Map<Object, Object> map(Object collection) {
    return (Map<Object, Object>) collection;
  }

  @Test
  void theyAreEqualBothWays() {
    ofEach(
        (type, facade, expected) -> {
          assertEquals(facade, facade);
          if (facade instanceof Queue && !(facade instanceof List)) {
            assertNotEquals(facade, expected);
            assertNotEquals(expected, facade);
          } else {
            assertEquals(expected, facade, type.getName());
            assertEquals(facade, expected, type.getName());
            assertEquals(expected.hashCode(), facade.hashCode());
          }
          assertEquals(
              new TreeSet<>(List.of(text(expected).split("[^-=0-9]+"))),
              new TreeSet<>(List.of(text(facade).split("[^-=0-9]+"))));
        });
  }

  private static String text(Object collection) {
    return collection.toString();
  }

  @Test
  void plainOnesAreMadeOfThem() {
    ofEach(
        (type, facade, expected) -> {
          for (Class<?> to : facade instanceof Map ? MAPS : SEQUENCES) {
            for (Constructor<?> constructor : to.getConstructors()) {
              Class<?>[] parameters = constructor.getParameterTypes();
              if (parameters.length != 1
                  || !parameters[0].isInstance(facade)
                  || !(Collection.class.isAssignableFrom(parameters[0])
                      || Map.class.isAssignableFrom(parameters[0]))) {
                continue;
              }
              Object made = constructor.newInstance(facade);
              String what = "new " + to.getSimpleName() + "(" + type.getSimpleName() + ")";
              if (made instanceof Map<?, ?> copy) {
                assertEquals(expected, copy, what);
              } else {
                assertEquals(
                    new TreeSet<>(elements(expected)), new TreeSet<>(elements(made)), what);
                assertEquals(elements(expected).size(), elements(made).size(), what);
              }
            }
          }
        });
    assertEquals(Set.of(1, 2, 3, 4, 5), Set.copyOf(depot().getArrayList()));
    assertEquals(List.of(1, 2, 3, 4, 5), List.copyOf(depot().getArrayList()));
    assertEquals(Map.copyOf(plain.getHashMap()), Map.copyOf(depot().getHashMap()));
    assertEquals(5, new TreeMap<>((SortedMap<?, ?>) depot().getTreeMap()).size());
  }

  @Test
  void plainOnesTakeAllOfThem() {
    ofEach(
        (type, facade, expected) -> {
          for (Class<?> to : facade instanceof Map ? MAPS : SEQUENCES) {
            Object made = to.getConstructor().newInstance();
            String what = to.getSimpleName() + " of " + type.getSimpleName();
            if (made instanceof Map) {
              map(made).putAll(map(facade));
              assertEquals(expected, made, what);
              assertEquals(made, expected, what);
            } else {
              elements(made).addAll(elements(facade));
              assertEquals(new TreeSet<>(elements(expected)), new TreeSet<>(elements(made)), what);
              elements(made).removeAll(elements(facade));
              assertEquals(0, elements(made).size(), what);
            }
          }
        });
  }

  @Test
  void theyTakeAllOfPlainOnesAndOfThemselves() {
    ofEach(
        (type, facade, expected) -> {
          if (facade instanceof Map) {
            map(facade).clear();
            map(facade).putAll(map(expected));
            map(facade).putAll(map(facade));
            assertEquals(expected, facade);
          } else {
            elements(facade).clear();
            elements(facade).addAll(elements(expected));
            assertEquals(List.copyOf(elements(expected)).size(), elements(facade).size());
            elements(facade).retainAll(elements(expected));
            assertEquals(new TreeSet<>(elements(expected)), new TreeSet<>(elements(facade)));
          }
        });
  }

  @Test
  void aCloneIsAPlainOne() {
    ofEach(
        (type, facade, expected) -> {
          if (facade instanceof Cloneable) {
            Object clone = facade.getClass().getMethod("clone").invoke(facade);
            assertSame(type, clone.getClass());
            assertEquals(text(expected).length(), text(clone).length());
            if (clone instanceof Map) {
              map(clone).clear();
              assertEquals(5, map(facade).size());
            } else {
              elements(clone).clear();
              assertEquals(5, elements(facade).size());
            }
          }
        });
  }

  @Test
  void theyAreSerializedAsPlainOnes() {
    ofEach(
        (type, facade, expected) -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(facade);
          }
          Object read =
              new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
          assertSame(type, read.getClass());
          assertEquals(text(expected).length(), text(read).length());
        });
  }

  @Test
  void theJdksAlgorithmsWorkOnThem() {
    List<Integer> sorted = List.of(1, 2, 3, 4, 5);
    for (Object facade : depot().all().values()) {
      if (!(facade instanceof List<?>)) {
        continue;
      }
      @SuppressWarnings("unchecked") // it holds numbers
      List<Integer> list = (List<Integer>) facade;
      Collections.reverse(list);
      assertEquals(sorted.reversed(), list);
      Collections.swap(list, 0, 4);
      Collections.rotate(list, 2);
      Collections.sort(list);
      assertEquals(sorted, list);
      assertEquals(3, Collections.binarySearch(list, 4));
      assertEquals(15, list.stream().mapToInt(i -> i).sum());
      assertEquals(15, list.parallelStream().mapToInt(i -> i).sum());
      assertEquals(sorted, Collections.unmodifiableList(list));
      list.subList(1, 3).clear();
      list.replaceAll(i -> -i);
      list.removeIf(i -> i == -4);
      assertEquals(List.of(-1, -5), list);
      assertEquals("[-1, -5]", list.toString());
      assertEquals(List.of(-1, -5), List.of(list.toArray()));
    }
  }

  // -- what one class only has

  @Test
  void aVectorHasItsOldMethods() {
    Vector<@Nullable Object> vector = depot().getVector();
    assertEquals(3, vector.elementAt(2));
    assertThrows(ArrayIndexOutOfBoundsException.class, () -> vector.elementAt(5));
    assertThrows(ArrayIndexOutOfBoundsException.class, () -> vector.get(-1));
    assertThrows(ArrayIndexOutOfBoundsException.class, () -> vector.add(7, "x"));
    assertEquals(5, vector.lastElement());
    vector.insertElementAt(1, 3);
    assertEquals(3, vector.indexOf(1, 1));
    assertEquals(-1, vector.indexOf(1, 4));
    assertEquals(0, vector.lastIndexOf(1, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> vector.lastIndexOf(1, 6));
    vector.setElementAt("x", 0);
    vector.removeElementAt(1);
    vector.removeElement("x");
    assertEquals(List.of(3, 1, 4, 5), vector);
    Object[] array = new Object[5];
    vector.copyInto(array);
    assertEquals(5, array[3]);
    vector.setSize(6);
    vector.setSize(2);
    assertEquals(List.of(3, 1), vector);
    Enumeration<@Nullable Object> all = vector.elements();
    vector.addElement(2); // an enumeration does not mind
    assertEquals(List.of(3, 1, 2), Collections.list(all));
    assertThrows(NoSuchElementException.class, all::nextElement);
    vector.removeAllElements();
    assertThrows(NoSuchElementException.class, vector::firstElement);
  }

  @Test
  void whoHoldsTheMonitorOfAVectorKeepsOthersOut() throws InterruptedException {
    Vector<@Nullable Object> vector = depot().getVector();
    Thread other = new Thread(() -> depot().getVector().add("other"));
    synchronized (depot().getVector()) {
      other.start();
      while (other.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      vector.add("mine");
    }
    other.join();
    assertEquals(List.of("mine", "other"), vector.subList(5, 7));
  }

  @Test
  void aStackHasItsOldMethods() {
    Stack<@Nullable Object> stack = depot().getStack();
    assertEquals(6, stack.push(6));
    assertEquals(1, stack.search(6));
    assertEquals(6, stack.search(1));
    assertEquals(-1, stack.search(9));
    assertEquals(6, stack.peek());
    for (int i = 6; i > 0; i--) {
      assertEquals(i, stack.pop());
    }
    assertEquals(true, stack.empty());
    assertThrows(EmptyStackException.class, stack::pop);
    assertThrows(EmptyStackException.class, stack::peek);
  }

  @Test
  void aLinkedListIsADeque() {
    LinkedList<@Nullable Object> list = depot().getLinkedList();
    list.offerFirst(0);
    list.offer(null);
    assertEquals(0, list.element());
    assertEquals(0, list.pop());
    assertEquals(null, list.pollLast());
    list.push(5);
    list.removeLastOccurrence(5);
    assertEquals(List.of(5, 1, 2, 3, 4), list);
    list.removeFirstOccurrence(1);
    Iterator<@Nullable Object> backwards = list.descendingIterator();
    assertEquals(4, backwards.next());
    backwards.remove();
    assertEquals(3, list.peekLast());
    assertEquals(5, list.remove());
    list.clear();
    assertEquals(null, list.peek());
    assertEquals(null, list.poll());
    assertThrows(NoSuchElementException.class, list::remove);
    assertThrows(NoSuchElementException.class, list::element);
  }

  @Test
  void anIterationOfACopyOnWriteListGoesOnOverItsBeginning() {
    CopyOnWriteArrayList<@Nullable Object> list = depot().getCopyOnWriteArrayList();
    for (Object element : list) {
      list.remove(element);
      list.addIfAbsent(-(Integer) element);
    }
    assertEquals(List.of(-1, -2, -3, -4, -5), list);
    assertEquals(2, list.addAllAbsent(Arrays.asList(-1, 6, null, 6, null)));
    assertEquals(Arrays.asList(-1, -2, -3, -4, -5, 6, null), list);
    list.forEach(element -> list.remove(element));
    assertEquals(List.of(), list);
    list.add(1);
    Iterator<@Nullable Object> iterator = list.iterator();
    iterator.next();
    assertThrows(UnsupportedOperationException.class, iterator::remove);
  }

  @SuppressWarnings("HashtableContains") // is what is tested
  @Test
  void aHashtableTakesNoNull() {
    assertThrows(NullPointerException.class, () -> depot().getHashtable().put("key", null));
    assertThrows(NullPointerException.class, () -> depot().getHashtable().contains(null));
    assertEquals(true, depot().getHashtable().contains(-3));
    assertEquals(
        Set.of(1, 2, 3, 4, 5), Set.copyOf(Collections.list(depot().getHashtable().keys())));
    assertEquals(
        Set.of(-1, -2, -3, -4, -5),
        Set.copyOf(Collections.list(depot().getHashtable().elements())));
  }

  @Test
  void aTreeSetHasItsViews() {
    TreeSet<?> set = assertInstanceOf(TreeSet.class, depot().all().get(TreeSet.class));
    assertEquals(List.of(5, 4, 3, 2, 1), List.copyOf(set.descendingSet()));
    assertEquals(List.of(1), List.copyOf(((SortedSet<?>) set).reversed().reversed()).subList(0, 1));
    assertFalse(set.headSet(null == set ? null : cast(3)).contains(3));
    assertNotSame(set, set.clone());
  }

  @SuppressWarnings("unchecked") // whatever is asked for
  private static <T> T cast(Object value) {
    return (T) value;
  }
}
