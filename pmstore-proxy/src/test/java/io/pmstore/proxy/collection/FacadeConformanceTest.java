package io.pmstore.proxy.collection;

import com.google.common.collect.testing.FeatureSpecificTestSuiteBuilder;
import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.MapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.ListFeature;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.ListListIteratorTester;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.facade.Facades;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Hashtable;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suites for each JDK class that a property can be declared as, with all features of that
 * class except {@code SERIALIZABLE}: a facade is serialized as a plain object. The seed chooses a
 * part of each suite; the collections behind the facades have suites of their own.
 */
@SuppressWarnings("JdkObsolete") // programs have them
class FacadeConformanceTest {
  /** One test of so many is in the part of a run, but for the suites of sorted collections. */
  private static final int EVERY = 24;

  /** The suites of all classes. */
  @TestFactory
  List<DynamicNode> suite() {
    List<DynamicNode> all = new ArrayList<>();
    for (Class<?> type : CollectionClasses.all()) {
      String name = type.getSimpleName();
      all.addAll(
          Conformance.sample(name, every(type), run -> builder(run, type).createTestSuite()));
      if (type == LinkedList.class) {
        all.addAll(
            Conformance.sample(
                name + " as a queue", EVERY, run -> ofQueue(run, type).createTestSuite()));
      }
    }
    return all;
  }

  private static int every(Class<?> type) {
    Class<?> stored = CollectionClasses.storedAs(type);
    return stored == NavigableMap.class ? 400 : stored == NavigableSet.class ? 150 : EVERY;
  }

  private static FeatureSpecificTestSuiteBuilder<?, ?> builder(Conformance run, Class<?> type) {
    Class<?> stored = CollectionClasses.storedAs(type);
    if (stored == NavigableMap.class) {
      return ofSortedMap(run, type);
    }
    if (stored == NavigableSet.class) {
      return ofSortedSet(run, type);
    }
    if (Map.class.isAssignableFrom(stored)) {
      return ofMap(run, type);
    }
    if (Set.class.isAssignableFrom(stored)) {
      return ofSet(run, type);
    }
    return stored == Deque.class ? ofQueue(run, type) : ofList(run, type);
  }

  /** The facade of a new collection. */
  @SuppressWarnings("unchecked") // each caller knows the class
  private static <C> C elements(Conformance run, Class<?> type, Object[] elements) {
    PersistentCollection made =
        switch (CollectionKind.of(CollectionClasses.storedAs(type))) {
          case LIST ->
              run.<PersistentList<Object>>make(CollectionKind.LIST, null, c -> fill(c, elements));
          case SET ->
              run.<PersistentSet<Object>>make(CollectionKind.SET, null, c -> fill(c, elements));
          case LINKED_SET ->
              run.<PersistentLinkedSet<Object>>make(
                  CollectionKind.LINKED_SET, null, c -> fill(c, elements));
          case SORTED_SET ->
              run.<PersistentSortedSet<Object>>make(
                  CollectionKind.SORTED_SET, null, c -> fill(c, elements));
          case DEQUE ->
              run.<PersistentDeque<Object>>make(CollectionKind.DEQUE, null, c -> fill(c, elements));
          case null, default -> throw new IllegalArgumentException(type.getName());
        };
    return (C) Objects.requireNonNull(Facades.fitting(made, type));
  }

  private static void fill(Collection<Object> collection, Object[] elements) {
    Collections.addAll(collection, elements);
  }

  @SuppressWarnings("unchecked") // each caller knows the class
  private static <C> C entries(
      Conformance run, Class<?> type, Map.Entry<String, String>[] entries) {
    PersistentCollection made;
    if (Hashtable.class.isAssignableFrom(type)) {
      made =
          run.<PersistentConcurrentMap<String, String>>make(
              CollectionKind.CONCURRENT_MAP, null, map -> put(map, entries));
    } else if (CollectionClasses.storedAs(type) == SequencedMap.class) {
      made =
          run.<PersistentLinkedMap<String, String>>make(
              CollectionKind.LINKED_MAP, null, map -> put(map, entries));
    } else if (CollectionClasses.storedAs(type) == NavigableMap.class) {
      made =
          run.<PersistentSortedMap<String, String>>make(
              CollectionKind.SORTED_MAP, null, map -> put(map, entries));
    } else {
      made =
          run.<PersistentMap<String, String>>make(
              CollectionKind.MAP, null, map -> put(map, entries));
    }
    return (C) Objects.requireNonNull(Facades.fitting(made, type));
  }

  private static void put(Map<String, String> map, Map.Entry<String, String>[] entries) {
    for (Map.Entry<String, String> entry : entries) {
      map.put(entry.getKey(), entry.getValue());
    }
  }

  // -- the suites

  private static FeatureSpecificTestSuiteBuilder<?, ?> ofList(Conformance run, Class<?> type) {
    List<Feature<?>> features =
        new ArrayList<>(List.of(CollectionFeature.ALLOWS_NULL_VALUES, CollectionSize.ANY));
    if (type == CopyOnWriteArrayList.class) {
      features.addAll(
          List.of(
              CollectionFeature.SUPPORTS_ADD,
              CollectionFeature.SUPPORTS_REMOVE,
              ListFeature.SUPPORTS_ADD_WITH_INDEX,
              ListFeature.SUPPORTS_REMOVE_WITH_INDEX,
              ListFeature.SUPPORTS_SET));
    } else {
      features.addAll(
          List.of(
              ListFeature.GENERAL_PURPOSE,
              CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
              CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION));
    }
    ListTestSuiteBuilder<String> suite =
        ListTestSuiteBuilder.using(
                new TestStringListGenerator() {
                  @Override
                  protected List<String> create(String[] elements) {
                    return elements(run, type, elements);
                  }
                })
            .named(type.getSimpleName())
            .withFeatures(features);
    return type == CopyOnWriteArrayList.class // Guava leaves it out for that of the JDK, too
        ? suite.suppressing(ListListIteratorTester.getListIteratorFullyModifiableMethod())
        : suite;
  }

  private static FeatureSpecificTestSuiteBuilder<?, ?> ofQueue(Conformance run, Class<?> type) {
    List<Feature<?>> features =
        new ArrayList<>(
            List.of(
                CollectionFeature.GENERAL_PURPOSE,
                CollectionFeature.KNOWN_ORDER,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY));
    if (type == LinkedList.class) {
      features.add(CollectionFeature.ALLOWS_NULL_VALUES);
    }
    if (type != ConcurrentLinkedDeque.class && type != ConcurrentLinkedQueue.class) {
      features.add(CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION);
    }
    return QueueTestSuiteBuilder.using(
            new TestStringQueueGenerator() {
              @Override
              protected Queue<String> create(String[] elements) {
                return elements(run, type, elements);
              }
            })
        .named(type.getSimpleName())
        .withFeatures(features);
  }

  private static FeatureSpecificTestSuiteBuilder<?, ?> ofSet(Conformance run, Class<?> type) {
    List<Feature<?>> features =
        new ArrayList<>(List.of(CollectionFeature.ALLOWS_NULL_VALUES, CollectionSize.ANY));
    if (CollectionClasses.storedAs(type) == SequencedSet.class) {
      features.add(CollectionFeature.KNOWN_ORDER);
    }
    if (type == CopyOnWriteArraySet.class) {
      features.addAll(List.of(CollectionFeature.SUPPORTS_ADD, CollectionFeature.SUPPORTS_REMOVE));
    } else {
      features.addAll(
          List.of(
              CollectionFeature.GENERAL_PURPOSE,
              CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
              CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION));
    }
    return SetTestSuiteBuilder.using(
            new TestStringSetGenerator() {
              @Override
              protected Set<String> create(String[] elements) {
                return elements(run, type, elements);
              }
            })
        .named(type.getSimpleName())
        .withFeatures(features);
  }

  private static FeatureSpecificTestSuiteBuilder<?, ?> ofSortedSet(Conformance run, Class<?> type) {
    return NavigableSetTestSuiteBuilder.using(
            new TestStringSortedSetGenerator() {
              @Override
              protected SortedSet<String> create(String[] elements) {
                return elements(run, type, elements);
              }
            })
        .named(type.getSimpleName())
        .withFeatures(
            CollectionFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
            CollectionSize.ANY);
  }

  private static FeatureSpecificTestSuiteBuilder<?, ?> ofMap(Conformance run, Class<?> type) {
    List<Feature<?>> features =
        new ArrayList<>(
            List.of(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY));
    if (!Hashtable.class.isAssignableFrom(type)) {
      features.addAll(
          List.of(
              MapFeature.ALLOWS_NULL_KEYS,
              MapFeature.ALLOWS_NULL_VALUES,
              MapFeature.ALLOWS_ANY_NULL_QUERIES,
              MapFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION));
    }
    if (CollectionClasses.storedAs(type) == SequencedMap.class) {
      features.add(CollectionFeature.KNOWN_ORDER);
    }
    return MapTestSuiteBuilder.using(
            new TestStringMapGenerator() {
              @Override
              protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                return entries(run, type, entries);
              }
            })
        .named(type.getSimpleName())
        .withFeatures(features);
  }

  private static FeatureSpecificTestSuiteBuilder<?, ?> ofSortedMap(Conformance run, Class<?> type) {
    return NavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                return entries(run, type, entries);
              }
            })
        .named(type.getSimpleName())
        .withFeatures(
            MapFeature.GENERAL_PURPOSE,
            MapFeature.ALLOWS_NULL_VALUES,
            MapFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionFeature.KNOWN_ORDER,
            CollectionSize.ANY);
  }
}
